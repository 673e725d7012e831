/* simd_ymm.h: eight floats, or four doubles, in one register, with fused multiply-add: what AVX2 and
 * AVX-512 kernels share. */
#ifndef SLI_KERNEL_SIMD_YMM_H
#define SLI_KERNEL_SIMD_YMM_H

#include "bvh/kernel/simd_x86.h"

typedef __m256 f8;

static inline f8 f8_load(const float *p)
{
    return _mm256_loadu_ps(p);
}

static inline void f8_store(float *p, f8 a)
{
    _mm256_storeu_ps(p, a);
}

static inline f8 f8_splat(float x)
{
    return _mm256_set1_ps(x);
}

static inline f8 f8_add(f8 a, f8 b)
{
    return _mm256_add_ps(a, b);
}

static inline f8 f8_sub(f8 a, f8 b)
{
    return _mm256_sub_ps(a, b);
}

static inline f8 f8_mul(f8 a, f8 b)
{
    return _mm256_mul_ps(a, b);
}

static inline f8 f8_min(f8 a, f8 b)
{
    return _mm256_min_ps(a, b);
}

static inline f8 f8_max(f8 a, f8 b)
{
    return _mm256_max_ps(a, b);
}

static inline f8 f8_muladd(f8 a, f8 b, f8 c)
{
    return _mm256_fmadd_ps(a, b, c);
}

static inline uint32_t f8_bits_le(f8 a, f8 b)
{
    return (uint32_t)_mm256_movemask_ps(_mm256_cmp_ps(a, b, _CMP_LE_OQ));
}

static inline f8 f8_div(f8 a, f8 b)
{
    return _mm256_div_ps(a, b);
}

static inline f8 f8_abs(f8 a)
{
    return _mm256_andnot_ps(_mm256_set1_ps(-0.0f), a);
}

static inline f8 f8_exponent(f8 a)
{
    return _mm256_and_ps(a, _mm256_castsi256_ps(_mm256_set1_epi32(0x7F800000)));
}

static inline f8 f8_copysign(f8 a, f8 b)
{
    return _mm256_or_ps(a, _mm256_and_ps(b, _mm256_set1_ps(-0.0f)));
}

static inline f8 f8_less(f8 a, f8 b, f8 x, f8 y)
{
    return _mm256_blendv_ps(y, x, _mm256_cmp_ps(a, b, _CMP_LT_OQ));
}

static inline uint32_t f8_bits_negative(f8 a)
{
    return (uint32_t)_mm256_movemask_ps(a);
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

#endif
