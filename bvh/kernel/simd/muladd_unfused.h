/* simd/muladd_unfused.h: a * b + c and c - a * b in two roundings, for instruction sets that have
 * no fused operations.  f4 and d2 come first. */
#pragma once

enum { SIMD_FUSED = 0 };

static inline f4 f4_muladd(f4 a, f4 b, f4 c)
{
    return f4_add(f4_mul(a, b), c);
}

static inline f4 f4_nmuladd(f4 a, f4 b, f4 c)
{
    return f4_sub(c, f4_mul(a, b));
}

static inline d2 d2_muladd(d2 a, d2 b, d2 c)
{
    return d2_add(d2_mul(a, b), c);
}

static inline d2 d2_nmuladd(d2 a, d2 b, d2 c)
{
    return d2_sub(c, d2_mul(a, b));
}
