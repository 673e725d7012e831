/* format/ply_write.c: sl_ply_write: vertices, their numbers and colours, and triangles, as binary
 * PLY. Source: Turk, The PLY Polygon File Format (1994). */
#include "lib/base/abi.h"
#include "lib/base/error.h"
#include "lib/base/file/file.h"
#include "lib/base/memory.h"

#include <sightline/mesh.h>

#include <stdio.h>
#include <string.h>

enum { HEADER_MAX = 512, FACE_BYTES = 13 };

typedef struct buffer {
    uint8_t *bytes;
    size_t size, capacity;
} buffer;

static void put_u32(buffer *b, uint32_t x)
{
    for (int i = 0; i < 4; i++) {
        b->bytes[b->size++] = (uint8_t)(x >> 8 * i);
    }
}

static void put_float(buffer *b, float x)
{
    uint32_t bits;
    memcpy(&bits, &x, sizeof bits);
    put_u32(b, bits);
}

/* Triangles that were left out of a mesh have SL_NONE for indices, and are left out here. */
static bool is_there(const sl_ply *ply, size_t triangle)
{
    return ply->indices[3 * triangle] != SL_NONE;
}

static void put_header(buffer *b, const sl_ply *ply, size_t face_count)
{
    char *to = (char *)b->bytes;
    int used = snprintf(to, HEADER_MAX,
                        "ply\nformat binary_little_endian 1.0\ncomment sightline\n"
                        "element vertex %zu\nproperty float x\nproperty float y\n"
                        "property float z\n%s%selement face %zu\n"
                        "property list uchar uint vertex_indices\nend_header\n",
                        ply->vertex_count, ply->quality != NULL ? "property float quality\n" : "",
                        ply->rgb != NULL ? "property uchar red\nproperty uchar green\n"
                                           "property uchar blue\n"
                                         : "",
                        face_count);
    b->size = (size_t)used;
}

static void put_vertices(buffer *b, const sl_ply *ply)
{
    for (size_t i = 0; i < ply->vertex_count; i++) {
        for (size_t axis = 0; axis < 3; axis++) {
            put_float(b, ply->xyz[3 * i + axis]);
        }
        if (ply->quality != NULL) {
            put_float(b, ply->quality[i]);
        }
        for (size_t k = 0; k < 3 && ply->rgb != NULL; k++) {
            b->bytes[b->size++] = ply->rgb[3 * i + k];
        }
    }
}

static void put_faces(buffer *b, const sl_ply *ply)
{
    for (size_t i = 0; i < ply->triangle_count; i++) {
        if (is_there(ply, i)) {
            b->bytes[b->size++] = 3;
            for (size_t k = 0; k < 3; k++) {
                put_u32(b, ply->indices[3 * i + k]);
            }
        }
    }
}

/* False: beyond a size_t. */
static bool count_bytes(const sl_ply *ply, size_t face_count, size_t *out)
{
    const size_t per_vertex = 12u + (ply->quality != NULL ? 4u : 0u) + (ply->rgb != NULL ? 3u : 0u);
    const size_t most = (SIZE_MAX - HEADER_MAX) / 2;
    if (ply->vertex_count > most / per_vertex || face_count > most / FACE_BYTES) {
        return false;
    }
    *out = HEADER_MAX + ply->vertex_count * per_vertex + face_count * FACE_BYTES;
    return true;
}

static sl_result check(const sl_ply *ply, sl_error *error)
{
    if ((ply->xyz == NULL && ply->vertex_count > 0) ||
        (ply->indices == NULL && ply->triangle_count > 0)) {
        return sli_fail_plain(error, SL_INVALID_ARGUMENT,
                              "an array is NULL, and its count is not 0; pass the array");
    }
    for (size_t i = 0; i < ply->triangle_count; i++) {
        for (size_t k = 0; k < 3 && is_there(ply, i); k++) {
            if (ply->indices[3 * i + k] >= ply->vertex_count) {
                return sli_fail_plain(error, SL_BAD_INDEX,
                                      "triangle %zu has index %u, and there are %zu vertices; "
                                      "mend the index",
                                      i, ply->indices[3 * i + k], ply->vertex_count);
            }
        }
    }
    return SL_OK;
}

sl_ply sl_default_ply(void)
{
    return (sl_ply){ .size = sizeof(sl_ply) };
}

sl_result sl_ply_write(const char *path, const sl_ply *given, sl_error *error)
{
    sl_ply checked = sl_default_ply();
    sl_result good =
        sli_def_read("sl_ply", given, SLI_END_OF(sl_ply, rgb), sizeof checked, &checked, error);
    const sl_ply *const ply = &checked;
    good = good == SL_OK ? check(ply, error) : good;
    if (good != SL_OK) {
        return good;
    }
    size_t face_count = 0;
    for (size_t i = 0; i < ply->triangle_count; i++) {
        face_count += is_there(ply, i);
    }
    buffer b = { 0 };
    const sl_allocator allocator = sli_allocator(NULL);
    if (count_bytes(ply, face_count, &b.capacity)) {
        b.bytes = sli_alloc_array(&allocator, b.capacity, 1);
    }
    if (b.bytes == NULL) {
        return sli_fail_memory(error);
    }
    put_header(&b, ply, face_count);
    put_vertices(&b, ply);
    put_faces(&b, ply);
    const sl_result result = sli_file_write(path, b.bytes, b.size, error);
    sli_free_array(&allocator, b.bytes, b.capacity, 1);
    return result;
}
