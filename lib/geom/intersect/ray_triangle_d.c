/* One ray or segment in doubles against one triangle of doubles: the public face of the functions
 * of exact/predicates.h whose names end in _d. */
#include "lib/base/fpenv.h"
#include "lib/geom/exact/predicates.h"
#include "lib/geom/exact/valid.h"

#include <sightline/intersect.h>

#include <math.h>

/* ray is NULL where a segment is given. */
static SLI_NOINLINE bool triangle_meets(const sl_ray_d *ray, const sl_segment_d *segment,
                                        const sl_triangle_d *triangle, const sl_options *options,
                                        sl_hit_d *hit)
{
    const sl_options given = options != NULL ? *options : (sl_options){ .flags = 0 };
    sli_exact_ray exact;
    sli_exact_hit_d found;
    if (hit != NULL) {
        *hit = (sl_hit_d){ .prim = SL_NONE };
    }
    const bool valid = ray != NULL ? sli_exact_ray_from_ray_d(ray, given.flags, &exact)
                                   : sli_exact_ray_from_segment_d(segment, given.flags, &exact);
    double v[3][3];
    if (!valid || !sli_exact_corners(triangle, v) ||
        !sli_exact_ray_hit_d(&exact, v[0], v[1], v[2], (int)given.cull, INFINITY, &found)) {
        return false;
    }
    if (hit != NULL) {
        *hit = (sl_hit_d){ .t = found.t, .u = found.u, .v = found.v, .flags = found.flags };
    }
    return true;
}

bool sl_ray_d_triangle(const sl_ray_d *ray, const sl_triangle_d *triangle,
                       const sl_options *options, sl_hit_d *hit)
{
    return SLI_IN_FPENV(triangle_meets(ray, NULL, triangle, options, hit));
}

bool sl_segment_d_triangle(const sl_segment_d *segment, const sl_triangle_d *triangle,
                           const sl_options *options, sl_hit_d *hit)
{
    return SLI_IN_FPENV(triangle_meets(NULL, segment, triangle, options, hit));
}

sl_ray_d sl_ray_d_make(const double origin[3], const double dir[3])
{
    return (sl_ray_d){ .origin = { origin[0], origin[1], origin[2] },
                       .tmin = 0,
                       .dir = { dir[0], dir[1], dir[2] },
                       .tmax = INFINITY };
}

static SLI_NOINLINE void ray_triangle_d_widen(const float *from, double *to, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        to[i] = from[i];
    }
}

sl_ray_d sl_ray_d_from_ray(const sl_ray *ray)
{
    sl_ray_d wide;
    const sli_fpenv saved = sli_fpenv_enter();
    ray_triangle_d_widen((const float *)ray, (double *)&wide, sizeof *ray / sizeof(float));
    sli_fpenv_leave(saved);
    return wide;
}

sl_segment_d sl_segment_d_from_segment(const sl_segment *segment)
{
    sl_segment_d wide;
    const sli_fpenv saved = sli_fpenv_enter();
    ray_triangle_d_widen((const float *)segment, (double *)&wide, sizeof *segment / sizeof(float));
    sli_fpenv_leave(saved);
    return wide;
}

static SLI_NOINLINE bool within_range(const double *x, int count)
{
    for (int i = 0; i < count; i++) {
        if (!(fabs(x[i]) <= (double)FLT_MAX)) {
            return false;
        }
    }
    return true;
}

static SLI_NOINLINE bool in_order(double low, double high)
{
    return low <= high;
}

bool sli_ray_d_is_valid(const sl_ray_d *ray)
{
    return SLI_IN_FPENV(within_range(ray->origin, 3) && within_range(ray->dir, 3) &&
                        in_order(ray->tmin, ray->tmax));
}
