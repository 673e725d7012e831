/* overlap/support.h: bodies with corners, as a direction sees them: triangles, and boxes of any orientation.
 *
 * Callers  hold the floating-point environment. */
#ifndef SLI_GEOM_OVERLAP_SUPPORT_H
#define SLI_GEOM_OVERLAP_SUPPORT_H

#include "lib/geom/exact/tribool.h"

#include <sightline/shapes.h>

/* A triangle: its corners.  A box: the points point[0] + sum of t_i edge[i], low[i] <= t_i <=
 * high[i], where the limits of one with edges along the axes may be infinite. */
typedef struct sli_body {
    bool box;
    double point[3][3];
    double edge[3][3];
    double low[3], high[3];
} sli_body;

/* False for what is invalid or empty. */
bool sli_body_of_triangle(const sl_triangle *triangle, sli_body *out);
bool sli_body_of_segment(const sl_segment *segment, sli_body *out); /* a triangle without area */
bool sli_body_of_aabb(const sl_aabb *box, sli_body *out);
bool sli_body_of_obb(const sl_obb *box, sli_body *out);

/* The same in doubles.  Edges of a triangle go from each corner to the next; they are rounded. */
typedef struct sli_support_filter {
    const sli_body *body;
    double edge[3][3];
    double reach[3]; /* no less than |x|, |y|, |z| anywhere in it, nor than any of its parts; maybe
                        infinite */
} sli_support_filter;

static inline double sli_dot(const double a[3], const double b[3])
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

void sli_support_filter_make(const sli_body *body, sli_support_filter *out);

/* The least and the greatest n . x, within 10 roundings of sum |n_k| reach_k; infinite or NaN where
 * the body is infinite. */
void sli_support_filter_extent(const sli_support_filter *support, const double n[3], double *low,
                               double *high);

/* The same in numbers.  Edges of a triangle go from each corner to the next. */
typedef struct sli_support {
    const sli_body *body;
    sli_number point[3][3];
    sli_number edge[3][3];
} sli_support;

void sli_support_make(const sli_body *body, bool exact, sli_support *out);

/* The least and the greatest n . x of a body. */
typedef struct sli_extent {
    sli_number low, high;
    sli_tribool no_low, no_high; /* yes: there is none, it is infinite */
} sli_extent;

void sli_support_extent(const sli_support *support, const sli_number n[3], sli_extent *out);

/* Whether the extent lies above the value, or below it, without touching it. */
sli_tribool sli_extent_above(const sli_extent *extent, const sli_number *value);
sli_tribool sli_extent_below(const sli_extent *extent, const sli_number *value);

#endif
