/* limb.h: the step that products of integers of limbs are made of (dyadic.c, big.c).
 * Source   Knuth, The Art of Computer Programming 2 (1997), 4.3.1. */
#pragma once

#include <stdint.h>

enum { SLI_LIMB_BITS = 64 };

/* a * b + c + *carry, whose upper half becomes *carry: at most 2^128 - 1. */
static inline uint64_t sli_limb_multiply_add(uint64_t a, uint64_t b, uint64_t c, uint64_t *carry)
{
#ifdef __SIZEOF_INT128__
    __extension__ typedef unsigned __int128 wide;
    const wide product = (wide)a * b + c + *carry;
    *carry = (uint64_t)(product >> SLI_LIMB_BITS);
    return (uint64_t)product;
#else
    const uint64_t half = UINT32_MAX, low = (a & half) * (b & half);
    const uint64_t left = (a >> 32) * (b & half) + (low >> 32);
    const uint64_t right = (a & half) * (b >> 32) + (left & half);
    const uint64_t product = right << 32 | (low & half);
    const uint64_t sum = product + c, all = sum + *carry;
    *carry = (a >> 32) * (b >> 32) + (left >> 32) + (right >> 32) + (sum < c) + (all < sum);
    return all;
#endif
}
