/* Clips a reference at a plane, for spatial.c: Sutherland and Hodgman, Reentrant Polygon Clipping
 * (1974), in double with planes pushed outward.
 *
 * Error    each corner of the computed polygon stands for a point of the triangle, of exact
 *          weights, from which it is off by d at most.  A new one, a + t (b - a), stands for the
 *          point that has these weights t between those of a and b; in it t may be anything in
 *          [0, 1], the product and the differences have 2 roundings and the sum 1, and t is within
 *          3 roundings of where the coordinate is the limit: d grows by less than
 *          11 2^-53 M < STEP M, where M is the largest |coordinate|.
 * Loss     in weights the polygon is convex, and clipping chops off corners of it: for each run of
 *          corners beyond the limit, the hull of the run and the two new corners beside it.  Their
 *          computed coordinates are not below the limit, so those of the points they stand for,
 *          and of the whole hull, are not below limit - d: with the plane pushed outward by more
 *          than d, nothing is lost that lies on the near side of the plane itself.  d is less than
 *          8 STEP M after the 6 planes of the box and that of the cut, so they are pushed by as
 *          much.  The box of the computed corners, grown by d, holds the points they stand for; it
 *          is grown by twice as much. */
#include "bvh/builder/split/clip_reference.h"

#include "bvh/builder/base/polygon.inl"
#include "lib/geom/overlap/triangle_aabb.h"

#include <sightline/overlap.h>

/* Shrinks the box of the reference to the shape's, grown; false where nothing is left of it. */
static bool clip_reference_bound(const polygon *shape, double grow, sli_ref *ref)
{
    for (int axis = 0; axis < 3; axis++) {
        double low = INFINITY, high = -INFINITY;
        for (int i = 0; i < shape->count; i++) {
            const double at = shape->corner[i][axis];
            low = at < low ? at : low; /* fmin would be a call */
            high = at > high ? at : high;
        }
        /* Adding 0 turns -0 into +0. */
        const float min = round_down(low - grow) + 0.0f, max = round_up(high + grow) + 0.0f;
        ref->min[axis] = min > ref->min[axis] ? min : ref->min[axis];
        ref->max[axis] = max < ref->max[axis] ? max : ref->max[axis];
        if (!(ref->min[axis] <= ref->max[axis])) {
            return false;
        }
    }
    return true;
}

/* The part of the triangle within the box of the reference, in one of the two polygons, and the
 * largest |coordinate|. */
static const polygon *load_part(const sli_triangles *mesh, const sli_ref *ref, polygon room[2],
                                double *reach)
{
    polygon *out = &room[0], *spare = &room[1];
    out->count = 0;
    *reach = 0;
    for (int i = 0; i < 3; i++) {
        const float *vertex = sli_triangle_corner(mesh, ref->prim, i);
        const double corner[3] = { vertex[0], vertex[1], vertex[2] };
        add_corner(out, corner);
        for (int axis = 0; axis < 3; axis++) {
            *reach = fabs(corner[axis]) > *reach ? fabs(corner[axis]) : *reach;
        }
    }
    for (int k = 0; k < 6; k++) {
        const int axis = k >> 1;
        const double sign = (k & 1) != 0 ? 1 : -1;
        const double face = (k & 1) != 0 ? (double)ref->max[axis] : -(double)ref->min[axis];
        if (!is_within(out, axis, sign, face)) {
            polygon *from = out;
            out = spare;
            spare = from;
            clip(from, axis, sign, face + PUSH * *reach, out);
        }
    }
    return out;
}

/* Whether the mean of the part's corners shows that the triangle meets the box; false says nothing.
 * It stands for the mean of the points that the corners stand for, which is in the triangle, too,
 * and from which it is off by d < 8 STEP M and by the roundings of at most 42 numbers' sum, of the
 * division and of the comparison: 46 2^-53 M < 3 STEP M.  Where all corners of the triangle have
 * one coordinate, its points do. */
static bool surely_meets(const sli_triangles *mesh, const polygon *part, double reach,
                         const sli_ref *ref)
{
    const float *a = sli_triangle_corner(mesh, ref->prim, 0);
    const float *b = sli_triangle_corner(mesh, ref->prim, 1);
    const float *c = sli_triangle_corner(mesh, ref->prim, 2);
    for (int axis = 0; axis < 3; axis++) {
        const bool flat = a[axis] == b[axis] && b[axis] == c[axis];
        double mean = 0;
        for (int i = 0; i < part->count; i++) {
            mean += part->corner[i][axis];
        }
        mean = flat ? (double)a[axis] : mean / part->count;
        const double off = flat ? 0 : GROW * reach;
        if (!(mean - off >= (double)ref->min[axis] && mean + off <= (double)ref->max[axis])) {
            return false;
        }
    }
    return true;
}

/* Exactly: the computed polygon cannot always decide it. */
static bool meets_box(const sli_triangles *mesh, const sli_ref *ref)
{
    sl_triangle triangle;
    sl_aabb box;
    for (int i = 0; i < 3; i++) {
        memcpy(triangle.v[i], sli_triangle_corner(mesh, ref->prim, i), sizeof triangle.v[i]);
    }
    memcpy(box.min, ref->min, sizeof box.min);
    memcpy(box.max, ref->max, sizeof box.max);
    return sli_triangle_aabb_sat_axis(&triangle, &box, SLI_SAT_ORDER_123) == SLI_SAT_OVERLAP;
}

void sli_clip_reference(const sli_triangles *mesh, const sli_ref *ref, int axis, float plane,
                        sli_ref parts[2], bool exists[2])
{
    polygon room[2], part;
    double reach;
    const polygon *shape = load_part(mesh, ref, room, &reach);
    for (int side = 0; side < 2; side++) {
        const double sign = side == 0 ? 1 : -1;
        clip(shape, axis, sign, sign * (double)plane + PUSH * reach, &part);
        parts[side] = *ref;
        exists[side] =
            part.count > 0 && clip_reference_bound(&part, GROW * reach, &parts[side]) &&
            (surely_meets(mesh, &part, reach, &parts[side]) || meets_box(mesh, &parts[side]));
    }
    if (!exists[0] && !exists[1]) {
        parts[0] = *ref;
        exists[0] = true;
    }
}
