/* scene_build: what building a scene's top level costs.
 *
 *     scene_build [COUNT [THREADS [QUALITY]]]      default 2000, 1 and default; or fast
 *
 * COUNT instances of one small tree, turned and scaled, so many to a volume that a few overlap.
 * Prints the least milliseconds of a build anew, and of the next of two versions that take turns,
 * when none moved, some by a tenth of their size, all, and all to anywhere; instances a second and
 * bytes an instance. */
#include "test/measure/timing.h"
#include "test/support/input/random.h"

#include <sightline/sightline.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void check(bool good, const char *words)
{
    if (!good) {
        fprintf(stderr, "scene_build: %s\n", words);
        exit(1);
    }
}

/* Somewhere in a cube whose volume goes with the count, in any attitude. */
static void put(sl_instance *instance, double side, test_random *random)
{
    double at[3], turn[4], scale[3];
    for (int axis = 0; axis < 3; axis++) {
        at[axis] = test_random_in(random, 0, (float)side);
        scale[axis] = test_random_in(random, 0.5f, 1);
    }
    for (int i = 0; i < 4; i++) {
        turn[i] = test_random_in(random, -1, 1);
    }
    check(sl_place_from_trs(at, turn, scale, &instance->place), "a place failed");
}

typedef struct frames {
    sl_instance *instances;
    size_t count, rounds;
    double side;
    sl_scene_def def;
    test_random random;
} frames;

static sl_scene *build(frames *all, double *least)
{
    sl_error error = { .message = "" };
    sl_scene *scene = NULL;
    const double start = timing_wall_seconds();
    check(sl_scene_build(all->instances, all->count, &all->def, &scene, &error) == SL_OK,
          error.message);
    *least = fmin(*least, timing_wall_seconds() - start);
    return scene;
}

static void measure_fresh(frames *all)
{
    double least = INFINITY;
    sl_scene_info info;
    for (size_t round = 0; round < all->rounds; round++) {
        sl_scene *scene = build(all, &least);
        sl_scene_get_info(scene, &info, sizeof info);
        sl_scene_destroy(scene);
    }
    printf("anew %.3f ms, %.2f M/s, %.0f bytes an instance\n", 1e3 * least,
           1e-6 * (double)all->count / least, (double)info.bytes / (double)all->count);
}

/* The next version, from the one before, in the memory of that before it.  share: of coordinates
 * that move, by up to step. */
static void measure_versions(frames *all, const char *words, double share, double step)
{
    double least = INFINITY, nothing = INFINITY;
    sl_scene *versions[2] = { NULL };
    sl_scene_def def = all->def;
    const uint32_t moving = (uint32_t)(share * 1000);
    for (size_t round = 0; round < all->rounds + 6; round++) {
        for (size_t i = 0; i < all->count; i++) {
            for (int axis = 0; axis < 3 && test_random_below(&all->random, 1000) < moving; axis++) {
                all->instances[i].place.m[axis][3] +=
                    step * (double)test_random_in(&all->random, -1, 1);
            }
        }
        all->def.previous = versions[(round + 1) % 2];
        all->def.recycle = versions[round % 2];
        versions[round % 2] = build(all, round < 4 ? &nothing : &least);
    }
    all->def = def;
    printf("%s: %.3f ms, %.2f M/s\n", words, 1e3 * least, 1e-6 * (double)all->count / least);
    sl_scene_destroy(versions[0]);
    sl_scene_destroy(versions[1]);
}

int main(int argc, char **argv)
{
    const size_t count = argc > 1 ? (size_t)strtoull(argv[1], NULL, 10) : 2000;
    const int threads = argc > 2 ? atoi(argv[2]) : 1;
    sl_mesh *mesh = NULL;
    sl_bvh *tree = NULL;
    sl_pool *pool = NULL;
    check(sl_mesh_generate_sphere(2, NULL, &mesh, NULL) == SL_OK &&
              sl_bvh_build(mesh, NULL, &tree, NULL) == SL_OK &&
              sl_pool_create(threads, NULL, &pool, NULL) == SL_OK,
          "no tree, or no threads");
    frames all = { .instances = calloc(count, sizeof(sl_instance)),
                   .count = count,
                   .rounds = count < 100000 ? 200 : 5,
                   .side = 2 * cbrt((double)count),
                   .def = sl_default_scene_def(),
                   .random = { 20261125 } };
    check(all.instances != NULL, "not enough memory");
    all.def.hooks.tasks = threads > 1 ? sl_pool_tasks(pool) : NULL;
    all.def.quality =
        argc > 3 && strcmp(argv[3], "fast") == 0 ? SL_BVH_QUALITY_FAST : SL_BVH_QUALITY_DEFAULT;
    for (size_t i = 0; i < count; i++) {
        all.instances[i] = sl_instance_of(tree);
        put(&all.instances[i], all.side, &all.random);
    }
    measure_fresh(&all);
    measure_versions(&all, "next, none moved", 0, 0);
    measure_versions(&all, "next, a twentieth moved", 0.05, 0.1);
    measure_versions(&all, "next, all moved by a tenth", 1, 0.1);
    measure_versions(&all, "next, all anywhere", 1, all.side);
    free(all.instances);
    sl_pool_destroy(pool);
    sl_bvh_destroy(tree);
    sl_mesh_destroy(mesh);
    return 0;
}
