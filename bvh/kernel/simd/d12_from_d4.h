/* simd/d12_from_d4.h: the twelve coordinates of f12 as doubles: three d4, one for each vertex, for
 * instruction sets that have f12 from simd/f12_from_f4.h, which comes first. */
#pragma once

typedef struct d12 {
    d4 v[3];
} d12;

static inline d12 d12_from_f12(f12 a)
{
    float from[12];
    for (int i = 0; i < 3; i++) {
        f4_store(from + 4 * i, a.v[i]);
    }
    return (d12){ { d4_load(from), d4_load(from + 4), d4_load(from + 8) } };
}

static inline d12 d12_splat(double x)
{
    return (d12){ { d4_splat(x), d4_splat(x), d4_splat(x) } };
}

static inline d12 d12_turn(d12 a)
{
    return (d12){ { a.v[1], a.v[2], a.v[0] } };
}

SIMD_BINARY_THIRDS(d12_sub, d12, d4_sub)
SIMD_BINARY_THIRDS(d12_mul, d12, d4_mul)
SIMD_TERNARY_THIRDS(d12_nmuladd, d12, d4_nmuladd)

static inline uint32_t d12_any_gt(d12 a, d12 b)
{
    return d4_bits_gt(a.v[0], b.v[0]) | d4_bits_gt(a.v[1], b.v[1]) | d4_bits_gt(a.v[2], b.v[2]);
}
