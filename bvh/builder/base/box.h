/* base/box.h: boxes and points in four lanes, for the loops that touch every reference at every
 * level.
 *
 * Lanes 0 .. 2 are the axes, and no NaN; lane 3 carries whatever was loaded with them and is never
 * read.  Arithmetic on it is avoided where it may be a small integer: as a float that is a denormal
 * number, on which some processors are slow. */
#pragma once

#include <float.h>
#include <stdint.h>
#include <string.h>
#if defined(__SSE__)
#include <xmmintrin.h>
#elif defined(__wasm_simd128__)
#include <wasm_simd128.h>
#endif

typedef float sli_lanes __attribute__((vector_size(16)));
typedef float sli_lanes_anywhere __attribute__((vector_size(16), aligned(4), may_alias));
typedef int32_t sli_lanes_i32 __attribute__((vector_size(16)));
typedef uint32_t sli_lanes_u32 __attribute__((vector_size(16)));

/* a < b ? a : b: of two equal values the second, and b if a is a NaN, on every instruction set and
 * for zeros too. */
static inline sli_lanes sli_lanes_min(sli_lanes a, sli_lanes b)
{
#if defined(__SSE__)
    return _mm_min_ps(a, b);
#elif defined(__wasm_simd128__)
    return (sli_lanes)wasm_f32x4_pmin((v128_t)b, (v128_t)a);
#else
    const sli_lanes_i32 less = a < b;
    return (sli_lanes)(((sli_lanes_i32)a & less) | ((sli_lanes_i32)b & ~less));
#endif
}

static inline sli_lanes sli_lanes_max(sli_lanes a, sli_lanes b)
{
#if defined(__SSE__)
    return _mm_max_ps(a, b);
#elif defined(__wasm_simd128__)
    return (sli_lanes)wasm_f32x4_pmax((v128_t)b, (v128_t)a);
#else
    const sli_lanes_i32 more = a > b;
    return (sli_lanes)(((sli_lanes_i32)a & more) | ((sli_lanes_i32)b & ~more));
#endif
}

static inline sli_lanes sli_lanes_all(float value)
{
    return (sli_lanes){ value, value, value, value };
}

/* The lanes of yes where which is all ones, those of no where it is all zeros. */
static inline sli_lanes sli_lanes_pick(sli_lanes_i32 which, sli_lanes yes, sli_lanes no)
{
    return (sli_lanes)((which & (sli_lanes_i32)yes) | (~which & (sli_lanes_i32)no));
}

static inline sli_lanes_i32 sli_lanes_all_i32(int32_t value)
{
    return (sli_lanes_i32){ value, value, value, value };
}

static inline sli_lanes_i32 sli_lanes_pick_i32(sli_lanes_i32 which, sli_lanes_i32 yes,
                                               sli_lanes_i32 no)
{
    return (which & yes) | (~which & no);
}

typedef struct sli_box {
    sli_lanes min, max;
} sli_box;

/* Joined with any finite box it becomes that box; it has no area.  Lane 3 is beyond any integer
 * that is loaded with a box, so that it stays as it is and is never a denormal. */
static inline sli_box sli_box_empty(void)
{
    const float most = FLT_MAX, aside = 0x1p64f;
    return (sli_box){ { most, most, most, -aside }, { -most, -most, -most, aside } };
}

static inline void sli_box_join(sli_box *box, const sli_box *other)
{
    box->min = sli_lanes_min(box->min, other->min);
    box->max = sli_lanes_max(box->max, other->max);
}

static inline void sli_box_add(sli_box *box, sli_lanes point)
{
    box->min = sli_lanes_min(box->min, point);
    box->max = sli_lanes_max(box->max, point);
}

/* Half the surface, in double. */
static inline double sli_box_area(const sli_box *box)
{
    const double x = (double)box->max[0] - (double)box->min[0];
    const double y = (double)box->max[1] - (double)box->min[1];
    const double z = (double)box->max[2] - (double)box->min[2];
    return x * y + y * z + z * x;
}

/* For areas in float: 1 / the longest side, as far as that is a normal float.  Sides times this are
 * at most about 1 wherever they do not overflow. */
static inline float sli_box_scale(const sli_box *box)
{
    float longest = 0x1p-120f;
    for (int axis = 0; axis < 3; axis++) {
        const float side = box->max[axis] - box->min[axis];
        longest = side > longest ? side : longest;
    }
    return longest < 0x1p126f ? 1 / longest : 0x1p-126f;
}

/* Half the surfaces of three boxes with sides a, b, c, each times scale, in lanes 0, 1, 2. */
static inline sli_lanes sli_half_areas(sli_lanes a, sli_lanes b, sli_lanes c, float scale)
{
    const sli_lanes xy = __builtin_shufflevector(a, b, 0, 4, 1, 5);
    const sli_lanes zz = __builtin_shufflevector(a, b, 2, 6, 2, 6);
    const sli_lanes x = __builtin_shufflevector(xy, c, 0, 1, 4, 4) * scale;
    const sli_lanes y = __builtin_shufflevector(xy, c, 2, 3, 5, 5) * scale;
    const sli_lanes z = __builtin_shufflevector(zz, c, 0, 1, 6, 6) * scale;
    return x * y + (x + y) * z;
}
