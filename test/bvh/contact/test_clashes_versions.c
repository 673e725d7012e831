/* Reports of clashes that follow one another: each is that of a find alone, whatever has changed
 * and whatever is gone, and asks only where something has changed.  And that workers, failing
 * memory and cancelling change nothing. */
#include "test/support/environment/scrambled_tasks.h"
#include "test/support/environment/watch.h"
#include "test/support/input/solids.h"
#include "test/support/oracle/clashes_oracle.h"
#include "test/support/test.h"

enum { SEED = 20261128, MOST = 40, TREES = 3 };

/* Pieces on a lattice, where much touches. */
typedef struct world {
    sl_bvh *trees[TREES];
    sl_instance instances[MOST];
    uint32_t groups[MOST], bodies[MOST];
    size_t count;
    test_random random;
    sl_bvh *scene;
} world;

static sl_bvh *made_piece(test_random *random)
{
    return made_bvh_alone(
        test_random_below(random, 2) == 0 ? solid_cube(1) : made_torus(5, 4, 0.7f, 0.3f), NULL);
}

static void put(world *w, sl_instance *in)
{
    *in = sl_instance_of(w->trees[test_random_below(&w->random, TREES)]);
    for (int axis = 0; axis < 3; axis++) {
        in->transform.m[axis][3] = 0.5 * test_random_below(&w->random, 8);
    }
}

static void world_begin(world *w, uint64_t seed)
{
    *w = (world){ .random = { seed } };
    for (int i = 0; i < TREES; i++) {
        w->trees[i] = made_piece(&w->random);
    }
    for (w->count = 0; w->count < MOST / 2; w->count++) {
        put(w, &w->instances[w->count]);
    }
}

static void world_end(world *w)
{
    sl_bvh_destroy(w->scene);
    for (int i = 0; i < TREES; i++) {
        sl_bvh_destroy(w->trees[i]);
    }
}

static void rebuild_scene(world *w)
{
    sl_bvh_destroy(w->scene);
    w->scene = made_scene(w->instances, w->count, NULL);
}

/* One tree gives way to another, which often gets its memory and its address. */
static void replace_tree(world *w)
{
    const size_t which = test_random_below(&w->random, TREES);
    const sl_bvh *old = w->trees[which];
    sl_bvh_destroy(w->trees[which]);
    w->trees[which] = made_piece(&w->random);
    for (size_t i = 0; i < MOST; i++) {
        if (w->instances[i].bvh == old) {
            w->instances[i].bvh = w->trees[which];
        }
    }
}

/* The same tree, at the same address, with a corner elsewhere; or with other masks. */
static void refit_tree(world *w)
{
    sl_bvh *tree = w->trees[test_random_below(&w->random, TREES)];
    sl_refit_def def = { .recycle = tree };
    enum { PRIMS = 64 };
    float xyz[PRIMS * 9];
    uint32_t indices[PRIMS * 3], masks[PRIMS];
    const uint32_t prims = (uint32_t)sl_bvh_get_info(tree).triangle_count;
    assert_true(prims <= PRIMS);
    for (uint32_t p = 0; p < prims; p++) {
        double x[3][3];
        assert_true(sl_bvh_triangle(tree, (sl_triangle_ref){ 0, p }, x));
        for (uint32_t i = 0; i < 9; i++) {
            xyz[9 * p + i] = (float)x[i / 3][i % 3];
        }
        for (uint32_t i = 0; i < 3; i++) {
            indices[3 * p + i] = 3 * p + i;
        }
        masks[p] = 1 + test_random_below(&w->random, 3);
    }
    xyz[test_random_below(&w->random, 9 * prims)] += 0.25f;
    sl_bvh *same;
    if (test_random_below(&w->random, 2) == 0) {
        assert_int_equal(sl_bvh_refit(tree, xyz, 3 * prims, indices, prims, &def, &same, NULL),
                         SL_OK);
    } else {
        def.masks = masks;
        assert_int_equal(sl_bvh_set_masks(tree, prims, &def, &same, NULL), SL_OK);
    }
    assert_ptr_equal(same, tree);
}

/* Something of everything that an answer depends on; the scene is built anew. */
static void change(world *w)
{
    const size_t which = test_random_below(&w->random, (uint32_t)w->count);
    sl_instance *in = &w->instances[which];
    sl_bvh_destroy(w->scene);
    w->scene = NULL;
    switch (test_random_below(&w->random, 10)) {
    case 0:
        replace_tree(w);
        break;
    case 1:
        refit_tree(w);
        break;
    case 2:
        in->mask = 1 + test_random_below(&w->random, 3);
        break;
    case 3:
        in->grid = in->grid == 0 ? 0x1p-6 : 0;
        break;
    case 4:
        w->groups[which] = test_random_below(&w->random, 4);
        break;
    case 5:
        w->bodies[which] = test_random_below(&w->random, 3);
        break;
    case 6:
        in->bvh = in->bvh != NULL ? NULL : w->trees[0];
        break;
    case 7:
        w->count = 1 + test_random_below(&w->random, MOST - 1);
        for (size_t i = w->count / 2; i < w->count; i++) {
            put(w, &w->instances[i]);
        }
        break;
    default:
        put(w, in);
        break;
    }
    rebuild_scene(w);
}

static void assert_same(const sl_clashes *x, const sl_clashes *y)
{
    size_t count, other;
    const sl_instance_clash *p = sl_clashes_list(x, &count), *q = sl_clashes_list(y, &other);
    assert_int_equal(count, other);
    for (size_t i = 0; i < count; i++) {
        assert_true(oracle_clash_is(&p[i], &q[i]));
    }
}

/* Options, lists and numbers change from one report to the next, too. */
TEST(a_report_after_another_is_the_same_as_alone)
{
    UNDONE(world_end) world w;
    world_begin(&w, test_seed(SEED));
    rebuild_scene(&w);
    OWN(sl_clashes) before = NULL;
    for (size_t i = 0; i < test_count(600); i++) {
        const sl_triangle_ref skip = { test_random_below(&w.random, 4),
                                       test_random_below(&w.random, 3) };
        const sl_instance_range ignore = { test_random_below(&w.random, 4), 2 };
        const sl_options options = { .skip = &skip,
                                     .skip_count = test_random_below(&w.random, 2),
                                     .ignore = &ignore,
                                     .ignore_count = test_random_below(&w.random, 2),
                                     .mask = test_random_below(&w.random, 8) == 0 ? 1 : 0 };
        const sl_clash clash = { .a = &options,
                                 .margin = test_random_below(&w.random, 8) == 0 ? 0.25f : 0 };
        sl_clashes_def def = { .clash = &clash,
                               .groups = w.groups,
                               .bodies = w.bodies,
                               .pair_limit = test_random_below(&w.random, 8) == 0,
                               .solids = i / 20 % 4 == 0,
                               .previous = before };
        OWN(sl_clashes) alone = NULL;
        sl_clashes *next;
        assert_int_equal(sl_clashes_find(w.scene, &def, &next, NULL), SL_OK);
        def.previous = NULL;
        assert_int_equal(sl_clashes_find(w.scene, &def, &alone, NULL), SL_OK);
        assert_same(next, alone);
        sl_clashes_destroy(before);
        before = next;
        change(&w);
    }
}

/* ---- What is asked ---- */

typedef struct witness {
    uint32_t moved;
    size_t asked;
    bool others; /* a pair of which neither had moved was asked */
} witness;

static bool sees(void *user, const sl_clash_pair *pair)
{
    witness *seen = user;
    seen->asked++;
    seen->others =
        seen->others || (pair->a.instance != seen->moved && pair->b.instance != seen->moved);
    return true;
}

TEST(only_what_has_moved_is_asked_again)
{
    UNDONE(world_end) world w;
    world_begin(&w, SEED + 1);
    rebuild_scene(&w);
    witness seen = { .moved = SL_NONE };
    const sl_clash clash = { .filter = sees, .filter_user = &seen };
    sl_clashes_def def = { .clash = &clash };
    OWN(sl_clashes) first = NULL;
    OWN(sl_clashes) still = NULL;
    OWN(sl_clashes) moved = NULL;
    OWN(sl_clashes) other = NULL;
    assert_int_equal(sl_clashes_find(w.scene, &def, &first, NULL), SL_OK);
    assert_true(seen.asked > 0 && seen.others);
    seen = (witness){ .moved = 5 };
    def.previous = first;
    assert_int_equal(sl_clashes_find(w.scene, &def, &still, NULL), SL_OK);
    assert_int_equal(seen.asked, 0);
    assert_same(first, still);
    w.instances[5].transform.m[0][3] += 0.125;
    rebuild_scene(&w);
    def.previous = still;
    assert_int_equal(sl_clashes_find(w.scene, &def, &moved, NULL), SL_OK);
    assert_true(seen.asked > 0 && !seen.others);
    def.pair_limit = 1; /* another question */
    assert_int_equal(sl_clashes_find(w.scene, &def, &other, NULL), SL_OK);
    assert_true(seen.others);
}

/* Of two in one place, with one triangle skipped and then another. */
TEST(what_is_skipped_is_asked_each_time)
{
    OWN(sl_bvh) cube = made_bvh_alone(solid_cube(1), NULL);
    const sl_instance two[2] = { sl_instance_of(cube), sl_instance_of(cube) };
    OWN(sl_bvh) scene = made_scene(two, 2, NULL);
    OWN(sl_clashes) before = NULL;
    for (uint32_t prim = 0; prim < 3; prim++) {
        const sl_triangle_ref skip = { prim / 2, prim };
        const sl_options options = { .skip = &skip, .skip_count = 1 };
        const sl_clash clash = { .a = &options };
        const sl_clashes_def def = { .clash = &clash, .previous = before };
        sl_clashes *next;
        size_t count;
        assert_int_equal(sl_clashes_find(scene, &def, &next, NULL), SL_OK);
        sl_clashes_destroy(before);
        before = next;
        const sl_instance_clash *list = sl_clashes_list(next, &count);
        assert_int_equal(count, 1);
        assert_int_equal(list->nearest.a.prim, prim == 0);
    }
}

/* A report is read where the trees that it is about are gone, and may be the last to hold what
 * is known of them. */
TEST(a_report_outlives_its_trees)
{
    OWN(sl_clashes) clashes = NULL;
    size_t count;
    {
        UNDONE(world_end) world w;
        world_begin(&w, SEED + 2);
        rebuild_scene(&w);
        assert_int_equal(sl_clashes_find(w.scene, NULL, &clashes, NULL), SL_OK);
    }
    const sl_instance_clash *list = sl_clashes_list(clashes, &count);
    assert_true(count > 0 && list[count - 1].b < MOST);
}

/* ---- Hooks ---- */

TEST(no_clash_depends_on_workers)
{
    UNDONE(world_end) world w;
    world_begin(&w, SEED + 3);
    rebuild_scene(&w);
    OWN(sl_clashes) alone = NULL;
    sl_clashes_def def = { .solids = true };
    assert_int_equal(sl_clashes_find(w.scene, &def, &alone, NULL), SL_OK);
    for (int workers = 1; workers < 9; workers++) {
        scrambled_tasks tasks;
        OWN(sl_pool) pool = made_pool(workers);
        OWN(sl_clashes) scrambled = NULL;
        OWN(sl_clashes) parallel = NULL;
        def.hooks.tasks = scrambled_tasks_start(&tasks, workers, SEED);
        assert_int_equal(sl_clashes_find(w.scene, &def, &scrambled, NULL), SL_OK);
        def.hooks.tasks = sl_pool_tasks(pool);
        assert_int_equal(sl_clashes_find(w.scene, &def, &parallel, NULL), SL_OK);
        assert_same(scrambled, alone);
        assert_same(parallel, alone);
        assert_false(tasks.nested);
    }
}

static void check_failing_memory(const sl_bvh *scene, sl_clashes_def def)
{
    OWN(sl_clashes) alone = NULL;
    assert_int_equal(sl_clashes_find(scene, &def, &alone, NULL), SL_OK);
    sli_failing_allocator memory = TEST_NO_FAILURE_YET;
    while (test_next_failure(&memory, &def.hooks.allocator)) {
        sl_clashes *clashes;
        const sl_result result = sl_clashes_find(scene, &def, &clashes, NULL);
        assert_int_equal(result, memory.failed ? SL_OUT_OF_MEMORY : SL_OK);
        assert_true((clashes == NULL) == memory.failed);
        if (clashes != NULL) {
            assert_same(clashes, alone);
        }
        sl_clashes_destroy(clashes);
    }
}

TEST(memory_may_fail)
{
    UNDONE(world_end) world w;
    world_begin(&w, SEED + 4);
    rebuild_scene(&w);
    OWN(sl_clashes) before = NULL;
    assert_int_equal(sl_clashes_find(w.scene, NULL, &before, NULL), SL_OK);
    put(&w, &w.instances[3]);
    rebuild_scene(&w);
    check_failing_memory(w.scene, (sl_clashes_def){ .previous = NULL });
    check_failing_memory(w.scene, (sl_clashes_def){ .previous = before });
    w.count = 2;
    w.instances[1] = w.instances[0];
    rebuild_scene(&w);
    check_failing_memory(w.scene, (sl_clashes_def){ .solids = true });
}

TEST(a_caller_may_stop_it)
{
    UNDONE(world_end) world w;
    world_begin(&w, SEED + 5);
    rebuild_scene(&w);
    sli_failing_allocator memory;
    test_watch seen = { .stop_at = -1, .phase = "clashes", .rises = true };
    sl_clashes_def def = { .hooks = { .progress = test_watch_progress(&seen) } };
    def.hooks.allocator = sli_failing_allocator_start(&memory, SLI_NEVER_FAIL);
    sl_clashes *clashes;
    assert_int_equal(sl_clashes_find(w.scene, &def, &clashes, NULL), SL_OK);
    sl_clashes_destroy(clashes);
    assert_true(seen.calls > 0 && seen.last == 1);
    for (int stop_at = seen.calls - 1; stop_at >= 0; stop_at--) {
        seen = (test_watch){ .stop_at = stop_at, .phase = "clashes", .rises = true };
        assert_int_equal(sl_clashes_find(w.scene, &def, &clashes, NULL), SL_CANCELLED);
        assert_null(clashes);
    }
    assert_true(sli_failing_allocator_clean(&memory));
}
