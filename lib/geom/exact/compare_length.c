/* Whether one vector is at most as long as another.
 *
 * Double stage: sums of squares, if the largest coordinate is far from over- and underflow; what is
 * lost below 2^-1022 is then less than 2^-1000 in all.
 *
 * Exact stage: the same in numbers, which have room for squares of values of degree 8. */
#include "lib/geom/exact/compare_length.h"

/* *sum += sign * |x|^2. */
static void add_exactly(int count, const sli_number *x, int sign, sli_number *sum)
{
    sli_number square;
    for (int i = 0; i < count; i++) {
        sli_number_mul(&x[i], &x[i], &square);
        sli_number_sum(sum, &square, sign, sum);
    }
}

/* Adds sign * |x|^2 to *sum, the rounding to *error and the largest coordinate to *largest. */
static void add_squares(int count, const sli_number *x, double sign, double *sum, double *error,
                        double *largest)
{
    for (int i = 0; i < count; i++) {
        const double v = fabs(x[i].value), e = x[i].error;
        *sum += sign * (v * v);
        *error += (2 * v + e) * e + v * v * 0x1p-49; /* of the square and 6 sums */
        *largest = fmax(*largest, v + e);
    }
}

sli_tribool sli_is_length_at_most(int a_count, const sli_number *a, int b_count,
                                  const sli_number *b)
{
    double difference = 0, error = 0, largest = 0;
    bool exact = true;
    add_squares(a_count, a, 1, &difference, &error, &largest);
    add_squares(b_count, b, -1, &difference, &error, &largest);
    if (largest > 0x1p-400 && largest < 0x1p400 &&
        fabs(difference) > error * (1 + 0x1p-40) + 0x1p-1000) {
        return difference < 0 ? SLI_YES : SLI_NO;
    }
    for (int i = 0; i < a_count; i++) {
        exact = exact && a[i].n >= 0;
    }
    for (int i = 0; i < b_count; i++) {
        exact = exact && b[i].n >= 0;
    }
    if (!exact) {
        return SLI_UNSURE;
    }
    sli_number sum;
    sli_number_set(0, true, &sum);
    add_exactly(a_count, a, 1, &sum);
    add_exactly(b_count, b, -1, &sum);
    return sum.sign <= 0 ? SLI_YES : SLI_NO;
}

sli_tribool sli_is_length_within(int count, const sli_number *x, const sli_number *reach,
                                 const sli_number n[3])
{
    sli_number limit[3];
    sli_number_scale3(reach, n, limit);
    return sli_is_length_at_most(count, x, 3, limit);
}
