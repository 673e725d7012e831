/* simd/lane_by_lane.h: the operations of simd.h that move lanes about, one lane at a time: for the
 * scalar and SSE4.2 kernels, whose instruction sets have nothing better.  f8 and d4 come first. */
#pragma once

#include <math.h>
#include <stddef.h>
#include <string.h>

static inline uint32_t f8_bits_le(f8 a, f8 b)
{
    return f4_bits_le(a.low, b.low) | f4_bits_le(a.high, b.high) << 4;
}

#include "bvh/kernel/simd/nonneg_compare.h"

static inline void u8_store_some(uint32_t *p, const uint32_t *from, uint32_t bits)
{
    for (; bits != 0; bits &= bits - 1) {
        *p++ = from[__builtin_ctz(bits)];
    }
}

static inline void f8_store_some(float *p, f8 a, uint32_t bits)
{
    float from[8];
    f8_store(from, a);
    for (; bits != 0; bits &= bits - 1) {
        *p++ = from[__builtin_ctz(bits)];
    }
}

static inline uint32_t f8_least(f8 a)
{
    uint32_t from[8], best = UINT32_MAX;
    memcpy(from, &a, sizeof from);
    for (uint32_t lane = 0; lane < 8; lane++) {
        const uint32_t key = (from[lane] & ~7u) | lane;
        best = key < best ? key : best;
    }
    return best & 7;
}

static inline f4 simd_least(f4 a)
{
    float v[4];
    f4_store(v, a);
    const float one = v[0] < v[1] ? v[0] : v[1], two = v[2] < v[3] ? v[2] : v[3];
    return f4_splat(one < two ? one : two);
}

SIMD_UNARY_HALVES(f8_least_halves, f8, simd_least)

static inline f8 f8_where(uint32_t bits, f8 x, f8 y)
{
    float from_x[8], from_y[8];
    f8_store(from_x, x);
    f8_store(from_y, y);
    for (int lane = 0; lane < 8; lane++) {
        from_y[lane] = (bits >> lane & 1) != 0 ? from_x[lane] : from_y[lane];
    }
    return f8_load(from_y);
}

static inline f8 f8_only(f8 a, uint32_t bits)
{
    return f8_where(bits, a, f8_splat(INFINITY));
}

static inline d4 d4_from_f4(f4 a)
{
    float from[4];
    f4_store(from, a);
    return d4_load(from);
}

static inline f4 d4_to_f4(d4 a)
{
    double from[4];
    d4_store(from, a);
    const float to[4] = { (float)from[0], (float)from[1], (float)from[2], (float)from[3] };
    return f4_load(to);
}

#include "bvh/kernel/simd/d8_from_d4.h"
#include "bvh/kernel/simd/f12_from_f4.h"

/* after f12 */
#include "bvh/kernel/simd/d12_from_d4.h"

#include "bvh/kernel/simd/f16_from_f8.h"
/* after f16 */
#include "bvh/kernel/simd/at4_from_f4.h"

#include "bvh/kernel/simd/fl_from_f4.h"
#include "bvh/kernel/simd/push4_by_ranks.h"

static inline uint32_t simd_push(uint32_t *refs, float *nears, const uint32_t *child,
                                 const uint32_t *order, uint32_t shift, f8 from, f8 to)
{
    float near[8];
    uint32_t count = 0;
    const uint32_t met = f8_bits_le(from, to);
    f8_store(near, from);
    for (int rank = 0; rank < 8; rank++) {
        const uint32_t at = order[rank] >> shift & 7;
        refs[count] = child[at];
        if (nears != NULL) {
            nears[count] = near[at];
        }
        count += met >> at & 1;
    }
    return count;
}

static inline uint32_t simd_by_rank(const uint32_t *child, const uint32_t *order, uint32_t shift,
                                    f8 from, f8 to, uint32_t *ref, f8 *near)
{
    float nears[8], ranked[8];
    uint32_t bits = 0;
    const uint32_t met = f8_bits_le_plus(from, to);
    f8_store(nears, from);
    for (uint32_t rank = 0; rank < 8; rank++) {
        const uint32_t at = order[rank] >> shift & 7;
        ref[rank] = child[at];
        ranked[rank] = nears[at];
        bits |= (met >> at & 1) << rank;
    }
    *near = f8_load(ranked);
    return bits;
}

static inline uint32_t simd_keep(uint32_t *refs, float *nears, uint32_t count, float bound)
{
    uint32_t kept = 0;
    for (uint32_t i = 0; i < count; i++) {
        const float near = nears[i];
        refs[kept] = refs[i];
        nears[kept] = near;
        kept += near <= bound;
    }
    return kept;
}

static inline void simd_triangle(const float *x, const float *y, const float *z, uint32_t lane,
                                 f8 *xy, f8 *zz)
{
    const float first[8] = { x[lane], x[lane + 4], x[lane + 8], 0,
                             y[lane], y[lane + 4], y[lane + 8], 0 };
    const float second[8] = { z[lane], z[lane + 4], z[lane + 8] };
    *xy = f8_load(first);
    *zz = f8_load(second);
}
