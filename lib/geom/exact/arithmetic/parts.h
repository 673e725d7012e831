/* parts.h: double-doubles in two parts, the first of which has 26 bits, so that the product of two
 * first parts is exact; dot and cross products of some 79 bits, at half the cost of those that are
 * known to 106.
 *
 * With p = 2^-79, sizes being absolute values: the second part is below 2^-26 of a number and
 * within p of it.  Of a product what is beside the exact one of the heads is off by 8 p of its
 * size: two products and a sum are rounded (4 p), and two numbers by p each, of which one is cut
 * to a double as well; and it is below 2^-25 of that, so a sum of such loses 2 p.
 * Range    as that of double_double.h.
 * Source   Dekker, A Floating-Point Technique for Extending the Available Precision (1971); Ogita,
 *          Rump and Oishi, Accurate Sum and Dot Product (2005). */
#pragma once

#include "lib/base/inline.h"
#include "lib/geom/exact/arithmetic/double_double.h"

#include <math.h>

#define SLI_PART 0x1p-79

typedef struct sli_parts {
    double head, tail, high; /* high: of the double-double */
} sli_parts;

static inline sli_parts sli_parts_of(sli_dd x)
{
    const double head = sli_dd_upper(x.high);
    return (sli_parts){ head, (x.high - head) + x.low, x.high };
}

static inline void sli_parts_of3(const sli_dd v[3], sli_parts out[3])
{
    for (int axis = 0; axis < 3; axis++) {
        out[axis] = sli_parts_of(v[axis]);
    }
}

/* Of a product: the heads' is exact; returns the rest of it. */
static inline double sli_parts_rest(sli_parts a, sli_parts b)
{
    return a.head * b.tail + a.tail * b.high;
}

/* Within 20 p of the size of the products: rests are off by 8 p and added up by five sums, each
 * within 2 p, as is the last one. */
static SLI_FORCE_INLINE sli_dd sli_parts_dot(const sli_parts a[3], const sli_parts b[3])
{
    double high, low, more, rest;
    sli_two_sum(a[0].head * b[0].head, a[1].head * b[1].head, &high, &low);
    sli_two_sum(high, a[2].head * b[2].head, &high, &more);
    rest = (sli_parts_rest(a[0], b[0]) + sli_parts_rest(a[1], b[1])) + sli_parts_rest(a[2], b[2]);
    return sli_dd_of_parts(high, rest + (low + more));
}

/* a d - b c where that is exact: false where it may not be. */
static SLI_NOINLINE bool sli_parts_exact_minor(sli_dd a, sli_dd b, sli_dd c, sli_dd d, sli_dd *out)
{
    const sli_dd left = sli_dd_of_product(a.high, d.high);
    const sli_dd right = sli_dd_of_product(b.high, c.high);
    if (a.low != 0 || b.low != 0 || c.low != 0 || d.low != 0 || left.low != 0 || right.low != 0) {
        return false;
    }
    *out = sli_dd_difference(left.high, right.high);
    return true;
}

/* a x b for an exact a, and how far it may be off: by 14 p of the size, and what b is off.  What is
 * known without a low part may be exact. */
static SLI_FORCE_INLINE void sli_parts_cross(const sli_dd a[3], const sli_dd b[3],
                                             const double b_error[3], sli_dd out[3],
                                             double error[3])
{
    sli_parts x[3], y[3];
    double tails = 0; /* without any, nothing is rounded */
    sli_parts_of3(a, x);
    sli_parts_of3(b, y);
    for (int axis = 0; axis < 3; axis++) {
        tails += fabs(x[axis].tail) + fabs(y[axis].tail);
    }
    for (int axis = 0; axis < 3; axis++) {
        const int j = (axis + 1) % 3, k = (axis + 2) % 3;
        const double left = x[j].head * y[k].head, right = x[k].head * y[j].head;
        const sli_dd heads = sli_dd_difference(left, right);
        const double rest = sli_parts_rest(x[j], y[k]) - sli_parts_rest(x[k], y[j]);
        out[axis] = sli_dd_of_parts(heads.high, heads.low + rest);
        error[axis] = fabs(a[j].high) * b_error[k] + fabs(a[k].high) * b_error[j];
        const bool none = left == 0 && right == 0;
        const bool exact =
            tails == 0 || (out[axis].low == 0 &&
                           (none || sli_parts_exact_minor(a[j], a[k], b[j], b[k], &out[axis])));
        if (!exact) {
            error[axis] += 16 * SLI_PART * (fabs(left) + fabs(right));
        }
    }
}
