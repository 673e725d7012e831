/* input/mesh_or_scene.c: what a mesh and a scene have in common beside their trees. */
#include "tools/input/mesh.h"
#include "tools/input/scene.h"

#include <math.h>

sl_aabb mesh_in_bounds(const sl_bvh *bvh)
{
    const sl_aabb_d exact = sl_bvh_bounds(bvh);
    sl_aabb box;
    for (int axis = 0; axis < 3; axis++) {
        const double low = exact.min[axis], high = exact.max[axis];
        box.min[axis] = (float)low;
        box.max[axis] = (float)high;
        if ((double)box.min[axis] > low) {
            box.min[axis] = nextafterf(box.min[axis], -INFINITY);
        }
        if ((double)box.max[axis] < high) {
            box.max[axis] = nextafterf(box.max[axis], INFINITY);
        }
    }
    return box;
}

double mesh_in_diagonal(const sl_aabb *box)
{
    double square = 0;
    for (int axis = 0; axis < 3; axis++) {
        const double side = (double)box->max[axis] - (double)box->min[axis];
        square += side > 0 ? side * side : 0;
    }
    return sqrt(square);
}

size_t mesh_in_instances(const mesh_in *in)
{
    return in->scene != NULL ? in->scene->info.instance_count : 1;
}

size_t mesh_in_prims(const mesh_in *in, uint32_t instance)
{
    return in->scene != NULL ? scene_in_prims(in->scene, instance)
                             : sl_mesh_soup(in->mesh).triangle_count;
}

const sl_mesh *mesh_in_mesh(const mesh_in *in, uint32_t instance)
{
    if (in->scene == NULL) {
        return in->mesh;
    }
    const scene_mesh *mesh = scene_in_mesh(in->scene, instance);
    return mesh != NULL ? mesh->mesh : NULL;
}

static bool has_names(const mesh_in *in)
{
    return in->scene != NULL && in->scene->has_names;
}

static bool has_parts(const mesh_in *in)
{
    return in->scene != NULL ? in->scene->has_parts : sl_mesh_get_info(in->mesh).part_count > 0;
}

size_t mesh_in_told(const mesh_in *in, bool of_b, const char *names[MESH_IN_TOLD])
{
    static const char *const all[2][MESH_IN_TOLD] = {
        { "instance_a", "prim_a", "face_a", "name_a", "part_a" },
        { "instance_b", "prim_b", "face_b", "name_b", "part_b" },
    };
    size_t count = 0;
    for (size_t i = 0; i < MESH_IN_TOLD; i++) {
        if (i < 3 || (i == 3 ? has_names(in) : has_parts(in))) {
            names[count++] = all[of_b][i];
        }
    }
    return count;
}

void mesh_in_tell(const mesh_in *in, sl_triangle_ref triangle, out_value values[MESH_IN_TOLD])
{
    const bool there = triangle.prim != SL_NONE;
    const sl_mesh *mesh = there ? mesh_in_mesh(in, triangle.instance) : NULL;
    size_t count = 0;
    values[count++] = there ? value_count(triangle.instance) : value_nothing();
    values[count++] = value_number(triangle.prim);
    values[count++] = there ? mesh_in_face(mesh, triangle.prim) : value_nothing();
    if (has_names(in)) {
        values[count++] =
            there ? value_text(scene_in_name(in->scene, triangle.instance)) : value_nothing();
    }
    if (has_parts(in)) {
        values[count++] = mesh != NULL ? mesh_in_part(mesh, triangle.prim) : value_nothing();
    }
}

bool mesh_in_surface(const mesh_in *in, const sl_hit *hit, hit_surface *out)
{
    const sl_triangle_ref triangle = { .prim = hit->prim, .instance = hit->instance };
    sl_surface at;
    double most = 0;
    if (!(in->scene == NULL ? sl_bvh_surface(in->bvh, triangle, hit->u, hit->v, SL_FLOAT, &at)
                            : scene_in_surface(in->bvh, in->scene, triangle, (double)hit->u,
                                               (double)hit->v, at.point, at.normal))) {
        return false;
    }
    for (int axis = 0; axis < 3; axis++) {
        most = fmax(most, fabs(at.point[axis]));
    }
    /* Rounding the point and the origin to floats moves them by less. */
    const double away = most * 0x1p-21 + 1e-30;
    for (int axis = 0; axis < 3; axis++) {
        if (in->scene != NULL) {
            at.front_origin[axis] = at.point[axis] + away * at.normal[axis];
            at.back_origin[axis] = at.point[axis] - away * at.normal[axis];
        }
        out->point[axis] = (float)at.point[axis];
        out->normal[axis] = (float)at.normal[axis];
        out->front_origin[axis] = (float)at.front_origin[axis];
        out->back_origin[axis] = (float)at.back_origin[axis];
    }
    return true;
}
