/* ray_floats.h: where the floats of an sl_ray and an sl_segment stand.  Filters load rays and
 * segments as arrays of floats, eight of them at a time, and transpose (filter/ray8.inl,
 * filter/tri8_determinants.inl, filter/ray1.inl). */
#pragma once

#include <sightline/shapes.h>

#include <stddef.h>

enum {
    RAY_FLOAT_ORIGIN = 0,
    RAY_FLOAT_TMIN = 3,
    RAY_FLOAT_DIR = 4,
    RAY_FLOAT_TMAX = 7,
    RAY_FLOATS = 8,
    SEGMENT_FLOAT_P = 0,
    SEGMENT_FLOAT_Q = 3,
    SEGMENT_FLOATS = 6
};

_Static_assert(offsetof(sl_ray, origin) == RAY_FLOAT_ORIGIN * sizeof(float) &&
                   offsetof(sl_ray, tmin) == RAY_FLOAT_TMIN * sizeof(float) &&
                   offsetof(sl_ray, dir) == RAY_FLOAT_DIR * sizeof(float) &&
                   offsetof(sl_ray, tmax) == RAY_FLOAT_TMAX * sizeof(float) &&
                   sizeof(sl_ray) == RAY_FLOATS * sizeof(float),
               "a ray is eight floats");
_Static_assert(offsetof(sl_segment, p) == SEGMENT_FLOAT_P * sizeof(float) &&
                   offsetof(sl_segment, q) == SEGMENT_FLOAT_Q * sizeof(float) &&
                   sizeof(sl_segment) == SEGMENT_FLOATS * sizeof(float),
               "a segment is six floats");
