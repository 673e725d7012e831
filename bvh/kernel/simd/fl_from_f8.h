/* simd/fl_from_f8.h: the triangles of two leaves at a time, for instruction sets with registers of
 * eight floats.  f4 and f8 come first. */
#pragma once

#include <math.h>
#include <stdint.h>

enum { SIMD_LEAVES = 2 };

typedef __m256 fl;
#define SIMD_FL(operation) f8_##operation
#include "bvh/kernel/simd/fl.h"

static inline fl fl_rows(const float *const p[SIMD_LEAVES])
{
    return f8_pair(f4_load(p[0]), f4_load(p[1]));
}

static inline void fl_spread(const float *const p[SIMD_LEAVES], fl out[4])
{
    const __m256 row = fl_rows(p);
    out[0] = _mm256_permute_ps(row, 0x00);
    out[1] = _mm256_permute_ps(row, 0x55);
    out[2] = _mm256_permute_ps(row, 0xAA);
    out[3] = _mm256_permute_ps(row, 0xFF);
}

static inline uint32_t fl_bits_ne(const uint32_t *const p[SIMD_LEAVES], uint32_t x)
{
    return f4_bits_ne(p[0], x) | f4_bits_ne(p[1], x) << 4;
}

static inline fl fl_flip(fl a, fl s)
{
    return _mm256_xor_ps(a, _mm256_and_ps(s, _mm256_set1_ps(-0.0f)));
}

static inline fl fl_least(fl a, uint32_t bits)
{
    const __m256 those = f8_only(a, bits);
    const __m256 pairs = _mm256_min_ps(those, _mm256_permute_ps(those, 0xB1));
    return _mm256_min_ps(pairs, _mm256_permute_ps(pairs, 0x4E));
}
