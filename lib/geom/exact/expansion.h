/* expansion.h: exact sums and products of doubles.
 *
 * An expansion is a value written as a sum of doubles, smallest first, that do not overlap; zeros are
 * left out, so that 0 has no components at all.  Its sign is that of the last component.
 * All functions need round-to-nearest-even without flush to zero, and are exact as long as nothing
 * over- or underflows: components between 2^-1022 and 2^996.  Outputs may not be inputs, and have room
 * for what the comment says.
 * Source   Shewchuk, Adaptive Precision Floating-Point Arithmetic and Fast Robust Geometric
 *          Predicates (1997); Dekker, A Floating-Point Technique for Extending the Available
 *          Precision (1971). */
#ifndef SLI_GEOM_EXACT_EXPANSION_H
#define SLI_GEOM_EXACT_EXPANSION_H

#include <stdbool.h>

/* A difference of two doubles: two components at most. */
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

/* e + f; room for en + fn.  f may stand in h, en places or more behind its beginning. */
int sli_expansion_sum(int en, const double *e, int fn, const double *f, double *h);

/* e - f; the same. */
int sli_expansion_diff(int en, const double *e, int fn, const double *f, double *h);

/* The sign of e - f. */
int sli_expansion_compare(int en, const double *e, int fn, const double *f);

/* e * b; room for 2 * en. */
int sli_expansion_scale(int en, const double *e, double b, double *h);

/* e * d; room for 4 * en; en <= SLI_PRODUCT_MAX. */
enum { SLI_PRODUCT_MAX = 24 };
int sli_expansion_times_diff(int en, const double *e, const sli_diff *d, double *h);

/* The same value in as few components as there are: a value made of floats by at most six
 * multiplications has no more than SLI_COMPRESSED_MAX.  In place.  Shewchuk's COMPRESS. */
enum { SLI_COMPRESSED_MAX = 40 };
int sli_expansion_compress(int en, double *e);

/* e * f, compressed; room for SLI_COMPRESSED_MAX, which is also the limit for en and fn. */
int sli_expansion_product(int en, const double *e, int fn, const double *f, double *h);

/* -1, 0 or 1. */
int sli_expansion_sign(int en, const double *e);

/* The value within 2^-51 of itself, relatively. */
double sli_expansion_estimate(int en, const double *e);

/* num / den rounded to the nearest float, ties to even, a zero as +0; den != 0, of at most
 * SLI_COMPRESSED_MAX components. */
float sli_expansion_round_ratio(int num_n, const double *num, int den_n, const double *den);

/* Sign of num - m * den, with the same limit. */
int sli_expansion_compare_ratio(int num_n, const double *num, int den_n, const double *den,
                                double m);

/* det(a, b, c) of differences of floats, or of doubles of their range, compressed: a multiple of
 * 2^-603 below 2^390, of which components span 53 bits each but for the last. */
enum { SLI_DET3_MAX = 20 };
int sli_exact_det3(const sli_diff a[3], const sli_diff b[3], const sli_diff c[3],
                   double h[SLI_DET3_MAX]);

/* If every value in [low, high] rounds to the same float: true, and that float (a zero as +0). */
static inline bool sli_rounds_alike(double low, double high, float *out)
{
    const float from_low = (float)low;
    *out = from_low == 0 ? 0.0f : from_low;
    return from_low == (float)high;
}

#endif
