/* expansion.h: exact sums and products of doubles; everything that is decided exactly ends
 * here.
 *
 * An expansion is a value written as a sum of doubles that do not overlap, smallest first.  Zeros
 * are left out, so the value 0 has no components.  The sign is that of the last component.  All
 * functions need round-to-nearest-even without flush to zero, and are exact as long as nothing
 * over- or underflows: components lie between 2^-1022 and 2^996.  Outputs are never inputs, and
 * have the capacity that the comment says.
 * Source   Shewchuk, Adaptive Precision Floating-Point Arithmetic and Fast Robust Geometric
 *          Predicates (1997); Dekker, A Floating-Point Technique for Extending the Available
 *          Precision (1971). */
#pragma once

#include <stdbool.h>

/* A difference of two doubles: an expansion of at most two components. */
typedef struct sli_diff {
    int n;
    double c[2];
} sli_diff;

/* a + b = *sum + *error. */
static inline void sli_two_sum(double a, double b, double *sum, double *error)
{
    const double x = a + b;
    const double b_virtual = x - a;
    const double a_virtual = x - b_virtual;
    *error = (a - a_virtual) + (b - b_virtual);
    *sum = x;
}

sli_diff sli_diff_make(double a, double b); /* a - b */

/* e + f; capacity en + fn.  f may lie in h, en or more components after its start. */
int sli_expansion_sum(int en, const double *e, int fn, const double *f, double *h);

/* e - f; likewise. */
int sli_expansion_diff(int en, const double *e, int fn, const double *f, double *h);

/* The sign of e - f. */
int sli_expansion_compare(int en, const double *e, int fn, const double *f);

/* e * b; capacity 2 * en. */
int sli_expansion_scale(int en, const double *e, double b, double *h);

/* e * d; capacity 4 * en; en <= SLI_PRODUCT_MAX. */
enum { SLI_PRODUCT_MAX = 24 };
int sli_expansion_times_diff(int en, const double *e, const sli_diff *d, double *h);

/* Shewchuk's COMPRESS, in place: the same value in fewer components, returning their number.  A
 * value of degree 7 at most in floats then has no more than SLI_COMPRESSED_MAX.  So has one in
 * doubles that are multiples of 2^-149 and no larger than FLT_MAX: a value of degree k in either
 * is a multiple of 2^-149k, and below 2^130k times a small factor, and only this span counts.
 * For degree 7 that is 2^-1043 .. 2^930: 38 components, of which the least are denormal, which
 * loses nothing: every product on the way is such a multiple, too. */
enum { SLI_COMPRESSED_MAX = 40 };
int sli_expansion_compress(int en, double *e);

/* e * f, compressed; capacity SLI_COMPRESSED_MAX, which is also the limit of en and fn. */
int sli_expansion_product(int en, const double *e, int fn, const double *f, double *h);

/* -1, 0 or 1. */
int sli_expansion_sign(int en, const double *e);

/* The value with a relative error of at most 2^-51. */
double sli_expansion_estimate(int en, const double *e);

/* num / den rounded to the nearest float, ties to even, a zero as +0; den is not 0 and has at most
 * SLI_COMPRESSED_MAX components. */
float sli_expansion_round_ratio(int num_n, const double *num, int den_n, const double *den);

/* The sign of num - m * den, with the same limit. */
int sli_expansion_compare_ratio(int num_n, const double *num, int den_n, const double *den,
                                double m);

/* det(a, b, c) of differences of floats, or of doubles of their range, compressed: a multiple of
 * 2^-603 below 2^390, and all components but the last span 53 bits each, which bounds their number.
 */
enum { SLI_DET3_MAX = 20 };
int sli_exact_det3(const sli_diff a[3], const sli_diff b[3], const sli_diff c[3],
                   double h[SLI_DET3_MAX]);

/* Whether all values in [low, high] round to the same float; *out is then that float (a zero as
 * +0). */
static inline bool sli_rounds_alike(double low, double high, float *out)
{
    const float from_low = (float)low;
    *out = from_low == 0 ? 0.0f : from_low;
    return from_low == (float)high;
}
