#include "bvh/query/volume_shape.h"

#include "lib/geom/overlap.h"
#include "lib/geom/triangle_aabb.h"

#include <sightline/closest.h>

#include <math.h>

/* centre - reach .. centre + reach on one axis, rounded outwards.  Each has been rounded a few
 * times in double, so less than 2^-50 of both together is missing; then the nearest float may be
 * one step further in. */
static void set_bounds(sl_aabb *box, int axis, double low, double high, double reach)
{
    const double slack_low = (fabs(low) + reach) * 0x1p-50;
    const double slack_high = (fabs(high) + reach) * 0x1p-50;
    box->min[axis] = nextafterf((float)(low - reach - slack_low), -INFINITY);
    box->max[axis] = nextafterf((float)(high + reach + slack_high), INFINITY);
}

static bool meet(const sl_triangle *triangle, const sl_aabb *box)
{
    return sli_triangle_aabb(triangle, box, SL_SAT_ORDER_123, NULL) == SL_SAT_OVERLAP;
}

static sl_aabb aabb_bounds(const sl_volume *volume)
{
    return volume->shape.aabb;
}

static bool aabb_touches_box(const sl_volume *volume, const sl_aabb *box)
{
    return sl_aabb_aabb(&volume->shape.aabb, box);
}

static bool aabb_contains_box(const sl_volume *volume, const sl_aabb *box)
{
    return sl_aabb_contains_box(&volume->shape.aabb, box);
}

static bool aabb_contains_point(const sl_volume *volume, const float point[3])
{
    return sl_aabb_contains_point(&volume->shape.aabb, point);
}

static bool aabb_touches_triangle(const sl_volume *volume, const sl_triangle *triangle)
{
    return meet(triangle, &volume->shape.aabb);
}

static sl_aabb sphere_bounds(const sl_volume *volume)
{
    sl_aabb box;
    const sl_sphere *sphere = &volume->shape.sphere;
    for (int axis = 0; axis < 3; axis++) {
        set_bounds(&box, axis, sphere->centre[axis], sphere->centre[axis], sphere->radius);
    }
    return box;
}

static bool sphere_touches_box(const sl_volume *volume, const sl_aabb *box)
{
    return sli_sphere_aabb(&volume->shape.sphere, box);
}

/* By the farthest corner.  The sum of squares has been rounded five times, the difference once. */
static bool sphere_contains_box(const sl_volume *volume, const sl_aabb *box)
{
    const sl_sphere *sphere = &volume->shape.sphere;
    const double radius = sphere->radius;
    double far2 = 0;
    for (int axis = 0; axis < 3; axis++) {
        const double centre = sphere->centre[axis];
        const double far = fmax(centre - (double)box->min[axis], (double)box->max[axis] - centre);
        far2 += far * far;
    }
    return far2 * (1 + 0x1p-49) <= radius * radius;
}

static bool sphere_touches_triangle(const sl_volume *volume, const sl_triangle *triangle)
{
    return sli_sphere_triangle(&volume->shape.sphere, triangle);
}

static sl_aabb obb_bounds(const sl_volume *volume)
{
    sl_aabb box;
    const sl_obb *obb = &volume->shape.obb;
    for (int axis = 0; axis < 3; axis++) {
        double reach = 0;
        for (int i = 0; i < 3; i++) {
            reach += fabs((double)obb->axis[i][axis]) * (double)obb->half[i];
        }
        set_bounds(&box, axis, obb->centre[axis], obb->centre[axis], reach);
    }
    return box;
}

static bool obb_touches_box(const sl_volume *volume, const sl_aabb *box)
{
    return sli_obb_aabb(&volume->shape.obb, box);
}

static bool obb_contains_point(const sl_volume *volume, const float point[3])
{
    return sl_obb_contains_point(&volume->shape.obb, point);
}

static bool obb_touches_triangle(const sl_volume *volume, const sl_triangle *triangle)
{
    return sli_obb_triangle(&volume->shape.obb, triangle);
}

static sl_aabb capsule_bounds(const sl_volume *volume)
{
    sl_aabb box;
    const sl_capsule *capsule = &volume->shape.capsule;
    for (int axis = 0; axis < 3; axis++) {
        const double p = capsule->p[axis], q = capsule->q[axis];
        set_bounds(&box, axis, fmin(p, q), fmax(p, q), capsule->radius);
    }
    return box;
}

static bool capsule_touches_box(const sl_volume *volume, const sl_aabb *box)
{
    return sli_capsule_aabb(&volume->shape.capsule, box);
}

static bool capsule_contains_point(const sl_volume *volume, const float point[3])
{
    return sl_capsule_contains_point(&volume->shape.capsule, point);
}

static bool capsule_touches_triangle(const sl_volume *volume, const sl_triangle *triangle)
{
    return sli_capsule_triangle(&volume->shape.capsule, triangle);
}

static sl_aabb no_bounds(const sl_volume *volume)
{
    (void)volume;
    return (sl_aabb){ .min = { -INFINITY, -INFINITY, -INFINITY },
                      .max = { INFINITY, INFINITY, INFINITY } };
}

/* Plane by plane, which lets boxes in that pass a corner of the frustum; an exact answer would take
 * longer than it saves. */
static bool frustum_touches_box(const sl_volume *volume, const sl_aabb *box)
{
    const sl_frustum *frustum = &volume->shape.frustum;
    if (frustum->count > SL_FRUSTUM_PLANES) {
        return false;
    }
    for (uint32_t i = 0; i < frustum->count; i++) {
        if (sli_plane_aabb(&frustum->plane[i], box) > 0) {
            return false; /* in front of it, or it is not valid */
        }
    }
    return true;
}

static bool frustum_contains_box(const sl_volume *volume, const sl_aabb *box)
{
    const sl_frustum *frustum = &volume->shape.frustum;
    for (uint32_t i = 0; i < frustum->count; i++) {
        if (sli_plane_aabb(&frustum->plane[i], box) >= 0) {
            return false;
        }
    }
    return true;
}

static bool frustum_contains_point(const sl_volume *volume, const float point[3])
{
    return sl_frustum_contains_point(&volume->shape.frustum, point);
}

static bool frustum_touches_triangle(const sl_volume *volume, const sl_triangle *triangle)
{
    return sli_frustum_triangle(&volume->shape.frustum, triangle);
}

static sl_aabb triangle_bounds(const sl_volume *volume)
{
    return sl_aabb_of_triangle(&volume->shape.triangle);
}

static bool triangle_touches_box(const sl_volume *volume, const sl_aabb *box)
{
    return meet(&volume->shape.triangle, box);
}

static bool triangle_touches_triangle(const sl_volume *volume, const sl_triangle *triangle)
{
    return sli_triangle_triangle(&volume->shape.triangle, triangle);
}

typedef struct volume_row {
    sl_aabb (*bounds)(const sl_volume *volume);
    bool (*touches_box)(const sl_volume *volume, const sl_aabb *box);
    bool (*touches_triangle)(const sl_volume *volume, const sl_triangle *triangle);
    /* Either may be NULL: then corners tell whether a box is within, or nobody asks. */
    bool (*contains_box)(const sl_volume *volume, const sl_aabb *box);
    bool (*contains_point)(const sl_volume *volume, const float point[3]);
} volume_row;

/* By sl_volume_kind. */
static const volume_row rows[] = {
    { aabb_bounds, aabb_touches_box, aabb_touches_triangle, aabb_contains_box,
      aabb_contains_point },
    { sphere_bounds, sphere_touches_box, sphere_touches_triangle, sphere_contains_box, NULL },
    { obb_bounds, obb_touches_box, obb_touches_triangle, NULL, obb_contains_point },
    { capsule_bounds, capsule_touches_box, capsule_touches_triangle, NULL, capsule_contains_point },
    { no_bounds, frustum_touches_box, frustum_touches_triangle, frustum_contains_box,
      frustum_contains_point },
    { triangle_bounds, triangle_touches_box, triangle_touches_triangle, NULL, NULL },
};

static const volume_row *row_of(const sl_volume *volume)
{
    const size_t kind = (size_t)volume->kind;
    return kind < sizeof rows / sizeof rows[0] ? &rows[kind] : NULL;
}

bool sli_volume_touches_box(const sl_volume *volume, const sl_aabb *box)
{
    const volume_row *row = row_of(volume);
    return row != NULL && row->touches_box(volume, box);
}

bool sli_volume_touches_triangle(const sl_volume *volume, const sl_triangle *triangle)
{
    const volume_row *row = row_of(volume);
    return row != NULL && row->touches_triangle(volume, triangle);
}

/* All kinds are convex: with its corners they contain a whole box. */
static bool contains_corners(const volume_row *row, const sl_volume *volume, const sl_aabb *box)
{
    bool contains = row->contains_point != NULL;
    for (int i = 0; i < 8 && contains; i++) {
        float corner[3];
        for (int axis = 0; axis < 3; axis++) {
            corner[axis] = (i >> axis & 1) != 0 ? box->max[axis] : box->min[axis];
        }
        contains = row->contains_point(volume, corner);
    }
    return contains;
}

bool sli_volume_contains_box(const sl_volume *volume, const sl_aabb *box)
{
    const volume_row *row = row_of(volume);
    return row != NULL && (row->contains_box != NULL ? row->contains_box(volume, box)
                                                     : contains_corners(row, volume, box));
}

bool sli_volume_contains_corner(const sl_volume *volume, const sl_triangle *triangle)
{
    const volume_row *row = row_of(volume);
    return row != NULL && row->contains_point != NULL &&
           (row->contains_point(volume, triangle->v[0]) ||
            row->contains_point(volume, triangle->v[1]) ||
            row->contains_point(volume, triangle->v[2]));
}

sl_aabb sli_volume_bounds(const sl_volume *volume)
{
    const volume_row *row = row_of(volume);
    return row != NULL ? row->bounds(volume) : sl_aabb_empty();
}
