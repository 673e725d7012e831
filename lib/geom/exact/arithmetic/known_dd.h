/* known_dd.h: double-doubles with running bounds of their errors: between the double stage of
 * numbers (number.h) and their exact stage, for what is rounded to doubles.
 *
 * With the errors of double_double.h, and errors e of the operands, beside the exact result
 *     product   |a| eb + |b| ea + ea eb + 8.01 u^2 |a b|; nothing but e's if both lows are 0
 *     sum       ea + eb + 3.01 u^2 (|a| + |b|); likewise
 *     root      with s = sqrt(high) in doubles and c = (high - s^2 + low) / (2 s), |c| <= 3 u s,
 *               Newton's step leaves c^2 / (2 s), roundings 4 u |c|: less than 20 u^2 s in all; and
 *               e / s
 *     quotient  determinant_dd.h
 * Sizes are taken from the highs, and bounds are computed with a few roundings: what is left to the
 * constants used, 9, 4 and 24, is more than that.
 * Range    nothing overflows unseen, as infinities and NaNs decide nothing.  Products that
 *          underflow are the caller's to exclude.
 * Source   Higham, Accuracy and Stability of Numerical Algorithms (2002), 3.3. */
#pragma once

#include "lib/geom/exact/arithmetic/determinant_dd.h"

#include <stdint.h>
#include <string.h>

#define SLI_DD_UNIT 0x1p-106

static inline sli_dd_known sli_known_dd_of(double x)
{
    return (sli_dd_known){ x, 0, 0 };
}

static inline sli_dd_known sli_known_dd_mul(sli_dd_known a, sli_dd_known b)
{
    const sli_dd x = sli_dd_product((sli_dd){ a.high, a.low }, (sli_dd){ b.high, b.low });
    const double rounded = a.low != 0 || b.low != 0 ? 9 * SLI_DD_UNIT * fabs(x.high) : 0;
    const double carried = fabs(a.high) * b.error + fabs(b.high) * a.error + a.error * b.error;
    return (sli_dd_known){ x.high, x.low, (carried + rounded) * (1 + 0x1p-40) };
}

static inline sli_dd_known sli_known_dd_add(sli_dd_known a, sli_dd_known b)
{
    const sli_dd x = sli_dd_sum((sli_dd){ a.high, a.low }, (sli_dd){ b.high, b.low });
    const double size = fabs(a.high) + fabs(b.high);
    const double rounded = a.low != 0 || b.low != 0 ? 4 * SLI_DD_UNIT * size : 0;
    return (sli_dd_known){ x.high, x.low, (a.error + b.error + rounded) * (1 + 0x1p-40) };
}

static inline sli_dd_known sli_known_dd_turned(sli_dd_known a, double sign)
{
    return (sli_dd_known){ sign * a.high, sign * a.low, a.error };
}

static inline sli_dd_known sli_known_dd_sub(sli_dd_known a, sli_dd_known b)
{
    return sli_known_dd_add(a, sli_known_dd_turned(b, -1));
}

/* Of a number above 0. */
static inline sli_dd_known sli_known_dd_root(sli_dd_known a)
{
    const double s = sqrt(a.high);
    const sli_dd square = sli_dd_of_product(s, s);
    const double rest = ((a.high - square.high) - square.low) + a.low;
    const sli_dd x = sli_dd_of_parts(s, rest / (2 * s));
    return (sli_dd_known){ x.high, x.low, (a.error / s + 24 * SLI_DD_UNIT * s) * (1 + 0x1p-40) };
}

/* Cut off to a double that is not denormal: towards 0. */
static inline double sli_dd_cut(const sli_dd *x)
{
    uint64_t bits;
    double out = x->high;
    memcpy(&bits, &out, sizeof bits);
    bits -= x->low != 0 && (x->low > 0) != (x->high > 0);
    memcpy(&out, &bits, sizeof out);
    return out;
}

/* The same, as the value of an exact sli_number is; false where the bound does not tell its bits.
 */
static inline bool sli_known_dd_cut(const sli_dd_known *x, double *out)
{
    *out = sli_dd_cut(&(sli_dd){ x->high, x->low });
    return x->error == 0 || fabs(x->low) > x->error;
}
