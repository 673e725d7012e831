/* max_memory and max_tree_size of sl_build_def: never exceeded, met by doing with less, or
 * refused. */
#include "bvh/tree/tree.h"
#include "test/support/test.h"

static sl_mesh *grid(uint32_t n)
{
    return made_grid(n, n, 3, 7);
}

typedef struct outcome {
    sl_result result;
    sl_bvh_info info;
    size_t peak;
    sl_error error;
} outcome;

static outcome build(const sl_mesh *mesh, sl_build_def def)
{
    sli_failing_allocator memory;
    outcome out = { .error = { .code = SL_OK } };
    sl_bvh *bvh = NULL;
    def.hooks.allocator = sli_failing_allocator_start(&memory, SLI_NEVER_FAIL);
    out.result = sl_bvh_build(mesh, &def, &bvh, &out.error);
    out.peak = memory.peak_bytes;
    if (def.max_memory > 0) {
        assert_in_range(out.peak, 0, def.max_memory);
    }
    if (out.result == SL_OK) {
        sl_error why;
        out.info = sl_bvh_get_info(bvh);
        assert_int_equal(out.error.code, SL_OK); /* untouched, whatever was tried before */
        assert_int_equal(memory.live_bytes, out.info.bytes);
        if (!sl_bvh_check(bvh, mesh, &why)) {
            fail_msg("%s", why.message);
        }
    } else {
        assert_null(bvh);
        assert_int_equal(out.result, SL_TOO_LARGE);
        assert_int_equal(out.error.code, SL_TOO_LARGE);
    }
    sl_bvh_destroy(bvh);
    assert_true(sli_failing_allocator_clean(&memory));
    return out;
}

TEST(a_limit_that_is_enough_changes_nothing)
{
    OWN(sl_mesh) mesh = grid(60);
    for (sl_bvh_quality quality = SL_BVH_QUALITY_DEFAULT; quality <= SL_BVH_QUALITY_HIGH;
         quality++) {
        sl_build_def def = { .quality = quality };
        const outcome free = build(mesh, def);
        def.max_memory = free.peak;
        def.max_tree_size = free.info.bytes;
        const outcome bound = build(mesh, def);
        assert_int_equal(bound.info.quality, quality);
        assert_int_equal(bound.info.layout, SL_BVH_LAYOUT_DEFAULT);
        assert_int_equal(bound.info.bytes, free.info.bytes);
        assert_int_equal(bound.peak, free.peak);
    }
}

TEST(a_tree_that_is_too_large_becomes_compact)
{
    OWN(sl_mesh) mesh = grid(60);
    for (sl_bvh_quality quality = SL_BVH_QUALITY_DEFAULT; quality <= SL_BVH_QUALITY_HIGH;
         quality++) {
        sl_build_def def = { .quality = quality, .layout = SL_BVH_LAYOUT_COMPACT };
        const size_t compact = build(mesh, def).info.bytes;
        def.layout = SL_BVH_LAYOUT_DEFAULT;
        const size_t whole = build(mesh, def).info.bytes;
        def.max_tree_size = whole - 1;
        outcome out = build(mesh, def);
        assert_int_equal(out.result, SL_OK);
        assert_true(out.info.layout == SL_BVH_LAYOUT_COMPACT || out.info.quality != quality);
        assert_true(out.info.bytes < whole);
        def.quality = SL_BVH_QUALITY_DEFAULT;
        def.max_tree_size = compact / 2;
        out = build(mesh, def);
        assert_int_equal(out.result, SL_TOO_LARGE);
        assert_non_null(strstr(out.error.message, "max_tree_size"));
    }
}

TEST(high_quality_gives_way_to_the_default)
{
    OWN(sl_mesh) mesh = grid(60);
    sl_build_def def = { 0 };
    const size_t enough = build(mesh, def).peak;
    def.quality = SL_BVH_QUALITY_HIGH;
    assert_true(build(mesh, def).peak > enough);
    def.max_memory = enough;
    const outcome out = build(mesh, def);
    assert_int_equal(out.result, SL_OK);
    assert_int_equal(out.info.quality, SL_BVH_QUALITY_DEFAULT);
}

/* Every limit holds, and a larger limit gives a tree where a smaller one does. */
TEST(every_limit_holds)
{
    OWN(sl_mesh) mesh = grid(40);
    const size_t count = sl_mesh_soup(mesh).triangle_count;
    for (int which = 0; which < 4; which++) {
        bool met = false;
        for (size_t bytes = 1; bytes < 260; bytes += 3) {
            sl_build_def def = { .quality = (sl_bvh_quality)(which % 3) };
            def.layout = which == 3 ? SL_BVH_LAYOUT_COMPACT : SL_BVH_LAYOUT_DEFAULT;
            def.max_memory = bytes * count;
            const outcome out = build(mesh, def);
            assert_true(!met || out.result == SL_OK);
            met = out.result == SL_OK;
            if (!met) {
                assert_non_null(strstr(out.error.message, "max_memory"));
            }
        }
        assert_true(met);
    }
}

TEST(workers_keep_to_the_limit)
{
    OWN(sl_mesh) mesh = grid(120);
    OWN(sl_pool) pool = made_pool(3);
    sl_build_def def = { .hooks.tasks = sl_pool_tasks(pool), .quality = SL_BVH_QUALITY_HIGH };
    for (size_t bytes = 120; bytes < 240; bytes += 15) {
        def.max_memory = bytes * sl_mesh_soup(mesh).triangle_count;
        (void)build(mesh, def);
    }
}

/* Real want of memory keeps its own name. */
TEST(out_of_memory_is_told_from_the_limit)
{
    OWN(sl_mesh) mesh = grid(20);
    for (size_t n = 0; n < 5; n++) {
        sli_failing_allocator memory;
        sl_build_def def = { 0 };
        sl_bvh *bvh = NULL;
        def.max_memory = 1 << 24;
        def.hooks.allocator = sli_failing_allocator_start(&memory, n);
        assert_int_equal(sl_bvh_build(mesh, &def, &bvh, NULL), SL_OUT_OF_MEMORY);
        assert_int_equal(memory.live_blocks, 0);
    }
}

TEST(a_layout_that_is_none_is_named)
{
    OWN(sl_mesh) mesh = grid(4);
    sl_build_def def = { 0 };
    sl_bvh *bvh = NULL;
    sl_error error;
    def.layout = (sl_bvh_layout)2;
    assert_int_equal(sl_bvh_build(mesh, &def, &bvh, &error), SL_INVALID_ARGUMENT);
    assert_non_null(strstr(error.message, "layout is 2"));
}
