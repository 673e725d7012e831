/* simd/f16_from_f8.h: sixteen lanes as two f8, for instruction sets without registers of that
 * length.  f8 and f4 come first. */
#pragma once

typedef struct f16 {
    f8 low, high;
} f16;

enum { SIMD_SIXTEEN = 0 };

static inline f16 f16_load(const float *p)
{
    return (f16){ f8_load(p), f8_load(p + 8) };
}

static inline void f16_store(float *p, f16 a)
{
    f8_store(p, a.low);
    f8_store(p + 8, a.high);
}

SIMD_SPLAT_HALVES(f16_splat, f16, float, f8_splat)

static inline f16 f16_pair(f8 low, f8 high)
{
    return (f16){ low, high };
}

static inline f8 f16_low(f16 a)
{
    return a.low;
}

static inline f8 f16_high(f16 a)
{
    return a.high;
}

/* The four floats at p, four times. */
static inline f16 f16_fours(const float *p)
{
    const f8 twice = f8_pair(f4_load(p), f4_load(p));
    return (f16){ twice, twice };
}

SIMD_BINARY_HALVES(f16_add, f16, f8_add)
SIMD_BINARY_HALVES(f16_sub, f16, f8_sub)
SIMD_BINARY_HALVES(f16_mul, f16, f8_mul)
SIMD_BINARY_HALVES(f16_div, f16, f8_div)
SIMD_BINARY_HALVES(f16_min, f16, f8_min)
SIMD_BINARY_HALVES(f16_max, f16, f8_max)
SIMD_UNARY_HALVES(f16_abs, f16, f8_abs)

/* a with its sign turned where s is negative. */
static inline f16 f16_flip(f16 a, f16 s)
{
    const f8 zero = f8_splat(0);
    return (f16){ f8_less(s.low, zero, f8_sub(zero, a.low), a.low),
                  f8_less(s.high, zero, f8_sub(zero, a.high), a.high) };
}

SIMD_TERNARY_HALVES(f16_muladd, f16, f8_muladd)

static inline f16 f16_nmuladd(f16 a, f16 b, f16 c)
{
    return (f16){ f8_sub(c.low, f8_mul(a.low, b.low)), f8_sub(c.high, f8_mul(a.high, b.high)) };
}

static inline uint32_t f16_bits_le(f16 a, f16 b)
{
    return f8_bits_le(a.low, b.low) | f8_bits_le(a.high, b.high) << 8;
}

static inline float f16_least(f16 a)
{
    float v[8];
    f8_store(v, f8_min(a.low, a.high));
    for (int half = 4; half > 0; half /= 2) {
        for (int i = 0; i < half; i++) {
            v[i] = v[i] < v[i + half] ? v[i] : v[i + half];
        }
    }
    return v[0];
}

static inline float f16_most(f16 a)
{
    return -f16_least(f16_sub(f16_splat(0), a));
}

static inline f16 f16_where(uint32_t bits, f16 x, f16 y)
{
    return (f16){ f8_where(bits & 0xFF, x.low, y.low), f8_where(bits >> 8, x.high, y.high) };
}
