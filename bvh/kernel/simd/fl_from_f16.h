/* simd/fl_from_f16.h: the triangles of four leaves at a time, for instruction sets with registers
 * of sixteen floats.  f4 and f16 come first. */
#pragma once

#include <math.h>
#include <stdint.h>

enum { SIMD_LEAVES = 4 };

typedef __m512 fl;
#define SIMD_FL(operation) f16_##operation
#include "bvh/kernel/simd/fl.h"

static inline fl fl_rows(const float *const p[SIMD_LEAVES])
{
    __m512 row = _mm512_castps128_ps512(_mm_loadu_ps(p[0]));
    row = _mm512_insertf32x4(row, _mm_loadu_ps(p[1]), 1);
    row = _mm512_insertf32x4(row, _mm_loadu_ps(p[2]), 2);
    return _mm512_insertf32x4(row, _mm_loadu_ps(p[3]), 3);
}

static inline void fl_spread(const float *const p[SIMD_LEAVES], fl out[4])
{
    const __m512 row = fl_rows(p);
    out[0] = _mm512_permute_ps(row, 0x00);
    out[1] = _mm512_permute_ps(row, 0x55);
    out[2] = _mm512_permute_ps(row, 0xAA);
    out[3] = _mm512_permute_ps(row, 0xFF);
}

static inline uint32_t fl_bits_ne(const uint32_t *const p[SIMD_LEAVES], uint32_t x)
{
    const float *const at[SIMD_LEAVES] = { (const float *)(const void *)p[0],
                                           (const float *)(const void *)p[1],
                                           (const float *)(const void *)p[2],
                                           (const float *)(const void *)p[3] };
    return _mm512_cmpneq_epi32_mask(_mm512_castps_si512(fl_rows(at)), _mm512_set1_epi32((int)x));
}

SIMD_BINARY(fl_flip, fl, f16_flip)

static inline fl fl_least(fl a, uint32_t bits)
{
    const __m512 those = _mm512_mask_mov_ps(_mm512_set1_ps(INFINITY), (__mmask16)bits, a);
    const __m512 pairs = _mm512_min_ps(those, _mm512_permute_ps(those, 0xB1));
    return _mm512_min_ps(pairs, _mm512_permute_ps(pairs, 0x4E));
}
