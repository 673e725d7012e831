/* simd/nonneg_compare.h: the _plus operations of simd.h as comparisons of floats, for instruction
 * sets where integers are compared no faster. */
#pragma once

SIMD_BINARY(f8_max_plus, f8, f8_max)
SIMD_BINARY(f8_min_plus, f8, f8_min)
SIMD_BITS(f8_bits_le_plus, f8, f8_bits_le)
