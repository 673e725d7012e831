/* rounding.h: numbers that are known by comparison only, rounded to floats and doubles: ratios and
 * roots.
 * Callers  hold the floating-point environment. */
#pragma once

#include "lib/geom/exact/arithmetic/number.h"

/* A number in low .. high rounded to the nearest float, ties to even, zeros as +0: order returns
 * the sign of the number minus a boundary between two floats, given as a double.  A NaN for low or
 * high bounds nothing. */
float sli_round_by_order(double low, double high, int (*order)(const void *user, double boundary),
                         const void *user);

/* A number's nearest double, ties to even, and the largest double that is no larger; zeros are +0.
 * The number is no larger than DBL_MAX. */
typedef struct sli_rounded {
    double nearest, down;
} sli_rounded;

/* Of a number that is within error of at + rest.  Where that does not decide, order returns the
 * sign of the number minus a boundary, a double or halfway between two; it is exact.  error may be
 * infinite or NaN; the closer the bound, the fewer boundaries are asked about. */
sli_rounded sli_round_double(double at, double rest, double error,
                             int (*order)(const void *user, const sli_number *boundary),
                             const void *user);

/* Of exact numbers: x, and x / y for a y that is not 0. */
sli_rounded sli_number_round_double(const sli_number *x);
sli_rounded sli_number_round_ratio_double(const sli_number *x, const sli_number *y);
