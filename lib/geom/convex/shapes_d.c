/* Shapes in doubles: from shapes in floats, and from a caller's numbers, which are rounded to the
 * range of exact decisions. */
#include "lib/geom/convex/shapes_d.h"
#include "lib/geom/exact/arithmetic/grid.h"
#include "lib/geom/exact/arithmetic/vector.h"
#include "lib/geom/exact/predicates.h"

#include <float.h>

/* Such shapes are the same row of numbers in floats and in doubles. */
#define WIDENED(shape)                                                                             \
    sl_##shape##_d sli_##shape##_d_of(const sl_##shape *given)                                     \
    {                                                                                              \
        enum { COUNT = sizeof *given / sizeof(float) };                                            \
        _Static_assert(sizeof(sl_##shape##_d) == COUNT * sizeof(double), "one number each");       \
        sl_##shape##_d out;                                                                        \
        for (int i = 0; i < COUNT; i++) {                                                          \
            ((double *)&out)[i] = (double)((const float *)given)[i];                               \
        }                                                                                          \
        return out;                                                                                \
    }
WIDENED(aabb)
WIDENED(sphere)
WIDENED(capsule)
WIDENED(obb)
WIDENED(plane)

sl_frustum_d sli_frustum_d_of(const sl_frustum *frustum)
{
    sl_frustum_d out;
    out.count = frustum->count;
    for (uint32_t i = 0; i < frustum->count && i < SL_FRUSTUM_PLANES_MAX; i++) {
        out.plane[i] = sli_plane_d_of(&frustum->plane[i]);
    }
    return out;
}

/* False for what is not finite or larger than FLT_MAX. */
static bool shapes_d_take(const double *given, int count, double *out)
{
    bool in_range = true;
    for (int i = 0; i < count; i++) {
        in_range = in_range && fabs(given[i]) <= (double)FLT_MAX;
        out[i] = sli_round_to_grid(given[i], SLI_STEP);
    }
    return in_range;
}

/* The same for a length; -0 is a zero. */
static bool take_length(double given, double *out)
{
    return shapes_d_take(&given, 1, out) && given >= 0;
}

bool sli_aabb_d_take(const sl_aabb_d *given, sl_aabb_d *out)
{
    bool some = true;
    for (int axis = 0; axis < 3; axis++) {
        const double low = given->min[axis], high = given->max[axis];
        out->min[axis] = fabs(low) > (double)FLT_MAX ? copysign(INFINITY, low) : low;
        out->max[axis] = fabs(high) > (double)FLT_MAX ? copysign(INFINITY, high) : high;
        out->min[axis] = sli_round_to_grid(out->min[axis], SLI_STEP);
        out->max[axis] = sli_round_to_grid(out->max[axis], SLI_STEP);
        some = some && low <= high && out->min[axis] < INFINITY && out->max[axis] > -INFINITY;
    }
    return some;
}

bool sli_sphere_d_take(const sl_sphere_d *given, sl_sphere_d *out)
{
    return shapes_d_take(given->centre, 3, out->centre) && take_length(given->radius, &out->radius);
}

bool sli_capsule_d_take(const sl_capsule_d *given, sl_capsule_d *out)
{
    return shapes_d_take(given->p, 3, out->p) && shapes_d_take(given->q, 3, out->q) &&
           take_length(given->radius, &out->radius);
}

bool sli_obb_d_take(const sl_obb_d *given, sl_obb_d *out)
{
    bool valid = shapes_d_take(given->centre, 3, out->centre);
    for (int i = 0; i < 3; i++) {
        valid = valid && shapes_d_take(given->axis[i], 3, out->axis[i]) &&
                take_length(given->half[i], &out->half[i]);
    }
    return valid;
}

bool sli_frustum_d_take(const sl_frustum_d *given, sl_frustum_d *out)
{
    bool valid = given->count <= SL_FRUSTUM_PLANES_MAX;
    out->count = given->count;
    for (uint32_t i = 0; valid && i < given->count; i++) {
        double *n = out->plane[i].normal;
        valid = shapes_d_take(given->plane[i].normal, 3, n) &&
                shapes_d_take(&given->plane[i].offset, 1, &out->plane[i].offset) &&
                (n[0] != 0 || n[1] != 0 || n[2] != 0);
    }
    return valid;
}

bool sli_triangle_d_take(const sl_triangle_d *given, sl_triangle_d *out)
{
    return sli_exact_corners(given, out->v);
}

bool sli_hull_d_take(const sl_hull_d *given, double points[SL_HULL_POINTS_MAX][3])
{
    bool valid = given->count >= 1 && given->count <= SL_HULL_POINTS_MAX;
    for (uint32_t i = 0; valid && i < given->count; i++) {
        valid = shapes_d_take(given->xyz + 3 * (size_t)i, 3, points[i]);
    }
    return valid;
}
