/* bounds/point_set.h: points, given as they are or as the corners of triangles; and a frame in which their
 * coordinates are of the size of 1, so that nothing computed from them over- or underflows.
 * Callers  hold the floating-point environment. */
#ifndef SLI_GEOM_BOUNDS_POINT_SET_H
#define SLI_GEOM_BOUNDS_POINT_SET_H

#include <sightline/intersect.h>
#include <sightline/shapes.h>

#include <stddef.h>

typedef struct sli_point_set {
    const float *xyz;
    const uint32_t *indices; /* NULL: 0, 1, 2, ... */
    size_t count;
    sl_aabb bounds;
    double origin[3], scale,
        unit; /* scale * (x - origin) lies in -2 .. 2; unit = 1 / scale, powers of 2 */
} sli_point_set;

/* False where there are no points, or one is infinite. */
bool sli_point_set_make(const float *xyz, const uint32_t *indices, size_t count,
                        sli_point_set *out);

/* NULL where there is nothing at i: a NaN, or a triangle that was left out. */
const float *sli_point_set_at(const sli_point_set *points, size_t i);

/* The same in the frame; false for nothing. */
bool sli_point_set_framed(const sli_point_set *points, size_t i, double out[3]);

/* Out of the frame, rounded to float. */
void sli_point_set_unframe(const sli_point_set *points, const double framed[3], float out[3]);

#endif
