/* Where a hit lies: the point from its weights, a bound on its error, and origins from which a ray
 * goes on without meeting the triangle again. */
#include "bvh/kernel/instance/intersect.h"
#include "bvh/query/query.h"
#include <sightline/volumes.h>

#include <sightline/instances.h>

#include <string.h>

/* To the nearest number of the answer's kind within the range of floats: the hit is within its
 * triangle, whose corners are, even where rounding of the weights has carried the point beyond. */
static double to_answer(double x, bool in_floats)
{
    const double within = fmax(fmin(x, (double)FLT_MAX), -(double)FLT_MAX);
    return in_floats ? (double)(float)within : sli_round_to_grid(within, SLI_STEP);
}

/* The point, and the most that a coordinate may be off: half a step of u and of v (2^-24 of
 * themselves) along the sides, half a step of the rounded coordinate, and the roundings of the
 * doubles.  *lift is what may carry the point off the plane, whatever the weights are; in floats
 * all of the error counts as that. */
static void set_point(double v[3][3], float u, float w, bool in_floats, sl_surface *out,
                      double *lift)
{
    out->error = *lift = 0;
    for (int axis = 0; axis < 3; axis++) {
        const double origin = v[0][axis];
        const double along_u = (v[1][axis] - origin) * (double)u;
        const double along_v = (v[2][axis] - origin) * (double)w;
        const double exact = origin + along_u + along_v;
        out->point[axis] = to_answer(exact, in_floats);
        const double sides = fabs(along_u) + fabs(along_v);
        const double rounded = (fabs(origin) + sides) * 0x1p-51 + 0x1p-148;
        const double off = (sides + (in_floats ? fabs(exact) : 0)) * 0x1p-24 + rounded;
        out->error = fmax(out->error, off);
        *lift = fmax(*lift, in_floats ? off : rounded);
    }
}

/* From the point along side * normal until strictly on that side of the plane, decided exactly.  A
 * coordinate at the end of the floats stays there; where there is nothing beyond, it is the
 * point. */
static void step_off(double v[3][3], const sl_surface *at, double side, double step, bool in_floats,
                     double out[3])
{
    enum { DOUBLINGS = 300 }; /* from 2^-149 to beyond every float */
    for (int i = 0; i < DOUBLINGS; i++, step *= 2) {
        for (int axis = 0; axis < 3; axis++) {
            out[axis] = to_answer(at->point[axis] + side * step * at->normal[axis], in_floats);
        }
        if (sli_orient3d(v[0], v[1], v[2], out) * side > 0) {
            return;
        }
    }
    for (int axis = 0; axis < 3; axis++) {
        out[axis] = at->point[axis];
    }
}

/* The front is the side from which the corners run counter-clockwise; u and w are the weights of
 * corners 1 and 2.  False for weights that are not finite and for zero area. */
static SLI_NOINLINE bool find_surface(double v[3][3], float u, float w, bool in_floats,
                                      sl_surface *out)
{
    double lift, *n = out->normal;
    sli_triangle_normal(v[0], v[1], v[2], n);
    const double length = sqrt(n[0] * n[0] + n[1] * n[1] + n[2] * n[2]);
    if (!(length > 0) || !isfinite(u) || !isfinite(w)) {
        return false;
    }
    for (int axis = 0; axis < 3; axis++) {
        n[axis] /= length;
    }
    set_point(v, u, w, in_floats, out, &lift);
    step_off(v, out, 1, lift, in_floats, out->front_origin);
    step_off(v, out, -1, lift, in_floats, out->back_origin);
    out->error *= in_floats ? 1 : 1 + 0x1p-50;
    return true;
}

bool sl_bvh_triangle(const sl_bvh *bvh, sl_triangle_ref triangle, double corners[3][3])
{
    const sli_world *world = &bvh->world;
    sl_triangle found;
    if (triangle.instance >= world->count || world->transformed[triangle.instance].tree == NULL ||
        !sli_tree_triangle(world->transformed[triangle.instance].tree, triangle.prim, &found)) {
        return false;
    }
    if (bvh->instances == NULL && sli_fpenv_is_default()) {
        for (int i = 0; i < 9; i++) {
            corners[i / 3][i % 3] = (double)found.v[i / 3][i % 3];
        }
        return true;
    }
    SLI_DO_IN_FPENV(sli_world_corners(&world->transformed[triangle.instance], found.v, corners));
    return true;
}

/* The front is the object's: of a mirrored instance, corners 1 and 2 change places. */
bool sl_bvh_surface(const sl_bvh *bvh, sl_triangle_ref triangle, float u, float v, sl_number number,
                    sl_surface *surface)
{
    double corners[3][3], swapped[3][3];
    sl_surface found;
    if (triangle.prim == SL_NONE || !sl_bvh_triangle(bvh, triangle, corners)) {
        return false;
    }
    const bool mirrored = bvh->world.transformed[triangle.instance].mirrored;
    memcpy(swapped[0], corners[0], sizeof swapped[0]);
    memcpy(swapped[1], corners[mirrored ? 2 : 1], sizeof swapped[1]);
    memcpy(swapped[2], corners[mirrored ? 1 : 2], sizeof swapped[2]);
    const bool is_there = SLI_IN_FPENV(
        find_surface(swapped, mirrored ? v : u, mirrored ? u : v, number != SL_DOUBLE, &found));
    if (is_there) {
        *surface = found;
    }
    return is_there;
}
