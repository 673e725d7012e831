/* small_meshes: what many small meshes cost: trees built one after the other, a scene of them, and
 * its queries beside those of one tree over all the same triangles.
 *
 *     small_meshes [MESHES [TRIANGLES [THREADS]]]      default 5000, 500 and 1
 *
 * Each mesh is a bumpy sphere of its own, of about that many triangles, where it stands in a world
 * in which neighbours touch.  Prints microseconds and bytes of a tree, for all qualities;
 * milliseconds of the scene; and the nanoseconds of rays in any direction, of segments a tenth of
 * the world long, and of nearest points.  THREADS build trees at the same time, each its own
 * meshes; queries run on one thread. */
#include "test/measure/program.h"
#include "test/support/input/random.h"
#include "tools/bench/harness/rounds.h"

#include <math.h>

enum { ROUNDS = 7, QUERIES = 20000 };

typedef struct world {
    size_t count, side;       /* meshes in all, and along each edge of the world */
    float *xyz;               /* of all meshes, one after the other */
    sl_mesh *sphere;          /* whose triangles they have */
    size_t vertices, corners; /* of each mesh */
    sl_mesh **meshes;
    sl_bvh **trees;
    sl_build_def def;
} world;

/* The sphere, smaller and bumpy, where the mesh stands. */
static void make_mesh(world *w, size_t mesh, test_random *random)
{
    const size_t at[3] = { mesh % w->side, mesh / w->side % w->side, mesh / w->side / w->side };
    const float *unit = sl_mesh_soup(w->sphere).xyz;
    float *to = w->xyz + 3 * mesh * w->vertices;
    for (size_t k = 0; k < w->vertices; k++) {
        const float radius = test_random_in(random, 0.45f, 0.5f);
        for (size_t axis = 0; axis < 3; axis++) {
            to[3 * k + axis] = (float)at[axis] + 0.5f + radius * unit[3 * k + axis];
        }
    }
    must(sl_mesh_from_arrays(to, w->vertices, sl_mesh_soup(w->sphere).indices, w->corners / 3, NULL,
                             &w->meshes[mesh], NULL) == SL_OK,
         "a mesh failed");
}

static void make_world(world *w, size_t triangles)
{
    test_random random = { 20261123 };
    w->sphere = shape_mesh(SHAPE_SPHERE, triangles);
    w->vertices = sl_mesh_soup(w->sphere).vertex_count;
    w->corners = 3 * sl_mesh_soup(w->sphere).triangle_count;
    w->side = (size_t)ceil(cbrt((double)w->count));
    w->xyz = memory_for(w->count * w->vertices, 3 * sizeof *w->xyz);
    w->meshes = memory_for(w->count, sizeof(sl_mesh *));
    w->trees = memory_for(w->count, sizeof(sl_bvh *));
    for (size_t mesh = 0; mesh < w->count; mesh++) {
        make_mesh(w, mesh, &random);
    }
}

static void build_some(void *context, size_t begin, size_t end, int worker)
{
    const world *w = context;
    (void)worker;
    for (size_t i = begin; i < end; i++) {
        sl_bvh_destroy(w->trees[i]);
        w->trees[i] = tree_of(w->meshes[i], &w->def);
    }
}

static void build_all(world *w, const sl_tasks *tasks, sl_bvh_quality quality, const char *name)
{
    double least = INFINITY;
    w->def = (sl_build_def){ 0 };
    w->def.quality = quality;
    for (int round = 0; round < 3; round++) {
        const double start = bench_wall_seconds();
        tasks->parallel_for(tasks->user, w->count, 1, build_some, w);
        least = fmin(least, bench_wall_seconds() - start);
    }
    size_t bytes = 0;
    for (size_t i = 0; i < w->count; i++) {
        const sl_bvh_info info = sl_bvh_get_info(w->trees[i]);
        bytes += info.bytes;
    }
    const double each = least / (double)w->count;
    printf("%-8s %.1f us and %.0f bytes a mesh, %.0f ns and %.1f bytes a triangle\n", name,
           1e6 * each, (double)bytes / (double)w->count, 1e9 * each / (double)(w->corners / 3),
           (double)bytes / (double)(w->count * (w->corners / 3)));
}

static sl_bvh *one_tree(const world *w)
{
    FREED uint32_t *indices = memory_for(w->count * w->corners, sizeof *indices);
    OWN(sl_mesh) mesh = NULL;
    must(w->count * w->vertices < UINT32_MAX, "too many triangles");
    for (size_t i = 0; i < w->count * w->corners; i++) {
        indices[i] = sl_mesh_soup(w->sphere).indices[i % w->corners] +
                     (uint32_t)(i / w->corners * w->vertices);
    }
    must(sl_mesh_from_arrays(w->xyz, w->count * w->vertices, indices, w->count * (w->corners / 3),
                             NULL, &mesh, NULL) == SL_OK,
         "one mesh of all failed");
    const double start = bench_wall_seconds();
    sl_bvh *tree = tree_of(mesh, NULL);
    const sl_bvh_info info = sl_bvh_get_info(tree);
    printf("one tree over all: %.1f ms, %.1f bytes a triangle\n",
           1e3 * (bench_wall_seconds() - start),
           (double)info.bytes / (double)(w->count * (w->corners / 3)));
    return tree;
}

static sl_bvh *one_scene(const world *w)
{
    FREED sl_instance *instances = memory_for(w->count, sizeof *instances);
    sl_bvh *scene = NULL;
    double least = INFINITY;
    for (size_t i = 0; i < w->count; i++) {
        instances[i] = sl_instance_of(w->trees[i]);
    }
    for (int round = 0; round < ROUNDS; round++) {
        sl_bvh_destroy(scene);
        const double start = bench_wall_seconds();
        scene = scene_of(instances, w->count);
        least = fmin(least, bench_wall_seconds() - start);
    }
    printf("the scene: %.2f ms\n", 1e3 * least);
    return scene;
}

static void draw_questions(bench_rays *q, float side)
{
    test_random random = { 7 };
    for (size_t i = 0; i < q->count; i++) {
        q->rays[i].tmax = INFINITY;
        for (int axis = 0; axis < 3; axis++) {
            const float from = test_random_in(&random, 0, side);
            const float toward = test_random_in(&random, -1, 1);
            q->rays[i].origin[axis] = q->segments[i].p[axis] = from;
            q->points[3 * i + (size_t)axis] = from;
            q->rays[i].dir[axis] = toward;
            q->segments[i].q[axis] = from + 0.1f * side * toward;
        }
    }
}

static void measure(const sl_bvh *tree, const sl_bvh *scene, float side)
{
    static const char *const names[] = { "closest", "blocked", "nearest" };
    static const bench_query queries[] = { BENCH_CLOSEST, BENCH_BLOCKED, BENCH_NEAREST };
    UNDONE(bench_rays_free)
    bench_rays q = { .count = QUERIES,
                     .rays = memory_for(QUERIES, sizeof *q.rays),
                     .segments = memory_for(QUERIES, sizeof *q.segments),
                     .points = memory_for(QUERIES, 3 * sizeof *q.points) };
    draw_questions(&q, side);
    for (int what = 0; what < 3; what++) {
        double took[2][BENCH_ROUNDS_MAX];
        UNDONE(bench_answers_free) bench_answers answers;
        q.query = queries[what];
        must(bench_answers_make(&answers, &q), "not enough memory");
        bench_asking one = { { .bvh = tree }, &q, 0, &answers },
                     many = { { .bvh = scene }, &q, 0, &answers };
        const bench_way ways[2] = { bench_way_of(&one), bench_way_of(&many) };
        bench_time_rounds(ways, 2, ROUNDS, took);
        const double ns = 1e9 / (double)QUERIES, of_tree = ns * bench_median(took[0], ROUNDS),
                     of_scene = ns * bench_median(took[1], ROUNDS);
        printf("%-8s tree %.0f ns, scene %.0f ns, %.2f\n", names[what], of_tree, of_scene,
               of_scene / of_tree);
    }
}

int main(int argc, char **argv)
{
    static const char *const names[] = { "default", "fast", "high" };
    world w = { .count = (size_t)number_at(argc, argv, 1, 5000) };
    sl_pool *pool = NULL;
    must(w.count > 0, "usage: small_meshes [MESHES [TRIANGLES [THREADS]]]");
    must(sl_pool_create((int)number_at(argc, argv, 3, 1), NULL, &pool, NULL) == SL_OK,
         "no threads");
    make_world(&w, (size_t)number_at(argc, argv, 2, 500));
    printf("%zu meshes of %zu triangles\n", w.count, w.corners / 3);
    for (int i = 2; i >= 0; i--) { /* the default's trees stay */
        build_all(&w, sl_pool_tasks(pool), (sl_bvh_quality)i, names[i]);
    }
    sl_bvh *tree = one_tree(&w);
    sl_bvh *scene = one_scene(&w);
    measure(tree, scene, (float)w.side);
    sl_bvh_destroy(scene);
    sl_bvh_destroy(tree);
    for (size_t i = 0; i < w.count; i++) {
        sl_bvh_destroy(w.trees[i]);
        sl_mesh_destroy(w.meshes[i]);
    }
    sl_mesh_destroy(w.sphere);
    sl_pool_destroy(pool);
    free(w.trees);
    free(w.meshes);
    free(w.xyz);
    return 0;
}
