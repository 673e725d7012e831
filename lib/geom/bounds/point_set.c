/* Points as an array or as the vertices of triangles, for bounding volumes. */
#include "lib/geom/bounds/point_set.h"

#include "lib/geom/exact/valid.h"

#include <math.h>

const float *sli_point_set_at(const sli_point_set *points, size_t i)
{
    size_t index = i;
    if (points->indices != NULL) {
        index = points->indices[i];
        if (index == SL_NONE) {
            return NULL;
        }
    }
    const float *point = points->xyz + 3 * index;
    return isnan(point[0]) || isnan(point[1]) || isnan(point[2]) ? NULL : point;
}

bool sli_point_set_make(const float *xyz, const uint32_t *indices, size_t count, sli_point_set *out)
{
    *out = (sli_point_set){ .xyz = xyz, .indices = indices, .count = count };
    out->bounds = sl_aabb_empty();
    for (size_t i = 0; i < count; i++) {
        const float *point = sli_point_set_at(out, i);
        if (point != NULL) {
            sli_aabb_reach(&out->bounds, point);
        }
    }
    if (!sli_finite(out->bounds.min, 3) || !sli_finite(out->bounds.max, 3)) {
        return false; /* a point is infinite; or there is none, and the box has infinite bounds */
    }
    double reach = 0;
    for (int axis = 0; axis < 3; axis++) {
        const double low = out->bounds.min[axis], high = out->bounds.max[axis];
        out->origin[axis] = (low + high) / 2;
        reach = fmax(reach, (high - low) / 2);
    }
    int exponent;
    frexp(reach, &exponent);
    out->scale = ldexp(1, -exponent);
    out->unit = ldexp(1, exponent);
    return true;
}

bool sli_point_set_framed(const sli_point_set *points, size_t i, double out[3])
{
    const float *point = sli_point_set_at(points, i);
    for (int axis = 0; axis < 3 && point != NULL; axis++) {
        out[axis] = (point[axis] - points->origin[axis]) * points->scale;
    }
    return point != NULL;
}

void sli_point_set_unframe(const sli_point_set *points, const double framed[3], float out[3])
{
    for (int axis = 0; axis < 3; axis++) {
        out[axis] = (float)(framed[axis] * points->unit + points->origin[axis]) + 0.0f;
    }
}
