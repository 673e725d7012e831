/* save/ply.c: sl_ply_write: vertices, what they have, and triangles, as binary PLY.
 * Source: Turk, The PLY Polygon File Format (1994). */
#include "lib/base/error.h"
#include "lib/base/fpenv.h"
#include "lib/base/inline.h"
#include "lib/mesh/save/save.h"

#include <stdio.h>

typedef struct ply_writing {
    const sl_ply *ply;
    const uint32_t *sources;
    size_t face_count;
    bool flip_v;
} ply_writing;

/* Triangles that were left out of a mesh have SL_NONE for indices, and are left out here. */
static bool is_there(const sl_ply *ply, size_t triangle)
{
    return ply->indices[3 * triangle] != SL_NONE;
}

static void put_header(sli_writer *w, const ply_writing *what)
{
    const sl_ply *ply = what->ply;
    const bool colours = ply->colours != NULL;
    char text[512];
    (void)snprintf(
        text, sizeof text,
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
        ply->alpha != NULL || colours ? "property uchar alpha\n" : "", what->face_count);
    sli_write_text(w, text);
}

/* The nearest byte to 255 times x. */
static uint8_t byte_of(float x)
{
    const double most = 255;
    const double scaled = !(x > 0) ? 0 : x >= 1 ? most : (double)x * most + 0.5;
    return (uint8_t)scaled;
}

/* As many numbers as a row has. */
static void put_floats(sli_writer *w, const float *rows, size_t i, size_t count)
{
    if (rows != NULL) {
        sli_write_floats(w, rows + count * i, count);
    }
}

static void put_bytes(sli_writer *w, const uint8_t *rows, size_t i, size_t count)
{
    if (rows != NULL) {
        sli_write_bytes(w, rows + count * i, count);
    }
}

static void put_vertex(sli_writer *w, const ply_writing *what, size_t i)
{
    const sl_ply *ply = what->ply;
    const size_t source = what->sources != NULL ? what->sources[i] : i;
    put_floats(w, ply->xyz, source, 3);
    put_floats(w, ply->normals, i, 3);
    for (size_t k = 0; k < 2 && ply->uvs != NULL; k++) {
        sli_write_float(w,
                        sli_saved_value(what->flip_v, sli_slot(SL_MESH_UVS), ply->uvs + 2 * i, k));
    }
    put_floats(w, ply->quality, source, 1);
    for (size_t k = 0; k < 4 && ply->colours != NULL; k++) {
        const uint8_t byte = byte_of(ply->colours[4 * i + k]);
        sli_write_bytes(w, &byte, 1);
    }
    put_bytes(w, ply->rgb, source, 3);
    put_bytes(w, ply->alpha, source, 1);
}

static void ply_fill(const void *context, sli_file_out *out)
{
    const ply_writing *what = context;
    const sl_ply *ply = what->ply;
    sli_writer w;
    w.to = out;
    w.used = 0;
    put_header(&w, what);
    for (size_t i = 0; i < ply->vertex_count; i++) {
        put_vertex(&w, what, i);
    }
    for (size_t i = 0; i < ply->triangle_count; i++) {
        if (is_there(ply, i)) {
            sli_write_bytes(&w, "\3", 1);
            for (size_t k = 0; k < 3; k++) {
                sli_write_u32(&w, ply->indices[3 * i + k]);
            }
        }
    }
    sli_write_flush(&w);
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
    if (ply->vertex_count > SL_NONE) {
        return sli_fail_plain(error, SL_TOO_LARGE, "%zu vertices; indices have 32 bits",
                              ply->vertex_count);
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

SLI_NOINLINE sl_result sli_ply_write(const char *path, const sl_ply *ply, const uint32_t *sources,
                                     bool flip_v, sl_error *error)
{
    ply_writing what = { .ply = ply, .sources = sources, .flip_v = flip_v };
    SLI_TRY(ply_write_check(ply, error));
    for (size_t i = 0; i < ply->triangle_count; i++) {
        what.face_count += is_there(ply, i);
    }
    return sli_file_write_by(path, ply_fill, &what, error);
}

sl_result sl_ply_write(const char *path, const sl_ply *ply, sl_error *error)
{
    return SLI_IN_FPENV(sli_ply_write(path, ply, NULL, false, error));
}
