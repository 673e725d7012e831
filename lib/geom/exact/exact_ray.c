/* Rays and segments in the form that the exact predicates take: for single triangles, soups and
 * trees, each of which converts a ray once. */
#include "lib/base/fpenv.h"
#include "lib/geom/exact/arithmetic/grid.h"
#include "lib/geom/exact/predicates.h"
#include "lib/geom/exact/valid.h"

#include <sightline/intersect.h>

#include <math.h>

bool sli_exact_ray_from_ray(const sl_ray *ray, uint32_t query_flags, sli_exact_ray *out)
{
    if (!sli_finite(ray->origin, 3) || !sli_finite(ray->dir, 3) || !(ray->tmin <= ray->tmax) ||
        (ray->dir[0] == 0 && ray->dir[1] == 0 && ray->dir[2] == 0)) {
        return false;
    }
    *out = (sli_exact_ray){ .tmin = ray->tmin,
                            .tmax = ray->tmax,
                            .crossings = (query_flags & SL_CROSSINGS) != 0 };
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
                            .crossings = (query_flags & SL_CROSSINGS) != 0 };
    for (int axis = 0; axis < 3; axis++) {
        out->origin[axis] = p[axis];
        out->end[axis] = q[axis];
        out->dir[axis] = out->end[axis] - out->origin[axis];
    }
    return true;
}

/* False for what is not finite or larger than FLT_MAX. */
static bool round_point(const double given[3], double out[3])
{
    for (int axis = 0; axis < 3; axis++) {
        if (!(fabs(given[axis]) <= (double)FLT_MAX)) {
            return false;
        }
        out[axis] = sli_round_to_grid(given[axis], SLI_STEP);
    }
    return true;
}

bool sli_exact_ray_from_ray_d(const sl_ray_d *ray, uint32_t query_flags, sli_exact_ray *out)
{
    *out = (sli_exact_ray){ .tmin = ray->tmin,
                            .tmax = ray->tmax,
                            .crossings = (query_flags & SL_CROSSINGS) != 0 };
    return ray->tmin <= ray->tmax && round_point(ray->origin, out->origin) &&
           round_point(ray->dir, out->dir) &&
           (out->dir[0] != 0 || out->dir[1] != 0 || out->dir[2] != 0);
}

bool sli_exact_ray_from_segment_d(const sl_segment_d *segment, uint32_t query_flags,
                                  sli_exact_ray *out)
{
    *out = (sli_exact_ray){ .tmin = 0,
                            .tmax = 1,
                            .segment = true,
                            .open_start = (query_flags & SL_OPEN_START) != 0,
                            .open_end = (query_flags & SL_OPEN_END) != 0,
                            .crossings = (query_flags & SL_CROSSINGS) != 0 };
    if (!round_point(segment->p, out->origin) || !round_point(segment->q, out->end)) {
        return false;
    }
    for (int axis = 0; axis < 3; axis++) {
        out->dir[axis] = out->end[axis] - out->origin[axis];
    }
    return out->dir[0] != 0 || out->dir[1] != 0 || out->dir[2] != 0;
}

bool sli_exact_corners(const sl_triangle_d *triangle, double corners[3][3])
{
    return round_point(triangle->v[0], corners[0]) && round_point(triangle->v[1], corners[1]) &&
           round_point(triangle->v[2], corners[2]);
}
