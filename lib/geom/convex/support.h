/* convex/support.h: the support mapping of convex bodies with vertices, triangles and boxes of any
 * orientation: how far they extend along a direction.  For separating axes, frusta and planes.
 * Callers  hold the floating-point environment.
 * Source   Ericson, Real-Time Collision Detection (2005), 3.3.4. */
#pragma once

#include "lib/geom/exact/arithmetic/tribool.h"
#include "lib/geom/exact/arithmetic/vector.h"

#include <sightline/shapes.h>

/* A triangle has three points.  A box is the points point[0] + sum of t_i edge[i] with low[i] <=
 * t_i <= high[i]; the limits of an axis-aligned box may be infinite. */
typedef struct sli_body {
    bool box;
    double point[3][3];
    double edge[3][3];
    double low[3], high[3];
} sli_body;

/* False for an invalid or empty shape. */
bool sli_body_of_aabb(const sl_aabb *box, sli_body *out);
bool sli_body_of_obb(const sl_obb *box, sli_body *out);

/* Of valid shapes in doubles. */
void sli_body_of_triangle_d(const sl_triangle_d *triangle, sli_body *out);
void sli_body_of_segment_d(const double p[3], const double q[3], sli_body *out);
void sli_body_of_obb_d(const sl_obb_d *box, sli_body *out);
void sli_body_of_aabb_d(const sl_aabb_d *box, sli_body *out);

/* A body in doubles, for filters.  Edges of a triangle go from each vertex to the next; they are
 * rounded. */
typedef struct sli_support_filter {
    const sli_body *body;
    double edge[3][3];

    /* At least |x|, |y|, |z| of every point, and of every term that it is the sum of; may be
     * infinite. */
    double reach[3];
} sli_support_filter;

void sli_support_filter_make(const sli_body *body, sli_support_filter *out);

/* The minimum and maximum of n . x over the body, off by at most 10 roundings of sum |n_k| reach_k;
 * infinite or NaN for an unbounded body. */
void sli_support_filter_extent(const sli_support_filter *support, const double n[3], double *low,
                               double *high);

/* A body in numbers, which are made where they are needed: as many at once would take too much of
 * the stack. */
typedef struct sli_support {
    const sli_body *body;
    bool exact;
} sli_support;

/* Edges of a triangle go from each vertex to the next. */
void sli_support_edge(const sli_support *support, int i, sli_number out[3]);

/* The minimum and maximum of n . x over a body. */
typedef struct sli_extent {
    sli_number low, high;
    sli_tribool no_low, no_high; /* yes: there is none, as the body is unbounded */
} sli_extent;

void sli_support_extent(const sli_support *support, const sli_number n[3], sli_extent *out);

/* Whether all of the extent is strictly above the value, or strictly below it. */
sli_tribool sli_extent_above(const sli_extent *extent, const sli_number *value);
sli_tribool sli_extent_below(const sli_extent *extent, const sli_number *value);
