/* exact/compare_length.h: whether one vector is at most as long as another, without a square root;
 * for the overlap tests of spheres, capsules and planes. */
#pragma once

#include "lib/geom/exact/arithmetic/tribool.h"

/* |a| <= |b| for two vectors of a_count and b_count coordinates.  Coordinates are of degree 8 at
 * most, so that squares may exceed the range of doubles.  Unsure only if a coordinate is not known
 * exactly. */
sli_tribool sli_is_length_at_most(int a_count, const sli_number *a, int b_count,
                                  const sli_number *b);

/* Whether |x| <= reach |n|, of three numbers n. */
sli_tribool sli_is_length_within(int count, const sli_number *x, const sli_number *reach,
                                 const sli_number n[3]);
