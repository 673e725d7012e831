/* mask_cost: what masks cost, and what they save.
 *
 *     mask_cost [TRIANGLES [RAYS]]      default 1000000 and 20000
 *
 * Over a sphere, a terrain and a soup: closest and any hits of rays from anywhere within in any
 * direction, without a mask, and with one that
 *     all       all triangles share, as nothing but bit 0 is used
 *     tenth     a tenth of them shares, in cells of the bounds' ninth
 *     most      all but a tenth share, in the same cells
 *     one in ten   as many share, but anywhere
 *     half      half of them share, anywhere
 * and the same where 8 * 8 * 8 instances have these masks by their places, and triangles none:
 * nanoseconds a ray, medians of rounds in turn, one thread, by batches, and one ray a call. */
#include "test/measure/generated.h"
#include "test/measure/timing.h"
#include "test/support/input/random.h"

#include <sightline/sightline.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { ROUNDS = 7, KINDS = 5, WAYS = 4, SIDE = 8, CELLS = 9 };

static const char *const kinds[KINDS] = { "all", "tenth", "most", "one in ten", "half" };

static void check(bool good, const char *words)
{
    if (!good) {
        fprintf(stderr, "mask_cost: %s\n", words);
        exit(1);
    }
}

/* Bit 0 is asked for; at: 0 .. 1 along each axis. */
static uint32_t mask_of(int kind, const double at[3], test_random *random)
{
    uint32_t cell = 0;
    for (int axis = 0; axis < 3; axis++) {
        cell = cell * 31 + (uint32_t)(at[axis] * (double)CELLS);
    }
    const bool tenth = (cell * 2654435761u >> 16) % 10 == 0;
    switch (kind) {
    case 0:
        return 1;
    case 1:
        return tenth ? 1 : 2;
    case 2:
        return tenth ? 2 : 1;
    case 3:
        return test_random_below(random, 10) == 0 ? 1 : 2;
    default:
        return test_random_below(random, 2) == 0 ? 1 : 2;
    }
}

typedef struct question {
    const sl_bvh *tree;
    const sl_scene *scene;
    const sl_ray *rays;
    size_t count;
    sl_hit *hits;
    uint8_t *any;
} question;

/* Nanoseconds a ray. */
static double ask(const question *q, int way, const sl_query *query)
{
    const double start = timing_seconds();
    if (q->scene != NULL) {
        if (way == 0) {
            sl_scene_closest_many(q->scene, q->rays, q->count, query, q->hits, NULL);
        } else {
            sl_scene_any_many(q->scene, q->rays, q->count, query, q->any, NULL);
        }
    } else if (way == 0) {
        sl_bvh_closest_many(q->tree, q->rays, q->count, query, q->hits, NULL);
    } else if (way == 1) {
        sl_bvh_any_many(q->tree, q->rays, q->count, query, q->any, NULL);
    } else {
        for (size_t i = 0; i < q->count; i++) {
            if (way == 2) {
                (void)sl_bvh_closest(q->tree, &q->rays[i], query, &q->hits[i]);
            } else {
                q->any[i] = sl_bvh_any(q->tree, &q->rays[i], query);
            }
        }
    }
    return 1e9 * (timing_seconds() - start) / (double)q->count;
}

static void report(const char *words, const question *q)
{
    const sl_query queries[2] = { { .flags = 0 }, { .flags = SL_USE_MASK, .mask = 1 } };
    const int ways = q->scene != NULL ? 2 : WAYS;
    printf("%-22s", words);
    for (int way = 0; way < ways; way++) {
        double ns[2][ROUNDS];
        for (int round = -1; round < ROUNDS; round++) {
            for (int i = 0; i < 2; i++) {
                ns[i][round < 0 ? 0 : round] = ask(q, way, &queries[i]);
            }
        }
        printf("  %6.1f %6.1f", timing_median(ns[0], ROUNDS), timing_median(ns[1], ROUNDS));
    }
    sl_stats stats = { .rays = 0 };
    const sl_query counted = { .flags = SL_USE_MASK, .mask = 1, .stats = &stats };
    (void)ask(q, 0, &counted);
    printf("  %6.2f nodes\n", (double)stats.nodes / (double)stats.rays);
}

static void make_rays(sl_aabb box, sl_ray *rays, size_t count)
{
    test_random random = { 7 };
    for (size_t i = 0; i < count; i++) {
        rays[i] = (sl_ray){ .tmin = 0, .tmax = INFINITY };
        for (int axis = 0; axis < 3; axis++) {
            rays[i].origin[axis] = test_random_in(&random, box.min[axis], box.max[axis]);
            rays[i].dir[axis] = test_random_in(&random, -1, 1);
        }
    }
}

static void measure_tree(const sl_mesh *mesh, question *q, int kind)
{
    const size_t count = sl_mesh_triangle_count(mesh);
    uint32_t *masks = malloc(count * sizeof *masks);
    sl_build_def def = sl_default_build_def();
    test_random random = { 3 };
    sl_bvh *tree = NULL;
    check(sl_bvh_build(mesh, NULL, &tree, NULL) == SL_OK, "no tree");
    const sl_aabb box = sl_bvh_bounds(tree);
    sl_bvh_destroy(tree);
    check(masks != NULL, "out of memory");
    for (uint32_t i = 0; i < count; i++) {
        sl_triangle triangle;
        double at[3] = { 0 };
        if (sl_mesh_triangle(mesh, i, &triangle)) {
            for (int axis = 0; axis < 3; axis++) {
                at[axis] = ((double)triangle.v[0][axis] - (double)box.min[axis]) /
                           ((double)box.max[axis] - (double)box.min[axis] + 1e-9);
            }
        }
        masks[i] = mask_of(kind, at, &random);
    }
    def.masks = masks;
    check(sl_bvh_build(mesh, &def, &tree, NULL) == SL_OK, "no tree");
    make_rays(box, (sl_ray *)(uintptr_t)q->rays, q->count);
    q->tree = tree;
    q->scene = NULL;
    report(kinds[kind], q);
    sl_bvh_destroy(tree);
    free(masks);
}

static void measure_scene(const sl_bvh *tree, question *q, int kind)
{
    static sl_instance instances[SIDE * SIDE * SIDE];
    sl_scene *scene = NULL;
    test_random random = { 3 };
    const sl_aabb box = sl_bvh_bounds(tree);
    sl_aabb all = box;
    for (int i = 0; i < SIDE * SIDE * SIDE; i++) {
        const int place[3] = { i % SIDE, i / SIDE % SIDE, i / SIDE / SIDE };
        double at[3];
        instances[i] = sl_instance_of(tree);
        for (int axis = 0; axis < 3; axis++) {
            const double size = (double)box.max[axis] - (double)box.min[axis];
            instances[i].place.m[axis][3] = place[axis] * size * 1.01;
            at[axis] = (double)place[axis] / (double)SIDE;
            all.max[axis] = box.max[axis] + (float)((double)(SIDE - 1) * size * 1.01);
        }
        instances[i].mask = mask_of(kind, at, &random);
    }
    check(sl_scene_build(instances, SIDE * SIDE * SIDE, NULL, &scene, NULL) == SL_OK, "no scene");
    make_rays(all, (sl_ray *)(uintptr_t)q->rays, q->count);
    q->scene = scene;
    report(kinds[kind], q);
    sl_scene_destroy(scene);
}

int main(int argc, char **argv)
{
    const size_t triangles = argc > 1 ? strtoul(argv[1], NULL, 10) : 1000000;
    question q = { .count = argc > 2 ? strtoul(argv[2], NULL, 10) : 20000 };
    sl_ray *rays = malloc(q.count * sizeof *rays);
    q.rays = rays;
    q.hits = malloc(q.count * sizeof *q.hits);
    q.any = malloc(q.count);
    check(rays != NULL && q.hits != NULL && q.any != NULL, "out of memory");
    printf("ns a ray without and with a mask: closest, any, one a call closest, any\n");
    for (int form = 0; form < GENERATED_KINDS; form++) {
        sl_mesh *mesh = generated_mesh(form, triangles);
        check(mesh != NULL, "no mesh");
        printf("%s\n", generated_names[form]);
        for (int kind = 0; kind < KINDS; kind++) {
            measure_tree(mesh, &q, kind);
        }
        sl_mesh_destroy(mesh);
    }
    sl_mesh *mesh = generated_mesh(0, 5000);
    sl_bvh *tree = NULL;
    check(mesh != NULL && sl_bvh_build(mesh, NULL, &tree, NULL) == SL_OK, "no tree");
    printf("scene of spheres\n");
    for (int kind = 0; kind < KINDS; kind++) {
        measure_scene(tree, &q, kind);
    }
    sl_bvh_destroy(tree);
    sl_mesh_destroy(mesh);
    free(rays);
    free(q.hits);
    free(q.any);
    return 0;
}
