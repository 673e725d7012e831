/* Volumes in doubles, by their kind. */
#include "bvh/query/volume/doubles.h"

#include "lib/base/fpenv.h"
#include "lib/geom/overlap/overlap_d.h"

SLI_NOINLINE sl_volume_d sli_volume_d_of(const sl_volume *volume)
{
    sl_volume_d out = { .kind = volume->kind };
    switch (volume->kind) {
    case SL_VOLUME_AABB:
        out.shape.aabb = sli_aabb_d_of(&volume->shape.aabb);
        break;
    case SL_VOLUME_SPHERE:
        out.shape.sphere = sli_sphere_d_of(&volume->shape.sphere);
        break;
    case SL_VOLUME_OBB:
        out.shape.obb = sli_obb_d_of(&volume->shape.obb);
        break;
    case SL_VOLUME_CAPSULE:
        out.shape.capsule = sli_capsule_d_of(&volume->shape.capsule);
        break;
    case SL_VOLUME_FRUSTUM:
        out.shape.frustum = sli_frustum_d_of(&volume->shape.frustum);
        break;
    case SL_VOLUME_TRIANGLE:
        out.shape.triangle = sli_triangle_d_of(&volume->shape.triangle);
        break;
    }
    return out;
}

bool sli_volume_d_take(const sl_volume_d *given, sl_volume_d *out)
{
    out->kind = given->kind;
    switch (given->kind) {
    case SL_VOLUME_AABB:
        return sli_aabb_d_take(&given->shape.aabb, &out->shape.aabb);
    case SL_VOLUME_SPHERE:
        return sli_sphere_d_take(&given->shape.sphere, &out->shape.sphere);
    case SL_VOLUME_OBB:
        return sli_obb_d_take(&given->shape.obb, &out->shape.obb);
    case SL_VOLUME_CAPSULE:
        return sli_capsule_d_take(&given->shape.capsule, &out->shape.capsule);
    case SL_VOLUME_FRUSTUM:
        return sli_frustum_d_take(&given->shape.frustum, &out->shape.frustum);
    case SL_VOLUME_TRIANGLE:
        return sli_triangle_d_take(&given->shape.triangle, &out->shape.triangle);
    }
    return false;
}

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
        case SL_VOLUME_FRUSTUM:
            box.min[axis] = -INFINITY;
            box.max[axis] = INFINITY;
            break;
        }
    }
    return box;
}

static bool touches_exactly(const sl_volume_d *volume, const sl_triangle_d *triangle)
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
    }
    return false;
}

bool sli_volume_d_touches(const sl_volume_d *volume, const sli_volume_filter *filter,
                          const sl_triangle_d *triangle)
{
    const sli_tribool filtered = sli_volume_filter_triangle_d(filter, triangle);
    return filtered == SLI_UNSURE ? touches_exactly(volume, triangle) : filtered == SLI_YES;
}
