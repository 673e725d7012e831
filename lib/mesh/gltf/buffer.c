/* gltf/buffer.c: each buffer is fetched when first asked for, and each file read once. */
#include "lib/base/file/file.h"
#include "lib/mesh/gltf/base64.h"
#include "lib/mesh/gltf/gltf.h"

#include <string.h>

enum { MOST_FILES = 256 };

typedef struct sli_gltf_file {
    const char *path;
    sli_file file;
} sli_gltf_file;

void sli_gltf_close_files(sli_gltf *gltf)
{
    for (size_t i = 0; i < gltf->file_count; i++) {
        sli_file_close(&gltf->files[i].file);
    }
}

static sl_result buffer_decode(sli_gltf *gltf, const sli_gltf_item *buffer, const char *text,
                               sli_gltf_bytes *out)
{
    const size_t length = strlen(text);
    uint8_t *bytes;
    SLI_TRY(sli_gltf_array(gltf, &bytes, sli_base64_room(length), 1));
    if (!sli_base64_decode(text, length, bytes, &out->size)) {
        return sli_gltf_bad(gltf, buffer,
                            "the base64 of its data URI is broken at character %zu of %zu",
                            out->size, length);
    }
    out->at = bytes;
    return SL_OK;
}

static bool make_scratch(void *context, size_t size)
{
    return sl_mesh_sink_spend(context, size, true);
}

/* Reads a file, unless it has been. */
static sl_result buffer_fetch(sli_gltf *gltf, const sli_gltf_item *buffer, const char *path,
                              sli_gltf_bytes *out)
{
    for (size_t i = 0; i < gltf->file_count; i++) {
        if (strcmp(gltf->files[i].path, path) == 0) {
            out->at = gltf->files[i].file.bytes;
            out->size = gltf->files[i].file.size;
            return SL_OK;
        }
    }
    if (!gltf->input->is_file) {
        return sli_gltf_fail(gltf, SL_UNSUPPORTED, buffer,
                             "it is the file '%.60s', which can be found only where the glTF is "
                             "itself read from a file; use a GLB",
                             path);
    }
    if (gltf->files == NULL) {
        SLI_TRY(sli_gltf_array(gltf, &gltf->files, MOST_FILES, sizeof *gltf->files));
    }
    if (gltf->file_count == MOST_FILES) {
        return sli_gltf_fail(gltf, SL_TOO_LARGE, buffer, "more than %d files", (int)MOST_FILES);
    }
    sli_gltf_file *file = &gltf->files[gltf->file_count];
    file->path = path;
    const sl_result result =
        sli_file_read_below(gltf->input->name, path, SIZE_MAX, make_scratch, gltf->sink,
                            &gltf->input->allocator, &file->file, gltf->error);
    if (result != SL_OK) {
        /* The words are there; the place is not. */
        sli_gltf_location location;
        sli_gltf_locate(gltf, buffer->kind, buffer->index, 1, &location);
        if (gltf->error != NULL && result != SL_OUT_OF_MEMORY) {
            gltf->error->line = location.line;
            gltf->error->byte = location.byte;
            sli_gltf_make_printable(gltf->error);
        }
        return result;
    }
    gltf->file_count++;
    out->at = file->file.bytes;
    out->size = file->file.size;
    return SL_OK;
}

static sl_result buffer_follow(sli_gltf *gltf, const sli_gltf_item *buffer, const char *uri,
                               size_t length, sli_gltf_bytes *out)
{
    const char *what;
    char *text;
    SLI_TRY(sli_gltf_array(gltf, &text, length + 1, 1));
    switch (sli_gltf_read_uri(uri, length, text, &what)) {
    case SLI_GLTF_DATA:
        return buffer_decode(gltf, buffer, what, out);
    case SLI_GLTF_FILE:
        return buffer_fetch(gltf, buffer, what, out);
    case SLI_GLTF_REFUSED:
        break;
    }
    return sli_gltf_fail(gltf, SL_UNSUPPORTED, buffer, "its URI '%.48s' %s", uri, what);
}

static sl_result find_bytes(sli_gltf *gltf, const sli_gltf_item *buffer, sli_gltf_bytes *out)
{
    const char *uri;
    size_t length;
    SLI_TRY(sli_gltf_text(gltf, buffer, "uri", &uri, &length));
    if (uri != NULL) {
        return buffer_follow(gltf, buffer, uri, length, out);
    }
    if (buffer->index == 0 && gltf->chunk.there) {
        *out = gltf->chunk;
        return SL_OK;
    }
    return sli_gltf_bad(gltf, buffer, "it has neither a URI nor the binary chunk of a GLB");
}

sl_result sli_gltf_buffer(sli_gltf *gltf, uint32_t index, sli_gltf_bytes *out)
{
    sli_gltf_bytes *kept = &gltf->buffers[index];
    sli_gltf_item buffer;
    uint64_t length;
    sl_result result = gltf->optional ? kept->failed : SL_OK;
    if (!kept->there && result == SL_OK) {
        result = sli_gltf_element(gltf, SLI_GLTF_BUFFERS, index, &buffer);
        result = SLI_THEN(result, sli_gltf_whole(gltf, &buffer, "byteLength", SLI_GLTF_NEEDED,
                                                 SIZE_MAX / 2, &length));
        result = SLI_THEN(result, find_bytes(gltf, &buffer, kept));
        if (result == SL_OK && kept->size < length) {
            result =
                sli_gltf_bad(gltf, &buffer, "'byteLength' is %llu, but there are only %zu bytes",
                             (unsigned long long)length, kept->size);
        }
        if (result == SL_OK) {
            kept->size = (size_t)length;
            kept->there = true;
        }
        kept->failed = result;
    }
    *out = *kept;
    return result;
}

sl_result sli_gltf_range(sli_gltf *gltf, const sli_gltf_item *item, sli_gltf_bytes *out)
{
    uint64_t begin, length;
    uint32_t buffer;
    sli_gltf_bytes whole = { 0 };
    SLI_TRY(sli_gltf_reference(gltf, item, "buffer", true, SLI_GLTF_BUFFERS, &buffer));
    SLI_TRY(sli_gltf_whole(gltf, item, "byteOffset", 0, SIZE_MAX / 2, &begin));
    SLI_TRY(sli_gltf_whole(gltf, item, "byteLength", SLI_GLTF_NEEDED, SIZE_MAX / 2, &length));
    SLI_TRY(sli_gltf_buffer(gltf, buffer, &whole));
    if (begin > whole.size || length > whole.size - begin) {
        return sli_gltf_bad(gltf, item,
                            "bytes %llu to %llu are not all in buffers[%lu], which has %zu",
                            (unsigned long long)begin, (unsigned long long)begin + length,
                            (unsigned long)buffer, whole.size);
    }
    *out = (sli_gltf_bytes){ .at = whole.at + begin, .size = (size_t)length, .there = true };
    return SL_OK;
}

sl_result sli_gltf_view(sli_gltf *gltf, uint32_t index, sli_gltf_bytes *out, size_t *stride)
{
    sli_gltf_item view, extension;
    uint64_t step;
    SLI_TRY(sli_gltf_element(gltf, SLI_GLTF_VIEWS, index, &view));
    SLI_TRY(sli_gltf_extension(gltf, &view, "EXT_meshopt_compression", &extension));
    if (extension.object != NULL && sli_gltf_has_meshopt()) {
        return sli_gltf_meshopt_view(gltf, &view, &extension, out, stride);
    }
    SLI_TRY(sli_gltf_whole(gltf, &view, "byteStride", 0, 255, &step));
    *stride = (size_t)step;
    return sli_gltf_range(gltf, &view, out);
}
