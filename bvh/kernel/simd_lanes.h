/* simd_lanes.h: what takes more than one register of four floats, lane by lane. */
#ifndef SLI_KERNEL_SIMD_LANES_H
#define SLI_KERNEL_SIMD_LANES_H

#include <math.h>

static inline f4 f4_muladd(f4 a, f4 b, f4 c)
{
    return f4_add(f4_mul(a, b), c);
}

static inline f4 f4_nmuladd(f4 a, f4 b, f4 c)
{
    return f4_sub(c, f4_mul(a, b));
}

#include "bvh/kernel/simd_f12.h"

typedef struct d8 {
    double lane[8];
} d8;

static inline d8 d8_splat(double x)
{
    return (d8){ { x, x, x, x, x, x, x, x } };
}

static inline d8 d8_load(const float *p)
{
    d8 out;
    for (int i = 0; i < 8; i++) {
        out.lane[i] = p[i];
    }
    return out;
}

#define SIMD_D8(name, expression)                                                                  \
    static inline d8 name(d8 a, d8 b)                                                              \
    {                                                                                              \
        d8 out;                                                                                    \
        for (int i = 0; i < 8; i++) {                                                              \
            out.lane[i] = (expression);                                                            \
        }                                                                                          \
        return out;                                                                                \
    }

SIMD_D8(d8_add, a.lane[i] + b.lane[i])
SIMD_D8(d8_sub, a.lane[i] - b.lane[i])
SIMD_D8(d8_mul, a.lane[i] * b.lane[i])
SIMD_D8(d8_div, a.lane[i] / b.lane[i])

#undef SIMD_D8

static inline d8 d8_muladd(d8 a, d8 b, d8 c)
{
    return d8_add(d8_mul(a, b), c);
}

static inline d8 d8_nmuladd(d8 a, d8 b, d8 c)
{
    return d8_sub(c, d8_mul(a, b));
}

static inline d8 d8_abs(d8 a)
{
    for (int i = 0; i < 8; i++) {
        a.lane[i] = fabs(a.lane[i]);
    }
    return a;
}

static inline uint32_t d8_bits_gt(d8 a, d8 b)
{
    uint32_t bits = 0;
    for (int i = 0; i < 8; i++) {
        bits |= (uint32_t)(a.lane[i] > b.lane[i]) << i;
    }
    return bits;
}

static inline f8 d8_to_f8(d8 a)
{
    float x[8];
    for (int i = 0; i < 8; i++) {
        x[i] = (float)a.lane[i];
    }
    return f8_load(x);
}

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

#endif
