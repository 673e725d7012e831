/* Where a hit of a scene lies: the surface of its triangle in the world, whose front is the
 * object's: of a mirrored instance, corners 1 and 2 change places. */
#include "bvh/query/hit_surface.h"
#include "bvh/scene/scene.h"
#include "lib/base/fpenv.h"

#include <string.h>

static bool find(const sl_scene *scene, sl_triangle_ref triangle, float u, float v, bool in_floats,
                 sli_surface *out)
{
    double corners[3][3], swapped[3][3];
    if (triangle.prim == SL_NONE || !sl_scene_triangle(scene, triangle, corners)) {
        return false;
    }
    const bool mirrored = scene->world.placed[triangle.instance].mirrored;
    memcpy(swapped[0], corners[0], sizeof swapped[0]);
    memcpy(swapped[1], corners[mirrored ? 2 : 1], sizeof swapped[1]);
    memcpy(swapped[2], corners[mirrored ? 1 : 2], sizeof swapped[2]);
    return sli_hit_surface(swapped, mirrored ? v : u, mirrored ? u : v, in_floats, out);
}

bool sl_scene_surface(const sl_scene *scene, const sl_hit *hit, sl_surface *surface)
{
    const sl_triangle_ref triangle = { .instance = hit->instance, .prim = hit->prim };
    sli_surface found;
    const sli_fpenv saved = sli_fpenv_enter();
    const bool is_there = find(scene, triangle, hit->u, hit->v, true, &found);
    if (is_there) {
        *surface = sli_surface_in_floats(&found);
    }
    sli_fpenv_leave(saved);
    return is_there;
}

bool sl_scene_surface_d(const sl_scene *scene, const sl_hit_d *hit, sl_surface_d *surface)
{
    const sl_triangle_ref triangle = { .instance = hit->instance, .prim = hit->prim };
    sli_surface found;
    const sli_fpenv saved = sli_fpenv_enter();
    const bool is_there = find(scene, triangle, hit->u, hit->v, false, &found);
    if (is_there) {
        memcpy(surface->point, found.point, sizeof surface->point);
        memcpy(surface->normal, found.normal, sizeof surface->normal);
        memcpy(surface->front_origin, found.front_origin, sizeof surface->front_origin);
        memcpy(surface->back_origin, found.back_origin, sizeof surface->back_origin);
        surface->error = found.error * (1 + 0x1p-50);
    }
    sli_fpenv_leave(saved);
    return is_there;
}
