/* Where a hit lies: the point from its weights, how far off it may be, and where to go on from. */
#include "bvh/query/query.h"

#include "lib/base/fpenv.h"

#include <math.h>

/* The point, and the most that a coordinate may be off: half a step of u and of v (2^-24 of
 * themselves) along the sides, half a step of the rounded coordinate, and the roundings of the doubles. */
static double place_point(const sl_triangle *triangle, const sl_hit *hit, float point[3])
{
    double error = 0;
    for (int axis = 0; axis < 3; axis++) {
        const double origin = triangle->v[0][axis];
        const double along_u = (triangle->v[1][axis] - origin) * hit->u;
        const double along_v = (triangle->v[2][axis] - origin) * hit->v;
        const double exact = origin + along_u + along_v;
        point[axis] = (float)exact;
        const double off = (fabs(along_u) + fabs(along_v) + fabs(exact)) * 0x1p-24 +
                           (fabs(origin) + fabs(along_u) + fabs(along_v)) * 0x1p-51 + 0x1p-148;
        error = fmax(error, off);
    }
    return error;
}

/* From point along side * normal until strictly on that side of the plane, decided exactly. */
static void step_off(const sl_triangle *triangle, const float point[3], const double normal[3],
                     double side, double step, float out[3])
{
    double corner[3][3];
    for (int i = 0; i < 3; i++) {
        out[i] = point[i];
        for (int axis = 0; axis < 3; axis++) {
            corner[i][axis] = triangle->v[i][axis];
        }
    }
    enum { DOUBLINGS = 300 }; /* from 2^-149 to beyond every float */
    for (int i = 0; i < DOUBLINGS; i++, step *= 2) {
        float next[3];
        for (int axis = 0; axis < 3; axis++) {
            next[axis] = (float)(point[axis] + side * step * normal[axis]);
        }
        if (!isfinite(next[0]) || !isfinite(next[1]) || !isfinite(next[2])) {
            return;
        }
        const double d[3] = { next[0], next[1], next[2] };
        for (int axis = 0; axis < 3; axis++) {
            out[axis] = next[axis];
        }
        if (sli_orient3d(corner[0], corner[1], corner[2], d) * side > 0) {
            return;
        }
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
