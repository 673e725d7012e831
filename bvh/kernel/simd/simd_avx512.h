/* simd_avx512.h: the operations of simd.h for processors with AVX-512 F, VL, DQ and BW. */
#pragma once

#define SLI_SIMD_ISA "avx512"

#include "bvh/kernel/simd/simd_ymm.h"

#include <stdbool.h>

/* The corners of a leaf in lanes 0 .. 11; lanes 12 .. 15 are zeros or of no meaning. */
typedef __m512 f12;

static inline f12 f12_load(const float *p)
{
    return _mm512_maskz_loadu_ps(0x0FFF, p);
}

static inline void f12_store(float *p, f12 a)
{
    _mm256_storeu_ps(p, _mm512_castps512_ps256(a));
    _mm_storeu_ps(p + 8, _mm512_extractf32x4_ps(a, 2));
}

SIMD_FROM(f12_splat, f12, float, _mm512_set1_ps)

static inline f12 f12_turn(f12 a)
{
    return _mm512_shuffle_f32x4(a, a, _MM_SHUFFLE(3, 0, 2, 1));
}

SIMD_UNARY(f12_abs, f12, _mm512_abs_ps)
SIMD_BINARY(f12_add, f12, _mm512_add_ps)
SIMD_BINARY(f12_sub, f12, _mm512_sub_ps)
SIMD_BINARY(f12_mul, f12, _mm512_mul_ps)
SIMD_TERNARY(f12_muladd, f12, _mm512_fmadd_ps)
SIMD_TERNARY(f12_nmuladd, f12, _mm512_fnmadd_ps)

static inline uint32_t f12_any_gt(f12 a, f12 b)
{
    const uint32_t bits = _mm512_cmp_ps_mask(a, b, _CMP_GT_OQ);
    return (bits | bits >> 4 | bits >> 8) & 15;
}

static inline uint32_t f12_astride(f12 a, f12 b)
{
    const f12 below = _mm512_sub_ps(_mm512_setzero_ps(), b);
    const uint32_t low = _mm512_cmp_ps_mask(below, a, _CMP_GT_OQ);
    const uint32_t bits = _mm512_cmp_ps_mask(a, b, _CMP_GT_OQ) | low << 16;
    const uint32_t any = bits | bits >> 4 | bits >> 8;
    return any & any >> 16 & 15;
}

static inline bool f12_all_eq(f12 a, f12 b)
{
    return (_mm512_cmp_ps_mask(a, b, _CMP_NEQ_UQ) & 0x0FFF) == 0;
}

/* Lanes of a triangle in which all three are. */
static inline uint32_t f12_all_gt(f12 a, f12 b)
{
    const uint32_t bits = _mm512_cmp_ps_mask(a, b, _CMP_GT_OQ);
    return bits & bits >> 4 & bits >> 8 & 15;
}

typedef __m512 f16;

enum { SIMD_SIXTEEN = 1 };

SIMD_FROM(f16_load, f16, const float *, _mm512_loadu_ps)
SIMD_STORE(f16_store, float, f16, _mm512_storeu_ps)
SIMD_FROM(f16_splat, f16, float, _mm512_set1_ps)

static inline f16 f16_pair(f8 low, f8 high)
{
    return _mm512_insertf32x8(_mm512_castps256_ps512(low), high, 1);
}

SIMD_FROM(f16_low, f8, f16, _mm512_castps512_ps256)

static inline f8 f16_high(f16 a)
{
    return _mm512_extractf32x8_ps(a, 1);
}

static inline f16 f16_fours(const float *p)
{
    return _mm512_broadcast_f32x4(_mm_loadu_ps(p));
}

static inline f16 f16_at(const float *p, const uint32_t *at)
{
    const __m512i i = _mm512_loadu_si512(at);
    const __m512 low = _mm512_permutex2var_ps(_mm512_loadu_ps(p), i, _mm512_loadu_ps(p + 16));
    const __m512 high = _mm512_permutex2var_ps(_mm512_loadu_ps(p + 32), i, _mm512_loadu_ps(p + 48));
    return _mm512_mask_blend_ps(_mm512_test_epi32_mask(i, _mm512_set1_epi32(32)), low, high);
}

static inline f16 f16_at16(const float *p, const uint32_t *at)
{
    return _mm512_permutexvar_ps(_mm512_loadu_si512(at), _mm512_loadu_ps(p));
}

static inline f16 f16_at4(const float *p, const uint32_t *at)
{
    return _mm512_permutevar_ps(f16_fours(p), _mm512_srli_epi32(_mm512_loadu_si512(at), 4));
}

/* Sixteen numbers at a time, those whose bits are set moved behind the ones before. */
static inline void simd_positions(uint32_t *p, uint64_t bits)
{
    const __m512i first = _mm512_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
    __m512i all = _mm512_maskz_compress_epi32((__mmask16)bits, first);
    for (int i = 16; i < 64; i += 16) {
        const uint64_t before = bits & ((1ull << i) - 1);
        const __mmask16 behind = (__mmask16)(0xFFFFu << __builtin_popcountll(before));
        const __m512i numbers = _mm512_add_epi32(first, _mm512_set1_epi32(i));
        const __mmask16 here = (__mmask16)(bits >> i);
        all = _mm512_mask_expand_epi32(all, behind, _mm512_maskz_compress_epi32(here, numbers));
    }
    _mm512_storeu_si512(p, all);
}

SIMD_BINARY(f16_div, f16, _mm512_div_ps)
SIMD_BINARY(f16_add, f16, _mm512_add_ps)
SIMD_BINARY(f16_sub, f16, _mm512_sub_ps)
SIMD_BINARY(f16_mul, f16, _mm512_mul_ps)
SIMD_BINARY(f16_min, f16, _mm512_min_ps)
SIMD_BINARY(f16_max, f16, _mm512_max_ps)
SIMD_UNARY(f16_abs, f16, _mm512_abs_ps)

/* a with its sign turned where s is negative. */
static inline f16 f16_flip(f16 a, f16 s)
{
    return _mm512_xor_ps(a, _mm512_and_ps(s, _mm512_set1_ps(-0.0f)));
}

SIMD_TERNARY(f16_muladd, f16, _mm512_fmadd_ps)
SIMD_TERNARY(f16_nmuladd, f16, _mm512_fnmadd_ps)

static inline uint32_t f16_bits_le(f16 a, f16 b)
{
    return _mm512_cmp_ps_mask(a, b, _CMP_LE_OQ);
}

SIMD_FROM(f16_least, float, f16, _mm512_reduce_min_ps)
SIMD_FROM(f16_most, float, f16, _mm512_reduce_max_ps)

/* x where the bit of the lane is set, else y. */
static inline f16 f16_where(uint32_t bits, f16 x, f16 y)
{
    return _mm512_mask_blend_ps((__mmask16)bits, y, x);
}

typedef __m512d d8;

SIMD_FROM(d8_splat, d8, double, _mm512_set1_pd)
SIMD_FROM(d8_doubles, d8, const double *, _mm512_loadu_pd)

/* Lane k of out[i] is p[k][i]. */
static inline void d8_fours(const double *const p[8], d8 out[4])
{
    d8 row[4], even[2], odd[2];
    for (int i = 0; i < 4; i++) { /* of p[i] and p[i + 4] */
        row[i] = _mm512_insertf64x4(_mm512_castpd256_pd512(_mm256_loadu_pd(p[i])),
                                    _mm256_loadu_pd(p[i + 4]), 1);
    }
    for (int i = 0; i < 2; i++) { /* within 128 bits: numbers 0 and 2, and 1 and 3, of two rows */
        even[i] = _mm512_unpacklo_pd(row[2 * i], row[2 * i + 1]);
        odd[i] = _mm512_unpackhi_pd(row[2 * i], row[2 * i + 1]);
    }
    const __m512i first = _mm512_setr_epi64(0, 1, 8, 9, 4, 5, 12, 13),
                  second = _mm512_setr_epi64(2, 3, 10, 11, 6, 7, 14, 15);
    out[0] = _mm512_permutex2var_pd(even[0], first, even[1]);
    out[1] = _mm512_permutex2var_pd(odd[0], first, odd[1]);
    out[2] = _mm512_permutex2var_pd(even[0], second, even[1]);
    out[3] = _mm512_permutex2var_pd(odd[0], second, odd[1]);
}

SIMD_STORE(d8_store, double, d8, _mm512_storeu_pd)

/* p[k][i] becomes lane k of a[i]. */
static inline void d8_store_fours(const d8 a[4], double *const p[8])
{
    /* Within 128 bits: numbers 0 and 1, and 2 and 3, of p[0], p[2], ... and of p[1], p[3], ... */
    const d8 low[2] = { _mm512_unpacklo_pd(a[0], a[1]), _mm512_unpackhi_pd(a[0], a[1]) };
    const d8 high[2] = { _mm512_unpacklo_pd(a[2], a[3]), _mm512_unpackhi_pd(a[2], a[3]) };
    const __m512i first = _mm512_setr_epi64(0, 1, 8, 9, 2, 3, 10, 11),
                  second = _mm512_setr_epi64(4, 5, 12, 13, 6, 7, 14, 15);
    for (int odd = 0; odd < 2; odd++) {
        const d8 lower = _mm512_permutex2var_pd(low[odd], first, high[odd]);
        const d8 upper = _mm512_permutex2var_pd(low[odd], second, high[odd]);
        _mm256_storeu_pd(p[odd], _mm512_castpd512_pd256(lower));
        _mm256_storeu_pd(p[odd + 2], _mm512_extractf64x4_pd(lower, 1));
        _mm256_storeu_pd(p[odd + 4], _mm512_castpd512_pd256(upper));
        _mm256_storeu_pd(p[odd + 6], _mm512_extractf64x4_pd(upper, 1));
    }
}

SIMD_FROM(d8_from_f8, d8, f8, _mm512_cvtps_pd)
SIMD_BINARY(d8_add, d8, _mm512_add_pd)
SIMD_BINARY(d8_sub, d8, _mm512_sub_pd)
SIMD_BINARY(d8_mul, d8, _mm512_mul_pd)
SIMD_BINARY(d8_div, d8, _mm512_div_pd)
SIMD_BINARY(d8_max, d8, _mm512_max_pd)
SIMD_TERNARY(d8_muladd, d8, _mm512_fmadd_pd)
SIMD_TERNARY(d8_nmuladd, d8, _mm512_fnmadd_pd)
SIMD_UNARY(d8_abs, d8, _mm512_abs_pd)

static inline uint32_t d8_bits_gt(d8 a, d8 b)
{
    return _mm512_cmp_pd_mask(a, b, _CMP_GT_OQ);
}

static inline uint32_t d8_bits_eq(d8 a, d8 b)
{
    return _mm512_cmp_pd_mask(a, b, _CMP_EQ_OQ);
}

static inline d8 d8_where(uint32_t bits, d8 x, d8 y)
{
    return _mm512_mask_blend_pd((__mmask8)bits, y, x);
}

SIMD_FROM(d8_to_f8, f8, d8, _mm512_cvtpd_ps)

/* The corners of a leaf as doubles: lanes 0 .. 7, and lanes 8 .. 11 before four of no meaning. */
typedef struct d12 {
    d8 low, high;
} d12;

static inline d12 d12_from_f12(f12 a)
{
    return (d12){ _mm512_cvtps_pd(_mm512_castps512_ps256(a)),
                  _mm512_cvtps_pd(_mm512_extractf32x8_ps(a, 1)) };
}

SIMD_SPLAT_HALVES(d12_splat, d12, double, _mm512_set1_pd)

static inline d12 d12_turn(d12 a)
{
    return (d12){ _mm512_shuffle_f64x2(a.low, a.high, _MM_SHUFFLE(1, 0, 3, 2)), a.low };
}

SIMD_BINARY_HALVES(d12_sub, d12, _mm512_sub_pd)
SIMD_BINARY_HALVES(d12_mul, d12, _mm512_mul_pd)
SIMD_TERNARY_HALVES(d12_nmuladd, d12, _mm512_fnmadd_pd)

static inline uint32_t d12_any_gt(d12 a, d12 b)
{
    const uint32_t low = _mm512_cmp_pd_mask(a.low, b.low, _CMP_GT_OQ);
    return (low | low >> 4 | _mm512_cmp_pd_mask(a.high, b.high, _CMP_GT_OQ)) & 15;
}

static inline void f8_store_some(float *p, f8 a, uint32_t bits)
{
    _mm256_storeu_ps(p, _mm256_maskz_compress_ps((__mmask8)bits, a));
}

static inline void u8_store_some(uint32_t *p, const uint32_t *from, uint32_t bits)
{
    const __m256i a = _mm256_loadu_si256((const __m256i *)(const void *)from);
    _mm256_storeu_si256((__m256i *)(void *)p, _mm256_maskz_compress_epi32((__mmask8)bits, a));
}

#include "bvh/kernel/simd/fl_from_f16.h"

/* Sixteen words at a time: those of rows 0 to 3 from two registers, those of rows 4 and 5 over
 * them. */
static inline void f8_store_sixes(void *p, const f8 row[6])
{
    static const uint32_t early[3][16] = {
        { 0, 8, 16, 24, 0, 0, 1, 9, 17, 25, 0, 0, 2, 10, 18, 26 },
        { 0, 0, 3, 11, 19, 27, 0, 0, 4, 12, 20, 28, 0, 0, 5, 13 },
        { 21, 29, 0, 0, 6, 14, 22, 30, 0, 0, 7, 15, 23, 31, 0, 0 },
    };
    static const uint32_t late[3][16] = {
        { 0, 0, 0, 0, 0, 8, 0, 0, 0, 0, 1, 9, 0, 0, 0, 0 },
        { 2, 10, 0, 0, 0, 0, 3, 11, 0, 0, 0, 0, 4, 12, 0, 0 },
        { 0, 0, 5, 13, 0, 0, 0, 0, 6, 14, 0, 0, 0, 0, 7, 15 },
    };
    static const uint16_t is_late[3] = { 0x0C30, 0x30C3, 0xC30C };
    const f16 one = f16_pair(row[0], row[1]), two = f16_pair(row[2], row[3]);
    const f16 three = f16_pair(row[4], row[5]);
    for (int i = 0; i < 3; i++) {
        const __m512i a = _mm512_loadu_si512(early[i]), b = _mm512_loadu_si512(late[i]);
        const __m512 words = _mm512_permutex2var_ps(one, a, two);
        _mm512_storeu_ps((float *)p + 16 * i,
                         _mm512_mask_permutexvar_ps(words, is_late[i], b, three));
    }
}

static inline uint32_t simd_push(uint32_t *refs, float *nears, const uint32_t *child,
                                 const uint32_t *order, uint32_t shift, f8 from, f8 to)
{
    const __m256i ranks = _mm256_srl_epi32(_mm256_loadu_si256((const __m256i *)(const void *)order),
                                           _mm_cvtsi32_si128((int)shift));
    const __m256i children =
        _mm256_permutexvar_epi32(ranks, _mm256_loadu_si256((const __m256i *)(const void *)child));
    from = _mm256_permutexvar_ps(ranks, from);
    to = _mm256_permutexvar_ps(ranks, to);
    const __mmask8 met = _mm256_cmp_ps_mask(from, to, _CMP_LE_OQ);
    _mm256_storeu_si256((__m256i *)(void *)refs, _mm256_maskz_compress_epi32(met, children));
    if (nears != NULL) {
        _mm256_storeu_ps(nears, _mm256_maskz_compress_ps(met, from));
    }
    return (uint32_t)__builtin_popcount(met);
}

static inline uint32_t simd_by_rank(const uint32_t *child, const uint32_t *order, uint32_t shift,
                                    f8 from, f8 to, uint32_t *ref, f8 *near)
{
    const __m256i ranks = _mm256_srl_epi32(_mm256_loadu_si256((const __m256i *)(const void *)order),
                                           _mm_cvtsi32_si128((int)shift));
    const __m256i children =
        _mm256_permutexvar_epi32(ranks, _mm256_loadu_si256((const __m256i *)(const void *)child));
    _mm256_storeu_si256((__m256i *)(void *)ref, children);
    *near = _mm256_permutexvar_ps(ranks, from);
    const __m256i above = _mm256_cmpgt_epi32(_mm256_castps_si256(from), _mm256_castps_si256(to));
    const __m256 missed = _mm256_castsi256_ps(_mm256_permutexvar_epi32(ranks, above));
    return (uint32_t)_mm256_movemask_ps(missed) ^ 0xFFu;
}

/* Whole stores, not masked ones: what is stored is read again at once, which some processors cannot
 * take over from a masked store.  Most stacks hold fewer than eight references. */
static inline uint32_t simd_keep(uint32_t *refs, float *nears, uint32_t count, float bound)
{
    uint32_t kept = 0;
    const __m256 most = _mm256_set1_ps(bound);
    for (uint32_t i = 0; i < count; i += 8) {
        const __mmask8 live = (__mmask8)_bzhi_u32(0xFF, count - i);
        const __m256i r = _mm256_loadu_si256((const __m256i *)(const void *)(refs + i));
        const __m256 n = _mm256_loadu_ps(nears + i);
        const __mmask8 near = _mm256_mask_cmp_ps_mask(live, n, most, _CMP_LE_OQ);
        _mm256_storeu_si256((__m256i *)(void *)(refs + kept), _mm256_maskz_compress_epi32(near, r));
        _mm256_storeu_ps(nears + kept, _mm256_maskz_compress_ps(near, n));
        kept += (uint32_t)__builtin_popcount(near);
    }
    return kept;
}

static inline void simd_triangle(const float *x, const float *y, const float *z, uint32_t lane,
                                 f8 *xy, f8 *zz)
{
    const __m512i corners = _mm512_setr_epi32(0, 4, 8, 12, 16, 20, 24, 28, 0, 0, 0, 0, 0, 0, 0, 0);
    const __m512i pick = _mm512_add_epi32(corners, _mm512_set1_epi32((int)lane));
    *xy = _mm512_castps512_ps256(
        _mm512_permutex2var_ps(_mm512_loadu_ps(x), pick, _mm512_loadu_ps(y)));
    *zz = _mm512_castps512_ps256(_mm512_permutexvar_ps(pick, _mm512_loadu_ps(z)));
}
