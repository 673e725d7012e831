/* input/scene_instance.c: what an instance of a scene is: its mesh, names, mask and place, and
 * where a hit on it lies. */
#include "tools/input/scene.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The instances of the files on the way to an instance of the scene; returns how many. */
static size_t find_way(const scene_in *in, uint32_t instance,
                       const scene_instance *way[SCENE_DEPTH_MAX])
{
    sl_path_step steps[SCENE_DEPTH_MAX];
    size_t count = 0;
    (void)sl_bvh_path(in->scene, instance, steps, SCENE_DEPTH_MAX, &count);
    const scene_list *list = &in->lists[in->root];
    for (size_t i = 0; i < count && i < SCENE_DEPTH_MAX; i++) {
        way[i] = &list->instances[steps[i].index];
        list = way[i]->scene != SL_NONE ? &in->lists[way[i]->scene] : NULL;
    }
    return count < SCENE_DEPTH_MAX ? count : SCENE_DEPTH_MAX;
}

const scene_mesh *scene_in_mesh(const scene_in *in, uint32_t instance)
{
    const scene_instance *way[SCENE_DEPTH_MAX];
    const size_t count = find_way(in, instance, way);
    return count > 0 && way[count - 1]->mesh != SL_NONE ? &in->meshes[way[count - 1]->mesh] : NULL;
}

size_t scene_in_prims(const scene_in *in, uint32_t instance)
{
    const scene_mesh *mesh = scene_in_mesh(in, instance);
    sl_bvh_info info;
    if (mesh == NULL) {
        return 0;
    }
    info = sl_bvh_get_info(mesh->bvh);
    return info.prim_count;
}

uint32_t scene_in_mask(const scene_in *in, uint32_t instance)
{
    const scene_instance *way[SCENE_DEPTH_MAX];
    const size_t count = find_way(in, instance, way);
    uint32_t mask = UINT32_MAX;
    for (size_t i = 0; i < count; i++) {
        mask &= way[i]->is.mask != 0 ? way[i]->is.mask : UINT32_MAX;
    }
    return mask;
}

const char *scene_in_name(scene_in *in, uint32_t instance)
{
    const scene_instance *way[SCENE_DEPTH_MAX];
    const size_t count = find_way(in, instance, way);
    char *to = in->name;
    bool named = false;
    for (size_t i = 0; i < count; i++) {
        if (way[i]->name != NULL) {
            const size_t size = strlen(way[i]->name);
            if (to > in->name) {
                *to++ = '/';
            }
            memcpy(to, way[i]->name, size);
            to += size;
            named = true;
        }
    }
    *to = '\0';
    return named ? in->name : NULL;
}

bool scene_in_place(const scene_in *in, uint32_t instance, sl_transform *place)
{
    const scene_instance *way[SCENE_DEPTH_MAX];
    const size_t count = find_way(in, instance, way);
    for (size_t i = 0; i < count; i++) {
        if (i == 0) {
            *place = way[i]->is.transform;
        } else if (!sl_transform_product(place, &way[i]->is.transform, place)) {
            return false;
        }
    }
    return count > 0;
}

/* Places are no worse than 2^20 from flat, so that doubles know the sign. */
bool scene_in_mirrors(const sl_transform *place)
{
    double m[3][3];
    for (int i = 0; i < 3; i++) { /* columns of about one length: no product of tiny numbers */
        const double most =
            fmax(fabs(place->m[0][i]), fmax(fabs(place->m[1][i]), fabs(place->m[2][i])));
        for (int axis = 0; axis < 3; axis++) {
            m[axis][i] = most > 0 ? place->m[axis][i] / most : 0;
        }
    }
    return m[0][0] * (m[1][1] * m[2][2] - m[1][2] * m[2][1]) -
               m[0][1] * (m[1][0] * m[2][2] - m[1][2] * m[2][0]) +
               m[0][2] * (m[1][0] * m[2][1] - m[1][1] * m[2][0]) <
           0;
}

bool scene_in_surface(const sl_bvh *bvh, const scene_in *in, sl_triangle_ref triangle, double u,
                      double v, double point[3], double normal[3])
{
    double corners[3][3], edges[2][3];
    sl_transform place = sl_transform_identity();
    if (!sl_bvh_triangle(bvh, triangle, corners) ||
        (in != NULL && !scene_in_place(in, triangle.instance, &place))) {
        return false;
    }
    for (int axis = 0; axis < 3; axis++) {
        edges[0][axis] = corners[1][axis] - corners[0][axis];
        edges[1][axis] = corners[2][axis] - corners[0][axis];
        point[axis] = corners[0][axis] + (u * edges[0][axis] + v * edges[1][axis]);
    }
    double most = 0;
    for (int axis = 0; axis < 3; axis++) {
        most = fmax(most, fmax(fabs(edges[0][axis]), fabs(edges[1][axis])));
    }
    double length = 0;
    for (int axis = 0; axis < 3; axis++) {
        const int b = (axis + 1) % 3, c = (axis + 2) % 3;
        normal[axis] =
            edges[0][b] / most * (edges[1][c] / most) - edges[0][c] / most * (edges[1][b] / most);
        length += normal[axis] * normal[axis];
    }
    const double scale = (scene_in_mirrors(&place) ? -1 : 1) / sqrt(length);
    for (int axis = 0; axis < 3; axis++) {
        normal[axis] *= scale;
    }
    return true;
}
