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
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

enum { ROUNDS = 7, QUERIES = 20000, THREADS_MAX = 64 };

typedef struct world {
    size_t count, triangles; /* of each mesh */
    size_t side;             /* meshes along each edge of the world */
    float *xyz;              /* of all meshes, one after the other */
    uint32_t *indices;       /* from 0 in each mesh */
    size_t mesh_vertices, mesh_triangles;
    sl_mesh **meshes;
    sl_bvh **trees;
} world;

/* Rings of 2 n vertices from pole to pole: 4 n (n - 1) triangles. */
static size_t rings_for(size_t triangles)
{
    size_t n = 2;
    while (4 * n * (n - 1) < triangles) {
        n++;
    }
    return n;
}

static void put_vertex(const world *w, size_t mesh, size_t k, size_t rings, test_random *random)
{
    const size_t at[3] = { mesh % w->side, mesh / w->side % w->side, mesh / w->side / w->side };
    const double pi = 3.14159265358979323846;
    const double polar = pi * (double)(k / (2 * rings)) / (double)rings;
    const double around = pi * (double)(k % (2 * rings)) / (double)rings;
    const double radius = (double)test_random_in(random, 0.45f, 0.5f);
    const double unit[3] = { sin(polar) * cos(around), sin(polar) * sin(around), cos(polar) };
    for (int axis = 0; axis < 3; axis++) {
        w->xyz[3 * (mesh * w->mesh_vertices + k) + (size_t)axis] =
            (float)((double)at[axis] + 0.5 + radius * unit[axis]);
    }
}

static void make_mesh(world *w, size_t mesh, size_t rings, test_random *random)
{
    const uint32_t around = (uint32_t)(2 * rings);
    uint32_t *to = w->indices + 3 * mesh * w->mesh_triangles;
    for (size_t k = 0; k < w->mesh_vertices; k++) {
        put_vertex(w, mesh, k, rings, random);
    }
    for (uint32_t ring = 0; ring < rings; ring++) {
        for (uint32_t i = 0; i < around; i++) {
            const uint32_t a = ring * around + i, b = ring * around + (i + 1) % around;
            const uint32_t upper[3] = { a, b, b + around };
            const uint32_t lower[3] = { a, b + around, a + around };
            if (ring > 0) { /* at the pole it would be a point */
                memcpy(to, upper, sizeof upper);
                to += 3;
            }
            if (ring + 1 < rings) {
                memcpy(to, lower, sizeof lower);
                to += 3;
            }
        }
    }
    must(sl_mesh_from_arrays(w->xyz + 3 * mesh * w->mesh_vertices, w->mesh_vertices,
                             w->indices + 3 * mesh * w->mesh_triangles, w->mesh_triangles, NULL,
                             &w->meshes[mesh], NULL) == SL_OK,
         "a mesh failed");
}

static void make_world(world *w)
{
    test_random random = { 20261123 };
    const size_t rings = rings_for(w->triangles);
    w->mesh_vertices = (rings + 1) * 2 * rings;
    w->mesh_triangles = 4 * rings * (rings - 1);
    w->side = (size_t)ceil(cbrt((double)w->count));
    w->xyz = memory_for(w->count * w->mesh_vertices, 3 * sizeof *w->xyz);
    w->indices = memory_for(w->count * w->mesh_triangles, 3 * sizeof *w->indices);
    w->meshes = memory_for(w->count, sizeof(sl_mesh *));
    w->trees = memory_for(w->count, sizeof(sl_bvh *));
    for (size_t mesh = 0; mesh < w->count; mesh++) {
        make_mesh(w, mesh, rings, &random);
    }
}

typedef struct worker {
    const world *w;
    sl_bvh_quality quality;
    size_t first, step;
} worker;

static void *build_some(void *context)
{
    const worker *me = context;
    sl_build_def def = sl_default_build_def();
    def.quality = me->quality;
    for (size_t i = me->first; i < me->w->count; i += me->step) {
        sl_bvh_destroy(me->w->trees[i]);
        me->w->trees[i] = tree_of(me->w->meshes[i], &def);
    }
    return NULL;
}

static void build_all(const world *w, size_t threads, sl_bvh_quality quality, const char *name)
{
    double least = INFINITY;
    for (int round = 0; round < 3; round++) {
        pthread_t ids[THREADS_MAX];
        worker workers[THREADS_MAX];
        const double start = bench_wall_seconds();
        for (size_t i = 0; i < threads; i++) {
            workers[i] = (worker){ w, quality, i, threads };
            must(pthread_create(&ids[i], NULL, build_some, &workers[i]) == 0, "a thread failed");
        }
        for (size_t i = 0; i < threads; i++) {
            pthread_join(ids[i], NULL);
        }
        least = fmin(least, bench_wall_seconds() - start);
    }
    size_t bytes = 0;
    for (size_t i = 0; i < w->count; i++) {
        sl_bvh_info info;
        sl_bvh_get_info(w->trees[i], &info, sizeof info);
        bytes += info.bytes;
    }
    const double each = least / (double)w->count;
    printf("%-8s %.1f us and %.0f bytes a mesh, %.0f ns and %.1f bytes a triangle\n", name,
           1e6 * each, (double)bytes / (double)w->count, 1e9 * each / (double)w->mesh_triangles,
           (double)bytes / (double)(w->count * w->mesh_triangles));
}

static sl_bvh *one_tree(const world *w)
{
    const size_t corners = 3 * w->mesh_triangles;
    uint32_t *indices = memory_for(w->count * corners, sizeof *indices);
    sl_mesh *mesh = NULL;
    must(w->count * w->mesh_vertices < UINT32_MAX, "too many triangles");
    for (size_t i = 0; i < w->count * corners; i++) {
        indices[i] = w->indices[i] + (uint32_t)(i / corners * w->mesh_vertices);
    }
    must(sl_mesh_from_arrays(w->xyz, w->count * w->mesh_vertices, indices,
                             w->count * w->mesh_triangles, NULL, &mesh, NULL) == SL_OK,
         "one mesh of all failed");
    const double start = bench_wall_seconds();
    sl_bvh *tree = tree_of(mesh, NULL);
    sl_bvh_info info;
    sl_bvh_get_info(tree, &info, sizeof info);
    printf("one tree over all: %.1f ms, %.1f bytes a triangle\n",
           1e3 * (bench_wall_seconds() - start),
           (double)info.bytes / (double)(w->count * w->mesh_triangles));
    sl_mesh_destroy(mesh);
    free(indices);
    return tree;
}

static sl_scene *one_scene(const world *w)
{
    sl_instance *instances = memory_for(w->count, sizeof *instances);
    sl_scene *scene = NULL;
    double least = INFINITY;
    for (size_t i = 0; i < w->count; i++) {
        instances[i] = sl_instance_of(w->trees[i]);
    }
    for (int round = 0; round < ROUNDS; round++) {
        sl_scene_destroy(scene);
        const double start = bench_wall_seconds();
        scene = scene_of(instances, w->count);
        least = fmin(least, bench_wall_seconds() - start);
    }
    printf("the scene: %.2f ms\n", 1e3 * least);
    free(instances);
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

static void measure(const sl_bvh *tree, const sl_scene *scene, float side)
{
    static const char *const names[] = { "closest", "blocked", "nearest" };
    static const bench_query queries[] = { BENCH_CLOSEST, BENCH_BLOCKED, BENCH_NEAREST };
    bench_rays q = { .count = QUERIES,
                     .rays = memory_for(QUERIES, sizeof *q.rays),
                     .segments = memory_for(QUERIES, sizeof *q.segments),
                     .points = memory_for(QUERIES, 3 * sizeof *q.points) };
    draw_questions(&q, side);
    for (int what = 0; what < 3; what++) {
        double took[2][BENCH_ROUNDS_MAX];
        bench_answers answers;
        q.query = queries[what];
        must(bench_answers_make(&answers, &q), "not enough memory");
        bench_asking one = { { .bvh = tree }, &q, 0, &answers },
                     many = { { .scene = scene }, &q, 0, &answers };
        const bench_way ways[2] = { bench_way_of(&one), bench_way_of(&many) };
        bench_time_rounds(ways, 2, ROUNDS, took);
        const double ns = 1e9 / (double)QUERIES, of_tree = ns * bench_median(took[0], ROUNDS),
                     of_scene = ns * bench_median(took[1], ROUNDS);
        printf("%-8s tree %.0f ns, scene %.0f ns, %.2f\n", names[what], of_tree, of_scene,
               of_scene / of_tree);
        bench_answers_free(&answers);
    }
    bench_rays_free(&q);
}

int main(int argc, char **argv)
{
    static const char *const names[] = { "default", "fast", "high" };
    static const sl_bvh_quality qualities[] = { SL_BVH_QUALITY_DEFAULT, SL_BVH_QUALITY_FAST,
                                                SL_BVH_QUALITY_HIGH };
    world w = { .count = (size_t)number_at(argc, argv, 1, 5000),
                .triangles = (size_t)number_at(argc, argv, 2, 500) };
    const size_t threads = (size_t)number_at(argc, argv, 3, 1);
    must(w.count > 0 && w.triangles > 0 && threads > 0 && threads <= THREADS_MAX,
         "usage: small_meshes [MESHES [TRIANGLES [THREADS]]]");
    make_world(&w);
    printf("%zu meshes of %zu triangles\n", w.count, w.mesh_triangles);
    for (int i = 2; i >= 0; i--) { /* the default's trees stay */
        build_all(&w, threads, qualities[i], names[i]);
    }
    sl_bvh *tree = one_tree(&w);
    sl_scene *scene = one_scene(&w);
    measure(tree, scene, (float)w.side);
    sl_scene_destroy(scene);
    sl_bvh_destroy(tree);
    for (size_t i = 0; i < w.count; i++) {
        sl_bvh_destroy(w.trees[i]);
        sl_mesh_destroy(w.meshes[i]);
    }
    free(w.trees);
    free(w.meshes);
    free(w.indices);
    free(w.xyz);
    return 0;
}
