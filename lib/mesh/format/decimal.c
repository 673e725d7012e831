/* The number is a quotient of two big integers.  Division gives its first 64 bits and whether
 * anything is left; those are rounded as integers.
 * Source: Knuth, The Art of Computer Programming, volume 2, 4.3.1, algorithm D. */
#include "lib/mesh/format/decimal.h"

#include "lib/base/assert.h"

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

/* 10^1200 has 3987 bits, and the dividend two limbs more. */
enum { LIMBS = 128, LIMB_BITS = 32, POWER_STEP = 9 };

typedef struct big {
    uint32_t limbs[LIMBS]; /* the lowest first; the last one is not 0 */
    int count;
} big;

static const uint32_t powers_of_ten[POWER_STEP + 1] = { 1,         10,        100,     1000,
                                                        10000,     100000,    1000000, 10000000,
                                                        100000000, 1000000000 };

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
    for (; power > POWER_STEP; power -= POWER_STEP) {
        multiply_add(number, powers_of_ten[POWER_STEP], 0);
    }
    multiply_add(number, powers_of_ten[power], 0);
}

static void read_digits(big *number, const char *digits, int count)
{
    number->count = 0;
    for (int i = 0; i < count;) {
        uint32_t part = 0;
        const int begin = i;
        for (; i < count && i < begin + POWER_STEP; i++) {
            part = part * 10 + (uint32_t)(digits[i] - '0');
        }
        multiply_add(number, powers_of_ten[i - begin], part);
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

/* One limb of a quotient: of the count + 1 limbs at a, less than 2^32 times b, which keep what is
 * left.  The highest bit of b is set, so that the guess from its highest limbs is too large by 1 at
 * most, which adding b back then mends. */
static uint32_t divide_step(uint32_t *a, const uint32_t *b, int count)
{
    const uint64_t base = (uint64_t)1 << LIMB_BITS;
    const uint64_t top = (uint64_t)a[count] << LIMB_BITS | a[count - 1];
    uint64_t guess = top / b[count - 1], rest = top % b[count - 1];
    while (rest < base &&
           (guess >= base ||
            (count > 1 && guess * b[count - 2] > (rest << LIMB_BITS | a[count - 2])))) {
        guess--;
        rest += b[count - 1];
    }
    uint64_t carry = 0, borrow = 0;
    for (int i = 0; i <= count; i++) {
        carry += i < count ? guess * b[i] : 0;
        const uint64_t taken = (carry & (base - 1)) + borrow;
        borrow = a[i] < taken;
        a[i] = (uint32_t)(a[i] - taken);
        carry >>= LIMB_BITS;
    }
    if (borrow != 0) {
        guess--;
        carry = 0;
        for (int i = 0; i <= count; i++) {
            carry += (uint64_t)a[i] + (i < count ? b[i] : 0);
            a[i] = (uint32_t)carry;
            carry >>= LIMB_BITS;
        }
    }
    return (uint32_t)guess;
}

/* The first bits of a / b, with the highest one set: a / b = (result + rest) * 2^(exponent - 63),
 * where rest is from [0, 1), or from [0, 2) and result even; *inexact is whether it is not 0.  Both
 * numbers are spent. */
static uint64_t decimal_divide(big *a, big *b, int *exponent, bool *inexact)
{
    /* b gets whole limbs, and a 63 bits more than b, so that the quotient has 63 or 64 bits. */
    const int a_bits = bit_length(a), b_bits = bit_length(b);
    const int least = a_bits - 63 > b_bits ? a_bits - 63 : b_bits;
    const int whole = (least + LIMB_BITS - 1) / LIMB_BITS * LIMB_BITS;
    shift_left(b, whole - b_bits);
    shift_left(a, whole + 63 - a_bits);
    SL_ASSERT(a->count == b->count + 2);
    const uint64_t high = divide_step(a->limbs + 1, b->limbs, b->count);
    uint64_t quotient = high << LIMB_BITS | divide_step(a->limbs, b->limbs, b->count);
    *inexact = false;
    for (int i = 0; i < b->count; i++) {
        *inexact |= a->limbs[i] != 0;
    }
    *exponent = a_bits - b_bits;
    if (quotient >> 63 == 0) {
        quotient <<= 1;
        --*exponent;
    }
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
    big numerator, denominator;
    read_digits(&numerator, digits, count);
    denominator.limbs[0] = 1;
    denominator.count = 1;
    multiply_power_of_ten(exponent < 0 ? &denominator : &numerator,
                          exponent < 0 ? -exponent : exponent);
    int weight;
    bool inexact;
    const uint64_t bits = decimal_divide(&numerator, &denominator, &weight, &inexact);
    return round_to_double(bits, weight, inexact);
}
