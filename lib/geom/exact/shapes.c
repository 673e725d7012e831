/* Makers and validity of shapes, the part of the public shapes.h on which every other room relies.
 */
#include "lib/base/fpenv.h"
#include "lib/geom/exact/valid.h"

#include <math.h>

sl_ray sl_ray_make(const float origin[3], const float dir[3])
{
    return (sl_ray){ .origin = { origin[0], origin[1], origin[2] },
                     .tmin = 0,
                     .dir = { dir[0], dir[1], dir[2] },
                     .tmax = INFINITY };
}

static SLI_NOINLINE bool limits_are_valid(const sl_ray *ray)
{
    return ray->tmin <= ray->tmax;
}

bool sli_ray_is_valid(const sl_ray *ray)
{
    const bool limits = SLI_IN_FPENV(limits_are_valid(ray));
    return limits && sli_finite(ray->origin, 3) && sli_finite(ray->dir, 3);
}

sl_line sl_line_of_ray(const sl_ray *ray)
{
    const float *o = ray->origin, *d = ray->dir;
    return (sl_line){ .origin = { o[0], o[1], o[2] },
                      .head = { d[0], d[1], d[2] },
                      .tmin = ray->tmin,
                      .tmax = ray->tmax };
}

sl_line sl_line_of_segment(const sl_segment *segment)
{
    const float *p = segment->p, *q = segment->q;
    return (sl_line){ .origin = { p[0], p[1], p[2] },
                      .tail = { p[0], p[1], p[2] },
                      .head = { q[0], q[1], q[2] },
                      .tmax = 1 };
}

static SLI_NOINLINE bool line_limits_are_valid(const sl_line *line)
{
    return line->tmin <= line->tmax && line->tmin < INFINITY && line->tmax > -INFINITY;
}

bool sli_line_is_valid(const sl_line *line)
{
    const bool limits = SLI_IN_FPENV(line_limits_are_valid(line));
    return limits && sli_finite(line->origin, 3) && sli_finite(line->tail, 3) &&
           sli_finite(line->head, 3);
}

bool sli_frustum_is_valid(const sl_frustum *frustum)
{
    if (frustum->count > SL_FRUSTUM_PLANES_MAX) {
        return false;
    }
    for (uint32_t i = 0; i < frustum->count; i++) {
        if (!sli_plane_is_valid(&frustum->plane[i])) {
            return false;
        }
    }
    return true;
}

bool sl_volume_is_valid(const sl_volume *volume)
{
    switch (volume->kind) {
    case SL_VOLUME_AABB:
        return !sl_aabb_is_empty(&volume->shape.aabb);
    case SL_VOLUME_SPHERE:
        return sli_sphere_is_valid(&volume->shape.sphere);
    case SL_VOLUME_OBB:
        return sli_obb_is_valid(&volume->shape.obb);
    case SL_VOLUME_CAPSULE:
        return sli_capsule_is_valid(&volume->shape.capsule);
    case SL_VOLUME_FRUSTUM:
        return sli_frustum_is_valid(&volume->shape.frustum);
    case SL_VOLUME_TRIANGLE:
        return sli_triangle_is_valid(&volume->shape.triangle);
    case SL_VOLUME_HULL:
        return sli_hull_is_valid(&volume->shape.hull);
    }
    return false;
}

sl_aabb sl_aabb_empty(void)
{
    return (sl_aabb){ .min = { INFINITY, INFINITY, INFINITY },
                      .max = { -INFINITY, -INFINITY, -INFINITY } };
}

static SLI_NOINLINE sl_aabb from_corners(const float a[3], const float b[3])
{
    sl_aabb box;
    for (int axis = 0; axis < 3; axis++) {
        if (isnan(a[axis]) || isnan(b[axis])) {
            return sl_aabb_empty();
        }
        const bool in_order = a[axis] <= b[axis];
        box.min[axis] = in_order ? a[axis] : b[axis];
        box.max[axis] = in_order ? b[axis] : a[axis];
    }
    return box;
}

/* Rounding the sum to double and then to float is the same as rounding it once: where the sum of
 * two floats does not fit a double, it is far nearer to the larger of them than to a boundary
 * between floats. */
static SLI_NOINLINE sl_aabb from_centre(const float centre[3], const float size[3])
{
    float low[3], high[3];
    for (int axis = 0; axis < 3; axis++) {
        const double half = (double)size[axis] / 2; /* of either sign: from_corners sorts them */
        low[axis] = (float)((double)centre[axis] - half);
        high[axis] = (float)((double)centre[axis] + half);
    }
    return from_corners(low, high);
}

sl_aabb sl_aabb_from_corners(const float a[3], const float b[3])
{
    return SLI_IN_FPENV(from_corners(a, b));
}

sl_aabb sl_aabb_from_centre(const float centre[3], const float size[3])
{
    return SLI_IN_FPENV(from_centre(centre, size));
}

static SLI_NOINLINE bool is_empty(const sl_aabb *box)
{
    for (int axis = 0; axis < 3; axis++) {
        const float low = box->min[axis], high = box->max[axis];
        if (!(low <= high) || low == INFINITY || high == -INFINITY) {
            return true;
        }
    }
    return false;
}

bool sl_aabb_is_empty(const sl_aabb *box)
{
    return SLI_IN_FPENV(is_empty(box));
}
