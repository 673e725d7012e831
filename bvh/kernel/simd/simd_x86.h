/* simd_x86.h: the four-lane operations of simd.h by SSE4.2 instructions, which SSE4.2 and wider
 * kernels share. */
#pragma once

#include "bvh/kernel/simd/ops.h"

#include <immintrin.h>
#include <stdint.h>
#include <string.h>

typedef __m128 f4;

SIMD_FROM(f4_load, f4, const float *, _mm_loadu_ps)

static inline f4 f4_bytes(const uint8_t *p)
{
    int32_t four;
    memcpy(&four, p, sizeof four);
    return _mm_cvtepi32_ps(_mm_cvtepu8_epi32(_mm_cvtsi32_si128(four)));
}

static inline f4 f4_column(const float *p, uint32_t lane)
{
    const f4 two = _mm_insert_ps(_mm_load_ss(p + lane), _mm_load_ss(p + 4 + lane), 0x10);
    return _mm_insert_ps(two, _mm_load_ss(p + 8 + lane), 0x20);
}

static inline f4 f4_from(float a, float b, float c, float d)
{
    return _mm_setr_ps(a, b, c, d);
}

SIMD_STORE(f4_store, float, f4, _mm_storeu_ps)
SIMD_FROM(f4_splat, f4, float, _mm_set1_ps)
SIMD_BINARY(f4_add, f4, _mm_add_ps)
SIMD_BINARY(f4_sub, f4, _mm_sub_ps)
SIMD_BINARY(f4_mul, f4, _mm_mul_ps)
SIMD_BINARY(f4_div, f4, _mm_div_ps)
SIMD_UNARY(f4_sqrt, f4, _mm_sqrt_ps)

/* minps and maxps give their second operand for a NaN in either, and for equal zeros. */
SIMD_BINARY(f4_min, f4, _mm_min_ps)
SIMD_BINARY(f4_max, f4, _mm_max_ps)

static inline f4 f4_abs(f4 a)
{
    return _mm_andnot_ps(_mm_set1_ps(-0.0f), a);
}

static inline f4 f4_flip(f4 a, f4 s)
{
    return _mm_xor_ps(a, _mm_and_ps(s, _mm_set1_ps(-0.0f)));
}

static inline f4 f4_axes(f4 a)
{
    return _mm_shuffle_ps(a, a, _MM_SHUFFLE(0, 2, 1, 0));
}

static inline f4 f4_last(f4 a)
{
    return _mm_shuffle_ps(a, a, _MM_SHUFFLE(1, 3, 2, 1));
}

static inline f4 f4_most(f4 a)
{
    a = _mm_max_ps(a, _mm_shuffle_ps(a, a, _MM_SHUFFLE(2, 3, 0, 1)));
    return _mm_max_ps(a, _mm_shuffle_ps(a, a, _MM_SHUFFLE(1, 0, 3, 2)));
}

static inline f4 f4_exponent(f4 a)
{
    return _mm_and_ps(a, _mm_castsi128_ps(_mm_set1_epi32(0x7F800000)));
}

static inline f4 f4_less(f4 a, f4 b, f4 x, f4 y)
{
    return _mm_blendv_ps(y, x, _mm_cmplt_ps(a, b));
}

static inline uint32_t f4_bits_le(f4 a, f4 b)
{
    return (uint32_t)_mm_movemask_ps(_mm_cmple_ps(a, b));
}

static inline uint32_t f4_bits_gt(f4 a, f4 b)
{
    return (uint32_t)_mm_movemask_ps(_mm_cmpgt_ps(a, b));
}

static inline uint32_t f4_astride(const f4 a[3], const f4 b[3])
{
    f4 above = _mm_setzero_ps(), below = above;
    for (int i = 0; i < 3; i++) {
        const f4 minus = _mm_sub_ps(_mm_setzero_ps(), a[i]);
        above = _mm_or_ps(above, _mm_cmpgt_ps(a[i], b[i]));
        below = _mm_or_ps(below, _mm_cmpgt_ps(minus, b[i]));
    }
    return (uint32_t)_mm_movemask_ps(_mm_and_ps(above, below));
}

static inline uint32_t f4_bits_ne(const uint32_t *p, uint32_t x)
{
    const __m128i values = _mm_loadu_si128((const __m128i *)(const void *)p);
    const __m128i equal = _mm_cmpeq_epi32(values, _mm_set1_epi32((int)x));
    return (uint32_t)_mm_movemask_ps(_mm_castsi128_ps(equal)) ^ 15u;
}

static inline uint32_t f4_bits_below(const uint32_t *p, uint32_t x)
{
    const __m128i values = _mm_loadu_si128((const __m128i *)(const void *)p);
    const __m128i all = _mm_set1_epi32((int)x), less = _mm_min_epu32(values, all);
    const __m128i not_less = _mm_cmpeq_epi32(less, all);
    return (uint32_t)_mm_movemask_ps(_mm_castsi128_ps(not_less)) ^ 15u;
}

static inline void f4_transpose(f4 row[4])
{
    _MM_TRANSPOSE4_PS(row[0], row[1], row[2], row[3]);
}
