/* Builds of high quality: what test_build.c claims, where triangles are split. */
#include "bvh/builder/topdown.h"
#include "bvh/builder/wide/widen.h"
#include "lib/base/memory.h"
#include "test/support/environment/scrambled_tasks.h"
#include "test/support/environment/watch.h"
#include "test/support/input/slender.h"
#include "test/support/input/terrible.h"
#include "test/support/test.h"

#include <fenv.h>
#include <time.h>

static sl_bvh *build(const sl_mesh *mesh, const sl_tasks *tasks)
{
    sl_build_def def = { .quality = SL_BVH_QUALITY_HIGH, .hooks.tasks = tasks };
    return made_bvh(mesh, &def);
}

static void check(const char *name, const sl_bvh *bvh, const sl_mesh *mesh)
{
    sl_error error;
    if (!sl_bvh_check(bvh, mesh, &error)) {
        fail_msg("%s: %s", name, error.message);
    }
    const sl_bvh_info info = sl_bvh_get_info(bvh);
    assert_true(info.reference_count >= info.triangle_count);
    assert_true(info.reference_count <= info.triangle_count + info.triangle_count / 2);
}

static bool same_tree(const sl_bvh *a, const sl_bvh *b)
{
    return a->line_count == b->line_count && a->root == b->root &&
           a->triangle_count == b->triangle_count &&
           memcmp(a->lines, b->lines, a->line_count * SLI_LINE) == 0 &&
           memcmp(a->slots, b->slots, a->prim_count * sizeof *a->slots) == 0;
}

static int mesh_count(void)
{
    return slender_count() + terrible_count();
}

static sl_mesh *make_mesh(int which, size_t count)
{
    return which < slender_count() ? slender_make(which, count)
                                   : terrible_make(which - slender_count(), count);
}

static const char *name_of(int which)
{
    return which < slender_count() ? slender_name(which) : terrible_name(which - slender_count());
}

TEST(trees_are_sound_within_the_capacity)
{
    for (int which = 0; which < mesh_count(); which++) {
        for (size_t count = 1; count < 3000; count *= 7) {
            OWN(sl_mesh) mesh = make_mesh(which, count);
            OWN(sl_bvh) bvh = build(mesh, NULL);
            check(name_of(which), bvh, mesh);
        }
    }
}

TEST(slender_triangles_cost_less_split)
{
    static const int kinds[3] = { 0, 3, 5 }; /* needles, crumbs, needles far away */
    for (int i = 0; i < 3; i++) {
        OWN(sl_mesh) mesh = slender_make(kinds[i], 7000);
        OWN(sl_bvh) whole = NULL;
        OWN(sl_bvh) split = build(mesh, NULL);
        whole = made_bvh(mesh, NULL);
        const sl_bvh_info a = sl_bvh_get_info(whole), b = sl_bvh_get_info(split);
        assert_int_equal(a.reference_count, a.triangle_count);
        assert_true(b.reference_count > b.triangle_count);
        assert_true(b.sah_cost < 0.97 * a.sah_cost);
    }
}

/* Nodes that are in use, and that each is where builder/defragment.h says: behind its parent's
 * pair. */
static size_t count_nodes(const sli_node2 *nodes, size_t node_count)
{
    uint32_t stack[2 * SLI_BINARY_DEPTH] = { 0 };
    size_t used = 0;
    for (int top = 1; top > 0; used++) {
        const sli_node2 *node = &nodes[stack[--top]];
        if (node->count == 0) {
            assert_true(top + 2 <= 2 * SLI_BINARY_DEPTH);
            assert_in_range(node->first, (size_t)(node - nodes) + 1, node_count - 2);
            stack[top++] = node->first + 1;
            stack[top++] = node->first;
        }
    }
    return used;
}

TEST(binary_trees_keep_no_slack)
{
    const sli_phase phase = { .tasks = NULL };
    const sl_allocator standard = sli_allocator(NULL);
    for (int which = 0; which < mesh_count(); which++) {
        for (size_t count = 1; count < 20000; count = 17 * count + 3) {
            OWN(sl_mesh) mesh = make_mesh(which, count);
            const sli_triangles triangles = { sl_mesh_soup(mesh).xyz, sl_mesh_soup(mesh).indices };
            UNDONE(sli_refs_destroy) sli_refs refs;
            sli_node2 *nodes = NULL;
            size_t node_count = 0;
            assert_int_equal(sli_refs_create(mesh, sli_spatial_capacity, &standard, &phase, &refs),
                             SL_OK);
            assert_int_equal(sli_topdown(&refs, &triangles, 1, &phase, &nodes, &node_count), SL_OK);
            assert_int_equal(count_nodes(nodes, node_count), node_count);
            assert_in_range(node_count, 2 * refs.count - 1, 2 * refs.capacity - 1);
            assert_null(refs.side[0]);
            assert_null(refs.side[1]);
            sli_free_array(&standard, nodes, node_count, sizeof *nodes);
        }
    }
}

TEST(workers_leave_no_trace)
{
    static const int counts[] = { 8, 2, 3, 1 };
    for (int which = 0; which < mesh_count(); which++) {
        OWN(sl_mesh) mesh = make_mesh(which, 5000); /* enough for a level split by all */
        OWN(sl_bvh) alone = build(mesh, NULL);
        for (int i = which % 4; i < 4; i += 4) {
            scrambled_tasks scrambled;
            const uint64_t seed = (uint64_t)(which * 4 + i);
            OWN(sl_bvh) bvh = build(mesh, scrambled_tasks_start(&scrambled, counts[i], seed));
            assert_true(same_tree(alone, bvh));
            assert_false(scrambled.nested);
        }
    }
}

TEST(the_callers_rounding_leaves_no_trace)
{
    static const int roundings[] = { FE_UPWARD, FE_DOWNWARD, FE_TOWARDZERO };
    for (int which = 0; which < mesh_count(); which += 5) {
        OWN(sl_mesh) mesh = make_mesh(which, 5000);
        OWN(sl_bvh) plain = build(mesh, NULL);
        for (int i = 0; i < 3; i++) {
            fesetround(roundings[i]);
            OWN(sl_bvh) bvh = build(mesh, NULL);
            const bool sound = sl_bvh_check(bvh, mesh, NULL);
            const int after = fegetround();
            fesetround(FE_TONEAREST);
            assert_int_equal(after, roundings[i]);
            assert_true(sound);
            assert_true(same_tree(plain, bvh));
        }
    }
}

TEST(the_check_survives_any_failed_allocation)
{
    OWN(sl_mesh) mesh = slender_make(3, 500);
    sli_failing_allocator memory;
    sl_build_def def = { .quality = SL_BVH_QUALITY_HIGH,
                         .hooks.allocator = sli_failing_allocator_start(&memory, SLI_NEVER_FAIL) };
    OWN(sl_bvh) bvh = made_bvh(mesh, &def);
    const size_t live = memory.live_blocks;
    size_t failures = 0;
    for (bool failed = true; failed; failures += failed) {
        sl_error error = { .code = SL_OK };
        memory.failed = false;
        memory.fail_at = memory.allocations + failures;
        const bool sound = sl_bvh_check(bvh, mesh, &error);
        failed = memory.failed;
        assert_int_equal(sound, !failed);
        assert_int_equal(error.code, failed ? SL_OUT_OF_MEMORY : SL_OK);
        assert_int_equal(memory.live_blocks, live);
    }
    assert_true(failures > 3);
}

TEST(cancelling_at_any_report_leaves_nothing)
{
    OWN(sl_mesh) mesh = slender_make(3, 4500);
    sli_failing_allocator memory;
    sl_build_def def = { .quality = SL_BVH_QUALITY_HIGH,
                         .hooks.allocator = sli_failing_allocator_start(&memory, SLI_NEVER_FAIL) };
    sl_result result = SL_CANCELLED;
    for (int stop_at = 0; result != SL_OK; stop_at++) {
        test_watch w = { .stop_at = stop_at };
        def.hooks.progress = test_watch_progress(&w);
        sl_bvh *bvh = NULL;
        result = sl_bvh_build(mesh, &def, &bvh, NULL);
        assert_true((bvh == NULL) == (result == SL_CANCELLED));
        sl_bvh_destroy(bvh);
        assert_int_equal(memory.live_blocks, 0);
    }
}

static double seconds_of(const sl_mesh *mesh)
{
    const clock_t begin = clock();
    sl_bvh_destroy(build(mesh, NULL));
    return (double)(clock() - begin) / CLOCKS_PER_SEC;
}

/* Chopping all copies into bins, on each of the levels that halve them, took five times as long as
 * a build over as many scattered triangles. */
TEST(copies_are_not_chopped_in_vain)
{
    enum { COUNT = 20000 };
    FREED float *xyz = calloc(9 * COUNT, sizeof *xyz);
    FREED uint32_t *indices = calloc(3 * COUNT, sizeof *indices);
    assert_true(xyz != NULL && indices != NULL);
    const float corners[9] = { 0, 0, 0, 1, 0.25f, 0.5f, 0.25f, 1, 0.75f };
    memcpy(xyz, corners, sizeof corners);
    for (uint32_t i = 0; i < 3 * COUNT; i++) {
        indices[i] = i % 3;
    }
    OWN(sl_mesh) copies = made_mesh(xyz, 3, indices, COUNT, NULL);
    OWN(sl_mesh) scattered = made_soup(COUNT, 0.001f, 7);
    double of_copies = HUGE_VAL, of_scattered = 0;
    for (int round = 0; round < 3; round++) { /* on a machine that others use */
        of_copies = fmin(of_copies, seconds_of(copies));
        of_scattered = fmax(of_scattered, seconds_of(scattered));
    }
    print_message("%.1f and %.1f ms\n", 1e3 * of_copies, 1e3 * of_scattered);
    assert_true(of_copies < 2 * of_scattered);
}
