/* The exact stage of numbers: integers of 64-bit limbs times powers of 2^64, added and multiplied
 * as on paper.  Source: Knuth, The Art of Computer Programming 2 (1997), 4.3.1. */
#include "lib/base/assert.h"
#include "lib/geom/exact/arithmetic/limb.h"
#include "lib/geom/exact/arithmetic/number.h"

#include <float.h>
#include <string.h>

enum { BITS = SLI_LIMB_BITS, ROOM = SLI_NUMBER_MAX + 2 };

/* An exact value, whose limbs lie elsewhere. */
typedef struct dyadic {
    const uint64_t *limb;
    int n, first, sign;
} dyadic;

static dyadic dyadic_of(const sli_number *x)
{
    return (dyadic){ x->limb, x->n, x->first, x->n == 0 ? 0 : x->sign };
}

static int leading_zeros(uint64_t x)
{
    return __builtin_clzll((unsigned long long)x);
}

/* The upper 64 bits from the first that is 1; *rest: whether any bit below them is. */
static uint64_t upper_bits(const sli_number *x, bool *rest)
{
    const int shift = leading_zeros(x->limb[x->n - 1]);
    uint64_t bits = x->limb[x->n - 1] << shift;
    *rest = x->n > 2; /* the lowest limb is not 0 */
    if (x->n > 1 && shift != 0) {
        bits |= x->limb[x->n - 2] >> (BITS - shift);
    }
    if (x->n > 1) {
        *rest = *rest || x->limb[x->n - 2] << shift != 0;
    }
    return bits;
}

/* A normal double of the upper 53 of 64 bits, the first of which is 1. */
static double double_of(uint64_t upper, int exponent, int sign)
{
    const uint64_t fraction = upper >> 11 & 0xFFFFFFFFFFFFFu;
    const uint64_t bits = (uint64_t)(exponent + 1023) << 52 | fraction | (uint64_t)(sign < 0) << 63;
    double x;
    memcpy(&x, &bits, sizeof x);
    return x;
}

double sli_number_mantissa(const sli_number *x, int *exponent)
{
    bool rest;
    *exponent = BITS * (x->first + x->n) - leading_zeros(x->limb[x->n - 1]) - 1;
    return double_of(upper_bits(x, &rest), 0, x->sign);
}

/* Cutting off all but the upper 53 bits loses less than 2^-52 of the value. */
static void set_value(sli_number *x)
{
    bool rest;
    const int exponent = BITS * (x->first + x->n) - leading_zeros(x->limb[x->n - 1]) - 1;
    if (exponent > 1022) {
        x->value = x->sign * DBL_MAX;
        x->error = INFINITY;
        return;
    }
    if (exponent < -1022) {
        x->value = x->sign * DBL_MIN;
        x->error = DBL_MIN;
        return;
    }
    const uint64_t upper = upper_bits(x, &rest);
    x->value = double_of(upper, exponent, x->sign);
    x->error = rest || (upper & 0x7FF) != 0 ? fabs(x->value) * 0x1p-52 : 0;
}

/* Sets *out to the value of n limbs, of which any may be 0. */
static void dyadic_finish(const uint64_t *limb, int n, int first, int sign, sli_number *out)
{
    int low = 0;
    while (n > 0 && limb[n - 1] == 0) {
        n--;
    }
    while (low < n && limb[low] == 0) {
        low++;
    }
    SL_ASSERT(n - low <= SLI_NUMBER_MAX);
    out->n = n - low;
    out->first = first + low;
    out->sign = sign;
    sli_limbs_copy(limb + low, n - low, out->limb);
    if (n == low) {
        out->value = out->error = 0;
        out->sign = 0;
        return;
    }
    set_value(out);
}

/* h = x on limbs from .. end - 1. */
static inline void dyadic_spread(const dyadic *x, int from, int end, uint64_t *h)
{
    int i = from;
    for (; i < x->first; i++) {
        h[i - from] = 0;
    }
    sli_limbs_copy(x->limb, x->n, h + (x->first - from));
    for (i = x->first + x->n; i < end; i++) {
        h[i - from] = 0;
    }
}

/* h += |y|, which goes no further than end - 1; returns the number of limbs. */
static int dyadic_add(const dyadic *y, int from, int end, uint64_t *h)
{
    uint64_t carry = 0;
    int i = y->first - from;
    for (int k = 0; k < y->n; k++, i++) {
        const uint64_t sum = h[i] + y->limb[k], all = sum + carry;
        carry = (uint64_t)(sum < h[i]) + (uint64_t)(all < sum);
        h[i] = all;
    }
    for (; carry != 0 && i < end - from; i++) {
        h[i] += 1;
        carry = h[i] == 0;
    }
    h[end - from] = carry;
    return end - from + 1;
}

/* h -= |y|; where that is less than 0, its size instead; returns its sign as 1 or -1. */
static int dyadic_subtract(const dyadic *y, int from, int end, uint64_t *h)
{
    uint64_t borrow = 0;
    int i = y->first - from;
    for (int k = 0; k < y->n; k++, i++) {
        const uint64_t a = h[i], difference = a - y->limb[k];
        h[i] = difference - borrow;
        borrow = (uint64_t)(a < y->limb[k]) + (uint64_t)(difference < borrow);
    }
    for (; borrow != 0 && i < end - from; i++) {
        borrow = h[i] == 0;
        h[i] -= 1;
    }
    if (borrow == 0) {
        return 1;
    }
    uint64_t carry = 1;
    for (i = 0; i < end - from; i++) {
        h[i] = ~h[i] + carry;
        carry = h[i] == 0 && carry != 0;
    }
    return -1;
}

static void dyadic_sum(const dyadic *x, const dyadic *y, sli_number *out)
{
    if (x->sign == 0 || y->sign == 0) {
        const dyadic *only = x->sign == 0 ? y : x;
        dyadic_finish(only->limb, only->n, only->first, only->sign, out);
        return;
    }
    const int x_end = x->first + x->n, y_end = y->first + y->n;
    const int from = x->first < y->first ? x->first : y->first, end = x_end > y_end ? x_end : y_end;
    uint64_t h[ROOM];
    SL_ASSERT(end - from < ROOM);
    dyadic_spread(x, from, end, h);
    if (x->sign == y->sign) {
        const int n = dyadic_add(y, from, end, h);
        dyadic_finish(h, n, from, x->sign, out);
    } else {
        const int sign = dyadic_subtract(y, from, end, h);
        dyadic_finish(h, end - from, from, x->sign * sign, out);
    }
}

static dyadic dyadic_of_double(double a, uint64_t limb[2])
{
    const int first = sli_limbs_of_double(a, limb);
    return (dyadic){ limb, 2, first, (a > 0) - (a < 0) };
}

void sli_number_make_diff(double a, double b, sli_number *out)
{
    uint64_t limbs[2][2];
    if (b == 0 && a != 0) {
        const dyadic all = dyadic_of_double(a, limbs[0]);
        const int from = limbs[0][0] == 0, end = limbs[0][1] == 0 ? 1 : 2;
        out->value = a;
        out->error = 0;
        out->n = end - from;
        out->first = all.first + from;
        out->sign = all.sign;
        out->limb[0] = limbs[0][from];
        out->limb[1] = limbs[0][1];
        return;
    }
    const dyadic x = dyadic_of_double(a, limbs[0]), y = dyadic_of_double(-b, limbs[1]);
    dyadic_sum(&x, &y, out);
}

void sli_number_make_sum(const sli_number *x, const sli_number *y, int sign, sli_number *out)
{
    const dyadic a = dyadic_of(x);
    dyadic b = dyadic_of(y);
    b.sign *= sign;
    dyadic_sum(&a, &b, out);
}

void sli_number_make_product(const sli_number *x, const sli_number *y, sli_number *out)
{
    uint64_t h[ROOM];
    SL_ASSERT(x->n + y->n <= ROOM);
    sli_limbs_multiply(x->limb, x->n, y->limb, y->n, h);
    const int n = x->n == 0 || y->n == 0 ? 0 : x->n + y->n;
    dyadic_finish(h, n, x->first + y->first, n == 0 ? 0 : x->sign * y->sign, out);
}
