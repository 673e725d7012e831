/* explain/big_integer.c: integers of 896 bits by schoolbook arithmetic, for explain. */
#include "tools/explain/big_integer.h"

#include <math.h>

big_integer big_integer_add(const big_integer *a, const big_integer *b)
{
    big_integer sum;
    uint64_t carry = 0;
    for (int i = 0; i < BIG_INTEGER_LIMBS; i++) {
        carry += (uint64_t)a->limb[i] + b->limb[i];
        sum.limb[i] = (uint32_t)carry;
        carry >>= 32;
    }
    return sum;
}

/* a + ~b + 1 */
big_integer big_integer_subtract(const big_integer *a, const big_integer *b)
{
    big_integer difference;
    uint64_t carry = 1;
    for (int i = 0; i < BIG_INTEGER_LIMBS; i++) {
        carry += (uint64_t)a->limb[i] + (uint32_t)~b->limb[i];
        difference.limb[i] = (uint32_t)carry;
        carry >>= 32;
    }
    return difference;
}

/* What does not fit falls off, which two's complement allows as long as the product itself fits. */
big_integer big_integer_multiply(const big_integer *a, const big_integer *b)
{
    big_integer product = { { 0 } };
    for (int i = 0; i < BIG_INTEGER_LIMBS; i++) {
        uint64_t carry = 0;
        for (int j = 0; i + j < BIG_INTEGER_LIMBS; j++) {
            carry += (uint64_t)a->limb[i] * b->limb[j] + product.limb[i + j];
            product.limb[i + j] = (uint32_t)carry;
            carry >>= 32;
        }
    }
    return product;
}

static big_integer big_integer_negate(const big_integer *a)
{
    const big_integer zero = { { 0 } };
    return big_integer_subtract(&zero, a);
}

int big_integer_sign(const big_integer *a)
{
    if (a->limb[BIG_INTEGER_LIMBS - 1] >> 31 != 0) {
        return -1;
    }
    for (int i = 0; i < BIG_INTEGER_LIMBS; i++) {
        if (a->limb[i] != 0) {
            return 1;
        }
    }
    return 0;
}

/* The whole number is mantissa * 2^shift, with 53 bits of mantissa. */
big_integer big_integer_from_double(double x)
{
    int exponent;
    const double whole = rint(ldexp(fabs(x), 149));
    uint64_t bits = (uint64_t)ldexp(frexp(whole, &exponent), 53);
    int shift = exponent - 53;
    if (shift < 0) { /* of a small one the lowest bits are zeros */
        bits = (uint64_t)whole;
        shift = 0;
    }
    const int limb = shift / 32;
    const uint64_t low = (bits & UINT32_MAX) << shift % 32, high = (bits >> 32) << shift % 32;
    const uint64_t middle = (low >> 32) + (high & UINT32_MAX);
    big_integer result = { { 0 } };
    result.limb[limb] = (uint32_t)low;
    result.limb[limb + 1] = (uint32_t)middle;
    result.limb[limb + 2] = (uint32_t)((high >> 32) + (middle >> 32));
    return x < 0 ? big_integer_negate(&result) : result;
}

double big_integer_to_double(const big_integer *a)
{
    const int sign = big_integer_sign(a);
    const big_integer size = sign < 0 ? big_integer_negate(a) : *a;
    double sum = 0;
    int used = 0;
    for (int i = BIG_INTEGER_LIMBS - 1; i >= 0 && used < 3; i--) {
        sum += ldexp((double)size.limb[i], 32 * i);
        used += size.limb[i] != 0 || used > 0;
    }
    return sign < 0 ? -sum : sum;
}
