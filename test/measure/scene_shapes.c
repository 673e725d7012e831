/* scene_shapes: what top levels cost over instances of every distribution, and what rays cost in
 * them: a search for one where fast or default trees fall off a cliff.
 *
 *     scene_shapes [COUNT [THREADS]]      default 200000 and 1
 *
 * COUNT instances of one small tree in each distribution.  Prints, for fast and default trees, the
 * least milliseconds of a build anew, and the least nanoseconds of a closest hit in batches, for
 * rays that start beside instances and go anywhere. */
#include "test/measure/timing.h"
#include "test/support/input/random.h"

#include <sightline/sightline.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { ROUNDS = 5, BATCH = 64, BATCHES_MAX = 300 };

typedef enum shape {
    EVEN,
    CLUSTERS,
    OUTLIERS,
    ONE_FAR,
    LINE,
    SHEET,
    LATTICE,
    SIZES,
    FEW_WIDE,
    HALVING,
    TWO_PLACES,
    ONE_PLACE,
    SHAPES
} shape;

static const char *const names[SHAPES] = {
    "even",    "clusters",    "outliers", "one far",     "line",  "sheet",
    "lattice", "sizes mixed", "few wide", "ever nearer", "pairs", "all in one place"
};

static void check(bool good, const char *words)
{
    if (!good) {
        fprintf(stderr, "scene_shapes: %s\n", words);
        exit(1);
    }
}

static double between(test_random *random, double low, double high)
{
    return low + (high - low) * (double)test_random_in(random, 0, 1);
}

/* Where instance i is, in a cube of this side, and how large. */
static double choose(shape kind, size_t i, size_t count, double side, test_random *random,
                     double at[3])
{
    const size_t row = (size_t)ceil(cbrt((double)count));
    double size = between(random, 0.5, 1);
    for (int axis = 0; axis < 3; axis++) {
        at[axis] = between(random, 0, side);
    }
    switch (kind) {
    case CLUSTERS: {
        test_random cluster = { i % 100 + 1 };
        for (int axis = 0; axis < 3; axis++) {
            const double centre = between(&cluster, 0, side);
            at[axis] = centre + (at[axis] - 0.5 * side) * 0x1p-7;
        }
        return size * 0x1p-5;
    }
    case OUTLIERS:
    case ONE_FAR:
        for (int axis = 0; axis < 3; axis++) {
            at[axis] *= i % (kind == OUTLIERS ? 1000 : count) == 1 ? 1e5 : 1;
        }
        return size;
    case LINE:
        at[0] *= 100;
        at[1] = at[2] = 0;
        return size;
    case SHEET:
        at[0] *= 8;
        at[1] *= 8;
        at[2] = 0;
        return size;
    case LATTICE:
        at[0] = 2 * (double)(i % row);
        at[1] = 2 * (double)(i / row % row);
        at[2] = 2 * (double)(i / row / row);
        return 0.75;
    case SIZES:
        return exp2(between(random, -8, 2));
    case FEW_WIDE:
        return i % 1000 == 0 ? 0.02 * side : size;
    case HALVING: {
        const double nearer = exp2(between(random, -40, 0));
        for (int axis = 0; axis < 3; axis++) {
            at[axis] *= nearer;
        }
        return size * nearer;
    }
    case TWO_PLACES: {
        test_random pair = { i / 2 + 1 };
        for (int axis = 0; axis < 3; axis++) {
            at[axis] = between(&pair, 0, side);
        }
        return size;
    }
    case ONE_PLACE:
        at[0] = at[1] = at[2] = 1;
        return size;
    default:
        return size;
    }
}

typedef struct state {
    sl_instance *instances;
    size_t count;
    sl_ray rays[BATCH * BATCHES_MAX];
    sl_hit hits[BATCH * BATCHES_MAX];
} state;

static void place_all(state *s, shape kind, const sl_bvh *tree)
{
    test_random random = { 20261123 };
    const double side = 2 * cbrt((double)s->count);
    for (size_t i = 0; i < s->count; i++) {
        double at[3], turn[4], scale[3];
        const double size = choose(kind, i, s->count, side, &random, at);
        for (int k = 0; k < 4; k++) {
            turn[k] = between(&random, -1, 1);
        }
        for (int axis = 0; axis < 3; axis++) {
            scale[axis] = size;
        }
        s->instances[i] = sl_instance_of(tree);
        check(sl_place_from_trs(at, turn, scale, &s->instances[i].place), "a place failed");
    }
    for (size_t i = 0; i < BATCH * BATCHES_MAX; i++) {
        const sl_place *place = &s->instances[test_random_below(&random, (uint32_t)s->count)].place;
        float origin[3], dir[3];
        for (int axis = 0; axis < 3; axis++) {
            const double *m = place->m[axis];
            const double size = fabs(m[0]) + fabs(m[1]) + fabs(m[2]);
            origin[axis] = (float)(m[3] + size * between(&random, -2, 2));
            dir[axis] = (float)between(&random, -1, 1);
        }
        s->rays[i] = sl_ray_make(origin, dir);
    }
}

/* Nanoseconds a ray; fewer rays where they take long. */
static double measure_rays(state *s, const sl_scene *scene)
{
    double least = INFINITY;
    size_t batches = BATCHES_MAX;
    for (int round = 0; round < ROUNDS; round++) {
        const double start = timing_wall_seconds();
        size_t done = 0;
        while (done < batches && timing_wall_seconds() - start < 0.5) {
            const size_t first = done++ * BATCH;
            sl_scene_closest_many(scene, s->rays + first, BATCH, NULL, s->hits + first, NULL);
        }
        batches = done;
        least = fmin(least, (timing_wall_seconds() - start) / (double)(BATCH * batches));
    }
    return 1e9 * least;
}

static void measure(state *s, shape kind, sl_pool *pool)
{
    printf("%-17s", names[kind]);
    for (int fast = 1; fast >= 0; fast--) {
        double least = INFINITY;
        sl_scene *scene = NULL;
        sl_error error;
        sl_scene_def def = sl_default_scene_def();
        def.quality = fast ? SL_BVH_QUALITY_FAST : SL_BVH_QUALITY_DEFAULT;
        def.hooks.tasks = pool != NULL ? sl_pool_tasks(pool) : NULL;
        for (int round = 0; round < ROUNDS; round++) {
            sl_scene_destroy(scene);
            const double start = timing_wall_seconds();
            check(sl_scene_build(s->instances, s->count, &def, &scene, &error) == SL_OK,
                  error.message);
            least = fmin(least, timing_wall_seconds() - start);
        }
        printf("  %s %7.2f ms, %8.0f ns", fast ? "fast" : "default", 1e3 * least,
               measure_rays(s, scene));
        sl_scene_destroy(scene);
    }
    printf("\n");
    fflush(stdout);
}

int main(int argc, char **argv)
{
    const size_t count = argc > 1 ? (size_t)strtoull(argv[1], NULL, 10) : 200000;
    const int threads = argc > 2 ? atoi(argv[2]) : 1;
    sl_mesh *mesh = NULL;
    sl_bvh *tree = NULL;
    sl_pool *pool = NULL;
    state *s = calloc(1, sizeof *s);
    check(sl_mesh_generate_sphere(2, NULL, &mesh, NULL) == SL_OK &&
              sl_bvh_build(mesh, NULL, &tree, NULL) == SL_OK &&
              (threads == 1 || sl_pool_create(threads, NULL, &pool, NULL) == SL_OK) && s != NULL,
          "no tree, or no threads");
    s->count = count;
    s->instances = calloc(count, sizeof *s->instances);
    check(s->instances != NULL && count > 1, "not enough memory, or instances");
    for (int kind = 0; kind < SHAPES; kind++) {
        place_all(s, (shape)kind, tree);
        measure(s, (shape)kind, pool);
    }
    free(s->instances);
    free(s);
    sl_pool_destroy(pool);
    sl_bvh_destroy(tree);
    sl_mesh_destroy(mesh);
    return 0;
}
