/* contact/crossing.h: a common point of two triangles that is a corner of neither, as where an edge
 * crosses a plane; for points.c and same_point.c.
 *
 * It is where an edge of one, from p to q, crosses the other or an edge of it.  Either way it is
 * where that edge crosses a plane through a point o, spanned by f and g: two sides of the other
 * triangle; or its edge and the axis from which the two edges cross at the largest angle.  Then it
 * is
 *     p + (q - p) N / D,    N = det(p - o, f, g),    D = det(p - q, f, g),
 * and N / D is between 0 and 1.  Of degree 4 over 3 at most, all of it. */
#pragma once

#include "lib/geom/contact/common.h"

/* f is f1 - f0, and g is g1 - g0. */
typedef struct sli_crossing {
    const double *p, *q, *o, *f0, *f1, *g0, *g1;
} sli_crossing;

sli_crossing sli_crossing_of(const sl_triangle_d *a, const sl_triangle_d *b, sli_common_point at);

/* Whether it is, and *corner then. */
static inline bool sli_common_corner(const sl_triangle_d *a, const sl_triangle_d *b,
                                     sli_common_point at, const double **corner)
{
    const bool of_a = sli_is_one_corner(at.in_a), of_b = sli_is_one_corner(at.in_b);
    const uint8_t face = of_a ? at.in_a : at.in_b;
    *corner = (of_a ? a : b)->v[face >> 1 & 3];
    return of_a || of_b;
}
