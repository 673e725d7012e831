/* step.h: the largest power of two that numbers are multiples of: a determinant that is less than
 * the product of its vectors' steps is 0.  For signs in double-doubles. */
#pragma once

#include "lib/geom/exact/arithmetic/double_double.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

enum { SLI_STEP_LARGE = 2000 }; /* an exponent beyond those of doubles */

/* The exponent of the lowest bit of a double that is not denormal; large for 0, which is a multiple
 * of anything. */
static inline int sli_step_exponent(double x)
{
    uint64_t bits;
    memcpy(&bits, &x, sizeof bits);
    const int exponent = (int)(bits >> 52 & 0x7FF) - 1075;
    return x == 0 ? SLI_STEP_LARGE : exponent + __builtin_ctzll(bits | UINT64_C(1) << 52);
}

/* Of three numbers; SLI_STEP_LARGE if all are 0. */
static inline int sli_step_of(const sli_dd v[3])
{
    int least = SLI_STEP_LARGE;
    for (int axis = 0; axis < 3; axis++) {
        const int step = sli_step_exponent(v[axis].high);
        least = step < least ? step : least;
    }
    return least;
}

static inline double sli_step_lows(const sli_dd v[3])
{
    return fabs(v[0].low) + fabs(v[1].low) + fabs(v[2].low);
}

/* 2^exponent, or 2^1000 for more: of vectors that are 0 a product is 0 without an error.  exponent
 * is at least -1022: coordinates are multiples of 2^-149, limits 0 or at least 2^-500. */
static inline double sli_step_power(int exponent)
{
    const uint64_t bits = (uint64_t)((exponent < 1000 ? exponent : 1000) + 1023) << 52;
    double out;
    memcpy(&out, &bits, sizeof out);
    return out;
}

/* The products of the steps of vectors of differences, which are multiples of 2^-149: 0 where one
 * of them has low parts. */
static inline double sli_step_of_two(const sli_dd a[3], const sli_dd b[3])
{
    const double power = sli_step_power(sli_step_of(a) + sli_step_of(b));
    return sli_step_lows(a) + sli_step_lows(b) == 0 ? power : 0;
}

static inline double sli_step_of_product(const sli_dd a[3], const sli_dd b[3], const sli_dd c[3])
{
    const double power = sli_step_power(sli_step_of(a) + sli_step_of(b) + sli_step_of(c));
    return sli_step_lows(a) + sli_step_lows(b) + sli_step_lows(c) == 0 ? power : 0;
}
