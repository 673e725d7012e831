/* scene_far_cost: what it costs that a scene is far from the origin: small parts in a wide space,
 * there and at the origin.
 *
 *     scene_far_cost [PARTS [FAR [RAYS]]]      default 2000, 1e7 and 20000
 *
 * Balls of 1 mm and 500 triangles, anywhere within 100 m, turned; rays in doubles start anywhere
 * within and aim at a point of one of them, so most hit it and many pass others' boxes.  Prints the
 * nanoseconds a ray of closest and any hits, in doubles and in floats (whose rays are rounded, and
 * miss when far), at the origin, FAR away, and their ratio: medians of interleaved rounds, one
 * thread. */
#include "test/measure/generated.h"
#include "test/measure/timing.h"
#include "test/support/input/random.h"

#include <sightline/sightline.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ROUNDS = 9, WAYS = 4, PLACES = 2 };

static const char *const names[WAYS] = { "closest, doubles", "any, doubles", "closest, floats",
                                         "any, floats" };

/* A scene and its rays. */
typedef struct world {
    sl_scene *scene;
    sl_ray_d *rays_d;
    sl_ray *rays;
} world;

static void check(bool good, const char *words)
{
    if (!good) {
        fprintf(stderr, "scene_far_cost: %s\n", words);
        exit(1);
    }
}

static double unit(test_random *random)
{
    return (double)(test_random_u64(random) >> 11) * 0x1p-53;
}

static void make(world *out, const sl_bvh *tree, size_t parts, double far, size_t count)
{
    test_random random = { 20261123 };
    sl_instance *instances = calloc(parts, sizeof *instances);
    const sl_aabb box = sl_bvh_bounds(tree);
    const double scale = 1e-3 / ((double)box.max[0] - (double)box.min[0]);
    out->rays_d = calloc(count, sizeof *out->rays_d);
    out->rays = calloc(count, sizeof *out->rays);
    check(instances != NULL && out->rays_d != NULL && out->rays != NULL, "not enough memory");
    for (size_t i = 0; i < parts; i++) {
        const double angle = 6.28 * unit(&random), c = scale * cos(angle), s = scale * sin(angle);
        const double turned[3][3] = { { c, -s, 0 }, { s, c, 0 }, { 0, 0, scale } };
        instances[i] = sl_instance_of(tree);
        for (int axis = 0; axis < 3; axis++) {
            memcpy(instances[i].place.m[axis], turned[axis], sizeof turned[axis]);
            instances[i].place.m[axis][3] = far + 100 * unit(&random);
        }
    }
    for (size_t i = 0; i < count; i++) {
        const sl_instance *at = &instances[test_random_below(&random, (uint32_t)parts)];
        double origin[3], dir[3];
        for (int axis = 0; axis < 3; axis++) {
            origin[axis] = far + 100 * unit(&random);
            const double aim = at->place.m[axis][3] + 5e-4 * (unit(&random) - 0.5);
            dir[axis] = aim - origin[axis];
        }
        out->rays_d[i] = sl_ray_d_make(origin, dir);
        out->rays[i].tmax = INFINITY;
        for (int axis = 0; axis < 3; axis++) {
            out->rays[i].origin[axis] = (float)origin[axis];
            out->rays[i].dir[axis] = (float)dir[axis];
        }
    }
    check(sl_scene_build(instances, parts, NULL, &out->scene, NULL) == SL_OK, "no scene");
    free(instances);
}

static void run(const world *w, int way, size_t count, void *hits, uint8_t *any)
{
    switch (way) {
    case 0:
        sl_scene_closest_d_many(w->scene, w->rays_d, count, NULL, hits, NULL);
        break;
    case 1:
        sl_scene_any_d_many(w->scene, w->rays_d, count, NULL, any, NULL);
        break;
    case 2:
        sl_scene_closest_many(w->scene, w->rays, count, NULL, hits, NULL);
        break;
    default:
        sl_scene_any_many(w->scene, w->rays, count, NULL, any, NULL);
        break;
    }
}

static void measure(const world worlds[PLACES], size_t count)
{
    static double took[WAYS][PLACES][ROUNDS];
    sl_hit_d *hits = calloc(count, sizeof *hits);
    uint8_t *any = calloc(count, 1);
    check(hits != NULL && any != NULL, "not enough memory for answers");
    for (int round = 0; round < ROUNDS; round++) {
        for (int i = 0; i < WAYS * PLACES; i++) {
            const double start = timing_seconds();
            run(&worlds[i % PLACES], i / PLACES, count, hits, any);
            took[i / PLACES][i % PLACES][round] = 1e9 * (timing_seconds() - start) / (double)count;
        }
    }
    for (int way = 0; way < WAYS; way++) {
        const double near = timing_median(took[way][0], ROUNDS),
                     far = timing_median(took[way][1], ROUNDS);
        printf("%-17s at the origin %.0f, far %.0f, %.2f\n", names[way], near, far, far / near);
    }
    for (int place = 0; place < PLACES; place++) {
        size_t met = 0;
        sl_scene_closest_d_many(worlds[place].scene, worlds[place].rays_d, count, NULL, hits, NULL);
        for (size_t i = 0; i < count; i++) {
            met += hits[i].prim != SL_NONE;
        }
        printf("%s %.3f of the rays in doubles hit\n", place == 0 ? "at the origin" : "far",
               (double)met / (double)count);
    }
    free(any);
    free(hits);
}

int main(int argc, char **argv)
{
    const size_t parts = argc > 1 ? strtoul(argv[1], NULL, 10) : 2000;
    const double far = argc > 2 ? strtod(argv[2], NULL) : 1e7;
    const size_t count = argc > 3 ? strtoul(argv[3], NULL, 10) : 20000;
    check(parts > 0 && count > 0, "usage: scene_far_cost [PARTS [FAR [RAYS]]]");
    sl_mesh *mesh = generated_mesh(0, 500);
    sl_bvh *tree = NULL;
    world worlds[PLACES];
    check(mesh != NULL && sl_bvh_build(mesh, NULL, &tree, NULL) == SL_OK, "no tree");
    make(&worlds[0], tree, parts, 0, count);
    make(&worlds[1], tree, parts, far, count);
    measure(worlds, count);
    for (int i = 0; i < PLACES; i++) {
        sl_scene_destroy(worlds[i].scene);
        free(worlds[i].rays_d);
        free(worlds[i].rays);
    }
    sl_bvh_destroy(tree);
    sl_mesh_destroy(mesh);
    return 0;
}
