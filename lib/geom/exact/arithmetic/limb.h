/* limb.h: what exact numbers of either kind (dyadic.c, big.c) have in common: limbs of doubles, and
 * products of limbs.
 * Source   Knuth, The Art of Computer Programming 2 (1997), 4.3.1. */
#pragma once

#include <stdint.h>
#include <string.h>

enum { SLI_LIMB_BITS = 64 };

/* |x| of a finite double as limb[0] 2^(64 first) + limb[1] 2^(64 (first + 1)), of which either may
 * be 0; returns first. */
static inline int sli_limbs_of_double(double x, uint64_t limb[2])
{
    uint64_t bits;
    memcpy(&bits, &x, sizeof bits);
    const int biased = (int)(bits >> 52 & 0x7FF);
    const uint64_t mantissa = (bits & 0xFFFFFFFFFFFFFu) | (uint64_t)(biased != 0) << 52;
    const int from_lowest = biased != 0 ? biased - 1 : 0; /* in steps of 2^-1074 */
    const int place = from_lowest + 17 * SLI_LIMB_BITS - 1074, shift = place % SLI_LIMB_BITS;
    limb[0] = mantissa << shift;
    limb[1] = shift == 0 ? 0 : mantissa >> (SLI_LIMB_BITS - shift);
    return place / SLI_LIMB_BITS - 17;
}

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

/* The product of x_n and y_n limbs, on x_n + y_n of them, neither being 0. */
static inline void sli_limbs_multiply(const uint64_t *x, int x_n, const uint64_t *y, int y_n,
                                      uint64_t *out)
{
    for (int i = 0; i < x_n; i++) {
        uint64_t carry = 0;
        for (int k = 0; k < y_n; k++) {
            out[i + k] = sli_limb_multiply_add(x[i], y[k], i == 0 ? 0 : out[i + k], &carry);
        }
        out[i + y_n] = carry;
    }
}
