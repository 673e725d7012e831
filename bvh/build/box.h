/* box.h: boxes and points in four lanes, for the loops that touch every reference at every level.
 *
 * Lanes 0 .. 2 are the axes; lane 3 carries whatever was loaded with them and is never looked at
 * (but see sli_ref_centre: arithmetic on it is avoided).  No lane is ever a NaN. */
#ifndef SLI_BUILD_BOX_H
#define SLI_BUILD_BOX_H

#include <float.h>
#include <stdint.h>
#include <string.h>
#if defined(__SSE__)
#include <xmmintrin.h>
#endif

typedef float sli_lanes __attribute__((vector_size(16)));
typedef int32_t sli_lanes_i32 __attribute__((vector_size(16)));

/* Of two equal values, the second: so -0 and +0 are told apart the same way everywhere. */
static inline sli_lanes sli_lanes_min(sli_lanes a, sli_lanes b)
{
#if defined(__SSE__)
    return _mm_min_ps(a, b);
#else
    const sli_lanes_i32 less = a < b;
    return (sli_lanes)(((sli_lanes_i32)a & less) | ((sli_lanes_i32)b & ~less));
#endif
}

static inline sli_lanes sli_lanes_max(sli_lanes a, sli_lanes b)
{
#if defined(__SSE__)
    return _mm_max_ps(a, b);
#else
    const sli_lanes_i32 more = a > b;
    return (sli_lanes)(((sli_lanes_i32)a & more) | ((sli_lanes_i32)b & ~more));
#endif
}

static inline sli_lanes sli_lanes_all(float value)
{
    return (sli_lanes){ value, value, value, value };
}

typedef struct sli_box {
    sli_lanes min, max;
} sli_box;

/* Grows to any finite box; its area is not asked for. */
static inline sli_box sli_box_empty(void)
{
    return (sli_box){ sli_lanes_all(FLT_MAX), sli_lanes_all(-FLT_MAX) };
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

/* Half the surface, in double: there nothing that was a float overflows, and what underflows is
 * less than 2^-1022 of anything. */
static inline double sli_box_half_area(const sli_box *box)
{
    const double x = (double)box->max[0] - (double)box->min[0];
    const double y = (double)box->max[1] - (double)box->min[1];
    const double z = (double)box->max[2] - (double)box->min[2];
    return x * y + y * z + z * x;
}

#endif
