/* simd_sse42.h: the operations of simd.h for processors with SSE4.2. */
#pragma once

#define SLI_SIMD_ISA "sse42"

#include "bvh/kernel/simd/simd_x86.h"

#include <math.h>

static inline f4 f4_sharing(f4 a, const uint32_t *p, uint32_t mask)
{
    const __m128i words = _mm_loadu_si128((const __m128i *)(const void *)p);
    const __m128i shared = _mm_and_si128(words, _mm_set1_epi32((int)mask));
    const __m128i none = _mm_cmpeq_epi32(shared, _mm_setzero_si128());
    return _mm_blendv_ps(a, _mm_set1_ps(-INFINITY), _mm_castsi128_ps(none));
}

typedef __m128d d2;

static inline d2 d2_load(const float *p)
{
    return _mm_cvtps_pd(_mm_castsi128_ps(_mm_loadl_epi64((const __m128i *)(const void *)p)));
}

SIMD_STORE(d2_store, double, d2, _mm_storeu_pd)
SIMD_FROM(d2_splat, d2, double, _mm_set1_pd)
SIMD_BINARY(d2_add, d2, _mm_add_pd)
SIMD_BINARY(d2_sub, d2, _mm_sub_pd)
SIMD_BINARY(d2_mul, d2, _mm_mul_pd)
SIMD_BINARY(d2_div, d2, _mm_div_pd)
SIMD_BINARY(d2_min, d2, _mm_min_pd)
SIMD_BINARY(d2_max, d2, _mm_max_pd)
SIMD_UNARY(d2_sqrt, d2, _mm_sqrt_pd)

static inline d2 d2_abs(d2 a)
{
    return _mm_andnot_pd(_mm_set1_pd(-0.0), a);
}

static inline d2 d2_less(d2 a, d2 b, d2 x, d2 y)
{
    return _mm_blendv_pd(y, x, _mm_cmplt_pd(a, b));
}

static inline uint32_t d2_bits_gt(d2 a, d2 b)
{
    return (uint32_t)_mm_movemask_pd(_mm_cmpgt_pd(a, b));
}

#include "bvh/kernel/simd/muladd_unfused.h"

#include "bvh/kernel/simd/f8_from_f4.h"

#include "bvh/kernel/simd/lane_by_lane.h"
#include "bvh/kernel/simd/sixes_from_f8.h"
