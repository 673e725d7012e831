/* simd_ymm.h: the operations of simd.h on eight floats, or four doubles, in one register, with
 * fused multiply-add: what AVX2 and AVX-512 kernels share. */
#pragma once

#include "bvh/kernel/simd/simd_x86.h"

#include <math.h>

enum { SIMD_FUSED = 1 };

SIMD_TERNARY(f4_muladd, f4, _mm_fmadd_ps)
SIMD_TERNARY(f4_nmuladd, f4, _mm_fnmadd_ps)

typedef __m256 f8;

SIMD_FROM(f8_load, f8, const float *, _mm256_loadu_ps)

static inline f8 f8_bytes(const uint8_t *p)
{
    return _mm256_cvtepi32_ps(
        _mm256_cvtepu8_epi32(_mm_loadl_epi64((const __m128i *)(const void *)p)));
}

SIMD_STORE(f8_store, float, f8, _mm256_storeu_ps)
SIMD_FROM(f8_splat, f8, float, _mm256_set1_ps)

/* The asm hides from compilers that the four are in memory, from where they would load each. */
static inline void f8_splats(const float *p, f8 out[4])
{
    __m256 row = _mm256_broadcast_ps((const __m128 *)(const void *)p);
    __asm__("" : "+x"(row));
    out[0] = _mm256_permute_ps(row, 0x00);
    out[1] = _mm256_permute_ps(row, 0x55);
    out[2] = _mm256_permute_ps(row, 0xAA);
    out[3] = _mm256_permute_ps(row, 0xFF);
}

SIMD_BINARY(f8_add, f8, _mm256_add_ps)
SIMD_BINARY(f8_sub, f8, _mm256_sub_ps)
SIMD_BINARY(f8_mul, f8, _mm256_mul_ps)
SIMD_BINARY(f8_min, f8, _mm256_min_ps)
SIMD_BINARY(f8_max, f8, _mm256_max_ps)

/* Floats >= +0 have the order of their bits, and integers are compared in a quarter of the time. */
static inline f8 f8_max_plus(f8 a, f8 b)
{
    return _mm256_castsi256_ps(_mm256_max_epi32(_mm256_castps_si256(a), _mm256_castps_si256(b)));
}

static inline f8 f8_min_plus(f8 a, f8 b)
{
    return _mm256_castsi256_ps(_mm256_min_epi32(_mm256_castps_si256(a), _mm256_castps_si256(b)));
}

static inline uint32_t f8_bits_le_plus(f8 a, f8 b)
{
    const __m256i above = _mm256_cmpgt_epi32(_mm256_castps_si256(a), _mm256_castps_si256(b));
    return (uint32_t)_mm256_movemask_ps(_mm256_castsi256_ps(above)) ^ 0xFFu;
}

SIMD_TERNARY(f8_muladd, f8, _mm256_fmadd_ps)
SIMD_TERNARY(f8_nmuladd, f8, _mm256_fnmadd_ps)

static inline uint32_t f8_bits_le(f8 a, f8 b)
{
    return (uint32_t)_mm256_movemask_ps(_mm256_cmp_ps(a, b, _CMP_LE_OQ));
}

SIMD_BINARY(f8_div, f8, _mm256_div_ps)
SIMD_UNARY(f8_sqrt, f8, _mm256_sqrt_ps)

static inline f8 f8_abs(f8 a)
{
    return _mm256_andnot_ps(_mm256_set1_ps(-0.0f), a);
}

static inline f8 f8_exponent(f8 a)
{
    return _mm256_and_ps(a, _mm256_castsi256_ps(_mm256_set1_epi32(0x7F800000)));
}

static inline f8 f8_less(f8 a, f8 b, f8 x, f8 y)
{
    return _mm256_blendv_ps(y, x, _mm256_cmp_ps(a, b, _CMP_LT_OQ));
}

static inline void f8_transpose(f8 row[8])
{
    f8 pair[8], four[8];
    for (int i = 0; i < 8; i += 2) {
        pair[i] = _mm256_unpacklo_ps(row[i], row[i + 1]);
        pair[i + 1] = _mm256_unpackhi_ps(row[i], row[i + 1]);
    }
    for (int i = 0; i < 8; i += 4) {
        four[i] = _mm256_shuffle_ps(pair[i], pair[i + 2], 0x44);
        four[i + 1] = _mm256_shuffle_ps(pair[i], pair[i + 2], 0xEE);
        four[i + 2] = _mm256_shuffle_ps(pair[i + 1], pair[i + 3], 0x44);
        four[i + 3] = _mm256_shuffle_ps(pair[i + 1], pair[i + 3], 0xEE);
    }
    for (int i = 0; i < 4; i++) {
        row[i] = _mm256_permute2f128_ps(four[i], four[i + 4], 0x20);
        row[i + 4] = _mm256_permute2f128_ps(four[i], four[i + 4], 0x31);
    }
}

/* By halves of rows, so that memory does a third of the work. */
static inline void f8_columns(const float *p, f8 column[8])
{
    f8 half[8], four[8];
    for (int i = 0; i < 8; i++) {
        const float *from = p + 8 * (i % 4) + 4 * (i / 4);
        half[i] = _mm256_insertf128_ps(_mm256_castps128_ps256(_mm_loadu_ps(from)),
                                       _mm_loadu_ps(from + 32), 1);
    }
    for (int i = 0; i < 8; i += 4) {
        four[i] = _mm256_unpacklo_ps(half[i], half[i + 1]);
        four[i + 1] = _mm256_unpackhi_ps(half[i], half[i + 1]);
        four[i + 2] = _mm256_unpacklo_ps(half[i + 2], half[i + 3]);
        four[i + 3] = _mm256_unpackhi_ps(half[i + 2], half[i + 3]);
    }
    for (int i = 0; i < 8; i += 4) {
        column[i] = _mm256_shuffle_ps(four[i], four[i + 2], 0x44);
        column[i + 1] = _mm256_shuffle_ps(four[i], four[i + 2], 0xEE);
        column[i + 2] = _mm256_shuffle_ps(four[i + 1], four[i + 3], 0x44);
        column[i + 3] = _mm256_shuffle_ps(four[i + 1], four[i + 3], 0xEE);
    }
}

static inline f8 f8_pair(f4 a, f4 b)
{
    return _mm256_insertf128_ps(_mm256_castps128_ps256(a), b, 1);
}

/* Floats >= +0 have the order of their bits; the lane takes the place of the 3 lowest. */
static inline uint32_t f8_least(f8 a)
{
    const __m256i lane = _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7);
    const __m256i cut = _mm256_andnot_si256(_mm256_set1_epi32(7), _mm256_castps_si256(a));
    const __m256i key = _mm256_or_si256(cut, lane);
    __m128i least = _mm_min_epi32(_mm256_castsi256_si128(key), _mm256_extracti128_si256(key, 1));
    least = _mm_min_epi32(least, _mm_shuffle_epi32(least, 0x4E));
    least = _mm_min_epi32(least, _mm_shuffle_epi32(least, 0xB1));
    return (uint32_t)_mm_cvtsi128_si32(least) & 7;
}

static inline f8 f8_least_halves(f8 a)
{
    a = _mm256_min_ps(a, _mm256_permute_ps(a, 0x4E));
    return _mm256_min_ps(a, _mm256_permute_ps(a, 0xB1));
}

/* x where the bit of the lane is set, else y. */
static inline f8 f8_where(uint32_t bits, f8 x, f8 y)
{
    const __m256i bit = _mm256_setr_epi32(1, 2, 4, 8, 16, 32, 64, 128);
    const __m256i set =
        _mm256_cmpeq_epi32(_mm256_and_si256(_mm256_set1_epi32((int)bits), bit), bit);
    return _mm256_blendv_ps(y, x, _mm256_castsi256_ps(set));
}

static inline f8 f8_only(f8 a, uint32_t bits)
{
    return f8_where(bits, a, _mm256_set1_ps(INFINITY));
}

static inline f8 f8_sharing(f8 a, const uint32_t *p, uint32_t mask)
{
    const __m256i words = _mm256_loadu_si256((const __m256i *)(const void *)p);
    const __m256i shared = _mm256_and_si256(words, _mm256_set1_epi32((int)mask));
    const __m256i none = _mm256_cmpeq_epi32(shared, _mm256_setzero_si256());
    return _mm256_blendv_ps(a, _mm256_set1_ps(-INFINITY), _mm256_castsi256_ps(none));
}

typedef __m256d d4;

static inline d4 d4_load(const float *p)
{
    return _mm256_cvtps_pd(_mm_loadu_ps(p));
}

SIMD_FROM(d4_doubles, d4, const double *, _mm256_loadu_pd)
SIMD_FROM(d4_from_f4, d4, f4, _mm256_cvtps_pd)
SIMD_STORE(d4_store, double, d4, _mm256_storeu_pd)

/* Lane k of out[i] is p[k][i]; for d8_fours. */
static inline void four_columns(const double *const p[4], d4 out[4])
{
    d4 row[4];
    for (int i = 0; i < 4; i++) {
        row[i] = _mm256_loadu_pd(p[i]);
    }
    const d4 even[2] = { _mm256_unpacklo_pd(row[0], row[1]), _mm256_unpacklo_pd(row[2], row[3]) };
    const d4 odd[2] = { _mm256_unpackhi_pd(row[0], row[1]), _mm256_unpackhi_pd(row[2], row[3]) };
    out[0] = _mm256_permute2f128_pd(even[0], even[1], 0x20);
    out[1] = _mm256_permute2f128_pd(odd[0], odd[1], 0x20);
    out[2] = _mm256_permute2f128_pd(even[0], even[1], 0x31);
    out[3] = _mm256_permute2f128_pd(odd[0], odd[1], 0x31);
}

SIMD_FROM(d4_splat, d4, double, _mm256_set1_pd)

static inline d4 d4_first(d4 a)
{
    return _mm256_broadcastsd_pd(_mm256_castpd256_pd128(a));
}

static inline d4 d4_low_turned(d4 a)
{
    return _mm256_permute4x64_pd(a, _MM_SHUFFLE(0, 1, 0, 1));
}

static inline d4 d4_high_turned(d4 a)
{
    return _mm256_permute4x64_pd(a, _MM_SHUFFLE(2, 3, 2, 3));
}

SIMD_BINARY(d4_add, d4, _mm256_add_pd)
SIMD_BINARY(d4_sub, d4, _mm256_sub_pd)
SIMD_BINARY(d4_mul, d4, _mm256_mul_pd)
SIMD_BINARY(d4_div, d4, _mm256_div_pd)
SIMD_UNARY(d4_sqrt, d4, _mm256_sqrt_pd)
SIMD_BINARY(d4_min, d4, _mm256_min_pd)
SIMD_BINARY(d4_max, d4, _mm256_max_pd)

static inline d4 d4_abs(d4 a)
{
    return _mm256_andnot_pd(_mm256_set1_pd(-0.0), a);
}

static inline d4 d4_less(d4 a, d4 b, d4 x, d4 y)
{
    return _mm256_blendv_pd(y, x, _mm256_cmp_pd(a, b, _CMP_LT_OQ));
}

SIMD_TERNARY(d4_muladd, d4, _mm256_fmadd_pd)
SIMD_TERNARY(d4_nmuladd, d4, _mm256_fnmadd_pd)

static inline uint32_t d4_bits_gt(d4 a, d4 b)
{
    return (uint32_t)_mm256_movemask_pd(_mm256_cmp_pd(a, b, _CMP_GT_OQ));
}

SIMD_FROM(d4_to_f4, f4, d4, _mm256_cvtpd_ps)

/* A network of three exchanges sorts the bits of the four, with their lanes in the last two; lanes
 * that are not met are -1, and come last. */
static inline uint32_t simd_push4(uint32_t *refs, float *nears, const uint32_t *number,
                                  uint32_t kind, uint32_t met, f4 by, uint32_t rising)
{
    const __m128i lanes = _mm_setr_epi32(0, 1, 2, 3), bit = _mm_setr_epi32(1, 2, 4, 8);
    const __m128i there = _mm_and_si128(_mm_set1_epi32((int)met), bit);
    const __m128i bits = _mm_xor_si128(_mm_castps_si128(by), _mm_set1_epi32(-(int)rising));
    __m128i key = _mm_or_si128(_mm_and_si128(bits, _mm_set1_epi32(0x7FFFFFFC)), lanes);
    key = _mm_or_si128(key, _mm_cmpeq_epi32(there, _mm_setzero_si128()));
    __m128i other = _mm_shuffle_epi32(key, 0xB1);
    key = _mm_blend_epi32(_mm_max_epi32(key, other), _mm_min_epi32(key, other), 0xA);
    other = _mm_shuffle_epi32(key, 0x4E);
    key = _mm_blend_epi32(_mm_max_epi32(key, other), _mm_min_epi32(key, other), 0xC);
    other = _mm_shuffle_epi32(key, 0xD8);
    key = _mm_blend_epi32(_mm_max_epi32(key, other), _mm_min_epi32(key, other), 0x4);
    const __m128 from = _mm_loadu_ps((const float *)(const void *)number);
    const __m128i sorted = _mm_castps_si128(_mm_permutevar_ps(from, key));
    _mm_storeu_si128((__m128i *)(void *)refs, _mm_or_si128(sorted, _mm_set1_epi32((int)kind)));
    if (nears != NULL) {
        _mm_storeu_ps(nears, _mm_permutevar_ps(by, key));
    }
    return (uint32_t)__builtin_popcount(met);
}
