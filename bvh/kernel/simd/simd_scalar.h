/* simd_scalar.h: the operations of simd.h for any machine, in the vector types that gcc and clang
 * give every target: what the baseline has registers for is done in them, the rest lane by lane. */
#pragma once

#define SLI_SIMD_ISA "scalar"

#include "bvh/kernel/simd/ops.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

typedef float f4 __attribute__((vector_size(16)));
typedef uint32_t simd_mask __attribute__((vector_size(16))); /* all ones where true */

static inline f4 f4_load(const float *p)
{
    f4 a;
    memcpy(&a, p, sizeof a);
    return a;
}

static inline f4 f4_bytes(const uint8_t *p)
{
    return (f4){ (float)p[0], (float)p[1], (float)p[2], (float)p[3] };
}

static inline f4 f4_column(const float *p, uint32_t lane)
{
    return (f4){ p[lane], p[4 + lane], p[8 + lane], 0 };
}

static inline f4 f4_from(float a, float b, float c, float d)
{
    return (f4){ a, b, c, d };
}

static inline void f4_store(float *p, f4 a)
{
    memcpy(p, &a, sizeof a);
}

static inline f4 f4_splat(float x)
{
    return (f4){ x, x, x, x };
}

SIMD_OPERATOR(f4_add, f4, +)
SIMD_OPERATOR(f4_sub, f4, -)
SIMD_OPERATOR(f4_mul, f4, *)
SIMD_OPERATOR(f4_div, f4, /)

static inline f4 f4_sqrt(f4 a)
{
    return (f4){ sqrtf(a[0]), sqrtf(a[1]), sqrtf(a[2]), sqrtf(a[3]) };
}

static inline f4 simd_choose(simd_mask mask, f4 x, f4 y)
{
    return (f4)((mask & (simd_mask)x) | (~mask & (simd_mask)y));
}

static inline f4 f4_min(f4 a, f4 b)
{
    return simd_choose((simd_mask)(a < b), a, b);
}

static inline f4 f4_max(f4 a, f4 b)
{
    return simd_choose((simd_mask)(a > b), a, b);
}

static inline f4 f4_less(f4 a, f4 b, f4 x, f4 y)
{
    return simd_choose((simd_mask)(a < b), x, y);
}

static inline f4 f4_sharing(f4 a, const uint32_t *p, uint32_t mask)
{
    simd_mask words;
    memcpy(&words, p, sizeof words);
    return simd_choose((simd_mask)((words & mask) != 0), a, f4_splat(-INFINITY));
}

static inline f4 f4_abs(f4 a)
{
    const simd_mask magnitude = { 0x7FFFFFFF, 0x7FFFFFFF, 0x7FFFFFFF, 0x7FFFFFFF };
    return (f4)((simd_mask)a & magnitude);
}

static inline f4 f4_flip(f4 a, f4 s)
{
    const simd_mask sign = { 0x80000000, 0x80000000, 0x80000000, 0x80000000 };
    return (f4)((simd_mask)a ^ ((simd_mask)s & sign));
}

static inline f4 f4_axes(f4 a)
{
    a[3] = a[0];
    return a;
}

static inline f4 f4_last(f4 a)
{
    return (f4){ a[1], a[2], a[3], a[1] };
}

static inline f4 f4_most(f4 a)
{
    const float one = a[0] > a[1] ? a[0] : a[1], two = a[2] > a[3] ? a[2] : a[3];
    return f4_splat(one > two ? one : two);
}

static inline f4 f4_exponent(f4 a)
{
    const simd_mask exponent = { 0x7F800000, 0x7F800000, 0x7F800000, 0x7F800000 };
    return (f4)((simd_mask)a & exponent);
}

static inline void f4_transpose(f4 row[4])
{
    f4 from[4];
    memcpy(from, row, sizeof from);
    for (int i = 0; i < 4; i++) {
        row[i] = (f4){ from[0][i], from[1][i], from[2][i], from[3][i] };
    }
}

static inline uint32_t simd_bits(simd_mask mask)
{
    const simd_mask lane = { 1, 2, 4, 8 };
    const simd_mask bits = mask & lane;
    return bits[0] | bits[1] | bits[2] | bits[3];
}

static inline uint32_t f4_bits_le(f4 a, f4 b)
{
    return simd_bits((simd_mask)(a <= b));
}

static inline uint32_t f4_bits_gt(f4 a, f4 b)
{
    return simd_bits((simd_mask)(a > b));
}

static inline uint32_t f4_astride(const f4 a[3], const f4 b[3])
{
    simd_mask above = { 0, 0, 0, 0 }, below = { 0, 0, 0, 0 };
    for (int i = 0; i < 3; i++) {
        above |= (simd_mask)(a[i] > b[i]);
        below |= (simd_mask)(-a[i] > b[i]);
    }
    return simd_bits(above & below);
}

static inline uint32_t f4_bits_ne(const uint32_t *p, uint32_t x)
{
    const simd_mask all = { x, x, x, x };
    simd_mask values;
    memcpy(&values, p, sizeof values);
    return simd_bits((simd_mask)(values != all));
}

static inline uint32_t f4_bits_below(const uint32_t *p, uint32_t x)
{
    const simd_mask all = { x, x, x, x };
    simd_mask values;
    memcpy(&values, p, sizeof values);
    return simd_bits((simd_mask)(values < all));
}

typedef double d2 __attribute__((vector_size(16)));
typedef uint64_t simd_mask2 __attribute__((vector_size(16)));

static inline d2 d2_load(const float *p)
{
    return (d2){ p[0], p[1] };
}

static inline void d2_store(double *p, d2 a)
{
    memcpy(p, &a, sizeof a);
}

static inline d2 d2_splat(double x)
{
    return (d2){ x, x };
}

SIMD_OPERATOR(d2_add, d2, +)
SIMD_OPERATOR(d2_sub, d2, -)
SIMD_OPERATOR(d2_mul, d2, *)
SIMD_OPERATOR(d2_div, d2, /)

static inline d2 d2_sqrt(d2 a)
{
    return (d2){ sqrt(a[0]), sqrt(a[1]) };
}

static inline d2 d2_less(d2 a, d2 b, d2 x, d2 y)
{
    const simd_mask2 mask = (simd_mask2)(a < b);
    return (d2)((mask & (simd_mask2)x) | (~mask & (simd_mask2)y));
}

static inline d2 d2_min(d2 a, d2 b)
{
    return d2_less(a, b, a, b);
}

static inline d2 d2_max(d2 a, d2 b)
{
    return d2_less(b, a, a, b);
}

static inline d2 d2_abs(d2 a)
{
    const simd_mask2 magnitude = { INT64_MAX, INT64_MAX };
    return (d2)((simd_mask2)a & magnitude);
}

static inline uint32_t d2_bits_gt(d2 a, d2 b)
{
    return (uint32_t)(a[0] > b[0]) | (uint32_t)(a[1] > b[1]) << 1;
}

#include "bvh/kernel/simd/muladd_unfused.h"

#include "bvh/kernel/simd/f8_from_f4.h"

#include "bvh/kernel/simd/lane_by_lane.h"
#include "bvh/kernel/simd/sixes_from_f8.h"
