/* The table of volumes: bounds, boxes, points and triangles, for each kind. */
#include "bvh/query/volume/kinds.h"

#include "lib/geom/exact/valid.h"
#include "lib/geom/overlap/overlap.h"
#include "lib/geom/overlap/overlap_d.h"

#include <sightline/closest.h>

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

static sl_aabb aabb_bounds(const sl_volume *volume)
{
    return volume->shape.aabb;
}

/* The walk has compared bounds already, and those of this kind are exact. */
static bool aabb_touches_box(const sl_volume *volume, const sl_aabb *box)
{
    (void)volume, (void)box;
    return true;
}

static bool aabb_contains_point(const sl_volume *volume, const float point[3])
{
    const sl_aabb *box = &volume->shape.aabb;
    bool within = true;
    for (int axis = 0; axis < 3; axis++) {
        within = within && box->min[axis] <= point[axis] && point[axis] <= box->max[axis];
    }
    return within;
}

static bool aabb_contains_box(const sl_volume *volume, const sl_aabb *box)
{
    return aabb_contains_point(volume, box->min) && aabb_contains_point(volume, box->max);
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

static bool sphere_contains_point(const sl_volume *volume, const float point[3])
{
    const sl_sphere *sphere = &volume->shape.sphere;
    const double radius = sphere->radius;
    double square = 0;
    for (int axis = 0; axis < 3; axis++) {
        const double d = (double)point[axis] - (double)sphere->centre[axis];
        square += d * d;
    }
    return square * (1 + 0x1p-49) <= radius * radius;
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

static sl_aabb no_bounds(const sl_volume *volume)
{
    (void)volume;
    return (sl_aabb){ .min = { -INFINITY, -INFINITY, -INFINITY },
                      .max = { INFINITY, INFINITY, INFINITY } };
}

static sl_aabb triangle_bounds(const sl_volume *volume)
{
    return sl_aabb_of_points(volume->shape.triangle.v[0], 3);
}

static sl_aabb hull_bounds(const sl_volume *volume)
{
    const sl_hull *hull = &volume->shape.hull;
    return sli_hull_is_valid(hull) ? sl_aabb_of_points(hull->xyz, hull->count) : sl_aabb_empty();
}

typedef struct volume_row {
    sl_aabb (*bounds)(const sl_volume *volume);
    /* All three NULL: query/volume/filter.h knows. */
    bool (*touches_box)(const sl_volume *volume, const sl_aabb *box);
    bool (*contains_box)(const sl_volume *volume, const sl_aabb *box);
    bool (*contains_point)(const sl_volume *volume, const float point[3]);
} volume_row;

/* By sl_volume_kind. */
static const volume_row rows[] = {
    { aabb_bounds, aabb_touches_box, aabb_contains_box, aabb_contains_point },
    { sphere_bounds, sphere_touches_box, sphere_contains_box, sphere_contains_point },
    { obb_bounds, NULL, NULL, NULL },
    { capsule_bounds, NULL, NULL, NULL },
    { no_bounds, NULL, NULL, NULL },
    { triangle_bounds, NULL, NULL, NULL },
    { hull_bounds, NULL, NULL, NULL },
};

static const volume_row *row_of(const sl_volume *volume)
{
    const size_t kind = (size_t)volume->kind;
    return kind < sizeof rows / sizeof rows[0] ? &rows[kind] : NULL;
}

sli_interest sli_volume_sees_box(const sl_volume *volume, const sli_volume_filter *filter,
                                 const sl_aabb *box)
{
    const volume_row *row = row_of(volume);
    if (row == NULL || !filter->valid) {
        return SLI_VISIT_NOT;
    }
    if (row->touches_box != NULL) {
        return !row->touches_box(volume, box)   ? SLI_VISIT_NOT
               : row->contains_box(volume, box) ? SLI_VISIT_ALL
                                                : SLI_VISIT_SOME;
    }
    return sli_volume_filter_beside_box(filter, box)     ? SLI_VISIT_NOT
           : sli_volume_filter_contains_box(filter, box) ? SLI_VISIT_ALL
                                                         : SLI_VISIT_SOME;
}

bool sli_volume_sees_triangle(const sl_volume *volume, const sli_volume_filter *filter,
                              const sl_triangle *triangle)
{
    const volume_row *row = row_of(volume);
    for (int corner = 0; corner < 3 && row->contains_point != NULL; corner++) {
        if (row->contains_point(volume, triangle->v[corner])) {
            return true;
        }
    }
    const sli_tribool verdict =
        row->contains_point == NULL ? sli_volume_filter_triangle(filter, triangle) : SLI_UNSURE;
    if (verdict == SLI_UNSURE && volume->kind == SL_VOLUME_HULL) {
        const sl_triangle_d corners = sli_triangle_d_of(triangle);
        return sli_hull_meets_triangle(filter->hull, &corners);
    }
    return verdict == SLI_UNSURE ? sli_volume_triangle(volume, triangle) : verdict == SLI_YES;
}

sl_aabb sli_volume_bounds(const sl_volume *volume)
{
    const volume_row *row = row_of(volume);
    return row != NULL ? row->bounds(volume) : sl_aabb_empty();
}
