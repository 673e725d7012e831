/* simd/nonneg_compare.h: the _plus operations of simd.h as comparisons of floats, for instruction
 * sets where integers are compared no faster. */
#ifndef SLI_KERNEL_SIMD_PLUS_H
#define SLI_KERNEL_SIMD_PLUS_H

SIMD_BINARY(f8_max_plus, f8, f8_max)
SIMD_BINARY(f8_min_plus, f8, f8_min)

static inline uint32_t f8_bits_le_plus(f8 a, f8 b)
{
    return f8_bits_le(a, b);
}

#endif
