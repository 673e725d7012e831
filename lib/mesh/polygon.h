/* polygon.h: cuts a polygon into triangles along its own inside; for the builder, and so for every
 * format that has polygons.
 *
 * The polygon is looked at along the axis of its largest projected area.  A fan from its first
 * corner stays where it is right: where none of its triangles turns the other way or has no area
 * (but for repeated corners), and they do not go round the first corner more than once.  Otherwise
 * a line sweeps over the polygon and cuts triangles off behind it.  All is decided exactly, for the
 * floats that rays will meet.
 * Inside    where the polygon winds once around.  It may touch itself: corners in corners, corners
 *           on sides, sides on sides, as those do that lead to holes and back.
 * Triangles always two fewer than corners, turned as the polygon is.  Those without area come only
 *           where it repeats a corner or touches itself.
 * Cost      O(n log n) and a sort in O(n^(4/3)), with 96 bytes a corner, and no recursion.  Where
 *           sides lie on one another so often that this would not do, the polygon counts as one
 *           that crosses itself.
 * Source    Hertel and Mehlhorn, Fast triangulation of simple polygons (1983); Shamos and Hoey,
 *           Geometric intersection problems (1976). */
#pragma once

#include "lib/base/splay.h"

#include <stddef.h>

/* A side, from its corner to the next one. */
typedef struct sli_polygon_side {
    float at[2];     /* the corner, projected */
    uint32_t corner; /* its number in the polygon */
    uint32_t rank;   /* of its position in the order of the sweep; equal ones have equal ranks */
    uint32_t end[2], last; /* links of the chain above the side, while the line meets it */
} sli_polygon_side;

/* A corner in the chain that bounds, on its left, what is not cut yet between two sides. */
typedef struct sli_polygon_link {
    uint32_t side, beside[2];
} sli_polygon_link;

/* What cutting takes for each corner, all in one block. */
typedef struct sli_polygon_work {
    sli_polygon_side side;
    sli_splay_node node;
    sli_polygon_link links[2];
    uint32_t order, start, triangle[3], value;
} sli_polygon_work;

typedef struct sli_polygon_space {
    sli_polygon_work *work;
    size_t capacity;           /* in corners */
    const uint32_t *triangles; /* in work, once cut: numbers of corners, three a triangle */
    uint32_t *values;          /* there, too: a number for each corner, free to use */
} sli_polygon_space;

typedef enum sli_polygon_cut {
    SLI_POLYGON_FAN,    /* the fan is right, or there is no area to cut */
    SLI_POLYGON_CUT,    /* triangles are in the space */
    SLI_POLYGON_CROSSES /* it crosses itself, or winds around something more than once */
} sli_polygon_cut;

/* Corner i of a polygon whose fan has these indices, three a triangle, is at the place that this
 * gives. */
static inline size_t sli_polygon_place(size_t corner)
{
    return corner < 2 ? corner : 3 * corner - 4;
}

/* The corner, projected along axis. */
static inline void sli_polygon_at(const float *xyz, const uint32_t *fan, size_t corner, int axis,
                                  double at[2])
{
    const float *of = xyz + 3 * (size_t)fan[sli_polygon_place(corner)];
    at[0] = (double)of[(axis + 1) % 3];
    at[1] = (double)of[(axis + 2) % 3];
}

/* Whether the fan of a polygon of four corners is right beyond doubt: doubles say so. */
bool sli_polygon_quad_fits(const float *xyz, const uint32_t fan[6]);

/* The axis of the largest projected area; *mirrored where the polygon runs clockwise there.  -1
 * where all corners are at one place. */
int sli_polygon_axis(const float *xyz, const uint32_t *fan, size_t count, bool *mirrored);

/* Whether the fan of finite vertices is right in the projection along axis. */
bool sli_polygon_fan_fits(const float *xyz, const uint32_t *fan, size_t count, int axis);

/* Cuts a polygon of count corners, which is what space has the capacity for. */
sli_polygon_cut sli_polygon_cut_along(const float *xyz, const uint32_t *fan, size_t count, int axis,
                                      bool mirrored, sli_polygon_space *space);
