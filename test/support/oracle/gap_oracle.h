/* gap_oracle.h: how far two triangles are apart, and where they are nearest, in fractions (GMP).
 *
 * The least difference of two triangles is the point nearest to 0 of the hull of the nine
 * differences of their corners, which Wolfe's algorithm finds.  The lowest point of a where it is
 * had is at the end of a system of linear equations: some corners of each have weights, the others
 * none.
 * Threads  one at a time; fraction_reset releases what is returned.
 * Source   Wolfe, Finding the Nearest Point in a Polytope (1976). */
#pragma once

#include "test/support/oracle/fraction.h"

#include <sightline/shapes.h>

/* The square of the distance, and d, the point on a minus that on b. */
fraction gap_oracle_square(const sl_triangle_d *a, const sl_triangle_d *b, fraction3 *d);

/* The point of a where corners of a and b alone, those of the bits (b's from bit 3 on), have
 * weights, and whose partner on b is the point minus d: false where there is none, or not one
 * alone. */
bool gap_oracle_basic(const sl_triangle_d *a, const sl_triangle_d *b, fraction3 d, int bits,
                      fraction3 *out);

/* Whether on_a and on_b are the nearest points, each coordinate rounded to the nearest double: of
 * several pairs that whose first point is lowest in x, then in y, then in z. */
bool gap_oracle_points(const sl_triangle_d *a, const sl_triangle_d *b, const double on_a[3],
                       const double on_b[3]);
