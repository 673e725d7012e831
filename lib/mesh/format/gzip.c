/* gzip.c: compressed files, of one member or several, through zlib.  A thousand bytes may come of
 * one, so that growing is bounded by what the caller allows. Source: RFC 1952 (gzip). */
#include "lib/base/error.h"
#include "lib/base/memory.h"
#include "lib/mesh/format/bytes.h"
#include "lib/mesh/format/io_formats.h"

#include <limits.h>
#include <zlib.h>

enum { HEAD = 16, MEMBER = 18, WINDOW_BITS = 15, GZIP = 16, FIRST_ROOM = 4096 };

/* zlib gives no size back: it is kept in front of each block. */
static void *gzip_take(void *user, unsigned count, unsigned size)
{
    const sl_allocator *allocator = user;
    if (size != 0 && count > (SIZE_MAX - HEAD) / size) {
        return NULL;
    }
    const size_t bytes = (size_t)count * size + HEAD;
    uint8_t *block = sli_alloc(allocator, bytes, HEAD);
    if (block == NULL) {
        return NULL;
    }
    memcpy(block, &bytes, sizeof bytes);
    return block + HEAD;
}

static void give_back(void *user, void *memory)
{
    size_t bytes;
    uint8_t *block = (uint8_t *)memory - HEAD;
    memcpy(&bytes, block, sizeof bytes);
    sli_free(user, block, bytes);
}

/* A file being unpacked. */
typedef struct unpacking {
    const sl_mesh_input *input;
    z_stream stream;
    size_t max_bytes;
    uint8_t *bytes;
    size_t size, capacity;
    size_t fed; /* bytes of the input that the stream was given */
    sl_error *error;
} unpacking;

static size_t gzip_byte(const unpacking *work)
{
    return work->fed - work->stream.avail_in;
}

static sl_result gzip_fail(const unpacking *work, const char *words)
{
    return sli_fail(work->error, SL_BAD_DATA, work->input->name, SLI_NO_LINE,
                    (int64_t)gzip_byte(work), "gzip: %s", words);
}

/* More capacity; old and new block live side by side for a while. */
static sl_result gzip_grow(unpacking *work)
{
    const size_t half = work->capacity / 2;
    const size_t space =
        work->max_bytes - (work->capacity < work->max_bytes ? work->capacity : work->max_bytes);
    size_t wanted = work->capacity + (half > FIRST_ROOM ? half : FIRST_ROOM);
    if (wanted > space) {
        wanted = space;
    }
    if (wanted <= work->size) {
        return sli_fail(work->error, SL_TOO_LARGE, work->input->name, SLI_NO_LINE,
                        (int64_t)gzip_byte(work),
                        "gzip: more than %zu bytes come of it, and no more memory may be taken; "
                        "unpack it first, or allow more (max_memory)",
                        work->size);
    }
    const sl_allocator *allocator = &work->input->allocator;
    uint8_t *larger = sli_alloc_array(allocator, wanted, 1);
    SLI_TRY(sli_had_memory(work->error, larger != NULL));
    if (work->size > 0) {
        memcpy(larger, work->bytes, work->size);
    }
    sli_free_array(allocator, work->bytes, work->capacity, 1);
    work->bytes = larger;
    work->capacity = wanted;
    return SL_OK;
}

/* Gives the stream input and space for output, no more than its numbers can hold. */
static void gzip_feed(unpacking *work)
{
    z_stream *stream = &work->stream;
    if (stream->avail_in == 0) {
        const size_t rest = work->input->size - work->fed;
        stream->next_in = (Bytef *)(uintptr_t)(work->input->bytes + work->fed);
        stream->avail_in = (uInt)(rest < INT_MAX ? rest : INT_MAX);
        work->fed += stream->avail_in;
    }
    const size_t space = work->capacity - work->size;
    stream->next_out = work->bytes + work->size;
    stream->avail_out = (uInt)(space < INT_MAX ? space : INT_MAX);
}

/* Up to the end of one member. */
static sl_result inflate_member(unpacking *work)
{
    for (;;) {
        if (work->size == work->capacity) {
            SLI_TRY(gzip_grow(work));
        }
        gzip_feed(work);
        const uInt space = work->stream.avail_out;
        const int status = inflate(&work->stream, Z_NO_FLUSH);
        work->size += space - work->stream.avail_out;
        if (status == Z_STREAM_END) {
            return SL_OK;
        }
        if (status == Z_MEM_ERROR) {
            return sli_fail_memory(work->error);
        }
        if (status == Z_BUF_ERROR ||
            (status == Z_OK && work->stream.avail_in == 0 && work->fed == work->input->size &&
             work->stream.avail_out > 0)) {
            return gzip_fail(work, "the file ends in the middle; is it complete?");
        }
        if (status != Z_OK) {
            return gzip_fail(work, work->stream.msg != NULL ? work->stream.msg : "broken data");
        }
    }
}

/* True where nothing but zeros is left, as tapes and archives fill up with. */
static bool at_end(const unpacking *work)
{
    for (size_t i = gzip_byte(work); i < work->input->size; i++) {
        if (work->input->bytes[i] != 0) {
            return false;
        }
    }
    return true;
}

static sl_result inflate_all(unpacking *work)
{
    /* What the last member says that it holds, unless that is incredible. */
    const size_t said = sli_little32(work->input->bytes + work->input->size - 4);
    const size_t likely = said / 1032 <= work->input->size ? said + 1 : 0;
    if (likely > work->max_bytes) {
        return sli_fail(work->error, SL_TOO_LARGE, work->input->name, SLI_NO_LINE, 0,
                        "gzip: %zu bytes come of it, which is more memory than may be taken; "
                        "unpack it first, or allow more (max_memory)",
                        said);
    }
    if (likely > 0) {
        work->bytes = sli_alloc_array(&work->input->allocator, likely, 1);
        SLI_TRY(sli_had_memory(work->error, work->bytes != NULL));
        work->capacity = likely;
    }
    sl_result result = inflate_member(work);
    while (result == SL_OK && !at_end(work)) {
        if (inflateReset(&work->stream) != Z_OK) {
            return gzip_fail(work, "broken data");
        }
        result = inflate_member(work);
    }
    return result;
}

static sl_result gzip_unpack(const sl_mesh_input *input, size_t max_bytes, uint8_t **bytes,
                             size_t *size, size_t *capacity, sl_error *error)
{
    sl_allocator allocator = input->allocator;
    unpacking work = { .input = input,
                       .max_bytes = max_bytes,
                       .error = error,
                       .stream = {
                           .zalloc = gzip_take, .zfree = give_back, .opaque = &allocator } };
    *bytes = NULL;
    *size = *capacity = 0;
    if (input->size < MEMBER) {
        return gzip_fail(&work, "the file ends in the middle; is it complete?");
    }
    if (inflateInit2(&work.stream, WINDOW_BITS + GZIP) != Z_OK) {
        return sli_fail_memory(error);
    }
    const sl_result result = inflate_all(&work);
    inflateEnd(&work.stream);
    *bytes = work.bytes;
    *size = work.size;
    *capacity = work.capacity;
    return result;
}

static bool gzip_recognise(const sl_mesh_input *input)
{
    return input->size >= 3 && input->bytes[0] == 0x1F && input->bytes[1] == 0x8B &&
           input->bytes[2] == 8;
}

const sl_mesh_format sli_io_gzip = {
    .name = "gzip", .ending = ".gz", .recognise = gzip_recognise, .unpack = gzip_unpack
};
