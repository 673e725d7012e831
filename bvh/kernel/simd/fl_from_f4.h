/* simd/fl_from_f4.h: the triangles of one leaf at a time, for instruction sets with registers of
 * four floats.  f4 and its operations come first. */
#ifndef SLI_KERNEL_SIMD_FL_H
#define SLI_KERNEL_SIMD_FL_H

#include <math.h>
#include <stdint.h>

enum { SIMD_LEAVES = 1 };

typedef f4 fl;

static inline fl fl_rows(const float *const p[SIMD_LEAVES])
{
    return f4_load(p[0]);
}

static inline void fl_spread(const float *const p[SIMD_LEAVES], fl out[4])
{
    for (int i = 0; i < 4; i++) {
        out[i] = f4_splat(p[0][i]);
    }
}

static inline uint32_t fl_bits_ne(const uint32_t *const p[SIMD_LEAVES], uint32_t x)
{
    return f4_bits_ne(p[0], x);
}

static inline fl fl_splat(float x)
{
    return f4_splat(x);
}

static inline fl fl_add(fl a, fl b)
{
    return f4_add(a, b);
}

static inline fl fl_sub(fl a, fl b)
{
    return f4_sub(a, b);
}

static inline fl fl_mul(fl a, fl b)
{
    return f4_mul(a, b);
}

static inline fl fl_muladd(fl a, fl b, fl c)
{
    return f4_muladd(a, b, c);
}

static inline fl fl_nmuladd(fl a, fl b, fl c)
{
    return f4_nmuladd(a, b, c);
}

static inline fl fl_min(fl a, fl b)
{
    return f4_min(a, b);
}

static inline fl fl_max(fl a, fl b)
{
    return f4_max(a, b);
}

static inline fl fl_abs(fl a)
{
    return f4_abs(a);
}

static inline fl fl_flip(fl a, fl s)
{
    return f4_flip(a, s);
}

static inline uint32_t fl_bits_le(fl a, fl b)
{
    return f4_bits_le(a, b);
}

static inline fl fl_div(fl a, fl b)
{
    return f4_div(a, b);
}

static inline fl fl_least(fl a, uint32_t bits)
{
    float lane[4], least = INFINITY;
    f4_store(lane, a);
    for (int i = 0; i < 4; i++) {
        least = (bits >> i & 1) != 0 && lane[i] < least ? lane[i] : least;
    }
    return f4_splat(least);
}

#endif
