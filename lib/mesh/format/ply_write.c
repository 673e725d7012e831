/* format/ply_write.c: sl_ply_write: vertices, what they have, and triangles, as binary PLY.
 * Source: Turk, The PLY Polygon File Format (1994). */
#include "lib/base/error.h"
#include "lib/base/file/file.h"
#include "lib/base/fpenv.h"
#include "lib/base/memory.h"

#include <sightline/mesh.h>
#include <sightline/mesh_repair.h>

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
    const bool colours = ply->colours != NULL;
    int used = snprintf(
        to, HEADER_MAX,
        "ply\nformat binary_little_endian 1.0\ncomment sightline\n"
        "element vertex %zu\nproperty float x\nproperty float y\nproperty float z\n"
        "%s%s%s%s%selement face %zu\nproperty list uchar uint vertex_indices\nend_header\n",
        ply->vertex_count,
        ply->normals != NULL ? "property float nx\nproperty float ny\nproperty float nz\n" : "",
        ply->uvs != NULL ? "property float s\nproperty float t\n" : "",
        ply->quality != NULL ? "property float quality\n" : "",
        ply->rgb != NULL || colours
            ? "property uchar red\nproperty uchar green\nproperty uchar blue\n"
            : "",
        ply->alpha != NULL || colours ? "property uchar alpha\n" : "", face_count);
    b->size = (size_t)used;
}

/* The nearest byte to 255 times x. */
static uint8_t byte_of(float x)
{
    const double most = 255;
    const double scaled = !(x > 0) ? 0 : x >= 1 ? most : (double)x * most + 0.5;
    return (uint8_t)scaled;
}

/* As many floats as a row has. */
static void put_row(buffer *b, const float *rows, size_t i, size_t count)
{
    for (size_t k = 0; k < count && rows != NULL; k++) {
        put_float(b, rows[count * i + k]);
    }
}

/* Not inlined, since the caller brackets it with its floating-point environment. */
SLI_NOINLINE static void put_vertices(buffer *b, const sl_ply *ply)
{
    for (size_t i = 0; i < ply->vertex_count; i++) {
        put_row(b, ply->xyz, i, 3);
        put_row(b, ply->normals, i, 3);
        put_row(b, ply->uvs, i, 2);
        put_row(b, ply->quality, i, 1);
        for (size_t k = 0; k < 4 && ply->colours != NULL; k++) {
            b->bytes[b->size++] = byte_of(ply->colours[4 * i + k]);
        }
        for (size_t k = 0; k < 3 && ply->rgb != NULL; k++) {
            b->bytes[b->size++] = ply->rgb[3 * i + k];
        }
        if (ply->alpha != NULL) {
            b->bytes[b->size++] = ply->alpha[i];
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
    const size_t per_vertex = 12u + (ply->quality != NULL ? 4u : 0u) +
                              (ply->rgb != NULL ? 3u : 0u) + (ply->alpha != NULL ? 1u : 0u) +
                              (ply->normals != NULL ? 12u : 0u) + (ply->uvs != NULL ? 8u : 0u) +
                              (ply->colours != NULL ? 4u : 0u);
    const size_t most = (SIZE_MAX - HEADER_MAX) / 2;
    if (ply->vertex_count > most / per_vertex || face_count > most / FACE_BYTES) {
        return false;
    }
    *out = HEADER_MAX + ply->vertex_count * per_vertex + face_count * FACE_BYTES;
    return true;
}

static sl_result ply_write_check(const sl_ply *ply, sl_error *error)
{
    if (ply == NULL) {
        return sli_refuse(error, "ply is NULL");
    }
    if ((ply->xyz == NULL && ply->vertex_count > 0) ||
        (ply->indices == NULL && ply->triangle_count > 0)) {
        return sli_refuse(error, "an array is NULL, and its count is not 0; pass the array");
    }
    if (ply->colours != NULL && (ply->rgb != NULL || ply->alpha != NULL)) {
        return sli_refuse(error, "colours are given twice, as floats and as bytes; give them once");
    }
    if (ply->alpha != NULL && ply->rgb == NULL) {
        return sli_refuse(error, "alpha is given without rgb");
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

sl_result sl_ply_write(const char *path, const sl_ply *ply, sl_error *error)
{
    SLI_TRY(ply_write_check(ply, error));
    size_t face_count = 0;
    for (size_t i = 0; i < ply->triangle_count; i++) {
        face_count += is_there(ply, i);
    }
    buffer b = { 0 };
    const sl_allocator allocator = sli_allocator(NULL);
    if (count_bytes(ply, face_count, &b.capacity)) {
        b.bytes = sli_alloc_array(&allocator, b.capacity, 1);
    }
    SLI_TRY(sli_had_memory(error, b.bytes != NULL));
    put_header(&b, ply, face_count);
    SLI_DO_IN_FPENV(put_vertices(&b, ply));
    put_faces(&b, ply);
    const sl_result result = sli_file_write(path, b.bytes, b.size, error);
    sli_free_array(&allocator, b.bytes, b.capacity, 1);
    return result;
}
