/* simd_avx512.h: the operations of simd.h for processors with AVX-512 F, VL, DQ and BW. */
#ifndef SLI_KERNEL_SIMD_AVX512_H
#define SLI_KERNEL_SIMD_AVX512_H

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
    _mm512_mask_storeu_ps(p, 0x0FFF, a);
}

static inline f12 f12_splat(float x)
{
    return _mm512_set1_ps(x);
}

static inline f12 f12_turn(f12 a)
{
    return _mm512_shuffle_f32x4(a, a, _MM_SHUFFLE(3, 0, 2, 1));
}

static inline f12 f12_abs(f12 a)
{
    return _mm512_abs_ps(a);
}

static inline f12 f12_add(f12 a, f12 b)
{
    return _mm512_add_ps(a, b);
}

static inline f12 f12_sub(f12 a, f12 b)
{
    return _mm512_sub_ps(a, b);
}

static inline f12 f12_mul(f12 a, f12 b)
{
    return _mm512_mul_ps(a, b);
}

static inline f12 f12_muladd(f12 a, f12 b, f12 c)
{
    return _mm512_fmadd_ps(a, b, c);
}

static inline f12 f12_nmuladd(f12 a, f12 b, f12 c)
{
    return _mm512_fnmadd_ps(a, b, c);
}

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

static inline f16 f16_load(const float *p)
{
    return _mm512_loadu_ps(p);
}

static inline void f16_store(float *p, f16 a)
{
    _mm512_storeu_ps(p, a);
}

static inline f16 f16_splat(float x)
{
    return _mm512_set1_ps(x);
}

static inline f16 f16_pair(f8 low, f8 high)
{
    return _mm512_insertf32x8(_mm512_castps256_ps512(low), high, 1);
}

static inline f8 f16_low(f16 a)
{
    return _mm512_castps512_ps256(a);
}

static inline f8 f16_high(f16 a)
{
    return _mm512_extractf32x8_ps(a, 1);
}

static inline f16 f16_fours(const float *p)
{
    return _mm512_broadcast_f32x4(_mm_loadu_ps(p));
}

static inline f16 f16_div(f16 a, f16 b)
{
    return _mm512_div_ps(a, b);
}

static inline f16 f16_add(f16 a, f16 b)
{
    return _mm512_add_ps(a, b);
}

static inline f16 f16_sub(f16 a, f16 b)
{
    return _mm512_sub_ps(a, b);
}

static inline f16 f16_mul(f16 a, f16 b)
{
    return _mm512_mul_ps(a, b);
}

static inline f16 f16_min(f16 a, f16 b)
{
    return _mm512_min_ps(a, b);
}

static inline f16 f16_max(f16 a, f16 b)
{
    return _mm512_max_ps(a, b);
}

static inline f16 f16_abs(f16 a)
{
    return _mm512_abs_ps(a);
}

/* a with its sign turned where s is negative. */
static inline f16 f16_flip(f16 a, f16 s)
{
    return _mm512_xor_ps(a, _mm512_and_ps(s, _mm512_set1_ps(-0.0f)));
}

static inline f16 f16_muladd(f16 a, f16 b, f16 c)
{
    return _mm512_fmadd_ps(a, b, c);
}

static inline f16 f16_nmuladd(f16 a, f16 b, f16 c)
{
    return _mm512_fnmadd_ps(a, b, c);
}

static inline uint32_t f16_bits_le(f16 a, f16 b)
{
    return _mm512_cmp_ps_mask(a, b, _CMP_LE_OQ);
}

static inline float f16_least(f16 a)
{
    return _mm512_reduce_min_ps(a);
}

static inline float f16_most(f16 a)
{
    return _mm512_reduce_max_ps(a);
}

/* x where the bit of the lane is set, else y. */
static inline f16 f16_where(uint32_t bits, f16 x, f16 y)
{
    return _mm512_mask_blend_ps((__mmask16)bits, y, x);
}

typedef __m512d d8;

static inline d8 d8_splat(double x)
{
    return _mm512_set1_pd(x);
}

static inline d8 d8_from_f8(f8 a)
{
    return _mm512_cvtps_pd(a);
}

static inline d8 d8_add(d8 a, d8 b)
{
    return _mm512_add_pd(a, b);
}

static inline d8 d8_sub(d8 a, d8 b)
{
    return _mm512_sub_pd(a, b);
}

static inline d8 d8_mul(d8 a, d8 b)
{
    return _mm512_mul_pd(a, b);
}

static inline d8 d8_div(d8 a, d8 b)
{
    return _mm512_div_pd(a, b);
}

static inline d8 d8_muladd(d8 a, d8 b, d8 c)
{
    return _mm512_fmadd_pd(a, b, c);
}

static inline d8 d8_nmuladd(d8 a, d8 b, d8 c)
{
    return _mm512_fnmadd_pd(a, b, c);
}

static inline d8 d8_abs(d8 a)
{
    return _mm512_abs_pd(a);
}

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

static inline f8 d8_to_f8(d8 a)
{
    return _mm512_cvtpd_ps(a);
}

/* The corners of a leaf as doubles: lanes 0 .. 7, and lanes 8 .. 11 before four of no meaning. */
typedef struct d12 {
    d8 low, high;
} d12;

static inline d12 d12_from_f12(f12 a)
{
    return (d12){ _mm512_cvtps_pd(_mm512_castps512_ps256(a)),
                  _mm512_cvtps_pd(_mm512_extractf32x8_ps(a, 1)) };
}

static inline d12 d12_splat(double x)
{
    return (d12){ _mm512_set1_pd(x), _mm512_set1_pd(x) };
}

static inline d12 d12_turn(d12 a)
{
    return (d12){ _mm512_shuffle_f64x2(a.low, a.high, _MM_SHUFFLE(1, 0, 3, 2)), a.low };
}

static inline d12 d12_sub(d12 a, d12 b)
{
    return (d12){ _mm512_sub_pd(a.low, b.low), _mm512_sub_pd(a.high, b.high) };
}

static inline d12 d12_mul(d12 a, d12 b)
{
    return (d12){ _mm512_mul_pd(a.low, b.low), _mm512_mul_pd(a.high, b.high) };
}

static inline d12 d12_nmuladd(d12 a, d12 b, d12 c)
{
    return (d12){ _mm512_fnmadd_pd(a.low, b.low, c.low), _mm512_fnmadd_pd(a.high, b.high, c.high) };
}

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

static inline uint32_t simd_push(uint32_t *refs, float *nears, const uint32_t *child,
                                 const uint32_t *order, uint32_t shift, f8 from, f8 to)
{
    const __m256i ranks = _mm256_srlv_epi32(
        _mm256_loadu_si256((const __m256i *)(const void *)order), _mm256_set1_epi32((int)shift));
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

static inline uint32_t simd_keep(uint32_t *refs, float *nears, uint32_t count, float bound)
{
    uint32_t kept = 0;
    for (uint32_t i = 0; i < count; i += 16) {
        const __mmask16 live = (__mmask16)_bzhi_u32(0xFFFF, count - i);
        const __m512i r = _mm512_maskz_loadu_epi32(live, refs + i);
        const __m512 n = _mm512_maskz_loadu_ps(live, nears + i);
        const __mmask16 near = _mm512_mask_cmp_ps_mask(live, n, _mm512_set1_ps(bound), _CMP_LE_OQ);
        const uint32_t count_near = (uint32_t)__builtin_popcount(near);
        const __mmask16 to = (__mmask16)_bzhi_u32(0xFFFF, count_near);
        _mm512_mask_storeu_epi32(refs + kept, to, _mm512_maskz_compress_epi32(near, r));
        _mm512_mask_storeu_ps(nears + kept, to, _mm512_maskz_compress_ps(near, n));
        kept += count_near;
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

#endif
