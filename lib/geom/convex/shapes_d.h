/* convex/shapes_d.h: shapes in doubles, from shapes in floats and from a caller's, which are
 * rounded to the range of exact decisions.
 *
 * Range    numbers are multiples of 2^-149 no larger than FLT_MAX: then all that is computed
 *          exactly has the span that it has for floats, whose proofs hold (number.h).
 * Callers  hold the floating-point environment. */
#pragma once

#include "lib/geom/convex/hull.h"

/* Rounds a caller's shape to that range.  False: invalid, or an empty box. */
bool sli_aabb_d_take(const sl_aabb_d *given, sl_aabb_d *out);
bool sli_sphere_d_take(const sl_sphere_d *given, sl_sphere_d *out);
bool sli_capsule_d_take(const sl_capsule_d *given, sl_capsule_d *out);
bool sli_obb_d_take(const sl_obb_d *given, sl_obb_d *out);
bool sli_frustum_d_take(const sl_frustum_d *given, sl_frustum_d *out);
bool sli_triangle_d_take(const sl_triangle_d *given, sl_triangle_d *out);
bool sli_hull_d_take(const sl_hull_d *given, double points[SL_HULL_POINTS_MAX][3]);

/* The same volume in doubles: nothing is rounded; of a hull the kind alone. */
sl_volume_d sli_volume_d_of(const sl_volume *volume);

/* Rounds a caller's volume to the range of exact decisions.  False: it is invalid.  hull: where a
 * hull is made, whose corners are then those of *out; may be NULL for other kinds. */
bool sli_volume_d_take(const sl_volume_d *given, sli_hull *hull, sl_volume_d *out);
/* The same of a volume in floats. */
bool sli_volume_take(const sl_volume *given, sli_hull *hull, sl_volume_d *out);

/* The same shapes. */
sl_aabb_d sli_aabb_d_of(const sl_aabb *box);
sl_sphere_d sli_sphere_d_of(const sl_sphere *sphere);
sl_capsule_d sli_capsule_d_of(const sl_capsule *capsule);
sl_obb_d sli_obb_d_of(const sl_obb *box);
sl_plane_d sli_plane_d_of(const sl_plane *plane);
sl_frustum_d sli_frustum_d_of(const sl_frustum *frustum);
static inline sl_triangle_d sli_triangle_d_of(const sl_triangle *triangle)
{
    sl_triangle_d out;
    for (int i = 0; i < 3; i++) {
        for (int axis = 0; axis < 3; axis++) {
            out.v[i][axis] = (double)triangle->v[i][axis];
        }
    }
    return out;
}
