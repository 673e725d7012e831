/* pick_cost: what picking costs with a snap of five pixels, in pictures of 1920 x 1080.
 *
 *     pick_cost [SCENE [PIXELS [KINDS]]]      default all, 10000 and 7 (sl_pick_kind)
 *
 * Worlds of ten million triangles in 10,000 instances that fill the picture, and such as are meant
 * to be slow: walls finer than a pixel, or of two triangles, before thousands of hidden corners;
 * twenty instances in each pixel; nested shells; hairs; sheets seen edge-on.  Asks at random
 * positions, at projected corners, and where climbing leads to: from the worst so far in steps to
 * what takes more work.  Prints medians, 99 of 100, and the worst, of the least of three times at
 * each position, and of some more at the worst; nodes, triangles and rays are of the worst. */
#include "test/measure/timing.h"
#include "test/support/input/random.h"

#include <sightline/sightline.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { INSTANCES = 10000, WIDTH = 1920, HEIGHT = 1080, MESHES = 5, TIMES = 3, AGAIN = 5 };

static const char *const names[] = { "filled", "fine wall", "coarse wall", "heap",
                                     "shells", "hairs",     "edge-on" };
enum { FILLED, FINE_WALL, COARSE_WALL, HEAP, SHELLS, HAIRS, EDGE_ON, SCENES };

static void check(bool good, const char *words)
{
    if (!good) {
        fprintf(stderr, "pick_cost: %s\n", words);
        exit(1);
    }
}

typedef struct world {
    sl_bvh *trees[MESHES];
    sl_topology *none; /* without features, of the wall */
    const sl_topology **topologies;
    sl_scene *scene;
    sl_view view;
    size_t count;
    uint64_t triangles;
} world;

static sl_mesh *hairs(size_t count, test_random *random)
{
    float *xyz = malloc(9 * count * sizeof *xyz);
    uint32_t *indices = malloc(3 * count * sizeof *indices);
    sl_mesh *mesh;
    check(xyz != NULL && indices != NULL, "out of memory");
    for (size_t i = 0; i < count; i++) {
        for (size_t corner = 0; corner < 3; corner++) {
            float *x = &xyz[9 * i + 3 * corner];
            x[0] = corner == 0 ? -1 : 1;
            x[1] = corner == 0 ? test_random_in(random, -1, 1)
                               : xyz[9 * i + 1] + 1e-3f * (float)corner;
            x[2] = corner == 0 ? test_random_in(random, -1, 1) : xyz[9 * i + 2];
            indices[3 * i + corner] = (uint32_t)(3 * i + corner);
        }
    }
    check(sl_mesh_from_arrays(xyz, 3 * count, indices, count, NULL, &mesh, NULL) == SL_OK, "mesh");
    free(indices);
    free(xyz);
    return mesh;
}

static sl_bvh *tree_of(sl_mesh *mesh)
{
    sl_bvh *tree;
    check(sl_bvh_build(mesh, NULL, &tree, NULL) == SL_OK, "tree");
    sl_mesh_destroy(mesh);
    return tree;
}

static void make_trees(world *w, int scene, test_random *random)
{
    sl_mesh *mesh[MESHES];
    check(sl_mesh_generate_sphere(scene == SHELLS ? 120 : 11, NULL, &mesh[0], NULL) == SL_OK &&
              sl_mesh_generate_torus(32, 16, 1, 0.3f, NULL, &mesh[1], NULL) == SL_OK &&
              sl_mesh_generate_grid(22, 22, 0.1f, 1, NULL, &mesh[2], NULL) == SL_OK &&
              sl_mesh_generate_grid(scene == FINE_WALL ? 1500 : 1, scene == FINE_WALL ? 1500 : 1, 0,
                                    1, NULL, &mesh[4], NULL) == SL_OK,
          "meshes");
    mesh[3] = hairs(1000, random);
    sl_topology_def def = sl_default_topology_def();
    def.features = SL_EDGE_UV_SEAM;
    check(sl_topology_build(mesh[4], &def, &w->none, NULL) == SL_OK, "topology");
    for (int i = 0; i < MESHES; i++) {
        w->trees[i] = tree_of(mesh[i]);
    }
}

/* The largest coordinate. */
static double size_of(const sl_bvh *tree)
{
    const sl_aabb box = sl_bvh_bounds(tree);
    double size = 0;
    for (int axis = 0; axis < 3; axis++) {
        size = fmax(size, fmax(fabs((double)box.min[axis]), fabs((double)box.max[axis])));
    }
    return size;
}

static sl_place place_of(double scale, const double at[3], bool turned, test_random *random)
{
    double q[4] = { 0, 0, 0, 1 };
    const double scales[3] = { scale, scale, scale };
    sl_place place;
    for (int i = 0; i < 4 && turned; i++) {
        q[i] = (double)test_random_in(random, -1, 1);
    }
    check(sl_place_from_trs(at, q, scales, &place), "place");
    return place;
}

/* What is seen lies around the axis -z, 60 degrees high. */
static sl_instance instance_of(const world *w, int scene, size_t i, test_random *random)
{
    double depth = 20 * pow(10, (double)test_random_unit(random)), scale;
    double at[3];
    int tree = (int)test_random_below(random, 3);
    if (scene == SHELLS) {
        at[0] = at[1] = 0;
        at[2] = -60;
        sl_instance shell = sl_instance_of(w->trees[0]);
        shell.place = place_of(1 + 0.1 * (double)i, at, true, random);
        return shell;
    }
    depth = scene == FINE_WALL || scene == COARSE_WALL ? depth + 10 : depth;
    scale = scene == HEAP ? 0.05 : 0.018 * depth;
    at[2] = scene == HEAP ? -100 + 10 * (double)test_random_unit(random) : -depth;
    const double reach = scene == HEAP ? 1.2 : -at[2] * tan(0.52);
    at[0] = reach * (double)test_random_in(random, -1, 1) * (scene == HEAP ? 1 : 1.78);
    at[1] = reach * (double)test_random_in(random, -1, 1);
    tree = scene == HAIRS ? 3 : scene == EDGE_ON ? 2 : tree;
    sl_instance instance = sl_instance_of(w->trees[tree]);
    scale /= size_of(w->trees[tree]);
    instance.place = place_of(scale, at, scene != EDGE_ON, random);
    if (scene == EDGE_ON) {
        /* The grid's plane through the eye. */
        sl_place turned = instance.place;
        const double length = sqrt(at[0] * at[0] + at[2] * at[2]);
        const double along[3] = { at[0] / length, 0, at[2] / length };
        for (int axis = 0; axis < 3; axis++) {
            turned.m[axis][0] = scale * along[axis];
            turned.m[axis][1] = axis == 1 ? scale : 0;
            turned.m[axis][2] = scale * (axis == 0 ? -along[2] : axis == 2 ? along[0] : 0) * 0.02;
        }
        instance.place = turned;
    }
    return instance;
}

static void make_world(world *w, int scene)
{
    test_random random = { 7 };
    sl_camera_def camera = sl_default_camera_def();
    sl_camera made;
    sl_scene_info info;
    memset(w, 0, sizeof *w);
    make_trees(w, scene, &random);
    w->count = scene == SHELLS ? 90 : INSTANCES;
    sl_instance *instances = malloc((w->count + 1) * sizeof *instances);
    w->topologies = calloc(w->count + 1, sizeof *w->topologies);
    check(instances != NULL && w->topologies != NULL, "out of memory");
    for (size_t i = 0; i < w->count; i++) {
        instances[i] = instance_of(w, scene, i, &random);
    }
    if (scene == FINE_WALL || scene == COARSE_WALL) {
        const double at[3] = { -40, -40, -10 };
        instances[w->count] = sl_instance_of(w->trees[4]);
        instances[w->count].place = place_of(80, at, false, &random);
        const sl_aabb box = sl_bvh_bounds(w->trees[4]);
        for (int axis = 0; axis < 3; axis++) { /* the grid's thin axis along the view */
            double *m = instances[w->count].place.m[axis];
            const int thin = box.max[1] - box.min[1] < box.max[2] - box.min[2] ? 1 : 2;
            m[0] = axis == 0 ? 40 / (double)box.max[0] : 0;
            m[thin] = axis == 2 ? 1 : 0;
            m[3 - thin] = axis == 1 ? 40 / (double)box.max[3 - thin] : 0;
            m[3] = axis == 2 ? -10 : -20;
        }
        w->topologies[w->count] = w->none;
        w->count++;
    }
    check(sl_scene_build(instances, w->count, NULL, &w->scene, NULL) == SL_OK, "scene");
    free(instances);
    camera.eye[2] = 0;
    camera.target[2] = -1;
    camera.near_distance = 0.1f;
    camera.width = WIDTH;
    camera.height = HEIGHT;
    check(sl_camera_make(&camera, &made, NULL) == SL_OK, "camera");
    w->view = sl_view_of(&made);
    sl_scene_get_info(w->scene, &info, sizeof info);
    w->triangles = info.triangle_count;
}

static void free_world(world *w)
{
    sl_scene_destroy(w->scene);
    sl_topology_destroy(w->none);
    for (int i = 0; i < MESHES; i++) {
        sl_bvh_destroy(w->trees[i]);
    }
    free(w->topologies);
}

typedef struct cost {
    double work;
    sl_stats stats;
} cost;

/* Seconds, the least of some times: what others do on the machine is not the call's. */
static double ask(const world *w, const double xy[2], uint32_t kinds, int times)
{
    double least = INFINITY;
    sl_pick pick;
    sl_pick_def def = sl_default_pick_def();
    def.kinds = kinds;
    def.topologies = w->topologies;
    for (int i = 0; i < times; i++) {
        const double start = timing_seconds();
        (void)sl_pick_at(w->scene, &w->view, xy, &def, &pick);
        least = fmin(least, timing_seconds() - start);
    }
    return least;
}

static cost count(const world *w, const double xy[2], uint32_t kinds)
{
    cost c = { .work = 0 };
    sl_pick pick;
    sl_query query = { .stats = &c.stats };
    sl_pick_def def = sl_default_pick_def();
    def.kinds = kinds;
    def.topologies = w->topologies;
    def.query = &query;
    (void)sl_pick_at(w->scene, &w->view, xy, &def, &pick);
    c.work = (double)c.stats.nodes + (double)c.stats.triangles + (double)c.stats.rays +
             2 * (double)c.stats.instances;
    return c;
}

static void position(const world *w, bool at_corner, test_random *random, double xy[2])
{
    for (int tries = 0; at_corner && tries < 50; tries++) {
        double v[3][3], at[2];
        const sl_triangle_ref ref = { test_random_below(random, (uint32_t)w->count),
                                      test_random_below(random, 900) };
        if (sl_scene_triangle(w->scene, ref, v) && sl_view_project(&w->view, v[0], at, NULL) &&
            at[0] >= 0 && at[0] < WIDTH && at[1] >= 0 && at[1] < HEIGHT) {
            xy[0] = at[0] + (double)test_random_in(random, -0.1f, 0.1f);
            xy[1] = at[1] + (double)test_random_in(random, -0.1f, 0.1f);
            return;
        }
    }
    xy[0] = (double)test_random_in(random, 0, WIDTH);
    xy[1] = (double)test_random_in(random, 0, HEIGHT);
}

static void print_row(const char *name, const world *w, double *seconds, size_t n,
                      const double worst_at[2], uint32_t kinds)
{
    const double least = ask(w, worst_at, kinds, AGAIN);
    const cost c = count(w, worst_at, kinds);
    const double median = timing_median(seconds, n); /* which sorts them */
    printf("  %-8s %8.1f %8.1f %8.1f   at %.3f %.3f: %llu nodes, %llu triangles, %llu rays, %llu "
           "instances\n",
           name, 1e6 * median, 1e6 * seconds[n * 99 / 100], 1e6 * least, worst_at[0], worst_at[1],
           (unsigned long long)c.stats.nodes, (unsigned long long)c.stats.triangles,
           (unsigned long long)c.stats.rays, (unsigned long long)c.stats.instances);
}

static void measure(const world *w, size_t n, bool at_corner, uint32_t kinds)
{
    test_random random = { 99 };
    double *seconds = calloc(n, sizeof *seconds), worst = 0, worst_at[2] = { 0, 0 };
    check(seconds != NULL, "out of memory");
    for (size_t i = 0; i < n; i++) {
        double xy[2];
        position(w, at_corner, &random, xy);
        seconds[i] = ask(w, xy, kinds, TIMES);
        if (seconds[i] > worst) {
            worst = seconds[i];
            memcpy(worst_at, xy, sizeof worst_at);
        }
    }
    print_row(at_corner ? "corners" : "random", w, seconds, n, worst_at, kinds);
    free(seconds);
}

/* Climbs in the count of the work, which is the same each time. */
static void climb(const world *w, size_t n, uint32_t kinds)
{
    test_random random = { 5 };
    double *seconds = calloc(n, sizeof *seconds), worst = -1, worst_at[2] = { 0, 0 };
    double best = -1, at[2] = { 0, 0 };
    check(seconds != NULL, "out of memory");
    size_t stuck = 0;
    for (size_t i = 0; i < n; i++) {
        double xy[2];
        const bool fresh = stuck > 60 || best < 0;
        best = fresh ? -1 : best;
        stuck = fresh ? 0 : stuck + 1;
        position(w, test_random_below(&random, 2) == 0, &random, xy);
        if (!fresh) {
            const float step = exp2f(test_random_in(&random, -4, 6));
            xy[0] = at[0] + (double)(step * test_random_in(&random, -1, 1));
            xy[1] = at[1] + (double)(step * test_random_in(&random, -1, 1));
        }
        const double work = count(w, xy, kinds).work;
        seconds[i] = ask(w, xy, kinds, TIMES);
        if (work > best) {
            best = work;
            stuck = 0;
            memcpy(at, xy, sizeof at);
        }
        if (work > worst) {
            worst = work;
            memcpy(worst_at, xy, sizeof worst_at);
        }
    }
    print_row("climbing", w, seconds, n, worst_at, kinds);
    free(seconds);
}

int main(int argc, char **argv)
{
    const int only = argc > 1 ? atoi(argv[1]) : -1;
    const size_t pixels = argc > 2 ? (size_t)atol(argv[2]) : 10000;
    const uint32_t kinds = argc > 3 ? (uint32_t)atoi(argv[3]) : 7;
    for (int scene = 0; scene < SCENES; scene++) {
        world w;
        if (only >= 0 && only != scene) {
            continue;
        }
        make_world(&w, scene);
        printf("%s: %llu triangles, %zu instances; microseconds: median, 99 %%, worst\n",
               names[scene], (unsigned long long)w.triangles, w.count);
        measure(&w, pixels, false, kinds);
        measure(&w, pixels, true, kinds);
        climb(&w, pixels, kinds);
        fflush(stdout);
        free_world(&w);
    }
    return 0;
}
