/* Hulls against each shape: by separating axes (axes.h); a sphere, by its centre and the faces.
 * Where a hull has no volume, a triangle is decided by its relation to the hull's own triangles:
 * many axes of flat bodies have coordinates that are 0, which doubles leave open. */
#include "lib/base/inline.h"
#include "lib/geom/convex/sat.h"
#include "lib/geom/exact/predicates.h"
#include "lib/geom/exact/valid.h"
#include "lib/geom/overlap/overlap.h"
#include "lib/geom/overlap/overlap_d.h"

#include <string.h>

static bool meets_body(const sli_hull *hull, const sli_body *body)
{
    sli_mover mover;
    sli_mover_make(NULL, hull, &mover);
    return sli_mover_meets(&mover, body);
}

/* Of a flat hull every other face is the one before it, seen from behind. */
static bool flat_hull_meets(const sli_hull *hull, const sl_triangle_d *triangle)
{
    bool meets = false;
    for (int i = 0; !meets && i < (hull->faces > 0 ? hull->faces : 1); i += 2) {
        sl_triangle_d own;
        sli_hull_face_triangle(hull, i, &own);
        meets = sli_triangle_triangle_d(&own, triangle);
    }
    return meets;
}

bool sli_hull_meets_triangle(const sli_hull *hull, const sl_triangle_d *triangle)
{
    sli_body body;
    if (hull->rank < 3) {
        return flat_hull_meets(hull, triangle);
    }
    sli_body_of_triangle_d(triangle, &body);
    return meets_body(hull, &body);
}

bool sli_hull_meets_sphere(const sli_hull *hull, const sl_sphere_d *sphere)
{
    bool inside = hull->rank == 3;
    sl_triangle_d triangle;
    for (int i = 0; i < hull->planes && inside; i++) {
        const uint8_t *f = hull->face[i];
        inside = sli_orient3d(hull->corner[f[0]], hull->corner[f[1]], hull->corner[f[2]],
                              sphere->centre) <= 0;
    }
    for (int i = 0; !inside && i < (hull->faces > 0 ? hull->faces : 1); i++) {
        sli_hull_face_triangle(hull, i, &triangle);
        inside = sli_sphere_triangle_d(sphere, &triangle);
    }
    return inside;
}

void sli_hull_of(const sl_hull *hull, sli_hull *out)
{
    double points[SL_HULL_POINTS_MAX][3];
    for (uint32_t i = 0; i < hull->count; i++) {
        sli_widen(hull->xyz + 3 * (size_t)i, points[i]);
    }
    sli_hull_make((const double(*)[3])points, (int)hull->count, out);
}

static SLI_NOINLINE bool given_meets(const sl_hull *given, const sli_body *body)
{
    sli_hull hull;
    sli_hull_of(given, &hull);
    return meets_body(&hull, body);
}

bool sli_hull_aabb(const sl_hull *hull, const sl_aabb *box)
{
    sli_body body;
    return sli_hull_is_valid(hull) && sli_body_of_aabb(box, &body) && given_meets(hull, &body);
}

bool sli_hull_obb(const sl_hull *hull, const sl_obb *box)
{
    sli_body body;
    return sli_hull_is_valid(hull) && sli_body_of_obb(box, &body) && given_meets(hull, &body);
}

SLI_NOINLINE bool sli_hull_triangle(const sl_hull *given, const sl_triangle *triangle)
{
    sli_hull hull;
    const sl_triangle_d wide = sli_triangle_d_of(triangle);
    if (!sli_hull_is_valid(given) || !sli_triangle_is_valid(triangle)) {
        return false;
    }
    sli_hull_of(given, &hull);
    return sli_hull_meets_triangle(&hull, &wide);
}

SLI_NOINLINE bool sli_hull_sphere(const sl_hull *given, const sl_sphere *sphere)
{
    sli_hull hull;
    const sl_sphere_d wide = sli_sphere_d_of(sphere);
    if (!sli_hull_is_valid(given) || !sli_sphere_is_valid(sphere)) {
        return false;
    }
    sli_hull_of(given, &hull);
    return sli_hull_meets_sphere(&hull, &wide);
}
