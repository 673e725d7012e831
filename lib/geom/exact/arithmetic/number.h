/* number.h: numbers known in doubles with an error bound and, on request, exactly as well.
 *
 * A decision is written once, as a formula over numbers.  It first runs on inputs that are known in
 * doubles only, where each operation also computes an error bound (the double stage).  If a sign or
 * a rounding then is unsure, it runs once more on exact inputs (the exact stage), where nothing is
 * unsure.  Sums, differences and products are exact if both operands are; quotients and square
 * roots never are.
 * Range    inputs are multiples of 2^-149 no larger than FLT_MAX, differences of such, boundaries
 *          between floats, or limits, which are any doubles.  Formulas have degree 16 at most in
 *          them: sums of multiples of 2^-2384 below 2^2224 or so, which the limbs of a number hold.
 *          Nothing under- or overflows unseen: bounds cover it in the double stage.
 * Callers  hold the floating-point environment.  Outputs may be inputs, except where a comment says
 *          otherwise.
 * Source   Higham, Accuracy and Stability of Numerical Algorithms (2002), 3.3, for the running
 *          bounds; Knuth, The Art of Computer Programming 2 (1997), 4.3.1, for the exact stage. */
#pragma once

#include "lib/geom/exact/arithmetic/expansion.h"

#include <math.h>
#include <stdint.h>

enum { SLI_NUMBER_MAX = 72 };

/* The exact value is sign * the sum of limb[i] 2^(64 (first + i)); the first and the last limb are
 * not 0, so a few limbs hold a product of a few inputs of any size. */
typedef struct sli_number {
    double value, error; /* |value - exact value| <= error; error may be infinite */
    int n;               /* number of limbs of the exact value; -1: not known exactly */
    int first, sign;     /* of the exact value; the sign is -1, 0 or 1 */
    uint64_t limb[SLI_NUMBER_MAX];
} sli_number;

/* The exact parts of the operations below (dyadic.c).  Where the exact value is beyond the range of
 * doubles, value is the largest or the smallest normal one of the same sign. */
void sli_number_make_diff(double a, double b, sli_number *out);
void sli_number_make_sum(const sli_number *x, const sli_number *y, int sign, sli_number *out);
void sli_number_make_product(const sli_number *x, const sli_number *y, sli_number *out);

/* value of an exact number that is not 0 as a mantissa in 1 .. 2, within 2^-52 of the exact one,
 * and a power of two. */
double sli_number_mantissa(const sli_number *x, int *exponent);

/* Rounds up an error bound that was itself computed with a few roundings. */
static inline double sli_certain(double error)
{
    return error * (1 + 0x1p-48);
}

/* By pairs, as most are so few that a call of memcpy would cost more. */
static inline void sli_limbs_copy(const uint64_t *from, int n, uint64_t *to)
{
    int i = 0;
    for (; i + 1 < n; i += 2) {
        const uint64_t low = from[i], high = from[i + 1];
        to[i] = low;
        to[i + 1] = high;
    }
    if (i < n) {
        to[i] = from[i];
    }
}

static inline void sli_number_copy(const sli_number *x, sli_number *out)
{
    out->value = x->value;
    out->error = x->error;
    out->n = x->n;
    out->first = x->first;
    out->sign = x->sign;
    sli_limbs_copy(x->limb, x->n, out->limb);
}

/* a - b. */
static inline void sli_number_diff(double a, double b, bool exact, sli_number *out)
{
    if (exact) {
        sli_number_make_diff(a, b, out);
        return;
    }
    double rest;
    sli_two_sum(a, -b, &out->value, &rest);
    out->error = fabs(rest);
    out->n = -1;
}

static inline void sli_number_set(double a, bool exact, sli_number *out)
{
    sli_number_diff(a, 0, exact, out);
}

/* x + sign * y; sign is 1 or -1. */
static inline void sli_number_sum(const sli_number *x, const sli_number *y, int sign,
                                  sli_number *out)
{
    if (x->n >= 0 && y->n >= 0) {
        sli_number_make_sum(x, y, sign, out);
        return;
    }
    const double sum = x->value + sign * y->value;
    out->error = sli_certain(x->error + y->error + fabs(sum) * 0x1p-53);
    out->value = sum;
    out->n = -1;
}

static inline void sli_number_add(const sli_number *x, const sli_number *y, sli_number *out)
{
    sli_number_sum(x, y, 1, out);
}

static inline void sli_number_sub(const sli_number *x, const sli_number *y, sli_number *out)
{
    sli_number_sum(x, y, -1, out);
}

/* Whether the doubles of x say that it is 0. */
static inline bool sli_number_is_zero(const sli_number *x)
{
    return x->value == 0 && x->error == 0;
}

/* What the four roundings of a product and its bound may lose to underflow, each 2^-1075; sums lose
 * nothing.  From SLI_SMALL on the bound's own 2^-48 of 2^-53 of the product are more than that. */
#define SLI_SMALL 0x1p-900
#define SLI_LOST  0x1p-1060

static inline void sli_number_mul(const sli_number *x, const sli_number *y, sli_number *out)
{
    if (x->n >= 0 && y->n >= 0) {
        sli_number_make_product(x, y, out);
        return;
    }
    const double product = x->value * y->value;
    const double error = sli_certain(fabs(x->value) * y->error + fabs(y->value) * x->error +
                                     x->error * y->error + fabs(product) * 0x1p-53);
    const bool loses =
        fabs(product) < SLI_SMALL && !sli_number_is_zero(x) && !sli_number_is_zero(y);
    out->error = loses ? error + SLI_LOST : error;
    out->value = product;
    out->n = -1;
}

/* x *= sign; sign is -1, 0 or 1. */
void sli_number_turn(sli_number *x, int sign);

/* In doubles only.  Where y may be 0, or x in the square root less than 0, the error covers that.
 */
void sli_number_div(const sli_number *x, const sli_number *y, sli_number *out);
void sli_number_sqrt(const sli_number *x, sli_number *out);

/* The sign, -1, 0 or 1; if the bound does not decide it, 0, and *unsure is set.  Where a bound is 0
 * the value is exact. */
static inline int sli_number_sign(const sli_number *x, bool *unsure)
{
    if (x->n >= 0) {
        return x->sign;
    }
    if (x->error == 0 || fabs(x->value) > x->error) {
        return (x->value > 0) - (x->value < 0);
    }
    *unsure = true;
    return 0;
}

/* The sign of a + b sqrt(c), c >= 0; of exact numbers that of a^2 - b^2 c. */
int sli_number_sign_with_root(const sli_number *a, const sli_number *b, const sli_number *c,
                              bool *unsure);

/* x, and x / y, rounded to the nearest float, ties to even, zeros as +0; if the bound does not
 * decide that, *unsure is set.  An exact y is not 0. */
float sli_number_round(const sli_number *x, bool *unsure);
float sli_number_round_ratio(const sli_number *x, const sli_number *y, bool *unsure);

/* Vectors.  set3: three floats; diff3: a - b of floats; sub3: a - b; scale3: by v. */
void sli_number_set3(const float x[3], bool exact, sli_number out[3]);
void sli_number_diff3(const float a[3], const float b[3], bool exact, sli_number out[3]);
void sli_number_copy3(const sli_number x[3], sli_number out[3]);
void sli_number_sub3(const sli_number a[3], const sli_number b[3], sli_number out[3]);
void sli_number_scale3(const sli_number *by, const sli_number v[3], sli_number out[3]);
/* at += sign * by * v. */
void sli_number_step3(const sli_number *by, const sli_number v[3], int sign, sli_number at[3]);

/* The cross product's output is neither of its inputs. */
void sli_number_dot(const sli_number a[3], const sli_number b[3], sli_number *out);
void sli_number_cross(const sli_number a[3], const sli_number b[3], sli_number out[3]);

/* (across + scale along) / size, which has unit length, each component within 2^-40 before it is
 * rounded to float; if the bound is larger than that, *unsure is set. */
void sli_number_normal(const sli_number across[3], const sli_number along[3],
                       const sli_number *scale, const sli_number *size, float normal[3],
                       bool *unsure);
