/* simd/d8_from_d4.h: eight doubles as two d4, for instruction sets whose registers hold no more.
 * f8 and d4 come first. */
#pragma once

#include <string.h>

typedef struct d8 {
    d4 low, high;
} d8;

static inline d8 d8_from_f8(f8 a)
{
    float from[8];
    f8_store(from, a);
    return (d8){ d4_load(from), d4_load(from + 4) };
}

static inline d8 d8_doubles(const double *p)
{
    d8 a;
    _Static_assert(sizeof a == 8 * sizeof *p, "nothing but the numbers, in their order");
    memcpy(&a, p, sizeof a);
    return a;
}

static inline void d8_fours(const double *const p[8], d8 out[4])
{
    d4 low[4], high[4];
    four_columns(p, low);
    four_columns(p + 4, high);
    for (int i = 0; i < 4; i++) {
        out[i] = (d8){ low[i], high[i] };
    }
}

static inline void d8_store(double *p, d8 a)
{
    memcpy(p, &a, sizeof a);
}

static inline void d8_store_fours(const d8 a[4], double *const p[8])
{
    double row[4][8];
    for (int i = 0; i < 4; i++) {
        d8_store(row[i], a[i]);
    }
    for (int k = 0; k < 8; k++) {
        const double four[4] = { row[0][k], row[1][k], row[2][k], row[3][k] };
        memcpy(p[k], four, sizeof four);
    }
}

SIMD_SPLAT_HALVES(d8_splat, d8, double, d4_splat)
SIMD_BINARY_HALVES(d8_add, d8, d4_add)
SIMD_BINARY_HALVES(d8_sub, d8, d4_sub)
SIMD_BINARY_HALVES(d8_mul, d8, d4_mul)
SIMD_BINARY_HALVES(d8_div, d8, d4_div)
SIMD_BINARY_HALVES(d8_max, d8, d4_max)
SIMD_TERNARY_HALVES(d8_muladd, d8, d4_muladd)
SIMD_TERNARY_HALVES(d8_nmuladd, d8, d4_nmuladd)
SIMD_UNARY_HALVES(d8_abs, d8, d4_abs)

static inline uint32_t d8_bits_gt(d8 a, d8 b)
{
    return d4_bits_gt(a.low, b.low) | d4_bits_gt(a.high, b.high) << 4;
}

static inline uint32_t d8_bits_eq(d8 a, d8 b)
{
    return 0xFF & ~(d8_bits_gt(a, b) | d8_bits_gt(b, a));
}

static inline d8 d8_where(uint32_t bits, d8 x, d8 y)
{
    float mask[8];
    for (int lane = 0; lane < 8; lane++) {
        mask[lane] = (bits >> lane & 1) != 0 ? -1.0f : 0.0f;
    }
    const d4 zero = d4_splat(0);
    return (d8){ d4_less(d4_load(mask), zero, x.low, y.low),
                 d4_less(d4_load(mask + 4), zero, x.high, y.high) };
}

static inline f8 d8_to_f8(d8 a)
{
    return f8_pair(d4_to_f4(a.low), d4_to_f4(a.high));
}
