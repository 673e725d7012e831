/* determinant_dd.h: determinants of differences in double-doubles, and their ratios, with bounds of
 * their errors: for what is rounded to a double.
 *
 * Differences of coordinates are exact.  With the sizes of double_double.h, a minor of a
 * determinant is off by (8.01 + 3.01) u^2 of its permanent, a component times a minor by 8.01 u^2
 * more, and the sum of three by 2 * 3.01 u^2 of the determinant's permanent: 25.1 u^2 in all.
 * 32 u^2 of the permanent as computed in doubles, which is off by less than 2^-49 of itself, are
 * allowed.
 *
 * A quotient of double-doubles q = N / D is q0 = N / D in doubles and what q0 D leaves of N over D:
 * of that, at most 2.1 u |N|, the product q0 D.low, three sums and the division, by D.high alone,
 * lose less than 16 u^2 |N / D|, which is allowed; and with it the errors of N and D.
 *
 * Range: coordinates are multiples of 2^-149 no larger than FLT_MAX, so determinants and all that
 * is made on the way are multiples of 2^-447 below 2^391: products are exact where they should be.
 * A ratio is between 2^-838 and 2^838 or 0, and the parts of it are no smaller than 2^-1000. */
#pragma once

#include "lib/geom/exact/arithmetic/double_double.h"

#include <math.h>

/* A value high + low, and a bound of its error. */
typedef struct sli_dd_known {
    double high, low, error;
} sli_dd_known;

static inline void sli_dd_differences(const double a[3], const double b[3], sli_dd out[3])
{
    for (int axis = 0; axis < 3; axis++) {
        out[axis] = sli_dd_difference(a[axis], b[axis]);
    }
}

/* a x b, and the permanents of its components. */
static inline void sli_dd_cross(const sli_dd a[3], const sli_dd b[3], sli_dd out[3],
                                double permanent[3])
{
    for (int axis = 0; axis < 3; axis++) {
        const int j = (axis + 1) % 3, k = (axis + 2) % 3;
        const sli_dd left = sli_dd_product(a[j], b[k]), right = sli_dd_product(a[k], b[j]);
        out[axis] = sli_dd_less(left, right);
        permanent[axis] = fabs(left.high) + fabs(right.high);
    }
}

/* a . n, where n is a cross product. */
static inline sli_dd_known sli_dd_determinant(const sli_dd a[3], const sli_dd n[3],
                                              const double permanent[3])
{
    const sli_dd sum = sli_dd_dot(a, n);
    const double size = (fabs(a[0].high) * permanent[0] + fabs(a[1].high) * permanent[1]) +
                        fabs(a[2].high) * permanent[2];
    return (sli_dd_known){ sum.high, sum.low, 32 * 0x1p-106 * (1 + 0x1p-40) * size };
}

/* x / d; false if nothing is known. */
static inline bool sli_dd_quotient(const sli_dd_known *x, const sli_dd_known *d, sli_dd_known *q)
{
    const double least = (fabs(d->high) - d->error) * (1 - 0x1p-40);
    if (!(least > 0)) {
        return false;
    }
    const double first = x->high / d->high, size = fabs(first);
    const sli_dd product = sli_dd_of_product(first, d->high);
    const double rest = (((x->high - product.high) - product.low) + x->low) - first * d->low;
    const sli_dd parts = sli_dd_of_parts(first, rest / d->high);
    q->high = parts.high;
    q->low = parts.low;
    q->error = ((x->error + size * d->error) / least + size * 16 * 0x1p-106) * (1 + 0x1p-40);
    return true;
}

/* Rounded to the nearest double, a zero as +0; false if the bound does not decide that.  The sums
 * with low are rounded once. */
static inline bool sli_dd_round(const sli_dd_known *x, double *out)
{
    const double margin = x->error + fabs(x->low) * 0x1p-52;
    const double low = x->high + (x->low - margin), high = x->high + (x->low + margin);
    *out = low == 0 ? 0.0 : low;
    return low == high;
}
