/* simd_halves.h: eight lanes as two halves of four, for instruction sets whose registers hold four. */
#ifndef SLI_KERNEL_SIMD_HALVES_H
#define SLI_KERNEL_SIMD_HALVES_H

typedef struct f8 {
    f4 low, high;
} f8;

static inline f8 f8_load(const float *p)
{
    return (f8){ f4_load(p), f4_load(p + 4) };
}

static inline void f8_store(float *p, f8 a)
{
    f4_store(p, a.low);
    f4_store(p + 4, a.high);
}

static inline f8 f8_splat(float x)
{
    return (f8){ f4_splat(x), f4_splat(x) };
}

#define SIMD_HALVES(name, half)                                                                    \
    static inline f8 name(f8 a, f8 b)                                                              \
    {                                                                                              \
        return (f8){ half(a.low, b.low), half(a.high, b.high) };                                   \
    }

SIMD_HALVES(f8_add, f4_add)
SIMD_HALVES(f8_sub, f4_sub)
SIMD_HALVES(f8_mul, f4_mul)
SIMD_HALVES(f8_min, f4_min)
SIMD_HALVES(f8_max, f4_max)
SIMD_HALVES(f8_div, f4_div)
SIMD_HALVES(f8_copysign, f4_copysign)

#undef SIMD_HALVES

static inline f8 f8_muladd(f8 a, f8 b, f8 c)
{
    return f8_add(f8_mul(a, b), c);
}

static inline uint32_t f8_bits_le(f8 a, f8 b)
{
    return f4_bits_le(a.low, b.low) | f4_bits_le(a.high, b.high) << 4;
}

static inline f8 f8_abs(f8 a)
{
    return (f8){ f4_abs(a.low), f4_abs(a.high) };
}

static inline f8 f8_exponent(f8 a)
{
    return (f8){ f4_exponent(a.low), f4_exponent(a.high) };
}

static inline f8 f8_less(f8 a, f8 b, f8 x, f8 y)
{
    return (f8){ f4_less(a.low, b.low, x.low, y.low), f4_less(a.high, b.high, x.high, y.high) };
}

static inline uint32_t f8_bits_negative(f8 a)
{
    return f4_bits_negative(a.low) | f4_bits_negative(a.high) << 4;
}

static inline void f8_transpose(f8 row[8])
{
    f4 block[2][2][4]; /* [rows][columns]: four by four */
    for (int i = 0; i < 8; i++) {
        block[i / 4][0][i % 4] = row[i].low;
        block[i / 4][1][i % 4] = row[i].high;
    }
    for (int i = 0; i < 4; i++) {
        f4_transpose(block[i / 2][i % 2]);
    }
    for (int i = 0; i < 8; i++) {
        row[i] = (f8){ block[0][i / 4][i % 4], block[1][i / 4][i % 4] };
    }
}

#include "bvh/kernel/simd_f16.h"

#endif
