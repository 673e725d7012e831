/* Versions of scenes: each has the bits of a scene that is built anew, allocates nothing once its
 * memory goes round, and leaves what it follows as it was when it fails. */
#include "bvh/scene/scene.h"
#include "test/support/environment/scrambled_tasks.h"
#include "test/support/input/solids.h"
#include "test/support/test.h"

enum { SEED = 20261126, MOST = 90, TREES = 3, RAYS = 24, FRAMES = 300 };

typedef struct world {
    sl_bvh *trees[TREES];
    sl_bvh *inner;
    sl_instance instances[MOST];
    size_t count;
    test_random random;
} world;

static void put(world *w, sl_instance *instance)
{
    double at[3], turn[4], scale[3];
    for (int axis = 0; axis < 3; axis++) {
        at[axis] = test_random_in(&w->random, -20, 20);
        scale[axis] = test_random_in(&w->random, -2, 2);
        scale[axis] += scale[axis] < 0 ? -0.1 : 0.1;
    }
    for (int i = 0; i < 4; i++) {
        turn[i] = test_random_in(&w->random, -1, 1);
    }
    assert_true(sl_transform_from_trs(at, turn, scale, &instance->transform));
}

static void new_instance(world *w, sl_instance *instance)
{
    const uint32_t what = test_random_below(&w->random, TREES + 3);
    *instance = sl_instance_of(what < TREES ? w->trees[what] : what == TREES ? w->trees[0] : NULL);
    if (what == TREES + 1 && w->inner != NULL) {
        instance->bvh = w->inner;
    }
    put(w, instance);
    instance->id = test_random_below(&w->random, 1000);
}

static void begin(world *w, bool nested)
{
    *w = (world){ .random = { SEED } };
    const solid_kind kinds[TREES] = { SOLID_CUBE, SOLID_TORUS, SOLID_SPHERE };
    for (int i = 0; i < TREES; i++) {
        w->trees[i] = made_bvh_alone(solid_make(kinds[i]), NULL);
    }
    if (nested) {
        sl_instance two[3] = { sl_instance_of(w->trees[1]),
                               { .bvh = NULL },
                               sl_instance_of(w->trees[2]) };
        put(w, &two[2]);
        w->inner = made_scene(two, 3, NULL);
    }
    for (w->count = 0; w->count < MOST / 2; w->count++) {
        new_instance(w, &w->instances[w->count]);
    }
}

static void end(world *w)
{
    sl_bvh_destroy(w->inner);
    for (int i = 0; i < TREES; i++) {
        sl_bvh_destroy(w->trees[i]);
    }
}

/* Something of everything that may change from frame to frame. */
static void change(world *w)
{
    const uint32_t changes = test_random_below(&w->random, 8);
    for (uint32_t i = 0; i < changes && w->count > 0; i++) {
        sl_instance *at = &w->instances[test_random_below(&w->random, (uint32_t)w->count)];
        switch (test_random_below(&w->random, 7)) {
        case 0:
            *at = (sl_instance){ .id = at->id };
            break;
        case 1:
            at->mask = (uint32_t)test_random_u64(&w->random);
            break;
        case 2:
            at->grid = test_random_below(&w->random, 2) == 0 ? 0 : 0x1p-12;
            break;
        case 3:
            at->transform.m[0][3] = nextafter(at->transform.m[0][3], 100);
            break;
        case 4:
            at->grid = 0x1p-149;
            break;
        case 5:
            new_instance(w, at);
            break;
        default:
            put(w, at);
            break;
        }
    }
    if (test_random_below(&w->random, 5) == 0 && w->count < MOST) {
        new_instance(w, &w->instances[w->count++]);
    } else if (test_random_below(&w->random, 8) == 0 && w->count > 0) {
        w->count--;
    }
}

static bool same_transformed(const sli_transformed *a, const sli_transformed *b)
{
    const size_t numbers = offsetof(sli_transformed, tree); /* all before it, without padding */
    const size_t from = offsetof(sli_transformed, transform);
    const size_t rest = offsetof(sli_transformed, grid) + sizeof a->grid - from;
    return a->tree == b->tree &&
           (a->tree == NULL ||
            (a->mask == b->mask && a->mirrored == b->mirrored && memcmp(a, b, numbers) == 0 &&
             memcmp((const char *)a + from, (const char *)b + from, rest) == 0));
}

/* The same triangles, and the same bits for what leads to them. */
static void assert_same(const sl_bvh *a, const sl_bvh *b)
{
    assert_int_equal(a->world.count, b->world.count);
    for (uint32_t i = 0; i < a->world.count; i++) {
        sl_path_step x[4] = { { 0 } }, y[4] = { { 0 } };
        assert_true(same_transformed(&a->world.transformed[i], &b->world.transformed[i]));
        size_t of_x = 0, of_y = 0;
        assert_true(sl_bvh_path(a, i, x, 4, &of_x) && sl_bvh_path(b, i, y, 4, &of_y));
        assert_int_equal(of_x, of_y);
        assert_memory_equal(x, y, sizeof x);
    }
    const sl_bvh_info of_a = sl_bvh_get_info(a), of_b = sl_bvh_get_info(b);
    const sl_aabb_d box_a = sl_bvh_bounds(a), box_b = sl_bvh_bounds(b);
    assert_int_equal(of_a.hole_count, of_b.hole_count);
    assert_int_equal(of_a.left_out_count, of_b.left_out_count);
    assert_int_equal(of_a.triangle_count, of_b.triangle_count);
    assert_memory_equal(&box_a, &box_b, sizeof box_a);
}

static void assert_answers(const sl_bvh *a, const sl_bvh *b, test_random *random)
{
    sl_ray rays[RAYS];
    sl_hit x[RAYS], y[RAYS];
    for (int i = 0; i < RAYS; i++) {
        rays[i] = (sl_ray){ .tmax = INFINITY };
        for (int axis = 0; axis < 3; axis++) {
            rays[i].origin[axis] = test_random_in(random, -25, 25);
            rays[i].dir[axis] = test_random_in(random, -1, 1);
        }
    }
    const sl_options options = { .mask = 0x00FFFF00u };
    sl_bvh_closest_many(a, sl_rays_of(rays, RAYS), &options, sl_hits_of(x), NULL, NULL);
    sl_bvh_closest_many(b, sl_rays_of(rays, RAYS), &options, sl_hits_of(y), NULL, NULL);
    assert_memory_equal(x, y, sizeof x);
    for (int i = 0; i < RAYS; i++) {
        assert_int_equal(sl_bvh_all(a, &rays[i], NULL, NULL, 0),
                         sl_bvh_all(b, &rays[i], NULL, NULL, 0));
    }
}

static void assert_sound(const sl_bvh *scene)
{
    sl_error error = { .message = "" };
    if (!sli_tree_check(scene->instances->top.tree, NULL, &error)) {
        fail_msg("%s", error.message);
    }
}

TEST(a_history_has_the_bits_of_scenes_built_anew)
{
    for (int nested = 0; nested < 2; nested++) {
        UNDONE(end) world w;
        scrambled_tasks tasks;
        begin(&w, nested != 0);
        OWN(sl_bvh) now = made_scene(w.instances, w.count, NULL);
        OWN(sl_bvh) before = NULL;
        for (int frame = 0; frame < FRAMES; frame++) {
            change(&w);
            sl_instances_def def = (sl_instances_def){ 0 };
            def.bad = SL_BAD_INSTANCES_LEAVE_OUT;
            OWN(sl_bvh) fresh = made_scene(w.instances, w.count, &def);
            def.previous = test_random_below(&w.random, 9) > 0 ? now : NULL;
            const bool itself = test_random_below(&w.random, 7) == 0;
            def.recycle = itself ? now : before;
            def.hooks.tasks =
                frame % 2 == 0 ? NULL : scrambled_tasks_start(&tasks, 3, (uint64_t)frame);
            sl_bvh *next = made_scene(w.instances, w.count, &def);
            if (!itself) {
                before = now;
            }
            now = next;
            assert_same(now, fresh);
            assert_sound(now);
            assert_answers(now, fresh, &w.random);
        }
    }
}

/* The same pointer, other bounds: what is kept goes by the bounds. */
TEST(a_tree_refitted_in_place_is_seen)
{
    UNDONE(end) world w;
    begin(&w, false);
    OWN(sl_mesh) mesh = solid_make(SOLID_CUBE);
    const size_t vertices = sl_mesh_soup(mesh).vertex_count;
    FREED float *xyz = made_memory(3 * vertices * sizeof *xyz);
    for (size_t i = 0; i < 3 * vertices; i++) {
        xyz[i] = sl_mesh_soup(mesh).xyz[i] * (i % 3 == 1 ? 1.5f : 1);
    }
    OWN(sl_bvh) before = made_scene(w.instances, w.count, NULL);
    sl_refit_def refit = { .recycle = w.trees[0] };
    assert_int_equal(sl_bvh_refit(w.trees[0], xyz, vertices, sl_mesh_soup(mesh).indices,
                                  sl_mesh_soup(mesh).triangle_count, &refit, &w.trees[0], NULL),
                     SL_OK);
    sl_instances_def def = (sl_instances_def){ 0 };
    OWN(sl_bvh) fresh = made_scene(w.instances, w.count, &def);
    def.previous = before;
    OWN(sl_bvh) next = made_scene(w.instances, w.count, &def);
    assert_same(next, fresh);
    assert_answers(next, fresh, &w.random);
}

/* Small moves keep the nodes; large ones, and one instance far away beside which nothing else
 * counts, do not. */
TEST(nodes_are_kept_while_they_are_good)
{
    UNDONE(end) world w;
    begin(&w, false);
    for (int i = 0; i < MOST; i++) {
        w.instances[i] = sl_instance_of(w.trees[i % TREES]);
        put(&w, &w.instances[i]);
    }
    w.count = MOST;
    for (int far = 0; far < 2; far++) {
        w.instances[7].transform.m[0][3] = far != 0 ? 1e6 : 0;
        OWN(sl_bvh) first = made_scene(w.instances, w.count, NULL);
        sl_instances_def def = (sl_instances_def){ 0 };
        def.previous = first;
        for (int i = 0; i < MOST; i++) {
            w.instances[i].transform.m[1][3] += 0.01 * (double)test_random_in(&w.random, -1, 1);
        }
        OWN(sl_bvh) next = made_scene(w.instances, w.count, &def);
        assert_true(next->instances->top.tree->cost_error > 0); /* refitted */
        assert_sound(next);
        for (int i = 0; i < MOST; i++) {
            w.instances[i].transform.m[1][3] = (double)test_random_in(&w.random, -20, 20);
        }
        def.previous = next;
        OWN(sl_bvh) anywhere = made_scene(w.instances, w.count, &def);
        OWN(sl_bvh) fresh = made_scene(w.instances, w.count, NULL);
        assert_true(anywhere->instances->top.tree->cost_error == 0); /* built */
        assert_true(anywhere->instances->top.tree->info.sah_cost ==
                    fresh->instances->top.tree->info.sah_cost);
    }
}

/* Two versions that take turns, three, and one that follows itself; of instances that are anywhere
 * in the next frame, or nearby, so that trees over them are kept for some frames and then built. */
TEST(memory_goes_round)
{
    for (int kind = 0; kind < 6; kind++) {
        const int ways = kind / 2 + 1;
        UNDONE(end) world w;
        sli_failing_allocator memory;
        begin(&w, false);
        sl_instances_def def = (sl_instances_def){ 0 };
        def.hooks.allocator = sli_failing_allocator_start(&memory, SLI_NEVER_FAIL);
        sl_bvh *versions[3] = { NULL };
        size_t allocations = 0, bytes = 0;
        int kept = 0, built = 0;
        for (int frame = 0; frame < FRAMES; frame++) {
            for (size_t i = 0; i < w.count; i++) {
                if (w.instances[i].bvh != NULL && kind % 2 == 0) {
                    put(&w, &w.instances[i]);
                } else if (w.instances[i].bvh != NULL) {
                    w.instances[i].transform.m[frame / 50 % 3][3] +=
                        0.06 * (double)((int)(i % 7) - 3);
                }
            }
            sl_bvh **at = &versions[frame % ways];
            def.previous = versions[(frame + ways - 1) % ways];
            def.recycle = *at;
            *at = made_scene(w.instances, w.count, &def);
            const bool early = frame <= (kind % 2 == 0 ? 6 : 3) * ways;
            allocations = early ? memory.allocations : allocations;
            bytes = early ? memory.live_bytes : bytes;
            kept += !early && (*at)->instances->top.tree->cost_error > 0;
            built += !early && (*at)->instances->top.tree->cost_error == 0;
            const sl_bvh_info info = sl_bvh_get_info(*at);
            assert_true(info.bytes <= memory.live_bytes);
        }
        assert_in_range(built, 3, FRAMES);
        assert_true(kind % 2 == 0 || kept > 10 * built);
        assert_int_equal(memory.allocations, allocations);
        assert_true(memory.live_bytes <= bytes); /* what eight builds had no use for is gone */
        for (int i = 0; i < 3; i++) {
            sl_bvh_destroy(versions[i]);
        }
        assert_true(sli_failing_allocator_clean(&memory));
    }
}

/* ---- Failures ---- */

typedef struct stopper {
    int calls, stop_at;
    float last;
} stopper;

static bool report(void *user, const char *phase, float fraction)
{
    stopper *s = user;
    (void)phase;
    assert_true(fraction >= 0 && fraction <= 1);
    return s->calls++ != s->stop_at;
}

/* Builds a version after a change that fails at step n, by memory or by the hook; then again, which
 * succeeds.  False: there is no such step. */
static bool fail_at(world *w, int n, bool cancel, bool itself)
{
    sli_failing_allocator memory;
    sl_instances_def def = (sl_instances_def){ 0 };
    def.hooks.allocator = sli_failing_allocator_start(&memory, SLI_NEVER_FAIL);
    sl_bvh *first = made_scene(w->instances, w->count, &def),
           *older = made_scene(w->instances, w->count, &def),
           *copy = made_scene(w->instances, w->count, NULL);
    world moved = *w;
    for (size_t i = 0; i < w->count; i++) {
        put(&moved, &moved.instances[i]);
    }
    for (moved.count = w->count; moved.count < MOST; moved.count++) { /* no block is large enough */
        new_instance(&moved, &moved.instances[moved.count]);
    }
    stopper stop = { .stop_at = n };
    def.previous = first;
    def.recycle = itself ? first : older;
    if (cancel) {
        def.hooks.progress = (sl_progress){ report, &stop };
    } else {
        memory.fail_at = memory.allocations + (size_t)n;
    }
    sl_bvh *next = NULL;
    const sl_result result =
        sl_bvh_build_instances(moved.instances, moved.count, &def, &next, NULL);
    const bool failed = result != SL_OK;
    if (failed) {
        assert_int_equal(result, cancel ? SL_CANCELLED : SL_OUT_OF_MEMORY);
        assert_null(next);
        assert_same(first, copy);
        assert_answers(first, copy, &w->random);
        if (!itself) {
            sl_bvh *nothing = made_scene(NULL, 0, NULL);
            const sl_bvh *is = older->world.count > 0 ? copy : nothing; /* not emptied yet, or so */
            assert_same(older, is);
            assert_answers(older, is, &w->random);
            sl_bvh_destroy(nothing);
        }
        memory.fail_at = SLI_NEVER_FAIL;
        def.hooks.progress = (sl_progress){ NULL, NULL };
        next = made_scene(moved.instances, moved.count, &def);
    }
    sl_bvh *fresh = made_scene(moved.instances, moved.count, NULL);
    assert_same(next, fresh);
    assert_sound(next);
    sl_bvh_destroy(fresh);
    sl_bvh_destroy(next);
    sl_bvh_destroy(itself ? older : first);
    sl_bvh_destroy(copy);
    assert_true(sli_failing_allocator_clean(&memory));
    return failed;
}

TEST(a_failure_leaves_what_it_follows)
{
    UNDONE(end) world w;
    begin(&w, false);
    for (int way = 0; way < 4; way++) {
        int steps = 0;
        while (fail_at(&w, steps, (way & 1) != 0, (way & 2) != 0)) {
            steps++;
        }
        assert_in_range(steps, 5, 1000);
    }
}

TEST(a_recycled_scene_is_in_no_instance)
{
    UNDONE(end) world w;
    begin(&w, true);
    sl_bvh *middle, *out = (sl_bvh *)1;
    sl_instance in = sl_instance_of(NULL);
    sl_error error = { .message = "" };
    in.bvh = w.inner;
    assert_int_equal(sl_bvh_build_instances(&in, 1, NULL, &middle, NULL), SL_OK);
    sl_instance two[2] = { sl_instance_of(w.trees[0]), sl_instance_of(NULL) };
    two[1].bvh = middle;
    sl_instances_def def = (sl_instances_def){ 0 };
    def.recycle = w.inner;
    for (int follows = 0; follows < 2; follows++) {
        def.previous = follows ? w.inner : NULL;
        assert_int_equal(sl_bvh_build_instances(two, 2, &def, &out, &error), SL_INVALID_ARGUMENT);
        assert_null(out);
        assert_non_null(strstr(error.message, "instance 1"));
    }
    sl_bvh *same = NULL; /* and the inner one is as it was */
    def = (sl_instances_def){ 0 };
    same = made_scene(two, 2, &def);
    assert_int_equal(same->world.count, 4);
    sl_bvh_destroy(same);
    sl_bvh_destroy(middle);
}

/* ---- Workers ---- */

TEST(workers_change_nothing)
{
    enum { MANY = 3000 };
    UNDONE(end) world w;
    begin(&w, false);
    FREED sl_instance *many = made_memory(MANY * sizeof *many);
    for (int i = 0; i < MANY; i++) {
        many[i] = sl_instance_of(i % 50 == 7 ? NULL : w.trees[i % TREES]);
        put(&w, &many[i]);
    }
    sl_bvh *together;
    sl_instances_def def = (sl_instances_def){ 0 };
    OWN(sl_bvh) alone = made_scene(many, MANY, &def);
    OWN(sl_pool) pool = made_pool(8);
    scrambled_tasks tasks;
    const sl_tasks *ways[2] = { sl_pool_tasks(pool), scrambled_tasks_start(&tasks, 5, SEED) };
    for (int way = 0; way < 2; way++) {
        def.hooks.tasks = ways[way];
        together = made_scene(many, MANY, &def);
        assert_same(alone, together);
        assert_int_equal(alone->instances->top.tree->line_count,
                         together->instances->top.tree->line_count);
        assert_memory_equal(alone->instances->top.tree->lines, together->instances->top.tree->lines,
                            alone->instances->top.tree->line_count * SLI_LINE);
        sl_bvh_destroy(together);
        sl_error error = { .message = "" };
        sl_instance kept[2] = { many[2100], many[2900] };
        many[2100].transform.m[0][0] = many[2900].transform.m[1][1] = NAN;
        assert_int_equal(sl_bvh_build_instances(many, MANY, &def, &together, &error), SL_BAD_DATA);
        assert_non_null(strstr(error.message, "instance 2100 (number 2100)"));
        many[2100] = kept[0];
        many[2900] = kept[1];
    }
    assert_false(tasks.nested);
}
