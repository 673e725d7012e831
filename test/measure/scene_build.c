/* scene_build: what building a scene's top level costs over instances of every distribution, and
 * what rays cost in it: a search for one where fast or default trees fall off a cliff.
 *
 *     scene_build [COUNT [THREADS [DISTRIBUTION]]]      default 2000, 1 and all of them
 *
 * COUNT instances of one small tree, turned and scaled, so many to a volume that a few overlap.
 * For fast and default trees: the least milliseconds of a build anew, and of the next of two
 * versions that take turns, when none moved, some by a tenth of their size, all, and all to
 * anywhere; bytes an instance; and the least nanoseconds of a closest hit in batches, for rays
 * that start beside instances and go anywhere. */
#include "test/measure/program.h"
#include "test/support/input/random.h"
#include "tools/bench/harness/ask.h"

#include <math.h>
#include <string.h>

enum { BATCH = 64, BATCHES_MAX = 300, RAYS = BATCH * BATCHES_MAX, RAY_ROUNDS = 5 };

typedef enum distribution {
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
    DISTRIBUTIONS
} distribution;

static const char *const names[DISTRIBUTIONS] = {
    "even",    "clusters",    "outliers", "one far",     "line",  "sheet",
    "lattice", "sizes mixed", "few wide", "ever nearer", "pairs", "all in one place"
};

typedef struct state {
    sl_instance *instances;
    size_t count, rounds;
    double side; /* of the cube */
    const sl_bvh *tree;
    sl_instances_def def;
    test_random random;
    sl_ray rays[RAYS];
    sl_hit hits[RAYS];
} state;

static double between(test_random *random, double low, double high)
{
    return low + (high - low) * (double)test_random_in(random, 0, 1);
}

/* Where instance i is, and how large. */
static double choose_place(state *s, distribution kind, size_t i, double at[3])
{
    test_random *random = &s->random;
    const size_t row = (size_t)ceil(cbrt((double)s->count));
    double size = between(random, 0.5, 1);
    for (int axis = 0; axis < 3; axis++) {
        at[axis] = between(random, 0, s->side);
    }
    switch (kind) {
    case CLUSTERS: {
        test_random cluster = { i % 100 + 1 };
        for (int axis = 0; axis < 3; axis++) {
            const double centre = between(&cluster, 0, s->side);
            at[axis] = centre + (at[axis] - 0.5 * s->side) * 0x1p-7;
        }
        return size * 0x1p-5;
    }
    case OUTLIERS:
    case ONE_FAR:
        for (int axis = 0; axis < 3; axis++) {
            at[axis] *= i % (kind == OUTLIERS ? 1000 : s->count) == 1 ? 1e5 : 1;
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
        return i % 1000 == 0 ? 0.02 * s->side : size;
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
            at[axis] = between(&pair, 0, s->side);
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

static void place_all(state *s, distribution kind)
{
    s->random = (test_random){ 20261123 };
    for (size_t i = 0; i < s->count; i++) {
        double at[3], turn[4], scale[3];
        scale[0] = scale[1] = scale[2] = choose_place(s, kind, i, at);
        for (int k = 0; k < 4; k++) {
            turn[k] = between(&s->random, -1, 1);
        }
        s->instances[i] = sl_instance_of(s->tree);
        must(sl_transform_from_trs(at, turn, scale, &s->instances[i].transform), "no place");
    }
    for (size_t i = 0; i < RAYS; i++) {
        const uint32_t beside = test_random_below(&s->random, (uint32_t)s->count);
        float origin[3], dir[3];
        for (int axis = 0; axis < 3; axis++) {
            const double *m = s->instances[beside].transform.m[axis];
            const double size = fabs(m[0]) + fabs(m[1]) + fabs(m[2]);
            origin[axis] = (float)(m[3] + size * between(&s->random, -2, 2));
            dir[axis] = (float)between(&s->random, -1, 1);
        }
        s->rays[i] = sl_ray_make(origin, dir);
    }
}

static sl_bvh *build(const state *s, double *least)
{
    sl_error error;
    sl_bvh *scene = NULL;
    const double start = bench_wall_seconds();
    must(sl_bvh_build_instances(s->instances, s->count, &s->def, &scene, &error) == SL_OK,
         error.message);
    *least = fmin(*least, bench_wall_seconds() - start);
    return scene;
}

/* Nanoseconds a ray; fewer rays where they take long. */
static double measure_rays(state *s, const sl_bvh *scene)
{
    const bench_target target = { .bvh = scene };
    double least = INFINITY;
    size_t batches = BATCHES_MAX;
    for (int round = 0; round < RAY_ROUNDS; round++) {
        const double start = bench_wall_seconds();
        size_t done = 0;
        while (done < batches && bench_wall_seconds() - start < 0.5) {
            const size_t first = done++ * BATCH;
            bench_ask_batches(&target, &(bench_rays){ .count = BATCH, .rays = s->rays + first }, 0,
                              &(bench_answers){ .rows = s->hits + first });
        }
        batches = done;
        least = fmin(least, (bench_wall_seconds() - start) / (double)(BATCH * batches));
    }
    return 1e9 * least;
}

static void measure_anew(state *s)
{
    double least = INFINITY;
    sl_bvh_info info;
    sl_bvh *scene = NULL;
    for (size_t round = 0; round < s->rounds; round++) {
        sl_bvh_destroy(scene);
        scene = build(s, &least);
    }
    info = sl_bvh_get_info(scene);
    printf("anew %.3f ms, %.2f M/s, %.0f bytes an instance; a ray %.0f ns;", 1e3 * least,
           1e-6 * (double)s->count / least, (double)info.bytes / (double)s->count,
           measure_rays(s, scene));
    sl_bvh_destroy(scene);
}

/* The next version, from the one before, in the memory of that before it.  share: of coordinates
 * that move, by up to step. */
static void measure_versions(state *s, const char *words, double share, double step)
{
    double least = INFINITY, nothing = INFINITY;
    sl_bvh *versions[2] = { NULL };
    const sl_instances_def def = s->def;
    const uint32_t moving = (uint32_t)(share * 1000);
    for (size_t round = 0; round < s->rounds + 6; round++) {
        for (size_t i = 0; i < s->count; i++) {
            for (int axis = 0; axis < 3 && test_random_below(&s->random, 1000) < moving; axis++) {
                s->instances[i].transform.m[axis][3] += step * between(&s->random, -1, 1);
            }
        }
        s->def.previous = versions[(round + 1) % 2];
        s->def.recycle = versions[round % 2];
        versions[round % 2] = build(s, round < 4 ? &nothing : &least);
    }
    s->def = def;
    printf(" %s %.3f ms", words, 1e3 * least);
    sl_bvh_destroy(versions[0]);
    sl_bvh_destroy(versions[1]);
}

int main(int argc, char **argv)
{
    const int threads = (int)number_at(argc, argv, 2, 1);
    state *s = memory_for(1, sizeof *s);
    sl_mesh *mesh = NULL;
    OWN(sl_pool) pool = NULL;
    must(sl_mesh_generate(&(sl_mesh_shape){ SL_MESH_SPHERE, { .sphere = { 2 } } }, NULL, &mesh,
                          NULL) == SL_OK &&
             sl_pool_create(threads, NULL, &pool, NULL) == SL_OK,
         "no mesh, or no threads");
    OWN(sl_bvh) tree = tree_of_only(mesh);
    s->count = (size_t)number_at(argc, argv, 1, 2000);
    must(s->count > 1, "usage: scene_build [COUNT [THREADS [DISTRIBUTION]]]");
    s->rounds = s->count < 100000 ? 50 : 5;
    s->side = 2 * cbrt((double)s->count);
    s->tree = tree;
    s->instances = memory_for(s->count, sizeof *s->instances);
    for (int kind = 0; kind < DISTRIBUTIONS; kind++) {
        for (int fast = 1; fast >= 0 && (argc < 4 || strcmp(argv[3], names[kind]) == 0); fast--) {
            s->def = (sl_instances_def){ 0 };
            s->def.hooks.tasks = threads > 1 ? sl_pool_tasks(pool) : NULL;
            s->def.quality = fast ? SL_BVH_QUALITY_FAST : SL_BVH_QUALITY_DEFAULT;
            place_all(s, (distribution)kind);
            printf("%-17s %-7s ", names[kind], fast ? "fast" : "default");
            measure_anew(s);
            printf(" next,");
            measure_versions(s, "none moved", 0, 0);
            measure_versions(s, "a twentieth", 0.05, 0.1);
            measure_versions(s, "all by a tenth", 1, 0.1);
            measure_versions(s, "all anywhere", 1, s->side);
            printf("\n");
            fflush(stdout);
        }
    }
    free(s->instances);
    free(s);
    return 0;
}
