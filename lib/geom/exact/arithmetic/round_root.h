/* round_root.h: square roots of ratios, rounded exactly: the distances of closest points and
 * bounding volumes.
 * Callers  hold the floating-point environment. */
#pragma once

#include "lib/geom/exact/arithmetic/rounding.h"

/* sqrt(square / over) rounded to the nearest float, ties to even.  Sets *unsure where numbers that
 * are not exact do not decide the rounding. */
float sli_round_root(const sli_number *square, const sli_number *over, bool *unsure);

/* |height| / sqrt(over), rounded likewise; height is of degree 8 at most. */
float sli_round_height(const sli_number *height, const sli_number *over, bool *unsure);

/* sqrt(square / over) of exact numbers, rounded to doubles. */
sli_rounded sli_round_root_double(const sli_number *square, const sli_number *over);
