/* Volumes in doubles: their bounds, and whether they touch a triangle. */
#include "bvh/query/volume/doubles.h"

#include "lib/geom/overlap/overlap_d.h"

/* Widens a box to hold everything within reach of a point along an axis. */
static void doubles_hold(sl_aabb_d *box, int axis, double x, double reach)
{
    const double slack = (fabs(x) + reach) * 0x1p-48;
    box->min[axis] = fmin(box->min[axis], x - reach - slack);
    box->max[axis] = fmax(box->max[axis], x + reach + slack);
}

sl_aabb_d sli_volume_d_bounds(const sl_volume_d *volume)
{
    const sl_sphere_d *sphere = &volume->shape.sphere;
    const sl_capsule_d *capsule = &volume->shape.capsule;
    const sl_obb_d *obb = &volume->shape.obb;
    sl_aabb_d box = { .min = { INFINITY, INFINITY, INFINITY },
                      .max = { -INFINITY, -INFINITY, -INFINITY } };
    for (int axis = 0; axis < 3; axis++) {
        switch (volume->kind) {
        case SL_VOLUME_AABB:
            return volume->shape.aabb;
        case SL_VOLUME_SPHERE:
            doubles_hold(&box, axis, sphere->centre[axis], sphere->radius);
            break;
        case SL_VOLUME_OBB: {
            double reach = 0;
            for (int i = 0; i < 3; i++) {
                reach += fabs(obb->axis[i][axis]) * obb->half[i];
            }
            doubles_hold(&box, axis, obb->centre[axis], reach);
            break;
        }
        case SL_VOLUME_CAPSULE:
            doubles_hold(&box, axis, capsule->p[axis], capsule->radius);
            doubles_hold(&box, axis, capsule->q[axis], capsule->radius);
            break;
        case SL_VOLUME_TRIANGLE:
            for (int i = 0; i < 3; i++) {
                doubles_hold(&box, axis, volume->shape.triangle.v[i][axis], 0);
            }
            break;
        case SL_VOLUME_HULL:
            for (uint32_t i = 0; i < volume->shape.hull.count; i++) {
                doubles_hold(&box, axis, volume->shape.hull.xyz[3 * i + (uint32_t)axis], 0);
            }
            break;
        case SL_VOLUME_FRUSTUM:
            box.min[axis] = -INFINITY;
            box.max[axis] = INFINITY;
            break;
        }
    }
    return box;
}

/* The hull has been made with the filter. */
static bool touches_exactly(const sl_volume_d *volume, const sli_hull *hull,
                            const sl_triangle_d *triangle)
{
    switch (volume->kind) {
    case SL_VOLUME_AABB:
        return sli_aabb_triangle_d(&volume->shape.aabb, triangle);
    case SL_VOLUME_SPHERE:
        return sli_sphere_triangle_d(&volume->shape.sphere, triangle);
    case SL_VOLUME_OBB:
        return sli_obb_triangle_d(&volume->shape.obb, triangle);
    case SL_VOLUME_CAPSULE:
        return sli_capsule_triangle_d(&volume->shape.capsule, triangle);
    case SL_VOLUME_FRUSTUM:
        return sli_frustum_triangle_d(&volume->shape.frustum, triangle);
    case SL_VOLUME_TRIANGLE:
        return sli_triangle_triangle_d(&volume->shape.triangle, triangle);
    case SL_VOLUME_HULL:
        return sli_hull_meets_triangle(hull, triangle);
    }
    return false;
}

bool sli_volume_d_touches(const sl_volume_d *volume, const sli_volume_filter *filter,
                          const sl_triangle_d *triangle)
{
    const sli_tribool filtered = sli_volume_filter_triangle_d(filter, triangle);
    return filtered == SLI_UNSURE ? touches_exactly(volume, filter->hull, triangle)
                                  : filtered == SLI_YES;
}
