/* simd_lanes.h: what takes more than one register of four floats, lane by lane. */
#ifndef SLI_KERNEL_SIMD_LANES_H
#define SLI_KERNEL_SIMD_LANES_H

static inline f4 f4_muladd(f4 a, f4 b, f4 c)
{
    return f4_add(f4_mul(a, b), c);
}

static inline f4 f4_nmuladd(f4 a, f4 b, f4 c)
{
    return f4_sub(c, f4_mul(a, b));
}

#include "bvh/kernel/simd_f12.h"

#include "bvh/kernel/simd_d8.h"

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

#endif
