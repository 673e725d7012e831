/* Worlds from numbers: pick_worlds.h. */
#include "test/measure/pick_worlds.h"

#include "test/support/input/random.h"

#include <math.h>
#include <string.h>

/* In each group of numbers. */
enum { MOST_INSTANCES = 4000, OVER_A_PIXEL = 10 };

static const char *const kinds[PICK_KINDS] = {
    "hairs", "fins", "wall", "wall with holes", "rough with holes", "sphere", "soup"
};

static bool is_by_side(pick_kind kind)
{
    return kind != PICK_HAIRS && kind != PICK_FINS && kind != PICK_SOUP;
}

static pick_group group_of(const double *n, double density)
{
    pick_group g = { .kind = (pick_kind)(n[0] * PICK_KINDS), .share = n[2] };
    const bool by_side = is_by_side(g.kind);
    g.size = (uint32_t)(by_side ? exp2(1 + 6 * n[1]) : exp2(2 + 11 * n[1]));
    g.near = 0.05 * pow(2000, n[4]);
    g.far = g.near * pow(10, 2 * n[5]);
    g.pixels = 2 * pow(1000, n[6]);
    g.size = (uint32_t)fmax(fmin(g.size, density * g.pixels * (by_side ? 0.5 : 1)), 2);
    g.spread = pow(10, -3 * (n[7] * 3 - floor(n[7] * 3)));
    g.turned = (pick_turn)(n[7] * 3);
    const double over = fmax(PICTURE_HEIGHT * g.spread / g.pixels, 1); /* each covers a share */
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

static void add_hairs(arrays *a, const pick_group *g, test_random *random)
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
static void add_fins(arrays *a, const pick_group *g)
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

static void add_wall(arrays *a, const pick_group *g, test_random *random)
{
    const uint32_t n = g->size;
    for (uint32_t j = 0; j <= n; j++) {
        for (uint32_t i = 0; i <= n; i++) {
            const double z =
                g->kind == PICK_ROUGH ? (double)test_random_in(random, -0.2f, 0.2f) : 0;
            (void)add_vertex(a, 2.0 * i / n - 1, 2.0 * j / n - 1, z);
        }
    }
    for (uint32_t k = 0; k < n * n; k++) {
        const uint32_t at = k / n * (n + 1) + k % n;
        const bool holes = g->kind != PICK_WALL;
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

static sl_mesh *made_of_arrays(const pick_group *g, test_random *random)
{
    const size_t n = g->size, most = is_by_side(g->kind) ? (n + 1) * (n + 1) + 4 * n : 4 * n;
    sl_mesh *mesh = NULL;
    arrays a = { .xyz = malloc(9 * most * sizeof *a.xyz),
                 .indices = malloc(6 * most * sizeof *a.indices) };
    if (a.xyz != NULL && a.indices != NULL) {
        if (g->kind == PICK_HAIRS) {
            add_hairs(&a, g, random);
        } else if (g->kind == PICK_FINS) {
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

/* Of a bare group its topology, too. */
static bool make_tree(const pick_group *g, test_random *random, sl_bvh **tree, sl_topology **bare)
{
    OWN(sl_mesh) mesh = NULL;
    if (g->kind == PICK_SPHERE) {
        (void)sl_mesh_generate(
            &(sl_mesh_shape){ SL_MESH_SPHERE, { .sphere = { g->size / 2 + 1 } } }, NULL, &mesh,
            NULL);
    } else if (g->kind == PICK_SOUP) {
        (void)sl_mesh_generate(
            &(sl_mesh_shape){ SL_MESH_SOUP, { .soup = { g->size, (float)(0.01 + g->share), 7 } } },
            NULL, &mesh, NULL);
    } else {
        mesh = made_of_arrays(g, random);
    }
    sl_topology_def def = { 0 };
    def.features = SL_EDGE_UV_SEAM; /* which there are none of */
    return mesh != NULL && sl_bvh_build(mesh, NULL, tree, NULL) == SL_OK &&
           (!g->bare || sl_topology_build(mesh, &def, bare, NULL) == SL_OK);
}

/* ---- Instances ---- */

/* What is seen lies around the axis -z, 60 degrees high. */
static sl_instance instance_of(const sl_bvh *tree, const pick_group *g, uint32_t i,
                               test_random *random)
{
    const double per_pixel = 2 * tan(acos(-1) / 6) / PICTURE_HEIGHT;
    const double depth = g->near * pow(g->far / g->near, (double)test_random_unit(random));
    const double reach = 0.5 * PICTURE_HEIGHT * g->spread * per_pixel * depth;
    const double scale = 0.5 * g->pixels * per_pixel * depth * (1 + g->grow * i);
    const double scales[3] = { scale, scale, scale };
    const double turn = g->turned == TURN_ANYHOW ? 1 : g->turned == TURN_LITTLE ? 0.05 : 0;
    double at[3] = { reach * (double)test_random_in(random, -1, 1),
                     reach * (double)test_random_in(random, -1, 1), -depth };
    double q[4] = { 0, 0, 0, turn == 1 ? 0.1 : 1 };
    sl_instance instance = sl_instance_of(tree);
    for (int axis = 0; axis < 3; axis++) {
        q[axis] = turn * (double)test_random_in(random, -1, 1);
    }
    if (g->turned == TURN_EDGE_ON) { /* what is in a plane of y and z has the eye in it */
        const double angle = atan2(-at[0], depth);
        q[1] = sin(angle / 2);
        q[3] = cos(angle / 2);
    }
    for (uint32_t axis = 0, rest = i; axis < 3 && g->side > 0; axis++, rest /= g->side) {
        at[axis] = scale * (2.0 * (rest % g->side) - (g->side - 1)) - (axis == 2 ? depth : 0);
    }
    (void)sl_transform_from_trs(at, q, scales, &instance.transform);
    return instance;
}

static bool build_scene(const pick_group *groups, pick_world *w)
{
    test_random random = { 20261125 };
    size_t all = 0, count = 0;
    for (int i = 0; i < PICK_WORLD_GROUPS; i++) {
        all += groups[i].instances;
        if (groups[i].size > 0 && !make_tree(&groups[i], &random, &w->trees[i], &w->bare)) {
            return false;
        }
    }
    FREED sl_instance *instances = calloc(all + 1, sizeof *instances);
    w->topologies = calloc(all + 1, sizeof *w->topologies);
    w->def.topologies = w->topologies;
    for (int i = 0; instances != NULL && w->topologies != NULL && i < PICK_WORLD_GROUPS; i++) {
        const pick_group *g = &groups[i];
        for (uint32_t k = 0; k < g->instances; k++) {
            w->topologies[count] = g->bare ? w->bare : NULL;
            instances[count++] = instance_of(w->trees[i], g, k, &random);
            w->reach = fmax(w->reach, 0.5 * (PICTURE_HEIGHT * g->spread +
                                             g->pixels * (g->side + 1) * (1 + g->grow * k)));
        }
    }
    return instances != NULL && w->topologies != NULL &&
           sl_bvh_build_instances(instances, count, NULL, &w->scene, NULL) == SL_OK;
}

bool pick_world_build(const pick_group groups[PICK_WORLD_GROUPS], pick_world *w)
{
    const sl_camera_def camera = { .target = { 0, 0, -1 }, .near_distance = 0.1f };
    *w = (pick_world){ .view = view_of(camera) };
    const bool good = build_scene(groups, w);
    if (!good) {
        pick_world_free(w);
    }
    return good;
}

bool pick_world_make(const double numbers[PICK_WORLD_NUMBERS], double density, pick_world *w)
{
    static const uint32_t wanted[3] = { SL_PICK_FACE | SL_PICK_EDGE | SL_PICK_VERTEX,
                                        SL_PICK_EDGE | SL_PICK_VERTEX, SL_PICK_VERTEX };
    const double *own = &numbers[PICK_WORLD_GROUPS * PICK_WORLD_OF_GROUP];
    pick_group groups[PICK_WORLD_GROUPS];
    for (int i = 0; i < PICK_WORLD_GROUPS; i++) {
        groups[i] = group_of(&numbers[i * PICK_WORLD_OF_GROUP], density);
    }
    if (!pick_world_build(groups, w)) {
        return false;
    }
    w->def.radius = (float)(0.25 * pow(20, own[0]));
    w->def.kinds = wanted[(int)(own[1] * 3)];
    return true;
}

void pick_world_free(pick_world *w)
{
    sl_bvh_destroy(w->scene);
    sl_topology_destroy(w->bare);
    free(w->topologies);
    for (int i = 0; i < PICK_WORLD_GROUPS; i++) {
        sl_bvh_destroy(w->trees[i]);
    }
    *w = (pick_world){ .scene = NULL };
}

double pick_world_seconds(const pick_world *w, const double xy[2], int times)
{
    double least = INFINITY;
    for (int i = 0; i < times; i++) {
        sl_pick pick;
        const double start = bench_cpu_seconds();
        (void)sl_pick_at(w->scene, &w->view, xy, &w->def, &pick);
        least = fmin(least, bench_cpu_seconds() - start);
    }
    return least;
}

void pick_world_print(const double numbers[PICK_WORLD_NUMBERS], double density)
{
    static const char *const turned[3] = { "unturned", "turned a little", "turned anyhow" };
    const double *own = &numbers[PICK_WORLD_GROUPS * PICK_WORLD_OF_GROUP];
    for (int i = 0; i < PICK_WORLD_GROUPS; i++) {
        const pick_group g = group_of(&numbers[i * PICK_WORLD_OF_GROUP], density);
        if (g.instances != 0) {
            printf("    %u instances of %s (%u, %.3f), %s, %.0f pixels large, %.2f to %.2f away, "
                   "over %.1f pixels\n",
                   g.instances, kinds[g.kind], g.size, g.share, turned[g.turned], g.pixels, g.near,
                   g.far, PICTURE_HEIGHT * g.spread);
        }
    }
    printf("    radius %.2f, kinds %d\n", 0.25 * pow(20, own[0]), 7 - (int)(own[1] * 3));
}
