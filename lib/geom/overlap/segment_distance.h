/* overlap/segment_distance.h: whether a point or a segment comes within a given distance of a
 * segment; for capsules.
 * Callers  hold the floating-point environment.  Coordinates and reach are of degree 1, reach >=
 *          0.  The answer may be unsure if they are not exact. */
#pragma once

#include "lib/geom/exact/arithmetic/tribool.h"

/* Whether the point is within reach of the segment a b, ends included. */
sli_tribool sli_point_near_segment(const sli_number point[3], const sli_number a[3],
                                   const sli_number b[3], const sli_number *reach);

/* Whether the nearest points of the lines through p q and a b lie within both segments and within
 * reach of each other.  If segments are near otherwise, an end of one is near the other. */
sli_tribool sli_segments_pass_near(const sli_number p[3], const sli_number q[3],
                                   const sli_number a[3], const sli_number b[3],
                                   const sli_number *reach);
