/* planar.h: decisions about points, segments and triangles of the picture, exactly.
 *
 * Figures  are the convex hulls of one to four points: of four, in order around them.  Points may
 *          be equal or in line.
 * Range    multiples of 2^-149, no larger than 2^127 (sli_planar_number).
 * Callers  hold the floating-point environment. */
#pragma once

#include <stdbool.h>

/* A number as positions and regions have it: never decreases where x does not. */
static inline double sli_planar_number(double x)
{
    if (x > -0x1p-96 && x < 0x1p-96) {
        return (x + 0x1.8p-97) - 0x1.8p-97;
    }
    return x > 0x1p127 ? 0x1p127 : x < -0x1p127 ? -0x1p127 : x;
}

/* Whether two outlines have a point in common. */
bool sli_planar_intersect(const double (*a)[2], int a_count, const double (*b)[2], int b_count);

/* Whether a segment has a point in common with a triangle without its sides; never, where the
 * triangle has no area. */
bool sli_planar_pierces(const double (*segment)[2], const double (*triangle)[2]);

/* Whether a point is no farther than a radius from a segment. */
bool sli_planar_is_near(const double point[2], const double p[2], const double q[2], double radius);
