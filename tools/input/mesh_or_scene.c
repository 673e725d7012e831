/* input/mesh_or_scene.c: asks a mesh or a scene the same, for every subcommand that takes both. */
#include "tools/input/mesh.h"
#include "tools/input/scene.h"

#include <sightline/ray_query.h>

#include <math.h>

sl_aabb mesh_in_bounds(const mesh_in *in)
{
    return in->scene != NULL ? scene_in_bounds(in->scene) : sl_bvh_bounds(in->bvh);
}

size_t mesh_in_instances(const mesh_in *in)
{
    return in->scene != NULL ? (size_t)in->scene->info.instance_count : 1;
}

size_t mesh_in_prims(const mesh_in *in, uint32_t instance)
{
    return in->scene != NULL ? scene_in_prims(in->scene, instance)
                             : sl_mesh_triangle_count(in->mesh);
}

const sl_mesh *mesh_in_mesh(const mesh_in *in, uint32_t instance)
{
    if (in->scene == NULL) {
        return in->mesh;
    }
    const scene_mesh *mesh = scene_in_mesh(in->scene, instance);
    return mesh != NULL ? mesh->mesh : NULL;
}

bool mesh_in_corners(const mesh_in *in, sl_triangle_ref is, double corners[3][3])
{
    if (in->scene != NULL) {
        return sl_scene_triangle(in->scene->scene, is, corners);
    }
    sl_triangle triangle;
    const bool is_there = sl_mesh_triangle(in->mesh, is.prim, &triangle);
    for (int i = 0; i < 9 && is_there; i++) {
        corners[i / 3][i % 3] = (double)triangle.v[i / 3][i % 3];
    }
    return is_there;
}

bool mesh_in_surface(const mesh_in *in, const sl_hit *hit, sl_surface *out)
{
    if (in->scene == NULL) {
        return sl_bvh_surface(in->bvh, hit, out);
    }
    const sl_triangle_ref triangle = { .prim = hit->prim, .instance = hit->instance };
    double point[3], normal[3], most = 0;
    if (!scene_in_surface(in->scene, triangle, (double)hit->u, (double)hit->v, point, normal)) {
        return false;
    }
    for (int axis = 0; axis < 3; axis++) {
        most = fmax(most, fabs(point[axis]));
    }
    /* Rounding the point and the origin to floats moves them by less. */
    const double away = most * 0x1p-21 + 1e-30;
    for (int axis = 0; axis < 3; axis++) {
        out->point[axis] = (float)point[axis];
        out->normal[axis] = (float)normal[axis];
        out->front_origin[axis] = (float)(point[axis] + away * normal[axis]);
        out->back_origin[axis] = (float)(point[axis] - away * normal[axis]);
    }
    out->error = (float)away;
    return true;
}

bool mesh_in_closest(const mesh_in *in, const sl_ray *ray, const sl_query *query, sl_hit *hit)
{
    return in->scene != NULL ? sl_scene_closest(in->scene->scene, ray, query, hit)
                             : sl_bvh_closest(in->bvh, ray, query, hit);
}

void mesh_in_closest_many(const mesh_in *in, const sl_ray *rays, size_t count,
                          const sl_query *query, sl_hit *hits)
{
    if (in->scene != NULL) {
        sl_scene_closest_many(in->scene->scene, rays, count, query, hits, NULL);
    } else {
        sl_bvh_closest_many(in->bvh, rays, count, query, hits, NULL);
    }
}

void mesh_in_any_many(const mesh_in *in, const sl_ray *rays, size_t count, uint8_t *any)
{
    if (in->scene != NULL) {
        sl_scene_any_many(in->scene->scene, rays, count, NULL, any, NULL);
    } else {
        sl_bvh_any_many(in->bvh, rays, count, NULL, any, NULL);
    }
}

size_t mesh_in_all(const mesh_in *in, const sl_ray *ray, const sl_query *query, sl_hit *hits,
                   size_t capacity)
{
    return in->scene != NULL ? sl_scene_all(in->scene->scene, ray, query, hits, capacity)
                             : sl_bvh_all(in->bvh, ray, query, hits, capacity);
}
