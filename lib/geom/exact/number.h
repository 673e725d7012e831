/* number.h: a number known in doubles with a bound and, when asked for, exactly as well.
 *
 * A decision is written once, as a formula over numbers.  It is run on leaves that are known in
 * doubles only, where an error bound goes along with every operation (the double stage); if a sign
 * or a rounding then turns out unsure, it is run once more on exact leaves (the exact stage), where
 * nothing is unsure.  Sums, differences and products are exact where both operands are; quotients
 * and square roots never are.
 * Range    leaves are floats, differences of floats, or boundaries between floats; formulas up to
 *          degree 7 in them: multiples of 2^-1060 below 2^930, so nothing is lost to underflow.
 * Callers  hold the floating-point environment.  Outputs may be inputs.
 * Source   Shewchuk, Adaptive Precision Floating-Point Arithmetic and Fast Robust Geometric
 *          Predicates (1997); for the running bounds Higham, Accuracy and Stability of Numerical
 *          Algorithms (2002), 3.3. */
#ifndef SLI_GEOM_EXACT_NUMBER_H
#define SLI_GEOM_EXACT_NUMBER_H

#include "lib/geom/exact/expansion.h"

#include <math.h>

enum { SLI_NUMBER_MAX = SLI_COMPRESSED_MAX };

typedef struct sli_number {
    double value, error; /* |value - exact value| <= error; the error may be infinite */
    int n;               /* components; -1: not known exactly */
    double c[SLI_NUMBER_MAX];
} sli_number;

/* The exact parts of the operations below. */
void sli_number_make_diff(double a, double b, sli_number *out);
void sli_number_make_sum(const sli_number *x, const sli_number *y, int sign, sli_number *out);
void sli_number_make_product(const sli_number *x, const sli_number *y, sli_number *out);

/* An error that was computed with a few roundings, made certain. */
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

/* x + sign * y, sign being 1 or -1. */
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

/* x *= sign, which is -1, 0 or 1. */
void sli_number_turn(sli_number *x, int sign);

/* In doubles only.  Where y may be 0 or x less than 0, the error says so. */
void sli_number_div(const sli_number *x, const sli_number *y, sli_number *out);
void sli_number_sqrt(const sli_number *x, sli_number *out);

/* -1, 0 or 1; where that cannot be told, 0, and *unsure is set.  The bounds of the highest degree
 * may have been rounded among the denormals: a millionth makes up for that, and where a bound is 0
 * the value is exact. */
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

/* x, and x / y, rounded to the nearest float, ties to even, zeros +0; otherwise *unsure is set. The
 * quotient is at most of the size of a float times a double's 2^50; exact y are not 0. */
float sli_number_round(const sli_number *x, bool *unsure);
float sli_number_round_ratio(const sli_number *x, const sli_number *y, bool *unsure);

/* The same for a number that is only known by comparisons with doubles that are boundaries between
 * floats: order gives the sign of the number minus the boundary.  It lies in low .. high, of which a
 * NaN bounds nothing. */
float sli_round_by_order(double low, double high, int (*order)(const void *user, double boundary),
                         const void *user);

/* Vectors.  set3: three floats; diff3: a - b of floats. */
void sli_number_set3(const float x[3], bool exact, sli_number out[3]);
void sli_number_diff3(const float a[3], const float b[3], bool exact, sli_number out[3]);

/* The cross product's output is neither of its inputs. */
void sli_number_dot(const sli_number a[3], const sli_number b[3], sli_number *out);
void sli_number_cross(const sli_number a[3], const sli_number b[3], sli_number out[3]);

/* (across + scale along) / size, a vector of length 1, within 2^-40 and the rounding to float;
 * otherwise *unsure is set. */
void sli_number_normal(const sli_number across[3], const sli_number along[3],
                       const sli_number *scale, const sli_number *size, float normal[3],
                       bool *unsure);

#endif
