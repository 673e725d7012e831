/* exact/plane_side.h: on which side of the plane of one triangle several points lie: the filter of
 * predicates.c for orient3d, with the parts that depend on the triangle computed once, and inlined.
 * For pairs of triangles.
 * Callers  hold the floating-point environment; coordinates are finite floats, or doubles of their
 *          range. */
#pragma once

#include "lib/geom/exact/arithmetic/vector.h"
#include "lib/geom/exact/predicates.h"

typedef struct sli_triangle_plane {
    double v[3][3];            /* the vertices */
    double normal[3], size[3]; /* (v1 - v0) x (v2 - v0), and the sizes of the products in it */
} sli_triangle_plane;

/* Whether some of three sides, -1, 0 or 1, are in front and some behind. */
static inline bool sli_are_on_both_sides(const int side[3])
{
    const int low = side[0] < side[1] ? side[0] : side[1];
    const int high = side[0] > side[1] ? side[0] : side[1];
    return (low < side[2] ? low : side[2]) < 0 && (high > side[2] ? high : side[2]) > 0;
}

static inline void sli_triangle_plane_make_d(const sl_triangle_d *triangle, sli_triangle_plane *out)
{
    double p[3], q[3];
    for (int axis = 0; axis < 3; axis++) {
        out->v[0][axis] = triangle->v[0][axis];
        out->v[1][axis] = triangle->v[1][axis];
        out->v[2][axis] = triangle->v[2][axis];
    }
    sli_subtract(out->v[1], out->v[0], p);
    sli_subtract(out->v[2], out->v[0], q);
    for (int axis = 0; axis < 3; axis++) {
        const int j = (axis + 1) % 3, k = (axis + 2) % 3;
        const double left = p[j] * q[k], right = p[k] * q[j];
        out->normal[axis] = left - right;
        out->size[axis] = fabs(left) + fabs(right);
    }
}

static inline void sli_triangle_plane_make(const sl_triangle *triangle, sli_triangle_plane *out)
{
    sl_triangle_d wide;
    for (int i = 0; i < 3; i++) {
        sli_widen(triangle->v[i], wide.v[i]);
    }
    sli_triangle_plane_make_d(&wide, out);
}

/* 1 in front, -1 behind, 0 on the plane; 0 for a triangle of zero area.  Neighbours share corners,
 * and a segment has one corner twice: both are looked at before anything is computed exactly.  At
 * v[0], and where v[0] is the corner that is there twice, all products are 0. */
static inline int sli_triangle_plane_side(const sli_triangle_plane *plane, const double point[3])
{
    double det = 0, permanent = 0;
    for (int axis = 0; axis < 3; axis++) {
        const double r = point[axis] - plane->v[0][axis];
        det += r * plane->normal[axis];
        permanent += fabs(r) * plane->size[axis];
    }
    if (fabs(det) >= 16 * 0x1p-53 * permanent) {
        return sli_sign(det);
    }
    if (sli_is_same_point(point, plane->v[1]) || sli_is_same_point(point, plane->v[2]) ||
        sli_is_same_point(plane->v[1], plane->v[2])) {
        return 0;
    }
    return sli_orient3d(plane->v[0], plane->v[1], plane->v[2], point);
}
