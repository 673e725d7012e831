/* simd_avx2.h: the operations of simd.h for processors with AVX2, FMA, BMI and BMI2. */
#ifndef SLI_KERNEL_SIMD_AVX2_H
#define SLI_KERNEL_SIMD_AVX2_H

#include "bvh/kernel/simd_ymm.h"

static inline f4 f4_muladd(f4 a, f4 b, f4 c)
{
    return _mm_fmadd_ps(a, b, c);
}

static inline f4 f4_nmuladd(f4 a, f4 b, f4 c)
{
    return _mm_fnmadd_ps(a, b, c);
}

#include "bvh/kernel/simd_f12.h"

typedef struct d8 {
    __m256d low, high;
} d8;

static inline d8 d8_splat(double x)
{
    return (d8){ _mm256_set1_pd(x), _mm256_set1_pd(x) };
}

static inline d8 d8_load(const float *p)
{
    return (d8){ _mm256_cvtps_pd(_mm_loadu_ps(p)), _mm256_cvtps_pd(_mm_loadu_ps(p + 4)) };
}

#define SIMD_D8(name, half)                                                                        \
    static inline d8 name(d8 a, d8 b)                                                              \
    {                                                                                              \
        return (d8){ half(a.low, b.low), half(a.high, b.high) };                                   \
    }

SIMD_D8(d8_add, _mm256_add_pd)
SIMD_D8(d8_sub, _mm256_sub_pd)
SIMD_D8(d8_mul, _mm256_mul_pd)
SIMD_D8(d8_div, _mm256_div_pd)

#undef SIMD_D8

static inline d8 d8_muladd(d8 a, d8 b, d8 c)
{
    return (d8){ _mm256_fmadd_pd(a.low, b.low, c.low), _mm256_fmadd_pd(a.high, b.high, c.high) };
}

static inline d8 d8_nmuladd(d8 a, d8 b, d8 c)
{
    return (d8){ _mm256_fnmadd_pd(a.low, b.low, c.low), _mm256_fnmadd_pd(a.high, b.high, c.high) };
}

static inline d8 d8_abs(d8 a)
{
    const __m256d sign = _mm256_set1_pd(-0.0);
    return (d8){ _mm256_andnot_pd(sign, a.low), _mm256_andnot_pd(sign, a.high) };
}

static inline uint32_t d8_bits_gt(d8 a, d8 b)
{
    return (uint32_t)_mm256_movemask_pd(_mm256_cmp_pd(a.low, b.low, _CMP_GT_OQ)) |
           (uint32_t)_mm256_movemask_pd(_mm256_cmp_pd(a.high, b.high, _CMP_GT_OQ)) << 4;
}

static inline f8 d8_to_f8(d8 a)
{
    return _mm256_set_m128(_mm256_cvtpd_ps(a.high), _mm256_cvtpd_ps(a.low));
}

/* Byte k of entry m: the index of the k-th bit that is set in m. */
#define SIMD_BIT(m, i)                                                                             \
    (((m) >> (i) & 1) != 0 ? (uint64_t)(i) << 8 * __builtin_popcount((m) & ((1u << (i)) - 1)) : 0)
#define SIMD_BITS(m)                                                                               \
    (SIMD_BIT(m, 1) | SIMD_BIT(m, 2) | SIMD_BIT(m, 3) | SIMD_BIT(m, 4) | SIMD_BIT(m, 5) |          \
     SIMD_BIT(m, 6) | SIMD_BIT(m, 7))
#define SIMD_4(m)  SIMD_BITS(m), SIMD_BITS(m + 1u), SIMD_BITS(m + 2u), SIMD_BITS(m + 3u)
#define SIMD_16(m) SIMD_4(m), SIMD_4(m + 4u), SIMD_4(m + 8u), SIMD_4(m + 12u)
#define SIMD_64(m) SIMD_16(m), SIMD_16(m + 16u), SIMD_16(m + 32u), SIMD_16(m + 48u)

static const uint64_t simd_bits_set[256] = { SIMD_64(0u), SIMD_64(64u), SIMD_64(128u),
                                             SIMD_64(192u) };

#undef SIMD_BIT
#undef SIMD_BITS
#undef SIMD_4
#undef SIMD_16
#undef SIMD_64

/* The lanes whose bits are set, first. */
static inline __m256i simd_pack_index(uint32_t bits)
{
    return _mm256_cvtepu8_epi32(
        _mm_loadl_epi64((const __m128i *)(const void *)&simd_bits_set[bits]));
}

static inline uint32_t simd_push(uint32_t *refs, float *nears, const uint32_t *child,
                                 const uint32_t *order, uint32_t shift, f8 from, f8 to)
{
    const __m256i ranks = _mm256_srl_epi32(_mm256_loadu_si256((const __m256i *)(const void *)order),
                                           _mm_cvtsi32_si128((int)shift));
    const f8 gap = _mm256_permutevar8x32_ps(_mm256_sub_ps(to, from), ranks);
    const uint32_t met = ~(uint32_t)_mm256_movemask_ps(gap) & 0xFF;
    const __m256i pick = _mm256_permutevar8x32_epi32(ranks, simd_pack_index(met));
    const __m256i children = _mm256_loadu_si256((const __m256i *)(const void *)child);
    _mm256_storeu_si256((__m256i *)(void *)refs, _mm256_permutevar8x32_epi32(children, pick));
    if (nears != NULL) {
        _mm256_storeu_ps(nears, _mm256_permutevar8x32_ps(from, pick));
    }
    return (uint32_t)__builtin_popcount(met);
}

static inline uint32_t simd_keep(uint32_t *refs, float *nears, uint32_t count, float bound)
{
    uint32_t kept = 0;
    for (uint32_t i = 0; i < count; i += 8) {
        const __m256i r = _mm256_loadu_si256((const __m256i *)(const void *)(refs + i));
        const f8 n = _mm256_loadu_ps(nears + i);
        const uint32_t live = count - i >= 8 ? 0xFF : (1u << (count - i)) - 1;
        const uint32_t near = f8_bits_le(n, _mm256_set1_ps(bound)) & live;
        const __m256i pick = simd_pack_index(near);
        _mm256_storeu_si256((__m256i *)(void *)(refs + kept), _mm256_permutevar8x32_epi32(r, pick));
        _mm256_storeu_ps(nears + kept, _mm256_permutevar8x32_ps(n, pick));
        kept += (uint32_t)__builtin_popcount(near);
    }
    return kept;
}

#include "bvh/kernel/simd_f16.h"

#endif
