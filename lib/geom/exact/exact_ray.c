/* Rays and segments in the form that the exact predicates take: for single triangles, soups and
 * trees, each of which converts a ray once. */
#include "lib/base/fpenv.h"
#include "lib/geom/exact/predicates.h"
#include "lib/geom/exact/valid.h"

#include <sightline/intersect.h>

bool sli_exact_ray_from_ray(const sl_ray *ray, uint32_t query_flags, sli_exact_ray *out)
{
    if (!sli_finite(ray->origin, 3) || !sli_finite(ray->dir, 3) || !(ray->tmin <= ray->tmax) ||
        (ray->dir[0] == 0 && ray->dir[1] == 0 && ray->dir[2] == 0)) {
        return false;
    }
    *out = (sli_exact_ray){ .tmin = ray->tmin,
                            .tmax = ray->tmax,
                            .crossings = (query_flags & SL_USE_CROSSINGS) != 0 };
    for (int axis = 0; axis < 3; axis++) {
        out->origin[axis] = ray->origin[axis];
        out->dir[axis] = ray->dir[axis];
    }
    return true;
}

bool sli_exact_ray_from_segment(const sl_segment *segment, uint32_t query_flags, sli_exact_ray *out)
{
    const float *p = segment->p, *q = segment->q;
    if (!sli_finite(p, 3) || !sli_finite(q, 3) || (p[0] == q[0] && p[1] == q[1] && p[2] == q[2])) {
        return false;
    }
    *out = (sli_exact_ray){ .tmin = 0,
                            .tmax = 1,
                            .segment = true,
                            .open_start = (query_flags & SL_OPEN_START) != 0,
                            .open_end = (query_flags & SL_OPEN_END) != 0,
                            .crossings = (query_flags & SL_USE_CROSSINGS) != 0 };
    for (int axis = 0; axis < 3; axis++) {
        out->origin[axis] = p[axis];
        out->end[axis] = q[axis];
        out->dir[axis] = out->end[axis] - out->origin[axis];
    }
    return true;
}
