/* A sphere against a triangle: the distance of the centre (closest/point_triangle.c) against the
 * radius. */
#include "lib/base/fpenv.h"
#include "lib/geom/closest/point_triangle.h"
#include "lib/geom/overlap/overlap.h"

#include <math.h>

SLI_NOINLINE bool sli_sphere_triangle(const sl_sphere *sphere, const sl_triangle *triangle)
{
    if (!sl_sphere_is_valid(sphere) || !sl_triangle_is_valid(triangle)) {
        return false;
    }
    const float *c = sphere->centre;
    const double point[3] = { (double)c[0], (double)c[1], (double)c[2] };
    sli_nearest_point nearest;
    return sli_point_triangle(point, triangle->v[0], triangle->v[1], triangle->v[2], sphere->radius,
                              INFINITY, &nearest);
}

bool sl_sphere_overlaps_triangle(const sl_sphere *sphere, const sl_triangle *triangle)
{
    const sli_fpenv saved = sli_fpenv_enter();
    const bool meet = sli_sphere_triangle(sphere, triangle);
    sli_fpenv_leave(saved);
    return meet;
}
