/* segment_distance.h: whether something comes as near to a segment as a given length; signs only.
 * Where a number is not exact the answer may be unsure.
 * Callers  hold the floating-point environment. */
#ifndef SLI_GEOM_OVERLAP_SEGMENT_DISTANCE_H
#define SLI_GEOM_OVERLAP_SEGMENT_DISTANCE_H

#include "lib/geom/exact/tribool.h"

/* The point against the segment a b, ends included.  Here and below all is of degree 1, and reach
 * not negative. */
sli_tribool sli_point_near_segment(const sli_number point[3], const sli_number a[3],
                                   const sli_number b[3], const sli_number *reach);

/* The segments p q and a b where they pass each other: yes if the lines' nearest points lie within
 * both and are near enough.  What is left are ends that are near. */
sli_tribool sli_segments_pass_near(const sli_number p[3], const sli_number q[3],
                                   const sli_number a[3], const sli_number b[3],
                                   const sli_number *reach);

#endif
