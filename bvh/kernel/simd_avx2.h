/* simd_avx2.h: eight lanes in one register, with fused multiply-add. */
#ifndef SLI_KERNEL_SIMD_AVX2_H
#define SLI_KERNEL_SIMD_AVX2_H

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

#endif
