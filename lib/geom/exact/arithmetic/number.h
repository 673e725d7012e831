/* number.h: numbers known in doubles with an error bound and, on request, exactly as well.
 *
 * A decision is written once, as a formula over numbers.  It first runs on inputs that are known in
 * doubles only, where each operation also computes an error bound (the double stage).  If a sign or
 * a rounding then is unsure, it runs once more on exact inputs (the exact stage), where nothing is
 * unsure.  Sums, differences and products are exact if both operands are; quotients and square
 * roots never are.
 * Range    inputs are floats, differences of floats, or boundaries between floats; formulas have
 *          degree 7 at most in them: multiples of 2^-1060 below 2^930, so nothing is lost to
 *          underflow.
 * Callers  hold the floating-point environment.  Outputs may be inputs, except where a comment says
 *          otherwise.
 * Source   Shewchuk, Adaptive Precision Floating-Point Arithmetic and Fast Robust Geometric
 *          Predicates (1997); for the running bounds Higham, Accuracy and Stability of Numerical
 *          Algorithms (2002), 3.3. */
#pragma once

#include "lib/geom/exact/arithmetic/expansion.h"

#include <math.h>

enum { SLI_NUMBER_MAX = SLI_COMPRESSED_MAX };

typedef struct sli_number {
    double value, error; /* |value - exact value| <= error; error may be infinite */
    int n;               /* number of components of the exact value; -1: not known exactly */
    double c[SLI_NUMBER_MAX];
} sli_number;

/* The exact parts of the operations below. */
void sli_number_make_diff(double a, double b, sli_number *out);
void sli_number_make_sum(const sli_number *x, const sli_number *y, int sign, sli_number *out);
void sli_number_make_product(const sli_number *x, const sli_number *y, sli_number *out);

/* Rounds up an error bound that was itself computed with a few roundings. */
static inline double sli_certain(double error)
{
    return error * (1 + 0x1p-48);
}

static inline void sli_number_copy(const sli_number *x, sli_number *out)
{
    out->value = x->value;
    out->error = x->error;
    out->n = x->n;
    for (int i = 0; i < x->n; i++) {
        out->c[i] = x->c[i];
    }
}

/* a - b. */
static inline void sli_number_diff(double a, double b, bool exact, sli_number *out)
{
    double rest;
    sli_two_sum(a, -b, &out->value, &rest);
    out->error = fabs(rest);
    out->n = -1;
    if (exact) {
        sli_number_make_diff(a, b, out);
    }
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

static inline void sli_number_mul(const sli_number *x, const sli_number *y, sli_number *out)
{
    if (x->n >= 0 && y->n >= 0) {
        sli_number_make_product(x, y, out);
        return;
    }
    const double product = x->value * y->value;
    out->error = sli_certain(fabs(x->value) * y->error + fabs(y->value) * x->error +
                             x->error * y->error + fabs(product) * 0x1p-53);
    out->value = product;
    out->n = -1;
}

/* x *= sign; sign is -1, 0 or 1. */
void sli_number_turn(sli_number *x, int sign);

/* In doubles only.  Where y may be 0, or x in the square root less than 0, the error covers that.
 */
void sli_number_div(const sli_number *x, const sli_number *y, sli_number *out);
void sli_number_sqrt(const sli_number *x, sli_number *out);

/* The sign, -1, 0 or 1; if the bound does not decide it, 0, and *unsure is set.  The factor 1 +
 * 2^-20 covers bounds of the highest degree that were rounded among the denormals; where a bound is
 * 0 the value is exact. */
static inline int sli_number_sign(const sli_number *x, bool *unsure)
{
    if (x->n >= 0) {
        return sli_expansion_sign(x->n, x->c);
    }
    if (x->error == 0 || fabs(x->value) > x->error * (1 + 0x1p-20)) {
        return (x->value > 0) - (x->value < 0);
    }
    *unsure = true;
    return 0;
}

/* x, and x / y, rounded to the nearest float, ties to even, zeros as +0; if the bound does not
 * decide that, *unsure is set.  An exact y is not 0, and |x / y| is less than 2^178. */
float sli_number_round(const sli_number *x, bool *unsure);
float sli_number_round_ratio(const sli_number *x, const sli_number *y, bool *unsure);

/* The same for a number in low .. high that is known only by comparison: order returns the sign of
 * the number minus a boundary between two floats, given as a double.  A NaN for low or high bounds
 * nothing. */
float sli_round_by_order(double low, double high, int (*order)(const void *user, double boundary),
                         const void *user);

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
