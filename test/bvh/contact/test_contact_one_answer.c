/* The same bits of clashes, distances, curves, solids, reports and sweeps from every kernel, any
 * number of workers, every kind of tree, in any floating-point environment, from every compiler and
 * machine: the answers to fixed questions have known hashes. */
#include "bvh/scene/scene.h"
#include "test/support/environment/callers_env.h"
#include "test/support/hard/rays.h"
#include "test/support/hard/volumes.h"
#include "test/support/query/answers_hash.h"
#include "test/support/test.h"

#include <sightline/clashes.h>
#include <sightline/sweep.h>

enum { MESHES = 3, PLACES = 6, SWEEPS = 140, CAP = 3, PAIRS = 20000, SEED = 20261128 };

#define GOLDEN_CLASHES 0xABA004CC16636D12u
#define GOLDEN_SWEEPS  0xD3CF015F8E8F905Eu

/* How trees are made, and who answers. */
typedef struct way {
    sl_build_def def;
    const sli_kernels *kernels; /* NULL: those that were chosen */
    const sl_tasks *tasks;
} way;

typedef struct worlds {
    sl_mesh *mesh[MESHES];
    sl_bvh *tree[MESHES], *scene;
    sl_sweep sweeps[SWEEPS];
    sl_transform places[PLACES];
} worlds;

static void make_sweeps(worlds *w)
{
    test_random random = { SEED };
    for (int i = 0; i < SWEEPS; i++) {
        sl_sweep *sweep = &w->sweeps[i];
        *sweep = (sl_sweep){ .touching = (sl_start_contact)(i % 3) };
        sweep->volume =
            hard_volume_make(w->mesh[i % MESHES], (sl_volume_kind)(i % HARD_VOLUME_KINDS), &random);
        hard_point(w->mesh[0], &random, sweep->dir);
    }
    for (int i = 0; i < PLACES; i++) {
        w->places[i] = sl_transform_identity();
        w->places[i].m[i % 3][3] = 2.5 * i;
        w->places[i].m[0][1] = 0.7;
    }
}

static void make_worlds(worlds *w, const way *how)
{
    sl_instance instances[2 * MESHES];
    w->mesh[0] = made_sphere(6);
    w->mesh[1] = made_torus(16, 12, 1, 0.4f);
    w->mesh[2] = made_soup(200, 0.3f, SEED);
    for (int i = 0; i < 2 * MESHES; i++) {
        const int m = i % MESHES;
        if (i < MESHES) {
            w->tree[m] = made_bvh(w->mesh[m], &how->def);
            w->tree[m]->kernels = how->kernels != NULL ? how->kernels : w->tree[m]->kernels;
        }
        instances[i] = sl_instance_of(w->tree[m]);
        instances[i].transform.m[i % 3][3] = 0.75 * i;
        instances[i].transform.m[0][1] = i < MESHES ? 0 : 0.3;
    }
    w->scene = made_scene(instances, 2 * MESHES, NULL);
    w->scene->kernels = w->tree[0]->kernels;
    make_sweeps(w);
}

static void free_worlds(worlds *w)
{
    sl_bvh_destroy(w->scene);
    for (int i = 0; i < MESHES; i++) {
        unmake_bvh(w->tree[i], w->mesh[i]);
    }
}

/* ---- What meets ---- */

static uint64_t hash_distance(uint64_t h, const sl_distance *d)
{
    h = test_hash(h, &d->distance, offsetof(sl_distance, b) + sizeof d->b, 4);
    return test_hash(h, d->point_a, sizeof d->point_a + sizeof d->point_b, 8);
}

static uint64_t hash_curves(uint64_t h, const sl_bvh *a, const sl_bvh *b)
{
    sl_curves *curves = NULL;
    assert_int_equal(sl_bvh_clash_curves(a, b, NULL, NULL, &curves, NULL), SL_OK);
    for (size_t i = 0; i <= curves->curve_count && curves->point_count > 0; i++) {
        const uint64_t start = curves->starts[i];
        h = test_hash(h, &start, sizeof start, 8);
    }
    h = test_hash(h, curves->points, curves->point_count * sizeof *curves->points, 8);
    h = test_hash(h, curves->pairs, curves->point_count * sizeof *curves->pairs, 4);
    sl_curves_destroy(curves);
    return h;
}

static uint64_t hash_report(uint64_t h, const sl_bvh *bvh, const way *how)
{
    const sl_clash within = { .margin = 0.1f };
    const sl_clashes_def def = { .hooks.tasks = how->tasks, .clash = &within, .solids = true };
    sl_clashes *clashes = NULL;
    size_t count = 0;
    assert_int_equal(sl_clashes_find(bvh, &def, &clashes, NULL), SL_OK);
    const sl_instance_clash *list = sl_clashes_list(clashes, &count);
    for (size_t i = 0; i < count; i++) {
        h = test_hash(h, &list[i], offsetof(sl_instance_clash, pairs), 4);
        h = test_hash(h, &list[i].pairs, sizeof list[i].pairs, 8);
        h = hash_distance(h, &list[i].nearest);
    }
    sl_clashes_destroy(clashes);
    return h;
}

static uint64_t hash_clashes(const worlds *w, const way *how)
{
    FREED sl_clash_pair *pairs = made_zeros(PAIRS, sizeof *pairs);
    const sl_clash within = { .margin = 0.1f };
    uint64_t h = TEST_HASH_NOTHING;
    sl_distance distances[PLACES];
    uint8_t any[PLACES];
    for (int i = 0; i < MESHES; i++) {
        const sl_bvh *a = w->tree[i], *b = i == 0 ? w->tree[1] : w->scene;
        sl_solids solids;
        const size_t count = sl_bvh_clash_all(a, b, &within, pairs, PAIRS, how->tasks, NULL);
        assert_in_range(count, 1, PAIRS);
        h = test_hash(h, pairs, count * sizeof *pairs, 4);
        sl_bvh_clash_any_many(a, b, w->places, PLACES, NULL, any, how->tasks, NULL);
        sl_bvh_distance_many(a, b, w->places, PLACES, INFINITY, NULL, distances, how->tasks, NULL);
        h = test_hash(h, any, sizeof any, 1);
        for (int k = 0; k < PLACES; k++) {
            h = hash_distance(h, &distances[k]);
        }
        h = hash_curves(h, a, b);
        assert_int_equal(sl_bvh_solids(a, b, NULL, &solids, NULL), SL_OK);
        h = test_hash(h, &solids.relation, sizeof solids.relation, 4);
    }
    return hash_report(h, w->scene, how);
}

/* ---- What moves ---- */

static uint64_t hash_contact(uint64_t h, const sl_contact *c)
{
    h = test_hash(h, &c->t, 2 * sizeof c->t, 8);
    h = test_hash(h, &c->prim, offsetof(sl_contact, point) - offsetof(sl_contact, prim), 4);
    return test_hash(h, c->point, sizeof c->point + sizeof c->normal, 8);
}

static uint64_t hash_sweeps(const worlds *w, const way *how)
{
    static sl_contact first[SWEEPS], rows[SWEEPS * CAP];
    static double xyz[3 * SL_HULL_POINTS_MAX];
    uint64_t totals[SWEEPS], h = TEST_HASH_NOTHING;
    const sl_sweeps all = sl_sweeps_of(w->sweeps, SWEEPS, SL_FLOAT);
    memset(rows, 0, sizeof rows);
    sl_bvh_sweep_many(w->scene, all, NULL, first, how->tasks, NULL);
    sl_bvh_sweep_all_many(w->scene, all, NULL, rows, CAP, totals, how->tasks, NULL);
    for (int i = 0; i < SWEEPS; i++) {
        const sl_sweep_d wide = sl_sweep_d_from_sweep(&w->sweeps[i], xyz);
        double offset[3] = { 0 };
        (void)sl_bvh_push_out(w->scene, &wide.volume, 10, NULL, offset);
        h = hash_contact(h, &first[i]);
        h = test_hash(h, offset, sizeof offset, 8);
        for (int k = 0; k < CAP; k++) {
            h = hash_contact(h, &rows[i * CAP + k]);
        }
    }
    return test_hash(h, totals, sizeof totals, 8);
}

/* ---- The tests ---- */

/* env: of the caller; -1: the usual one. */
static void expect(const way *how, int env, const char *name)
{
    static worlds w;
    make_worlds(&w, how);
    if (env >= 0) {
        callers_env_set(env);
    }
    const uint64_t clashes = hash_clashes(&w, how), sweeps = hash_sweeps(&w, how);
    assert_true(env < 0 || callers_env_leave(env));
    print_message("hash %016llx of clashes by %s\n", (unsigned long long)clashes, name);
    print_message("hash %016llx of sweeps by %s\n", (unsigned long long)sweeps, name);
    assert_true(clashes == GOLDEN_CLASHES && sweeps == GOLDEN_SWEEPS);
    free_worlds(&w);
}

TEST(every_kernel_and_tree_gives_the_same_bits)
{
    for (int i = 0; sli_kernels_at(i) != NULL; i++) {
        way how = { .kernels = sli_kernels_at(i) };
        how.def.quality = (sl_bvh_quality)(i % 3);
        how.def.layout = i % 2 == 0 ? SL_BVH_LAYOUT_DEFAULT : SL_BVH_LAYOUT_COMPACT;
        expect(&how, -1, how.kernels->name);
    }
}

TEST(workers_give_the_same_bits)
{
    for (int workers = 1; workers <= 4; workers += 3) {
        sl_pool *pool;
        if (sl_pool_create(workers, NULL, &pool, NULL) != SL_OK) {
            skip(); /* a library without threads */
        }
        const way how = { .tasks = sl_pool_tasks(pool) };
        expect(&how, -1, "workers");
        sl_pool_destroy(pool);
    }
}

TEST(the_callers_environment_does_not_matter_and_is_kept)
{
    for (int env = 0; env < callers_env_count(); env++) {
        const way how = { .kernels = NULL };
        expect(&how, env, callers_env_name(env));
    }
}
