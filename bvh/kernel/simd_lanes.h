/* simd_lanes.h: what takes more than one register of four floats, lane by lane. */
#ifndef SLI_KERNEL_SIMD_LANES_H
#define SLI_KERNEL_SIMD_LANES_H

#include <math.h>
#include <string.h>

static inline f4 f4_muladd(f4 a, f4 b, f4 c)
{
    return f4_add(f4_mul(a, b), c);
}

static inline f4 f4_nmuladd(f4 a, f4 b, f4 c)
{
    return f4_sub(c, f4_mul(a, b));
}

#include "bvh/kernel/simd_f12.h"

typedef struct d4 {
    double lane[4];
} d4;

static inline d4 d4_splat(double x)
{
    return (d4){ { x, x, x, x } };
}

static inline d4 d4_lane(const float vertex[3][4], int lane)
{
    return (d4){ { vertex[0][lane], vertex[1][lane], vertex[2][lane], vertex[0][lane] } };
}

#define SIMD_D4(name, expression)                                                                  \
    static inline d4 name(d4 a, d4 b)                                                              \
    {                                                                                              \
        d4 out;                                                                                    \
        for (int i = 0; i < 4; i++) {                                                              \
            out.lane[i] = (expression);                                                            \
        }                                                                                          \
        return out;                                                                                \
    }

SIMD_D4(d4_add, a.lane[i] + b.lane[i])
SIMD_D4(d4_sub, a.lane[i] - b.lane[i])
SIMD_D4(d4_mul, a.lane[i] * b.lane[i])
SIMD_D4(d4_div, a.lane[i] / b.lane[i])
SIMD_D4(d4_three, i < 3 ? a.lane[i] : b.lane[i])

#undef SIMD_D4

static inline d4 d4_abs(d4 a)
{
    return (d4){ { fabs(a.lane[0]), fabs(a.lane[1]), fabs(a.lane[2]), fabs(a.lane[3]) } };
}

static inline d4 d4_turn(d4 a)
{
    return (d4){ { a.lane[1], a.lane[2], a.lane[0], a.lane[1] } };
}

static inline d4 d4_turn_twice(d4 a)
{
    return (d4){ { a.lane[2], a.lane[0], a.lane[1], a.lane[2] } };
}

static inline d4 d4_sum3(d4 a)
{
    return d4_splat(a.lane[0] + a.lane[1] + a.lane[2]);
}

static inline uint32_t d4_bits_gt(d4 a, d4 b)
{
    uint32_t bits = 0;
    for (int i = 0; i < 4; i++) {
        bits |= (uint32_t)(a.lane[i] > b.lane[i]) << i;
    }
    return bits;
}

static inline uint32_t d4_bits_negative(d4 a)
{
    uint32_t bits = 0;
    for (int i = 0; i < 4; i++) {
        bits |= (uint32_t)(signbit(a.lane[i]) != 0) << i;
    }
    return bits;
}

static inline void d4_store(double *p, d4 a)
{
    memcpy(p, a.lane, sizeof a.lane);
}

static inline f4 d4_to_f4(d4 a)
{
    const float x[4] = { (float)a.lane[0], (float)a.lane[1], (float)a.lane[2], (float)a.lane[3] };
    return f4_load(x);
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
