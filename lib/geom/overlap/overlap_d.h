/* overlap/overlap_d.h: the exact tests of shapes against a triangle, in doubles: those that
 * overlap.h makes in floats go through them, but for the sphere's, and scenes ask them about
 * corners in the world.
 *
 * Range    of numbers, and what makes shapes valid: shapes_d.h.
 * Callers  hold the floating-point environment; shapes are valid. */
#pragma once

#include "lib/geom/contact/relation.h"
#include "lib/geom/convex/shapes_d.h"

bool sli_aabb_triangle_d(const sl_aabb_d *box, const sl_triangle_d *triangle);
bool sli_sphere_triangle_d(const sl_sphere_d *sphere, const sl_triangle_d *triangle);
/* Whether the bounds of a capsule from p to q and those of a triangle are apart on an axis. */
bool sli_far_from_triangle(const double p[3], const double q[3], double radius,
                           const sl_triangle_d *triangle);
bool sli_capsule_triangle_d(const sl_capsule_d *capsule, const sl_triangle_d *triangle);
bool sli_obb_triangle_d(const sl_obb_d *box, const sl_triangle_d *triangle);
bool sli_frustum_triangle_d(const sl_frustum_d *frustum, const sl_triangle_d *triangle);
static inline bool sli_triangle_triangle_d(const sl_triangle_d *a, const sl_triangle_d *b)
{
    return sli_triangles_relation(a, b) != SL_APART;
}
