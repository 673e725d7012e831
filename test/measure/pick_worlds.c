/* Worlds from numbers: pick_worlds.h. */
#include "test/measure/pick_worlds.h"

#include "test/support/input/random.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* In each group. */
enum { MOST_INSTANCES = 4000, OVER_A_PIXEL = 10 };

enum { HAIRS, FINS, WALL, HOLES, ROUGH, SPHERE, SOUP, KINDS };

static const char *const kinds[KINDS] = {
    "hairs", "fins", "wall", "wall with holes", "rough with holes", "sphere", "soup"
};

/* What a group's numbers stand for. */
typedef struct group {
    int kind;
    uint32_t size;      /* hairs, fins, or cuts of a side */
    double share;       /* thickness, missing triangles, and so on; 0 to 1 */
    uint32_t instances; /* none: 0 */
    double near, far, pixels, spread;
    int turned; /* 0: as they are, 1: a little, 2: anyhow */
} group;

static group group_of(const double *n, double density)
{
    group g = { .kind = (int)(n[0] * KINDS), .share = n[2] };
    const bool by_side = g.kind != HAIRS && g.kind != FINS && g.kind != SOUP;
    g.size = (uint32_t)(by_side ? exp2(1 + 6 * n[1]) : exp2(2 + 11 * n[1]));
    g.near = 0.05 * pow(2000, n[4]);
    g.far = g.near * pow(10, 2 * n[5]);
    g.pixels = 2 * pow(1000, n[6]);
    g.size = (uint32_t)fmax(fmin(g.size, density * g.pixels * (by_side ? 0.5 : 1)), 2);
    g.spread = pow(10, -3 * (n[7] * 3 - floor(n[7] * 3)));
    g.turned = (int)(n[7] * 3);
    const double over = fmax(PICK_WORLD_HEIGHT * g.spread / g.pixels, 1); /* each covers a share */
    const double most = fmin(MOST_INSTANCES, OVER_A_PIXEL * over * over);
    g.instances = n[3] < 0.1 ? 0 : (uint32_t)pow(most, (n[3] - 0.1) / 0.9);
    return g;
}

/* ---- Meshes ---- */

typedef struct arrays {
    float *xyz;
    uint32_t *indices;
    size_t vertices, triangles;
} arrays;

static uint32_t add_vertex(arrays *a, double x, double y, double z)
{
    float *at = &a->xyz[3 * a->vertices];
    at[0] = (float)x;
    at[1] = (float)y;
    at[2] = (float)z;
    return (uint32_t)a->vertices++;
}

static void add_triangle(arrays *a, uint32_t i, uint32_t j, uint32_t k)
{
    uint32_t *at = &a->indices[3 * a->triangles++];
    at[0] = i;
    at[1] = j;
    at[2] = k;
}

static void add_hairs(arrays *a, const group *g, test_random *random)
{
    const double thick = 1e-4 * pow(1000, g->share);
    for (uint32_t i = 0; i < g->size; i++) {
        const double y = (double)test_random_in(random, -1, 1),
                     z = (double)test_random_in(random, -1, 1),
                     end = (double)test_random_in(random, -1, 1);
        const uint32_t first = add_vertex(a, -1, y, z);
        (void)add_vertex(a, 1, end, z);
        (void)add_vertex(a, 1, end + thick, z);
        add_triangle(a, first, first + 1, first + 2);
    }
}

/* Sheets that have the line of sight in them. */
static void add_fins(arrays *a, const group *g)
{
    for (uint32_t i = 0; i < g->size; i++) {
        const double x = 2.0 * i / g->size - 1, tilt = 0.1 * g->share;
        const uint32_t first = add_vertex(a, x, -1, -1);
        (void)add_vertex(a, x, 1, -1);
        (void)add_vertex(a, x + tilt, 1, 1);
        (void)add_vertex(a, x + tilt, -1, 1);
        add_triangle(a, first, first + 1, first + 2);
        add_triangle(a, first, first + 2, first + 3);
    }
}

static void add_wall(arrays *a, const group *g, test_random *random)
{
    const uint32_t n = g->size;
    for (uint32_t j = 0; j <= n; j++) {
        for (uint32_t i = 0; i <= n; i++) {
            const double z = g->kind == ROUGH ? (double)test_random_in(random, -0.2f, 0.2f) : 0;
            (void)add_vertex(a, 2.0 * i / n - 1, 2.0 * j / n - 1, z);
        }
    }
    for (uint32_t k = 0; k < n * n; k++) {
        const uint32_t at = k / n * (n + 1) + k % n;
        const bool holes = g->kind != WALL;
        if (!holes || (double)test_random_unit(random) > g->share * 0.5) {
            add_triangle(a, at, at + 1, at + n + 2);
        }
        if (!holes || (double)test_random_unit(random) > g->share * 0.5) {
            add_triangle(a, at, at + n + 2, at + n + 1);
        }
    }
    if (a->triangles == 0) {
        add_triangle(a, 0, 1, n + 2);
    }
}

static sl_mesh *made_of_arrays(const group *g, test_random *random)
{
    const size_t n = g->size, most = n < 200 ? (n + 1) * (n + 1) + 4 * n : 4 * n;
    sl_mesh *mesh = NULL;
    arrays a = { .xyz = malloc(9 * most * sizeof *a.xyz),
                 .indices = malloc(6 * most * sizeof *a.indices) };
    if (a.xyz != NULL && a.indices != NULL) {
        if (g->kind == HAIRS) {
            add_hairs(&a, g, random);
        } else if (g->kind == FINS) {
            add_fins(&a, g);
        } else {
            add_wall(&a, g, random);
        }
        if (sl_mesh_from_arrays(a.xyz, a.vertices, a.indices, a.triangles, NULL, &mesh, NULL) !=
            SL_OK) {
            mesh = NULL;
        }
    }
    free(a.xyz);
    free(a.indices);
    return mesh;
}

static sl_bvh *tree_of(const group *g, test_random *random)
{
    sl_mesh *mesh = NULL;
    sl_bvh *tree = NULL;
    if (g->kind == SPHERE) {
        (void)sl_mesh_generate_sphere(g->size / 2 + 1, NULL, &mesh, NULL);
    } else if (g->kind == SOUP) {
        (void)sl_mesh_generate_soup(g->size, (float)(0.01 + g->share), 7, NULL, &mesh, NULL);
    } else {
        mesh = made_of_arrays(g, random);
    }
    if (mesh != NULL && sl_bvh_build(mesh, NULL, &tree, NULL) != SL_OK) {
        tree = NULL;
    }
    sl_mesh_destroy(mesh);
    return tree;
}

/* ---- Instances ---- */

/* What is seen lies around the axis -z, 60 degrees high. */
static sl_instance instance_of(const sl_bvh *tree, const group *g, test_random *random)
{
    const double per_pixel = 2 * tan(acos(-1) / 6) / PICK_WORLD_HEIGHT;
    const double depth = g->near * pow(g->far / g->near, (double)test_random_unit(random));
    const double reach = 0.5 * PICK_WORLD_HEIGHT * g->spread * per_pixel * depth;
    const double scale = 0.5 * g->pixels * per_pixel * depth, scales[3] = { scale, scale, scale };
    const double turn = g->turned == 2 ? 1 : g->turned == 1 ? 0.05 : 0;
    const double at[3] = { reach * (double)test_random_in(random, -1, 1),
                           reach * (double)test_random_in(random, -1, 1), -depth };
    double q[4] = { 0, 0, 0, turn == 1 ? 0.1 : 1 };
    sl_instance instance = sl_instance_of(tree);
    for (int i = 0; i < 3; i++) {
        q[i] = turn * (double)test_random_in(random, -1, 1);
    }
    (void)sl_place_from_trs(at, q, scales, &instance.place);
    return instance;
}

static bool build(const double *numbers, double density, pick_world *w, test_random *random)
{
    group groups[PICK_WORLD_GROUPS];
    size_t all = 0, count = 0;
    for (int i = 0; i < PICK_WORLD_GROUPS; i++) {
        groups[i] = group_of(&numbers[i * PICK_WORLD_OF_GROUP], density);
        w->trees[i] = tree_of(&groups[i], random);
        all += groups[i].instances;
        if (w->trees[i] == NULL) {
            return false;
        }
    }
    sl_instance *instances = calloc(all + 1, sizeof *instances);
    for (int i = 0; instances != NULL && i < PICK_WORLD_GROUPS; i++) {
        for (uint32_t k = 0; k < groups[i].instances; k++) {
            instances[count++] = instance_of(w->trees[i], &groups[i], random);
        }
    }
    const bool good =
        instances != NULL && sl_scene_build(instances, count, NULL, &w->scene, NULL) == SL_OK;
    free(instances);
    return good;
}

bool pick_world_make(const double numbers[PICK_WORLD_NUMBERS], double density, pick_world *w)
{
    static const uint32_t wanted[3] = { SL_PICK_FACE | SL_PICK_EDGE | SL_PICK_VERTEX,
                                        SL_PICK_EDGE | SL_PICK_VERTEX, SL_PICK_VERTEX };
    const double *own = &numbers[PICK_WORLD_GROUPS * PICK_WORLD_OF_GROUP];
    test_random random = { 20261125 };
    sl_camera_def camera = sl_default_camera_def();
    sl_camera made;
    *w = (pick_world){ .middle = { 0.5 * PICK_WORLD_WIDTH, 0.5 * PICK_WORLD_HEIGHT } };
    camera.eye[2] = 0;
    camera.target[2] = -1;
    camera.near_distance = 0.1f;
    camera.width = PICK_WORLD_WIDTH;
    camera.height = PICK_WORLD_HEIGHT;
    w->def = sl_default_pick_def();
    w->def.radius = (float)(0.25 * pow(20, own[0]));
    w->def.kinds = wanted[(int)(own[1] * 3)];
    if (!build(numbers, density, w, &random) || sl_camera_make(&camera, &made, NULL) != SL_OK) {
        pick_world_free(w);
        return false;
    }
    w->view = sl_view_of(&made);
    return true;
}

void pick_world_free(pick_world *w)
{
    sl_scene_destroy(w->scene);
    for (int i = 0; i < PICK_WORLD_GROUPS; i++) {
        sl_bvh_destroy(w->trees[i]);
    }
    *w = (pick_world){ .scene = NULL };
}

void pick_world_print(const double numbers[PICK_WORLD_NUMBERS], double density)
{
    static const char *const turned[3] = { "unturned", "turned a little", "turned anyhow" };
    const double *own = &numbers[PICK_WORLD_GROUPS * PICK_WORLD_OF_GROUP];
    for (int i = 0; i < PICK_WORLD_GROUPS; i++) {
        const group g = group_of(&numbers[i * PICK_WORLD_OF_GROUP], density);
        if (g.instances != 0) {
            printf("    %u instances of %s (%u, %.3f), %s, %.0f pixels large, %.2f to %.2f away, "
                   "over %.1f pixels\n",
                   g.instances, kinds[g.kind], g.size, g.share, turned[g.turned], g.pixels, g.near,
                   g.far, PICK_WORLD_HEIGHT * g.spread);
        }
    }
    printf("    radius %.2f, kinds %d\n", 0.25 * pow(20, own[0]), 7 - (int)(own[1] * 3));
}
