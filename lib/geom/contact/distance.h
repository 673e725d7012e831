/* contact/distance.h: how far two triangles are apart, and where they are nearest, exact wherever
 * that matters; for distances of trees, and for clearances.
 *
 * The square of the distance is a ratio of polynomials in the corners.  Triangles without area are
 * the segments or points that they are.
 * Numbers  are multiples of 2^-149 no larger than FLT_MAX (sli_triangle_d_take, corners in the
 *          world).
 * Callers  hold the floating-point environment.
 * Cost     in doubles some 20 ns for a pair that is far beyond a limit, some 200 ns for an
 *          interval; exactly some microseconds.
 * Source   Ericson, Real-Time Collision Detection (2005), 5.1.5, 5.1.9, 5.1.10; for when points
 *          are nearest Boyd and Vandenberghe, Convex Optimization (2004), 4.2.3. */
#pragma once

#include "lib/geom/exact/arithmetic/double_double.h"
#include "lib/geom/exact/arithmetic/number.h"

#include <sightline/contact.h>

/* low <= distance <= high. */
typedef struct sli_gap {
    double low, high;
} sli_gap;

/* Whether the distance is certainly more than limit.  False may be wrong. */
bool sli_triangles_are_beyond(const sl_triangle_d *a, const sl_triangle_d *b, double limit);

/* In doubles. */
sli_gap sli_triangle_gap(const sl_triangle_d *a, const sl_triangle_d *b);

/* The exact distance: the root of square / over, of degrees 6 and 4 at most; over > 0. */
typedef struct sli_exact_gap {
    sli_number square, over;
} sli_exact_gap;

void sli_triangle_gap_exact(const sl_triangle_d *a, const sl_triangle_d *b, sli_exact_gap *out);

/* The signs of a - b, and of the distance - limit >= 0, which has 25 bits at most. */
int sli_exact_gap_compare(const sli_exact_gap *a, const sli_exact_gap *b);
int sli_exact_gap_order(const sli_exact_gap *gap, double limit);

/* The square of an exact distance in double-doubles, and whether that of two triangles is certainly
 * more: for those that doubles do not tell apart, in a tenth of the time of the exact distance. */
sli_dd sli_exact_gap_square(const sli_exact_gap *gap);
bool sli_triangles_are_farther(const sl_triangle_d *a, const sl_triangle_d *b, sli_dd square);

/* The distance rounded to the nearest float, ties to even; gap: any interval that holds it. */
float sli_triangle_distance(const sl_triangle_d *a, const sl_triangle_d *b, const sli_gap *gap);

/* Whether the distance is no more than limit, which may be infinite; then *distance is the rounded
 * one.  For pairs within a margin. */
bool sli_triangles_within(const sl_triangle_d *a, const sl_triangle_d *b, float limit,
                          float *distance);

/* The nearest points, each coordinate rounded to the nearest double.  Where several pairs of points
 * are nearest, the one whose point on a is lowest: in x, then in y, then in z.  (All pairs differ
 * by the same vector, so the point on b is then the lowest, too, and the rule is the same whichever
 * triangle comes first, and whichever of its corners.) */
void sli_nearest_points(const sl_triangle_d *a, const sl_triangle_d *b, double on_a[3],
                        double on_b[3]);
