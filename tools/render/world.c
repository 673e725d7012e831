/* render/world.c: where a hit lies and which way it faces, on a mesh or in a scene. */
#include "tools/render/render.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

bool render_surface(const picture *p, const sl_hit *hit, sl_surface *out)
{
    if (p->scene == NULL) {
        return sl_bvh_surface(p->bvh, hit, out);
    }
    const sl_triangle_ref triangle = { .prim = hit->prim, .instance = hit->instance };
    double point[3], normal[3], most = 0;
    if (!scene_in_surface(p->scene, triangle, (double)hit->u, (double)hit->v, point, normal)) {
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

void render_any(const picture *p, const sl_ray *rays, size_t count, uint8_t *any)
{
    if (p->scene != NULL) {
        sl_scene_any_many(p->scene->scene, rays, count, NULL, any, NULL);
    } else {
        sl_bvh_any_many(p->bvh, rays, count, NULL, any, NULL);
    }
}

const sl_mesh *render_mesh_of(const picture *p, const sl_hit *hit)
{
    if (p->scene == NULL) {
        return p->mesh;
    }
    const scene_mesh *mesh = scene_in_mesh(p->scene, hit->instance);
    return mesh != NULL ? mesh->mesh : NULL;
}

int render_scene_normals(picture *p)
{
    p->scene_normals = calloc(p->scene->mesh_count + 1, sizeof *p->scene_normals);
    if (p->scene_normals == NULL) {
        return -1;
    }
    for (size_t i = 0; i < p->scene->mesh_count; i++) {
        const sl_mesh *mesh = p->scene->meshes[i].mesh;
        p->scene_normals[i] = mesh != NULL ? render_vertex_normals(mesh) : NULL;
        if (mesh != NULL && p->scene_normals[i] == NULL) {
            return -1;
        }
    }
    return 0;
}

void render_free_normals(picture *p)
{
    for (size_t i = 0; p->scene_normals != NULL && i < p->scene->mesh_count; i++) {
        free(p->scene_normals[i]);
    }
    free(p->scene_normals);
    free(p->normals);
    p->scene_normals = NULL;
    p->normals = NULL;
}

/* By the cofactors, which take normals to normals; of a mirror with the sign that keeps fronts. */
static void place_normal(const sl_place *place, const float normal[3], float out[3])
{
    double cofactors[3][3], most = 0;
    for (int i = 0; i < 3; i++) {
        const int i1 = (i + 1) % 3, i2 = (i + 2) % 3;
        for (int j = 0; j < 3; j++) {
            const int j1 = (j + 1) % 3, j2 = (j + 2) % 3;
            cofactors[i][j] =
                place->m[i1][j1] * place->m[i2][j2] - place->m[i1][j2] * place->m[i2][j1];
            most = fmax(most, fabs(cofactors[i][j]));
        }
    }
    const double scale = (scene_in_mirrors(place) ? -1 : 1) / most;
    for (int i = 0; i < 3; i++) {
        double sum = 0;
        for (int j = 0; j < 3; j++) {
            sum += cofactors[i][j] * scale * (double)normal[j];
        }
        out[i] = (float)sum;
    }
}

bool render_placed_normal(const picture *p, const sl_hit *hit, float out[3])
{
    const scene_mesh *mesh = scene_in_mesh(p->scene, hit->instance);
    const float(*normals)[3] =
        mesh != NULL ? (const float(*)[3])p->scene_normals[mesh - p->scene->meshes] : NULL;
    sl_surface own;
    sl_place place;
    if (normals == NULL || !sl_bvh_surface(mesh->bvh, hit, &own) ||
        !scene_in_place(p->scene, hit->instance, &place)) {
        return false;
    }
    float smooth[3];
    render_smooth_normal(mesh->mesh, normals, hit, own.normal, smooth);
    place_normal(&place, smooth, out);
    return true;
}
