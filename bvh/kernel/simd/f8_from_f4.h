/* simd/f8_from_f4.h: eight lanes as two f4, and four doubles as two d2, for instruction sets whose
 * registers hold four floats.  f4 and d2 come first. */
#pragma once

#include <string.h>

typedef struct f8 {
    f4 low, high;
} f8;

static inline f8 f8_load(const float *p)
{
    return (f8){ f4_load(p), f4_load(p + 4) };
}

static inline f8 f8_bytes(const uint8_t *p)
{
    return (f8){ f4_bytes(p), f4_bytes(p + 4) };
}

static inline void f8_store(float *p, f8 a)
{
    f4_store(p, a.low);
    f4_store(p + 4, a.high);
}

SIMD_SPLAT_HALVES(f8_splat, f8, float, f4_splat)

static inline void f8_splats(const float *p, f8 out[4])
{
    for (int i = 0; i < 4; i++) {
        out[i] = f8_splat(p[i]);
    }
}

static inline f8 f8_pair(f4 a, f4 b)
{
    return (f8){ a, b };
}

SIMD_UNARY_HALVES(f8_abs, f8, f4_abs)

static inline f8 f8_less(f8 a, f8 b, f8 x, f8 y)
{
    return (f8){ f4_less(a.low, b.low, x.low, y.low), f4_less(a.high, b.high, x.high, y.high) };
}

static inline f8 f8_sharing(f8 a, const uint32_t *p, uint32_t mask)
{
    return (f8){ f4_sharing(a.low, p, mask), f4_sharing(a.high, p + 4, mask) };
}

SIMD_BINARY_HALVES(f8_add, f8, f4_add)
SIMD_BINARY_HALVES(f8_sub, f8, f4_sub)
SIMD_BINARY_HALVES(f8_mul, f8, f4_mul)
SIMD_BINARY_HALVES(f8_div, f8, f4_div)
SIMD_UNARY_HALVES(f8_sqrt, f8, f4_sqrt)
SIMD_BINARY_HALVES(f8_min, f8, f4_min)
SIMD_BINARY_HALVES(f8_max, f8, f4_max)
SIMD_TERNARY_HALVES(f8_muladd, f8, f4_muladd)
SIMD_TERNARY_HALVES(f8_nmuladd, f8, f4_nmuladd)
SIMD_UNARY_HALVES(f8_exponent, f8, f4_exponent)

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

static inline void f8_columns(const float *p, f8 column[8])
{
    for (int i = 0; i < 8; i++) {
        column[i] = f8_load(p + 8 * i);
    }
    f8_transpose(column);
}

typedef struct d4 {
    d2 low, high;
} d4;

static inline d4 d4_first(d4 a)
{
    const d2 first = { a.low[0], a.low[0] };
    return (d4){ first, first };
}

static inline d4 d4_low_turned(d4 a)
{
    const d2 turned = { a.low[1], a.low[0] };
    return (d4){ turned, turned };
}

static inline d4 d4_high_turned(d4 a)
{
    const d2 turned = { a.high[1], a.high[0] };
    return (d4){ turned, turned };
}

static inline d4 d4_load(const float *p)
{
    return (d4){ d2_load(p), d2_load(p + 2) };
}

static inline d4 d4_doubles(const double *p)
{
    d4 a;
    _Static_assert(sizeof a == 4 * sizeof *p, "nothing but the numbers, in their order");
    memcpy(&a, p, sizeof a);
    return a;
}

static inline void d4_store(double *p, d4 a)
{
    d2_store(p, a.low);
    d2_store(p + 2, a.high);
}

/* Lane k of out[i] is p[k][i]; for d8_fours. */
static inline void four_columns(const double *const p[4], d4 out[4])
{
    for (int i = 0; i < 4; i++) {
        const double column[4] = { p[0][i], p[1][i], p[2][i], p[3][i] };
        _Static_assert(sizeof out[i] == sizeof column, "nothing but the numbers, in their order");
        memcpy(&out[i], column, sizeof column);
    }
}

SIMD_SPLAT_HALVES(d4_splat, d4, double, d2_splat)
SIMD_UNARY_HALVES(d4_sqrt, d4, d2_sqrt)
SIMD_UNARY_HALVES(d4_abs, d4, d2_abs)

static inline d4 d4_less(d4 a, d4 b, d4 x, d4 y)
{
    return (d4){ d2_less(a.low, b.low, x.low, y.low), d2_less(a.high, b.high, x.high, y.high) };
}

SIMD_BINARY_HALVES(d4_add, d4, d2_add)
SIMD_BINARY_HALVES(d4_sub, d4, d2_sub)
SIMD_BINARY_HALVES(d4_mul, d4, d2_mul)
SIMD_BINARY_HALVES(d4_div, d4, d2_div)
SIMD_BINARY_HALVES(d4_min, d4, d2_min)
SIMD_BINARY_HALVES(d4_max, d4, d2_max)
SIMD_TERNARY_HALVES(d4_muladd, d4, d2_muladd)
SIMD_TERNARY_HALVES(d4_nmuladd, d4, d2_nmuladd)

static inline uint32_t d4_bits_gt(d4 a, d4 b)
{
    return d2_bits_gt(a.low, b.low) | d2_bits_gt(a.high, b.high) << 2;
}
