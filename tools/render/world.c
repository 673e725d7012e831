/* render/world.c: smooth normals, of a mesh or of the meshes of a scene. */
#include "tools/render/render.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

bool render_make_normals(picture *p)
{
    const scene_in *scene = p->in->scene;
    if (scene == NULL) {
        p->normals = render_vertex_normals(p->in->mesh);
        return p->normals != NULL;
    }
    p->scene_normals = calloc(scene->mesh_count + 1, sizeof *p->scene_normals);
    bool made = p->scene_normals != NULL;
    for (size_t i = 0; made && i < scene->mesh_count; i++) {
        const sl_mesh *mesh = scene->meshes[i].mesh;
        p->scene_normals[i] = mesh != NULL ? render_vertex_normals(mesh) : NULL;
        made = mesh == NULL || p->scene_normals[i] != NULL;
    }
    return made;
}

void render_free_normals(picture *p)
{
    for (size_t i = 0; p->scene_normals != NULL && i < p->in->scene->mesh_count; i++) {
        free(p->scene_normals[i]);
    }
    free(p->scene_normals);
    free(p->normals);
    p->scene_normals = NULL;
    p->normals = NULL;
}

/* By the cofactors, which take normals to normals; of a mirror with the sign that keeps fronts. */
static void place_normal(const sl_transform *place, const float normal[3], float out[3])
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
    const scene_mesh *mesh = scene_in_mesh(p->in->scene, hit->instance);
    const float(*normals)[3] =
        mesh != NULL ? (const float(*)[3])p->scene_normals[mesh - p->in->scene->meshes] : NULL;
    sl_surface own;
    sl_transform place;
    if (normals == NULL ||
        !sl_bvh_surface(mesh->bvh, (sl_triangle_ref){ .prim = hit->prim }, hit->u, hit->v, SL_FLOAT,
                        &own) ||
        !scene_in_place(p->in->scene, hit->instance, &place)) {
        return false;
    }
    const float facet[3] = { (float)own.normal[0], (float)own.normal[1], (float)own.normal[2] };
    float smooth[3];
    render_smooth_normal(mesh->mesh, normals, hit, facet, smooth);
    place_normal(&place, smooth, out);
    return true;
}
