/* Where a hit lies (sl_bvh_surface): the point from its weights, a bound on its error, and origins
 * from which a ray goes on without meeting the triangle again. */
#include "bvh/query/query.h"

#include "lib/base/fpenv.h"

#include <float.h>
#include <math.h>

/* To the nearest float, which is a finite one: the hit is within its triangle, whose corners are,
 * even where rounding of the weights has carried the point beyond. */
static float to_finite(double x)
{
    return (float)fmax(fmin(x, (double)FLT_MAX), -(double)FLT_MAX);
}

/* The point, and the most that a coordinate may be off: half a step of u and of v (2^-24 of
 * themselves) along the sides, half a step of the rounded coordinate, and the roundings of the
 * doubles. */
static double place_point(const sl_triangle *triangle, const sl_hit *hit, float point[3])
{
    double error = 0;
    for (int axis = 0; axis < 3; axis++) {
        const double origin = triangle->v[0][axis];
        const double along_u = (triangle->v[1][axis] - origin) * hit->u;
        const double along_v = (triangle->v[2][axis] - origin) * hit->v;
        const double exact = origin + along_u + along_v;
        point[axis] = to_finite(exact);
        const double off = (fabs(along_u) + fabs(along_v) + fabs(exact)) * 0x1p-24 +
                           (fabs(origin) + fabs(along_u) + fabs(along_v)) * 0x1p-51 + 0x1p-148;
        error = fmax(error, off);
    }
    return error;
}

/* From point along side * normal until strictly on that side of the plane, decided exactly.  A
 * coordinate at the end of the floats stays there; where there is nothing beyond, it is point. */
static void step_off(const sl_triangle *triangle, const float point[3], const double normal[3],
                     double side, double step, float out[3])
{
    double corner[3][3];
    for (int i = 0; i < 3; i++) {
        for (int axis = 0; axis < 3; axis++) {
            corner[i][axis] = triangle->v[i][axis];
        }
    }
    enum { DOUBLINGS = 300 }; /* from 2^-149 to beyond every float */
    for (int i = 0; i < DOUBLINGS; i++, step *= 2) {
        double next[3];
        for (int axis = 0; axis < 3; axis++) {
            out[axis] = to_finite(point[axis] + side * step * normal[axis]);
            next[axis] = out[axis];
        }
        if (sli_orient3d(corner[0], corner[1], corner[2], next) * side > 0) {
            return;
        }
    }
    for (int axis = 0; axis < 3; axis++) {
        out[axis] = point[axis];
    }
}

static SLI_NOINLINE bool find_surface(const sl_triangle *triangle, const sl_hit *hit,
                                      sl_surface *surface)
{
    double normal[3];
    sli_triangle_normal(triangle->v[0], triangle->v[1], triangle->v[2], normal);
    const double length =
        sqrt(normal[0] * normal[0] + normal[1] * normal[1] + normal[2] * normal[2]);
    if (!(length > 0) || !isfinite(hit->u) || !isfinite(hit->v)) {
        return false;
    }
    for (int axis = 0; axis < 3; axis++) {
        normal[axis] /= length;
        surface->normal[axis] = (float)normal[axis];
    }
    const double error = place_point(triangle, hit, surface->point);
    surface->error = (float)(error * (1 + 0x1p-22));
    step_off(triangle, surface->point, normal, 1, error, surface->front_origin);
    step_off(triangle, surface->point, normal, -1, error, surface->back_origin);
    return true;
}

bool sl_bvh_surface(const sl_bvh *bvh, const sl_hit *hit, sl_surface *surface)
{
    sl_triangle triangle;
    if (hit->prim == SL_NONE || !sl_bvh_triangle(bvh, hit->prim, &triangle)) {
        return false;
    }
    sl_surface found;
    const sli_fpenv saved = sli_fpenv_enter();
    const bool is_there = find_surface(&triangle, hit, &found);
    sli_fpenv_leave(saved);
    if (is_there) {
        *surface = found;
    }
    return is_there;
}
