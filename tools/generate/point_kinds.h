/* point_kinds.h: points made to order, and how far to look around them; most of them awkward. */
#pragma once

#include "tools/generate/query_random.h"

typedef enum point_kind {
    POINTS_BOX,      /* anywhere in the bounds and a little beyond */
    POINTS_SURFACE,  /* on the surface, as far as floats can say */
    POINTS_VERTICES, /* in a vertex */
    POINTS_EDGES,    /* in the middle of an edge */
    POINTS_NEARMISS, /* one step of a float beside a vertex or the middle of an edge */
    POINTS_OFFSET,   /* a distance from a vertex that is a float */
    POINTS_UNDER,    /* from where a line along x meets a vertex or the middle of an edge */
    POINTS_FAR,      /* so far away that all triangles are almost as near as one another */
    POINT_KIND_COUNT
} point_kind;

extern const char *const point_kind_words[]; /* in this order, then "all"; ends with NULL */

void point_kinds_make(const query_random *m, point_kind kind, uint64_t index, float out[3]);

/* A distance for a point made so: that of the nearest triangle (asked of m->bvh), one step of a
 * float more or less, that of the vertex of POINTS_OFFSET, 0, or any. */
float point_kinds_radius(const query_random *m, point_kind kind, uint64_t index);
