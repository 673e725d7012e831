/* overlap/triangle_aabb.h: a triangle against an axis-aligned box without the floating-point
 * bracket of the public functions; for queries that test many, and for tests.
 * Callers  hold the floating-point environment. */
#pragma once

#include "lib/geom/exact/predicates.h"

#include <sightline/overlap.h>

/* ---- A triangle and a box axis by axis, to show or to teach how they are decided ---- */

/* The 13 axes by name, and two answers that are no axis.  SLI_SAT_X_EDGE_01 is the cross product of
 * the box's x edge and the triangle's edge from vertex 0 to vertex 1, and so on. */
typedef enum sli_sat_axis {
    SLI_SAT_OVERLAP = 0, /* no axis separates: they overlap */
    SLI_SAT_BOX_X,       /* normals of the box's faces */
    SLI_SAT_BOX_Y,
    SLI_SAT_BOX_Z,
    SLI_SAT_NORMAL,    /* normal of the triangle */
    SLI_SAT_X_EDGE_01, /* cross products */
    SLI_SAT_X_EDGE_12,
    SLI_SAT_X_EDGE_20,
    SLI_SAT_Y_EDGE_01,
    SLI_SAT_Y_EDGE_12,
    SLI_SAT_Y_EDGE_20,
    SLI_SAT_Z_EDGE_01,
    SLI_SAT_Z_EDGE_12,
    SLI_SAT_Z_EDGE_20,
    SLI_SAT_INVALID, /* no overlap: the box is empty, or a coordinate is not finite */
    SLI_SAT_AXIS_COUNT
} sli_sat_axis;

/* The order in which groups of axes are tested.  It changes which axis is found first, never
 * whether the shapes overlap. */
typedef enum sli_sat_order {
    SLI_SAT_ORDER_123 = 0, /* box normals, triangle normal, cross products: cheapest first */
    SLI_SAT_ORDER_312 = 1  /* cross products, box normals, triangle normal */
} sli_sat_order;

/* The first axis, in the given order, along which triangle and box are strictly apart. */
sli_sat_axis sli_triangle_aabb_sat_axis(const sl_triangle *triangle, const sl_aabb *box,
                                        sli_sat_order order);

/* Whether the given axis separates them; false for what is not one of the 13 axes. */
bool sli_triangle_aabb_sat_separates(const sl_triangle *triangle, const sl_aabb *box,
                                     sli_sat_axis axis);

/* "box x", "x cross edge 01", ..., "overlap", "invalid"; "?" for any other value. */
const char *sli_sat_axis_name(sli_sat_axis axis);

/* Counts decisions of the exact stage by the sign found: [0] negative, [1] zero, [2] positive. */
typedef struct sli_sat_trace {
    uint64_t exact[3];
} sli_sat_trace;

/* trace may be NULL; counts are added to it. */
sli_sat_axis sli_triangle_aabb(const sl_triangle *triangle, const sl_aabb *box, sli_sat_order order,
                               sli_sat_trace *trace);
