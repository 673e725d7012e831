/* fuzz_gltf.c: any bytes as a glTF file: as they are; and, where a zero byte follows some text, as
 * a GLB whose JSON is that text and whose binary chunk is what comes behind, so that inputs reach
 * the accessors without sizes that have to be right. */
#include "test/fuzz/fuzz.h"
#include "test/fuzz/try_mesh.h"

#include <string.h>

enum { MOST_MEMORY = 16 << 20, HEAD = 12, CHUNK = 8 };

static size_t padded(size_t size)
{
    return (size + 3) / 4 * 4;
}

static void put_u32(uint8_t *at, size_t value)
{
    for (int i = 0; i < 4; i++) {
        at[i] = (uint8_t)(value >> (8 * i));
    }
}

static uint8_t *put_chunk(uint8_t *to, const char *kind, const uint8_t *bytes, size_t size,
                          int fill)
{
    put_u32(to, padded(size));
    memcpy(to + 4, kind, 4);
    memset(to + CHUNK, fill, padded(size));
    memcpy(to + CHUNK, bytes, size);
    return to + CHUNK + padded(size);
}

/* The same file, its meshes one by one. */
static void try_nodes(const uint8_t *bytes, size_t size)
{
    sl_mesh_def def = { 0 };
    sl_gltf *gltf;
    def.bad = size % 2 == 0 ? SL_BAD_LEAVE_OUT : SL_BAD_REFUSE;
    def.max_memory = MOST_MEMORY;
    def.hidden_nodes = size % 3 == 0;
    if (sl_gltf_load_memory(bytes, size, "input.gltf", &def, &gltf, NULL) == SL_OK) {
        for (size_t i = 0; i < sl_gltf_get_info(gltf).mesh_count; i++) {
            try_sound(sl_gltf_mesh(gltf, i, NULL));
        }
        sl_gltf_destroy(gltf);
    }
}

static void try_as_glb(const uint8_t *json, size_t text, const uint8_t *binary, size_t rest)
{
    const size_t size = HEAD + CHUNK + padded(text) + CHUNK + padded(rest);
    FREED uint8_t *glb = malloc(size);
    memcpy(glb, "glTF\2\0\0", 8);
    put_u32(glb + 8, size);
    uint8_t *to = put_chunk(glb + HEAD, "JSON", json, text, ' ');
    put_chunk(to, "BIN\0", binary, rest, 0);
    try_mesh(glb, size, "input.glb", sl_io_formats(), MOST_MEMORY);
    try_nodes(glb, size);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    try_mesh(data, size, "input.gltf", sl_io_formats(), MOST_MEMORY);
    try_nodes(data, size);
    const uint8_t *zero = memchr(data, 0, size);
    if (zero != NULL && zero > data && data[0] == '{') {
        const size_t text = (size_t)(zero - data);
        try_as_glb(data, text, zero + 1, size - text - 1);
    }
    return 0;
}
