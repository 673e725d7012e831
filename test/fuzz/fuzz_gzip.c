/* fuzz_gzip.c: any bytes as a compressed mesh: as they are, and as what is deflated between a head
 * and a checksum and size that fit. */
#include "test/fuzz/fuzz.h"
#include "test/fuzz/try_mesh.h"

#include <string.h>
#include <zlib.h>

enum { MOST_MEMORY = 16 << 20, MOST_BYTES = 1 << 16, HEAD = 10, TAIL = 8, WINDOW_BITS = 15 };

/* How many of the bytes are a deflated stream, and what comes of it; 0: none, or too much. */
static size_t inflate_raw(const uint8_t *bytes, size_t size, uint8_t *out, size_t *out_size)
{
    z_stream stream = { .next_in = (Bytef *)(uintptr_t)bytes,
                        .avail_in = (uInt)size,
                        .next_out = out,
                        .avail_out = MOST_BYTES };
    if (inflateInit2(&stream, -WINDOW_BITS) != Z_OK) {
        return 0;
    }
    const bool whole = inflate(&stream, Z_FINISH) == Z_STREAM_END;
    *out_size = MOST_BYTES - stream.avail_out;
    inflateEnd(&stream);
    return whole ? size - stream.avail_in : 0;
}

static void put_u32(uint8_t *at, unsigned long value)
{
    for (int i = 0; i < 4; i++) {
        at[i] = (uint8_t)(value >> (8 * i));
    }
}

/* One member, and behind it whatever followed the stream. */
static void try_with_head(const uint8_t *bytes, size_t size)
{
    static uint8_t out[MOST_BYTES];
    static const uint8_t head[HEAD] = { 0x1F, 0x8B, 8 };
    size_t out_size;
    const size_t used = inflate_raw(bytes, size, out, &out_size);
    if (used == 0) {
        return;
    }
    FREED uint8_t *file = malloc(HEAD + size + TAIL);
    memcpy(file, head, HEAD);
    memcpy(file + HEAD, bytes, used);
    put_u32(file + HEAD + used, crc32(0, out, (uInt)out_size));
    put_u32(file + HEAD + used + 4, out_size);
    memcpy(file + HEAD + used + TAIL, bytes + used, size - used);
    try_mesh(file, HEAD + size + TAIL, "input.gz", sl_io_formats(), MOST_MEMORY);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    try_mesh(data, size, "input.gz", sl_io_formats(), MOST_MEMORY);
    if (size > HEAD + TAIL && data[0] == 0x1F) {
        try_with_head(data + HEAD, size - HEAD - TAIL);
    } else {
        try_with_head(data, size);
    }
    return 0;
}
