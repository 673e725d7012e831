/* double_double.h: numbers of about 106 bits as unevaluated sums of two doubles: for values
 * whose rounding doubles leave open, before expansions are asked.
 *
 * u = 2^-53; sizes are absolute values.  Errors beside the exact result of the given numbers, where
 * nothing over- or underflows:
 *     sli_dd_difference     0
 *     sli_dd_product        8.01 u^2 |a b|: the products high * low are rounded (2), and their sum
 *                           (2), and the sum with the error of high * high (3); low * low is left
 *                           out (1)
 *     sli_dd_sum            3.01 u^2 (|a| + |b|): the sum of the lows is rounded (1), and that with
 *                           the error of the sum of the highs (2)
 * All need round-to-nearest without contraction to fused operations.
 * Source   Dekker (1971); Joldes, Muller and Popescu, Tight and Rigorous Error Bounds for Basic
 *          Building Blocks of Double-Word Arithmetic (2017). */
#pragma once

#include "lib/geom/exact/arithmetic/expansion.h"

/* high + low; high is that sum rounded. */
typedef struct sli_dd {
    double high, low;
} sli_dd;

/* The upper 26 bits of a; the rest fits in 26 bits as well. */
static inline double sli_dd_upper(double a)
{
    const double c = 0x1p27 * a + a;
    return c - (c - a);
}

/* a * b, exactly. */
static inline sli_dd sli_dd_of_product(double a, double b)
{
    const double product = a * b, a_high = sli_dd_upper(a), b_high = sli_dd_upper(b);
    const double a_low = a - a_high, b_low = b - b_high;
    const double rest = ((product - a_high * b_high) - a_low * b_high) - a_high * b_low;
    return (sli_dd){ product, a_low * b_low - rest };
}

/* Where |low| is no more than about |high|. */
static inline sli_dd sli_dd_of_parts(double high, double low)
{
    const double sum = high + low;
    return (sli_dd){ sum, low - (sum - high) };
}

static inline sli_dd sli_dd_difference(double a, double b)
{
    sli_dd out;
    sli_two_sum(a, -b, &out.high, &out.low);
    return out;
}

static inline sli_dd sli_dd_sum(sli_dd a, sli_dd b)
{
    double high, low;
    sli_two_sum(a.high, b.high, &high, &low);
    sli_two_sum(high, low + (a.low + b.low), &high, &low);
    return (sli_dd){ high, low };
}

static inline sli_dd sli_dd_negated(sli_dd a)
{
    return (sli_dd){ -a.high, -a.low };
}

/* a - b. */
static inline sli_dd sli_dd_less(sli_dd a, sli_dd b)
{
    return sli_dd_sum(a, sli_dd_negated(b));
}

static inline sli_dd sli_dd_product(sli_dd a, sli_dd b)
{
    const sli_dd highs = sli_dd_of_product(a.high, b.high);
    return sli_dd_of_parts(highs.high, highs.low + (a.high * b.low + a.low * b.high));
}

static inline sli_dd sli_dd_dot(const sli_dd a[3], const sli_dd b[3])
{
    const sli_dd xy = sli_dd_sum(sli_dd_product(a[0], b[0]), sli_dd_product(a[1], b[1]));
    return sli_dd_sum(xy, sli_dd_product(a[2], b[2]));
}
