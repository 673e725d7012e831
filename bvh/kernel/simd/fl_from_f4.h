/* simd/fl_from_f4.h: the triangles of one leaf at a time, for instruction sets with registers of
 * four floats.  f4 and its operations come first. */
#pragma once

#include <math.h>
#include <stdint.h>

enum { SIMD_LEAVES = 1 };

typedef f4 fl;
#define SIMD_FL(operation) f4_##operation
#include "bvh/kernel/simd/fl.h"

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

SIMD_BINARY(fl_flip, fl, f4_flip)

static inline fl fl_least(fl a, uint32_t bits)
{
    float lane[4], least = INFINITY;
    f4_store(lane, a);
    for (int i = 0; i < 4; i++) {
        least = (bits >> i & 1) != 0 && lane[i] < least ? lane[i] : least;
    }
    return f4_splat(least);
}
