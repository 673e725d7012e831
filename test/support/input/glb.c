#include "test/support/input/glb.h"
#include "test/support/test.h"

#include "test/support/input/mesh_case.h"

static void put_u32(uint8_t *at, size_t value)
{
    for (int i = 0; i < 4; i++) {
        at[i] = (uint8_t)(value >> (8 * i));
    }
}

glb glb_make(const char *json, const void *chunk, size_t size)
{
    const size_t text = strlen(json), padded = (text + 3) / 4 * 4;
    const size_t binary = (size + 3) / 4 * 4;
    glb file = { .size = 12 + 8 + padded + (size > 0 ? 8 + binary : 0) };
    file.bytes = calloc(1, file.size);
    assert_non_null(file.bytes);
    memcpy(file.bytes, "glTF", 4);
    put_u32(file.bytes + 4, 2);
    put_u32(file.bytes + 8, file.size);
    put_u32(file.bytes + 12, padded);
    memcpy(file.bytes + 16, "JSON", 4);
    memset(file.bytes + 20, ' ', padded);
    memcpy(file.bytes + 20, json, text);
    if (size > 0) {
        put_u32(file.bytes + 20 + padded, binary);
        memcpy(file.bytes + 20 + padded + 4, "BIN\0", 4);
        memcpy(file.bytes + 20 + padded + 8, chunk, size);
    }
    return file;
}

void glb_free(glb *file)
{
    free(file->bytes);
    *file = (glb){ 0 };
}

static glb make_whole(const char *json, const void *chunk, size_t size)
{
    static const char begin[] = "{\"asset\":{\"version\":\"2.0\"},";
    FREED char *whole = made_memory(sizeof begin + strlen(json) + 2);
    sprintf(whole, "%s%s}", begin, json);
    return glb_make(whole, chunk, size);
}

sl_mesh *glb_load(const char *json, const void *chunk, size_t size)
{
    UNDONE(glb_free) glb file = make_whole(json, chunk, size);
    return sli_case_load(file.bytes, file.size, "a.glb", NULL);
}

sl_error glb_refuse(const char *json, const void *chunk, size_t size, sl_result code)
{
    UNDONE(glb_free) glb file = make_whole(json, chunk, size);
    return sli_case_refuse(file.bytes, file.size, "a.glb", code);
}
