/* The number is a quotient of two big integers.  Long division gives its first 64 bits and whether
 * anything is left; those are rounded as integers. */
#include "lib/mesh/decimal.h"

#include "lib/base/assert.h"

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

/* 10^1200 has 3987 bits, and division takes one bit more. */
enum { LIMBS = 126, LIMB_BITS = 32 };

typedef struct big {
    uint32_t limbs[LIMBS]; /* the lowest first; the last one is not 0 */
    int count;             /* 0: the number is 0 */
} big;

static void multiply_add(big *number, uint32_t factor, uint32_t addend)
{
    uint64_t carry = addend;
    for (int i = 0; i < number->count; i++) {
        carry += (uint64_t)number->limbs[i] * factor;
        number->limbs[i] = (uint32_t)carry;
        carry >>= LIMB_BITS;
    }
    if (carry != 0) {
        SL_ASSERT(number->count < LIMBS);
        number->limbs[number->count++] = (uint32_t)carry;
    }
}

static void multiply_power_of_ten(big *number, int power)
{
    for (; power >= 9; power -= 9) {
        multiply_add(number, 1000000000u, 0);
    }
    for (; power > 0; power--) {
        multiply_add(number, 10, 0);
    }
}

static void shift_left(big *number, int bits)
{
    const int whole = bits / LIMB_BITS;
    SL_ASSERT(number->count + whole <= LIMBS);
    memmove(number->limbs + whole, number->limbs, (size_t)number->count * sizeof(uint32_t));
    memset(number->limbs, 0, (size_t)whole * sizeof(uint32_t));
    number->count += whole;
    multiply_add(number, (uint32_t)1 << bits % LIMB_BITS, 0);
}

static int bit_length(const big *number)
{
    int bits = number->count * LIMB_BITS;
    for (uint32_t top = number->limbs[number->count - 1]; top >> (LIMB_BITS - 1) == 0; top <<= 1) {
        bits--;
    }
    return bits;
}

static bool is_less(const big *a, const big *b)
{
    if (a->count != b->count) {
        return a->count < b->count;
    }
    int i = a->count - 1;
    while (i > 0 && a->limbs[i] == b->limbs[i]) {
        i--;
    }
    return i >= 0 && a->limbs[i] < b->limbs[i];
}

/* a -= b, where b <= a. */
static void subtract(big *a, const big *b)
{
    uint64_t borrow = 0;
    for (int i = 0; i < a->count; i++) {
        const uint64_t taken = borrow + (i < b->count ? b->limbs[i] : 0);
        borrow = a->limbs[i] < taken;
        a->limbs[i] = (uint32_t)(a->limbs[i] - taken);
    }
    while (a->count > 0 && a->limbs[a->count - 1] == 0) {
        a->count--;
    }
}

/* The first 64 bits of a / b, with the highest one set: a / b = (result + rest) * 2^(exponent -
 * 63), 0 <= rest < 1; *inexact is whether rest is not 0.  Both numbers are spent. */
static uint64_t divide(big *a, big *b, int *exponent, bool *inexact)
{
    const int longer = bit_length(a) - bit_length(b);
    *exponent = longer;
    if (longer > 0) {
        shift_left(b, longer);
    } else {
        shift_left(a, -longer);
    }
    if (is_less(a, b)) {
        shift_left(a, 1);
        --*exponent;
    }
    uint64_t quotient = 0;
    for (int bit = 0; bit < 64; bit++) {
        quotient <<= 1;
        if (!is_less(a, b)) {
            subtract(a, b);
            quotient |= 1;
        }
        shift_left(a, 1);
    }
    *inexact = a->count > 0;
    return quotient;
}

/* bits * 2^(exponent - 63), and a little more where inexact, to the nearest double. */
static double round_to_double(uint64_t bits, int exponent, bool inexact)
{
    enum { MANTISSA = 53, LOWEST = -1022, HIGHEST = 1023 };
    const int kept_bits = exponent >= LOWEST ? MANTISSA : MANTISSA - (LOWEST - exponent);
    uint64_t result = 0;
    if (exponent > HIGHEST) {
        result = (uint64_t)0x7FF << (MANTISSA - 1);
    } else if (kept_bits >= 0) {
        const int dropped = 64 - kept_bits;
        const uint64_t half = (uint64_t)1 << (dropped - 1);
        const uint64_t rest = bits & (half | (half - 1));
        result = dropped == 64 ? 0 : bits >> dropped;
        result += rest > half || (rest == half && (inexact || (result & 1) != 0));
        /* The highest bit of a normal number adds the last 1 to the exponent. */
        result += exponent >= LOWEST ? (uint64_t)(exponent - LOWEST) << (MANTISSA - 1) : 0;
    }
    double value;
    memcpy(&value, &result, sizeof value);
    return value;
}

double sli_decimal_to_double(const char *digits, int count, int exponent)
{
    big numerator = { .count = 0 }, denominator = { .limbs = { 1 }, .count = 1 };
    for (int i = 0; i < count; i++) {
        multiply_add(&numerator, 10, (uint32_t)(digits[i] - '0'));
    }
    if (exponent >= 0) {
        multiply_power_of_ten(&numerator, exponent);
    } else {
        multiply_power_of_ten(&denominator, -exponent);
    }
    int weight;
    bool inexact;
    const uint64_t bits = divide(&numerator, &denominator, &weight, &inexact);
    return round_to_double(bits, weight, inexact);
}
