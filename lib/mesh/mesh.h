/* mesh.h: the inside of an sl_mesh, and the one way to make one.
 * Loaders, arrays and generators all hand their arrays to sli_mesh_finish, where every index and
 * coordinate is checked, once. */
#pragma once

#include "lib/mesh/attributes.h"
#include "lib/mesh/part.h"

typedef struct sli_note_list {
    sl_mesh_note *rows;
    size_t count, capacity;
} sli_note_list;

struct sl_mesh {
    sl_allocator allocator;
    float *xyz;        /* 3 * vertex_count */
    uint32_t *indices; /* 3 * triangle_count; three times SL_NONE where left out */
    uint32_t *faces;   /* triangle_count, or NULL: triangle i is face i */
    size_t xyz_capacity, indices_capacity, faces_capacity; /* as allocated, in items */
    sli_part_list part_list;
    uint32_t attributes; /* bits SL_MESH_... that the source has, kept or not */
    sli_attributes kept;
    sli_note_list notes;
    sl_mesh_info info;
};

/* The triangle behind the last one of a part; a mesh without parts is one. */
static inline size_t sli_part_end(const sl_mesh *mesh, size_t part)
{
    const sli_part_list *list = &mesh->part_list;
    return part + 1 < list->count ? list->rows[part + 1].first : mesh->info.triangle_count;
}

static inline bool sli_mesh_leaves_out(const sl_mesh *mesh, size_t prim)
{
    return mesh->indices[3 * prim] == SL_NONE;
}

/* Arrays on their way into a mesh, from sli_alloc_array with the given capacities (in items: one
 * float, one index, one face). */
typedef struct sli_mesh_parts {
    float *xyz;
    uint32_t *indices;
    uint32_t *faces; /* may be NULL */
    size_t xyz_capacity, indices_capacity, faces_capacity;
    size_t vertex_count, triangle_count, face_count;
    const char *format;
    double origin[3];
    double rounding;
    sli_part_list list;  /* what the file calls parts */
    uint32_t attributes; /* bits SL_MESH_..., of all that the source has */
    sli_attributes kept; /* rows that indices name are not checked */
    sli_note_list notes;
} sli_mesh_parts;

/* SL_TOO_LARGE for more than the limits of sightline/mesh.h; file may be NULL. */
sl_result sli_mesh_check_counts(size_t vertex_count, size_t triangle_count, const char *file,
                                sl_error *error);

/* Arrays for exactly that many vertices and triangles, each triangle its own face; contents unset.
 * def is a checked one. */
sl_result sli_mesh_parts_alloc(sli_mesh_parts *out, size_t vertex_count, size_t triangle_count,
                               const char *format, const sl_mesh_def *def, sl_error *error);

/* Frees the arrays, of a loader that failed on the way. */
void sli_mesh_parts_free(const sli_mesh_parts *parts, const sl_allocator *allocator);

/* Where triangle prim stands in its source, for the error about it.  NULL: its number is enough. */
typedef void sli_mesh_locate_fn(const void *context, size_t prim, int64_t *line, int64_t *byte);

/* Takes the arrays over, whatever happens (on failure they are freed).  Checks every triangle as
 * def->bad says; the error names file (or NULL), place, triangle, corner and what was wrong. */
sl_result sli_mesh_finish(const sli_mesh_parts *parts, const sl_mesh_def *def, const char *file,
                          sli_mesh_locate_fn *locate, const void *context, sl_mesh **out,
                          sl_error *error);

/* def checked (size, enums); NULL becomes defaults; the allocator filled in. */
sl_result sli_mesh_def_check(const sl_mesh_def *def, sl_mesh_def *out, sl_error *error);
