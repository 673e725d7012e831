/* High builds keep a tree without splits where it is the cheaper one, and nobody notices that there
 * were two. */
#include "bvh/builder/binary_tree.h"
#include "lib/base/memory.h"
#include "test/support/environment/failing_allocator.h"
#include "test/support/environment/scrambled_tasks.h"
#include "test/support/environment/watch.h"
#include "test/support/input/slender.h"

#include <sightline/bvh.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { ROOMS = 6, COUNT = 3000, MANY = 20000 };

static const sli_recipe with_splits = { 1, { 24, 0.1 }, true };

static sli_grown grow(const sl_mesh *mesh, const sl_allocator *allocator, const sl_tasks *tasks)
{
    const sli_stage stage = { .tasks = tasks };
    sli_grown tree;
    assert_int_equal(sli_grow(mesh, &with_splits, allocator, &stage, &tree), SL_OK);
    return tree;
}

static void walls_are_left_whole_where_that_is_cheaper(void **state)
{
    (void)state;
    const sl_allocator standard = sli_allocator(NULL);
    sl_mesh *mesh = slender_make(ROOMS, COUNT);
    sli_grown tree = grow(mesh, &standard, NULL);
    assert_false(tree.splits);
    sli_grown_free(&tree);
    sl_build_def def = sl_default_build_def();
    sl_bvh *plain = NULL, *high = NULL;
    assert_int_equal(sl_bvh_build(mesh, &def, &plain, NULL), SL_OK);
    def.quality = SL_BVH_QUALITY_HIGH;
    assert_int_equal(sl_bvh_build(mesh, &def, &high, NULL), SL_OK);
    const sl_bvh_info a = sl_bvh_get_info(plain), b = sl_bvh_get_info(high);
    assert_int_equal(b.quality, SL_BVH_QUALITY_HIGH);
    assert_int_equal(b.reference_count, COUNT);
    print_message("cost %g, %g with high quality\n", a.sah_cost, b.sah_cost);
    assert_true(b.sah_cost < 1.05 * a.sah_cost); /* 1.17 with splits */
    assert_true(sl_bvh_check(high, mesh, NULL));
    sl_bvh_destroy(plain);
    sl_bvh_destroy(high);
    sl_mesh_destroy(mesh);
}

static void needles_stay_split(void **state)
{
    (void)state;
    const sl_allocator standard = sli_allocator(NULL);
    sl_mesh *mesh = slender_make(0, COUNT);
    sli_grown tree = grow(mesh, &standard, NULL);
    assert_true(tree.splits);
    assert_true(tree.node_count > 2 * COUNT);
    sli_grown_free(&tree);
    sl_mesh_destroy(mesh);
}

static void workers_choose_the_same(void **state)
{
    (void)state;
    const sl_allocator standard = sli_allocator(NULL);
    sl_mesh *mesh = slender_make(ROOMS, COUNT);
    sli_grown alone = grow(mesh, &standard, NULL);
    for (int workers = 2; workers < 5; workers++) {
        scrambled_tasks scrambled;
        sli_grown tree =
            grow(mesh, &standard, scrambled_tasks_start(&scrambled, workers, (uint64_t)workers));
        assert_int_equal(tree.splits, alone.splits);
        assert_int_equal(tree.node_count, alone.node_count);
        assert_memory_equal(tree.nodes, alone.nodes, alone.node_count * sizeof *alone.nodes);
        sli_grown_free(&tree);
    }
    sli_grown_free(&alone);
    sl_mesh_destroy(mesh);
}

static void any_allocation_may_fail(void **state)
{
    (void)state;
    sl_mesh *mesh = slender_make(ROOMS, COUNT);
    bool failed = true;
    for (size_t n = 0; failed; n++) {
        sli_failing_allocator memory;
        sl_error error = { .code = SL_OK };
        const sli_stage stage = { .error = &error };
        const sl_allocator allocator = sli_failing_allocator_start(&memory, n);
        sli_grown tree;
        const sl_result result = sli_grow(mesh, &with_splits, &allocator, &stage, &tree);
        failed = memory.failed;
        assert_int_equal(result, failed ? SL_OUT_OF_MEMORY : SL_OK);
        assert_int_equal(error.code, result);
        sli_grown_free(&tree);
        assert_int_equal(memory.live_blocks, 0);
        assert_int_equal(memory.misuses, 0);
    }
    sl_mesh_destroy(mesh);
}

/* Up to what is enough for both trees. */
static void every_limit_holds(void **state)
{
    (void)state;
    sl_mesh *mesh = slender_make(ROOMS, COUNT);
    size_t defaults = 0, whole = 0;
    for (size_t limit = 180 * COUNT; whole == 0; limit += COUNT) {
        sli_failing_allocator memory;
        sl_build_def def = sl_default_build_def();
        sl_bvh *bvh = NULL;
        def.quality = SL_BVH_QUALITY_HIGH;
        def.max_memory = limit;
        def.hooks.allocator = sli_failing_allocator_start(&memory, SLI_NEVER_FAIL);
        assert_int_equal(sl_bvh_build(mesh, &def, &bvh, NULL), SL_OK);
        assert_in_range(memory.peak_bytes, 0, limit);
        const sl_bvh_info info = sl_bvh_get_info(bvh);
        defaults += info.quality == SL_BVH_QUALITY_DEFAULT;
        whole += info.quality == SL_BVH_QUALITY_HIGH && info.reference_count == COUNT;
        sl_bvh_destroy(bvh);
        assert_int_equal(memory.live_blocks, 0);
        assert_in_range(limit, 0, 400 * COUNT);
    }
    assert_true(defaults > 0);
    sl_mesh_destroy(mesh);
}

static void cancelling_at_any_report_leaves_nothing(void **state)
{
    (void)state;
    sl_mesh *mesh = slender_make(ROOMS, COUNT);
    sl_result result = SL_CANCELLED;
    for (int stop_at = 0; result != SL_OK; stop_at++) {
        test_watch w = { .stop_at = stop_at };
        sli_failing_allocator memory;
        const sli_stage stage = { .progress = test_watch_progress(&w) };
        const sl_allocator allocator = sli_failing_allocator_start(&memory, SLI_NEVER_FAIL);
        sli_grown tree;
        result = sli_grow(mesh, &with_splits, &allocator, &stage, &tree);
        assert_int_equal(result, w.calls > stop_at ? SL_CANCELLED : SL_OK);
        sli_grown_free(&tree);
        assert_int_equal(memory.live_blocks, 0);
    }
    sl_mesh_destroy(mesh);
}

static void memory_stays_within_what_the_header_says(void **state)
{
    (void)state;
    sl_mesh *mesh = slender_make(ROOMS, MANY);
    sli_failing_allocator memory;
    sl_build_def def = sl_default_build_def();
    def.quality = SL_BVH_QUALITY_HIGH;
    def.hooks.allocator = sli_failing_allocator_start(&memory, SLI_NEVER_FAIL);
    sl_bvh *bvh = NULL;
    assert_int_equal(sl_bvh_build(mesh, &def, &bvh, NULL), SL_OK);
    assert_in_range(memory.peak_bytes, 0, memory.live_bytes + 140 * MANY + 65536);
    sl_bvh_destroy(bvh);
    sl_mesh_destroy(mesh);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(walls_are_left_whole_where_that_is_cheaper),
        cmocka_unit_test(needles_stay_split),
        cmocka_unit_test(workers_choose_the_same),
        cmocka_unit_test(any_allocation_may_fail),
        cmocka_unit_test(every_limit_holds),
        cmocka_unit_test(cancelling_at_any_report_leaves_nothing),
        cmocka_unit_test(memory_stays_within_what_the_header_says),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
