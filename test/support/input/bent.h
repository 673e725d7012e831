/* bent.h: a mesh as plain arrays, and positions that move in many ways. */
#pragma once

#include "test/support/input/random.h"

#include <sightline/refit.h>

typedef struct bent {
    float *xyz;
    uint32_t *indices;
    size_t vertex_count, triangle_count;
} bent;

/* A copy of a mesh, which stays the caller's. */
bent bent_make(const sl_mesh *mesh);
void bent_free(bent *all);

/* Moves the vertices of the triangles of a range, each by a little, all together, onto a plane, to
 * one point, or far away; or all vertices, if every triangle is in the range.  Finite. */
void bent_move(bent *all, sl_prim_range range, test_random *random);

/* As many ranges as there are parts, of which triangles have moved that share a vertex with those
 * of range: at most capacity, the last of which then is everything behind. */
size_t bent_touched(const bent *all, sl_prim_range range, sl_prim_range *out, size_t capacity);

/* As a mesh. */
sl_mesh *bent_mesh(const bent *all);
