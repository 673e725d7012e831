/* round_root.h: square roots of ratios, rounded to float exactly: the distances of closest
 * points and bounding volumes.
 * Callers  hold the floating-point environment. */
#pragma once

#include "lib/geom/exact/arithmetic/number.h"

/* sqrt(square / over) rounded to the nearest float, ties to even; square is of degree 6 at most,
 * over of degree 4.  Sets *unsure where numbers that are not exact do not decide the rounding. */
float sli_round_root(const sli_number *square, const sli_number *over, bool *unsure);

/* |height| / sqrt(over), both of degree 4 at most, rounded likewise.  One exception: if the
 * components of height span a factor of more than 2^960, a value that is halfway between two floats
 * but for one part in 2^957 may round either way. */
float sli_round_height(const sli_number *height, const sli_number *over, bool *unsure);
