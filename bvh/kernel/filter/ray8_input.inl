/* Reads rays and segments, eight at a time, axis by axis: for filter/ray8.inl, which prepares them,
 * and for all that have a look at them first (stream/from_point_sort.inl, packet/rays.inl). */
#pragma once

#include "bvh/kernel/kernel.h"
#include "bvh/kernel/ray_floats.h"
#include "bvh/kernel/simd/simd.h"
#include "lib/base/inline.h"

#include <string.h>

/* Eight rays of a batch, axis by axis. */
typedef struct ray8_input {
    f8 origin[3], dir[3], tmin, tmax;
    f8 reach;      /* the largest |coordinate|, at most a step below */
    bool segments; /* dir is end - origin, rounded */
    f8 end[3];     /* of segments */
} ray8_input;

/* The largest |a| of the three. */
static f8 ray8_largest3(const f8 a[3])
{
    return f8_max(f8_max(f8_abs(a[0]), f8_abs(a[1])), f8_abs(a[2]));
}

/* Lanes with three finite numbers. */
static uint32_t ray8_finite3(const f8 a[3])
{
    uint32_t finite = 0xFF;
    for (int axis = 0; axis < 3; axis++) {
        finite &= f8_bits_le(f8_abs(a[axis]), f8_splat(0x1.fffffep127f));
    }
    return finite;
}

/* Reads eight rays; returns the lanes that hold valid ones. */
static uint32_t ray8_read_rays(const sl_ray *rays, ray8_input *in)
{
    f8 row[8];
    f8_columns((const float *)(const void *)rays, row);
    for (int axis = 0; axis < 3; axis++) {
        in->origin[axis] = row[RAY_FLOAT_ORIGIN + axis];
        in->dir[axis] = row[RAY_FLOAT_DIR + axis];
    }
    in->tmin = row[RAY_FLOAT_TMIN];
    in->tmax = row[RAY_FLOAT_TMAX];
    in->reach = ray8_largest3(in->origin);
    in->segments = false;
    const f8 longest = ray8_largest3(in->dir);
    return ray8_finite3(in->origin) & ray8_finite3(in->dir) & f8_bits_le(in->tmin, in->tmax) &
           ~f8_bits_le(longest, f8_splat(0));
}

/* Reads eight segments, and two floats after the last; returns the lanes that hold valid ones. */
static uint32_t ray8_read_segments(const sl_segment *segments, ray8_input *in)
{
    f8 row[8];
    for (int i = 0; i < 8; i++) {
        row[i] = f8_load((const float *)(const void *)&segments[i]);
    }
    f8_transpose(row);
    for (int axis = 0; axis < 3; axis++) {
        in->origin[axis] = row[SEGMENT_FLOAT_P + axis];
        in->end[axis] = row[SEGMENT_FLOAT_Q + axis];
        in->dir[axis] = f8_sub(in->end[axis], in->origin[axis]);
    }
    in->tmin = f8_splat(0);
    in->tmax = f8_splat(1);
    in->reach = f8_max(ray8_largest3(in->origin), ray8_largest3(in->end));
    in->segments = true;
    return ray8_finite3(in->origin) & ray8_finite3(in->end) &
           ~f8_bits_le(ray8_largest3(in->dir), f8_splat(0));
}

/* Reads up to eight rays from first on; returns the lanes that hold valid ones, of the first
 * count. */
static uint32_t ray8_read(const sli_kernel_batch *batch, size_t first, size_t count, ray8_input *in)
{
    const uint32_t real = count >= 8 ? 0xFF : (1u << count) - 1;
    if (batch->segments != NULL) {
        if (count > 8) {
            return ray8_read_segments(batch->segments + first, in);
        }
        sl_segment copy[9] = { 0 };
        memcpy(copy, batch->segments + first, count * sizeof copy[0]);
        return ray8_read_segments(copy, in) & real;
    }
    if (count >= 8) {
        return ray8_read_rays(batch->rays + first, in);
    }
    sl_ray copy[8] = { 0 };
    memcpy(copy, batch->rays + first, count * sizeof copy[0]);
    return ray8_read_rays(copy, in) & real;
}

/* The floats of a ray or segment of a batch. */
static SLI_FORCE_INLINE const float *ray8_floats(const sli_kernel_batch *batch, size_t index)
{
    return batch->rays != NULL ? (const float *)(const void *)&batch->rays[index]
                               : (const float *)(const void *)&batch->segments[index];
}
