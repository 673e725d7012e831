/* Volumes in doubles, by their kind: from those in floats, and from a caller's. */
#include "lib/base/inline.h"
#include "lib/geom/convex/shapes_d.h"
#include "lib/geom/exact/valid.h"

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
    case SL_VOLUME_HULL:
        out.shape.hull = (sl_hull_d){ NULL, 0 };
        break;
    }
    return out;
}

static SLI_NOINLINE bool take_hull(const sl_hull_d *given, sli_hull *hull)
{
    double points[SL_HULL_POINTS_MAX][3];
    if (!sli_hull_d_take(given, points)) {
        return false;
    }
    sli_hull_make((const double(*)[3])points, (int)given->count, hull);
    return true;
}

static sl_hull_d corners_of(const sli_hull *hull)
{
    return (sl_hull_d){ hull->corner[0], (uint32_t)hull->corners };
}

bool sli_volume_d_take(const sl_volume_d *given, sli_hull *hull, sl_volume_d *out)
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
    case SL_VOLUME_HULL:
        if (!take_hull(&given->shape.hull, hull)) {
            return false;
        }
        out->shape.hull = corners_of(hull);
        return true;
    }
    return false;
}

bool sli_volume_take(const sl_volume *given, sli_hull *hull, sl_volume_d *out)
{
    if (given->kind != SL_VOLUME_HULL) {
        const sl_volume_d wide = sli_volume_d_of(given);
        return sli_volume_d_take(&wide, hull, out);
    }
    out->kind = given->kind;
    if (!sli_hull_is_valid(&given->shape.hull)) {
        return false;
    }
    sli_hull_of(&given->shape.hull, hull);
    out->shape.hull = corners_of(hull);
    return true;
}
