/* simd_avx2.h: the operations of simd.h for processors with AVX2, FMA, BMI and BMI2. */
#pragma once

#define SLI_SIMD_ISA "avx2"

#include "bvh/kernel/simd/compress_table.h"
#include "bvh/kernel/simd/simd_ymm.h"

#include "bvh/kernel/simd/f12_from_f4.h"

/* after f12 */
#include "bvh/kernel/simd/d12_from_d4.h"

#include "bvh/kernel/simd/d8_from_d4.h"

static inline __m256i simd_lanes_set(uint32_t bits)
{
    return _mm256_cvtepu8_epi32(
        _mm_loadl_epi64((const __m128i *)(const void *)compress_table[bits]));
}

static inline void f8_store_some(float *p, f8 a, uint32_t bits)
{
    _mm256_storeu_ps(p, _mm256_permutevar8x32_ps(a, simd_lanes_set(bits)));
}

static inline void u8_store_some(uint32_t *p, const uint32_t *from, uint32_t bits)
{
    const __m256i a = _mm256_loadu_si256((const __m256i *)(const void *)from);
    _mm256_storeu_si256((__m256i *)(void *)p, _mm256_permutevar8x32_epi32(a, simd_lanes_set(bits)));
}

static inline uint32_t simd_push(uint32_t *refs, float *nears, const uint32_t *child,
                                 const uint32_t *order, uint32_t shift, f8 from, f8 to)
{
    const __m256i ranks = _mm256_srlv_epi32(
        _mm256_loadu_si256((const __m256i *)(const void *)order), _mm256_set1_epi32((int)shift));
    const __m256i children = _mm256_permutevar8x32_epi32(
        _mm256_loadu_si256((const __m256i *)(const void *)child), ranks);
    from = _mm256_permutevar8x32_ps(from, ranks);
    const uint32_t met = f8_bits_le(from, _mm256_permutevar8x32_ps(to, ranks));
    const __m256i pick = simd_lanes_set(met);
    _mm256_storeu_si256((__m256i *)(void *)refs, _mm256_permutevar8x32_epi32(children, pick));
    if (nears != NULL) {
        _mm256_storeu_ps(nears, _mm256_permutevar8x32_ps(from, pick));
    }
    return (uint32_t)__builtin_popcount(met);
}

static inline uint32_t simd_by_rank(const uint32_t *child, const uint32_t *order, uint32_t shift,
                                    f8 from, f8 to, uint32_t *ref, f8 *near)
{
    const __m256i ranks = _mm256_srlv_epi32(
        _mm256_loadu_si256((const __m256i *)(const void *)order), _mm256_set1_epi32((int)shift));
    const __m256i children = _mm256_permutevar8x32_epi32(
        _mm256_loadu_si256((const __m256i *)(const void *)child), ranks);
    _mm256_storeu_si256((__m256i *)(void *)ref, children);
    *near = _mm256_permutevar8x32_ps(from, ranks);
    const __m256i above = _mm256_cmpgt_epi32(_mm256_castps_si256(from), _mm256_castps_si256(to));
    const __m256 missed = _mm256_castsi256_ps(_mm256_permutevar8x32_epi32(above, ranks));
    return (uint32_t)_mm256_movemask_ps(missed) ^ 0xFFu;
}

static inline uint32_t simd_keep(uint32_t *refs, float *nears, uint32_t count, float bound)
{
    uint32_t kept = 0;
    for (uint32_t i = 0; i < count; i += 8) {
        const __m256i r = _mm256_loadu_si256((const __m256i *)(const void *)(refs + i));
        const f8 n = _mm256_loadu_ps(nears + i);
        const uint32_t live = count - i >= 8 ? 0xFF : (1u << (count - i)) - 1;
        const uint32_t near = f8_bits_le(n, _mm256_set1_ps(bound)) & live;
        const __m256i pick = simd_lanes_set(near);
        _mm256_storeu_si256((__m256i *)(void *)(refs + kept), _mm256_permutevar8x32_epi32(r, pick));
        _mm256_storeu_ps(nears + kept, _mm256_permutevar8x32_ps(n, pick));
        kept += (uint32_t)__builtin_popcount(near);
    }
    return kept;
}

static inline void simd_triangle(const float *x, const float *y, const float *z, uint32_t lane,
                                 f8 *xy, f8 *zz)
{
    *xy = f8_pair(f4_column(x, lane), f4_column(y, lane));
    *zz = _mm256_castps128_ps256(f4_column(z, lane));
}

#include "bvh/kernel/simd/f16_from_f8.h"
#include "bvh/kernel/simd/fl_from_f8.h"
#include "bvh/kernel/simd/sixes_from_f8.h"

/* after f16 */
#include "bvh/kernel/simd/at_from_f4.h"

static inline __m256i simd_words_at(const uint32_t *p)
{
    return _mm256_loadu_si256((const __m256i *)(const void *)p);
}

/* Bit 3 of a place tells which half it is in. */
static inline f8 simd_at16(const float *p, __m256i at)
{
    const f8 low = _mm256_permutevar8x32_ps(_mm256_loadu_ps(p), at);
    const f8 high = _mm256_permutevar8x32_ps(_mm256_loadu_ps(p + 8), at);
    return _mm256_blendv_ps(low, high, _mm256_castsi256_ps(_mm256_slli_epi32(at, 28)));
}

static inline f16 f16_at16(const float *p, const uint32_t *at)
{
    return (f16){ simd_at16(p, simd_words_at(at)), simd_at16(p, simd_words_at(at + 8)) };
}

static inline f16 f16_at4(const float *p, const uint32_t *at)
{
    const f8 twice = _mm256_broadcast_ps((const __m128 *)(const void *)p);
    return (f16){ _mm256_permutevar_ps(twice, _mm256_srli_epi32(simd_words_at(at), 4)),
                  _mm256_permutevar_ps(twice, _mm256_srli_epi32(simd_words_at(at + 8), 4)) };
}
