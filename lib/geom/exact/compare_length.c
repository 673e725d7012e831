/* Whether one vector is at most as long as another.
 *
 * Double stage: sums of squares, if the largest coordinate is far from over- and underflow; what is
 * lost below 2^-1022 is then less than 2^-1000 in all.
 *
 * Exact stage: squares of values of degree 4 need more exponents than doubles have, so coordinates
 * become integers in units of 2^-608, of 32-bit digits, and are squared and added digit by digit.
 */
#include "lib/geom/exact/compare_length.h"

#include "lib/base/assert.h"

#include <stdint.h>
#include <string.h>

enum { DIGITS = 38, EXPONENT_MIN = -608, SUM_DIGITS = 2 * DIGITS + 1 };

/* Adds a component's 53 bits to digits of base 2^32 that may be negative. */
static void add_component(double x, int64_t digits[DIGITS])
{
    uint64_t bits;
    memcpy(&bits, &x, sizeof bits);
    const int biased = (int)(bits >> 52 & 0x7FF);
    const uint64_t mantissa = (bits & 0xFFFFFFFFFFFFFu) | (uint64_t)(biased != 0) << 52;
    const int shift = (biased != 0 ? biased : 1) - 1075 - EXPONENT_MIN;
    const int sign = bits >> 63 != 0 ? -1 : 1;
    /* A component's last bits are zeros where they lie below the unit. */
    const uint64_t aligned = shift < 0 ? mantissa >> -shift : mantissa;
    const int first = shift < 0 ? 0 : shift / 32, rest = shift < 0 ? 0 : shift % 32;
    SL_ASSERT(first + 2 < DIGITS);
    const uint64_t low = (aligned & 0xFFFFFFFFu) << rest, high = (aligned >> 32) << rest;
    digits[first] += sign * (int64_t)(low & 0xFFFFFFFFu);
    digits[first + 1] += sign * (int64_t)(low >> 32);
    digits[first + 1] += sign * (int64_t)(high & 0xFFFFFFFFu);
    digits[first + 2] += sign * (int64_t)(high >> 32);
}

/* |x| in units of 2^EXPONENT_MIN; returns the number of digits without leading zeros. */
static int compare_length_magnitude(const sli_number *x, uint32_t out[DIGITS])
{
    int64_t digits[DIGITS] = { 0 }, carry = 0;
    for (int i = 0; i < x->n; i++) {
        add_component(x->c[i], digits);
    }
    const int sign = sli_expansion_sign(x->n, x->c);
    int count = 0;
    for (int i = 0; i < DIGITS; i++) {
        const int64_t value = sign * digits[i] + carry;
        out[i] = (uint32_t)((uint64_t)value & 0xFFFFFFFFu);
        carry = (value - (int64_t)out[i]) / ((int64_t)1 << 32);
        count = out[i] != 0 ? i + 1 : count;
    }
    SL_ASSERT(carry == 0);
    return count;
}

static void add_square(const sli_number *x, uint32_t sum[SUM_DIGITS])
{
    uint32_t d[DIGITS];
    const int count = compare_length_magnitude(x, d);
    for (int i = 0; i < count; i++) {
        uint64_t carry = 0;
        for (int j = 0; j < count || carry != 0; j++) {
            const uint64_t product = j < count ? (uint64_t)d[i] * d[j] : 0;
            const uint64_t value = product + sum[i + j] + carry; /* at most 2^64 - 1 */
            sum[i + j] = (uint32_t)(value & 0xFFFFFFFFu);
            carry = value >> 32;
        }
    }
}

static sli_tribool compare_exactly(int a_count, const sli_number *a, int b_count,
                                   const sli_number *b)
{
    uint32_t left[SUM_DIGITS] = { 0 }, right[SUM_DIGITS] = { 0 };
    for (int i = 0; i < a_count; i++) {
        add_square(&a[i], left);
    }
    for (int i = 0; i < b_count; i++) {
        add_square(&b[i], right);
    }
    for (int i = SUM_DIGITS - 1; i >= 0; i--) {
        if (left[i] != right[i]) {
            return left[i] < right[i] ? SLI_YES : SLI_NO;
        }
    }
    return SLI_YES;
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
    return compare_exactly(a_count, a, b_count, b);
}

sli_tribool sli_is_length_within(int count, const sli_number *x, const sli_number *reach,
                                 const sli_number n[3])
{
    sli_number limit[3];
    sli_number_scale3(reach, n, limit);
    return sli_is_length_at_most(count, x, 3, limit);
}
