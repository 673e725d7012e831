/* simd/f12_from_f4.h: the twelve coordinates of a leaf along one axis as three f4, one for each
 * vertex, for instruction sets without registers of that length.  f4 comes first. */
#pragma once

#include <stdbool.h>

typedef struct f12 {
    f4 v[3];
} f12;

static inline f12 f12_load(const float *p)
{
    return (f12){ { f4_load(p), f4_load(p + 4), f4_load(p + 8) } };
}

static inline void f12_store(float *p, f12 a)
{
    f4_store(p, a.v[0]);
    f4_store(p + 4, a.v[1]);
    f4_store(p + 8, a.v[2]);
}

static inline f12 f12_splat(float x)
{
    return (f12){ { f4_splat(x), f4_splat(x), f4_splat(x) } };
}

static inline f12 f12_turn(f12 a)
{
    return (f12){ { a.v[1], a.v[2], a.v[0] } };
}

static inline f12 f12_abs(f12 a)
{
    return (f12){ { f4_abs(a.v[0]), f4_abs(a.v[1]), f4_abs(a.v[2]) } };
}

SIMD_BINARY_THIRDS(f12_add, f12, f4_add)
SIMD_BINARY_THIRDS(f12_sub, f12, f4_sub)
SIMD_BINARY_THIRDS(f12_mul, f12, f4_mul)
SIMD_TERNARY_THIRDS(f12_muladd, f12, f4_muladd)
SIMD_TERNARY_THIRDS(f12_nmuladd, f12, f4_nmuladd)

static inline uint32_t f12_any_gt(f12 a, f12 b)
{
    return f4_bits_gt(a.v[0], b.v[0]) | f4_bits_gt(a.v[1], b.v[1]) | f4_bits_gt(a.v[2], b.v[2]);
}

/* Lanes of a triangle of which one is above b, and another one below -b. */
static inline uint32_t f12_astride(f12 a, f12 b)
{
    return f12_any_gt(a, b) & f12_any_gt(f12_sub(f12_splat(0), b), a);
}

static inline bool f12_all_eq(f12 a, f12 b)
{
    return (f12_any_gt(a, b) | f12_any_gt(b, a)) == 0;
}

/* Lanes of a triangle in which all three are. */
static inline uint32_t f12_all_gt(f12 a, f12 b)
{
    return f4_bits_gt(a.v[0], b.v[0]) & f4_bits_gt(a.v[1], b.v[1]) & f4_bits_gt(a.v[2], b.v[2]);
}
