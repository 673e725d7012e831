/* candidate.h: what may be picked, and which of two is the better one. */
#pragma once

#include "bvh/pick/along.h"
#include "bvh/scene/scene.h"
#include "lib/base/hash.h"

/* Whether one corner is lower than another: by x, then y, then z. */
static inline bool sli_corner_is_lower(const double a[3], const double b[3])
{
    for (int axis = 0; axis < 3; axis++) {
        if (a[axis] != b[axis]) {
            return a[axis] < b[axis];
        }
    }
    return false;
}

static inline bool sli_corner_equals(const double a[3], const double b[3])
{
    return a[0] == b[0] && a[1] == b[1] && a[2] == b[2];
}

typedef struct sli_candidate {
    sli_along shown;  /* of an edge, along its side from the lower end on */
    double from[3];   /* where the line of sight to it starts */
    double distance;  /* its length */
    double end[2][3]; /* of an edge, the lower one first; of a vertex, both its point */
    uint32_t kind, instance, prim, corner;
    uint32_t flags; /* SL_HIT_BACK, SL_PICK_HIDDEN */
    bool reversed;  /* corner is at the higher end */
    float u, v;     /* of faces */
} sli_candidate;

/* Whether a name, which is `count` numbers, comes before another one. */
static inline bool sli_name_is_lower(const uint32_t *a, const uint32_t *b, int count)
{
    for (int i = 0; i < count; i++) {
        if (a[i] != b[i]) {
            return a[i] < b[i];
        }
    }
    return false;
}

/* The name of a candidate or pick: (instance, prim, corner), then vertices before edges before
 * faces. */
#define SLI_PICK_NAME(of)                                                                          \
    ((const uint32_t[]){ (of)->instance, (of)->prim, (of)->corner, ~(of)->kind })

/* Of two candidates or two picks: by distance, then by name. */
#define SLI_IS_NEARER(a, b)                                                                        \
    ((a)->distance != (b)->distance ? (a)->distance < (b)->distance                                \
                                    : sli_name_is_lower(SLI_PICK_NAME(a), SLI_PICK_NAME(b), 4))

/* By pixels, then by distance and name. */
static inline bool sli_candidate_is_better(const sli_candidate *a, const sli_candidate *b)
{
    return a->shown.pixels != b->shown.pixels ? a->shown.pixels < b->shown.pixels
                                              : SLI_IS_NEARER(a, b);
}

/* A hash of a number and of both ends. */
uint64_t sli_ends_hash(uint64_t number, const double end[2][3]);

/* A triangle as its tree has it, and its corners in the world.  False: there is none. */
bool sli_triangle_corners(const sl_bvh *bvh, sl_triangle_ref triangle, sl_triangle *found,
                          double v[3][3]);

/* Whether a corner or side of a triangle counts: with a topology its features alone, or all
 * vertices, do. */
static inline bool sli_candidate_counts(const sl_topology *topology, const sl_pick_def *def,
                                        uint32_t kind, uint32_t prim, uint32_t corner)
{
    if (topology == NULL) {
        return true;
    }
    if (kind == SL_PICK_VERTEX) {
        const uint32_t vertex = sl_topology_element_of(topology, prim, SL_VERTICES, corner);
        return vertex != SL_NONE &&
               (def->all_vertices || sl_topology_is_feature(topology, SL_VERTICES, vertex));
    }
    const uint32_t edge = sl_topology_element_of(topology, prim, SL_EDGES, corner);
    return edge != SL_NONE && sl_topology_is_feature(topology, SL_EDGES, edge);
}

/* Where it appears, of a triangle with corners v in the world; false: nowhere, or a side has no
 * extent. */
bool sli_candidate_appears(const sli_view *view, const double xy[2], double v[3][3],
                           sli_candidate *candidate);

/* Sets from and distance; false: there is no line of sight to it. */
bool sli_candidate_find_sight(const sli_view *view, sli_candidate *candidate);

static inline bool sli_ends_equal(const double a[2][3], const double b[2][3])
{
    return sli_corner_equals(a[0], b[0]) && sli_corner_equals(a[1], b[1]);
}

/* Whether both ends are corners of a triangle: then it hides nothing of what is between them. */
static inline bool sli_corners_have_ends(double v[3][3], const double end[2][3])
{
    int ends = 0;
    for (int i = 0; i < 2; i++) {
        ends += sli_corner_equals(v[0], end[i]) || sli_corner_equals(v[1], end[i]) ||
                sli_corner_equals(v[2], end[i]);
    }
    return ends == 2;
}

/* The same corner or side, of whichever triangle: seen from wherever the other is seen. */
static inline bool sli_candidate_is_at(const sli_candidate *a, const sli_candidate *b)
{
    return a->kind == b->kind && sli_ends_equal(a->end, b->end);
}
