/* What a refit is told, and what it holds: errors that name what is at fault and change nothing,
 * arrays of any stride, masks, memory, files, threads. */
#include "test/support/environment/scrambled_tasks.h"
#include "test/support/input/bent.h"
#include "test/support/test.h"

enum { SIDE = 20, BYTES = 1 << 20 };

typedef struct fixture {
    sl_mesh *mesh;
    sl_bvh *bvh;
    bent to; /* positions of the same triangles elsewhere */
    sl_refit_def def;
    sl_bvh *out;
    sl_error error;
} fixture;

static void begin(fixture *f, sl_bvh_quality quality, sl_bvh_layout layout)
{
    test_random random = { 5 };
    const sl_build_def def = { .quality = quality, .layout = layout };
    *f = (fixture){ 0 };
    f->mesh = made_grid(SIDE, SIDE, 2, 3);
    f->bvh = made_bvh(f->mesh, &def);
    f->to = bent_make(f->mesh);
    bent_move(&f->to, (sl_prim_range){ 0, (uint32_t)f->to.triangle_count }, &random);
}

static void begin_default(fixture *f)
{
    begin(f, SL_BVH_QUALITY_DEFAULT, SL_BVH_LAYOUT_DEFAULT);
}

static void end(fixture *f)
{
    sl_bvh_destroy(f->bvh);
    sl_bvh_destroy(f->out);
    bent_free(&f->to);
    sl_mesh_destroy(f->mesh);
}

static sl_result refit(fixture *f)
{
    f->out = NULL;
    return sl_bvh_refit(f->bvh, f->to.xyz, f->to.vertex_count, f->to.indices, f->to.triangle_count,
                        &f->def, &f->out, &f->error);
}

/* Is refused with a message that has the words, in place too, and leaves the tree as it was. */
static void must_refuse(fixture *f, sl_result code, const char *words)
{
    const uint64_t hash = sl_bvh_mesh_hash(f->bvh);
    for (int in_place = 0; in_place < 2; in_place++) {
        f->def.recycle = in_place ? f->bvh : NULL;
        assert_int_equal(refit(f), code);
        assert_null(f->out);
        if (strstr(f->error.message, words) == NULL) {
            fail_msg("'%s' is not in: %s", words, f->error.message);
        }
        assert_true(sl_bvh_mesh_hash(f->bvh) == hash);
        assert_true(sl_bvh_check(f->bvh, f->mesh, &f->error));
    }
}

TEST(what_is_not_finite_is_named)
{
    const float bad[3] = { NAN, INFINITY, -INFINITY };
    for (int i = 0; i < 6; i++) {
        UNDONE(end) fixture f;
        begin(&f, SL_BVH_QUALITY_DEFAULT, i % 2 ? SL_BVH_LAYOUT_COMPACT : SL_BVH_LAYOUT_DEFAULT);
        f.to.xyz[3 * (size_t)f.to.indices[3 * 700 + 1] + 1] = bad[i / 2];
        const sl_prim_range near = { 690, 20 };
        for (int dirty = 0; dirty < 2; dirty++) {
            f.def.dirty = dirty ? &near : NULL;
            f.def.dirty_count = (size_t)dirty;
            must_refuse(&f, SL_NOT_FINITE, "y of vertex");
        }
        f.def.dirty = &(sl_prim_range){ 0, 5 }; /* nothing is read of the others */
        f.def.recycle = NULL;
        assert_int_equal(refit(&f), SL_OK);
    }
}

TEST(what_is_wrong_with_arguments_is_named)
{
    UNDONE(end) fixture f;
    begin_default(&f);
    const uint32_t corner = f.to.indices[3 * 41];
    f.to.indices[3 * 41] = (uint32_t)f.to.vertex_count;
    must_refuse(&f, SL_BAD_INDEX, "triangle 41, corner 0");
    f.to.indices[3 * 41] = corner;
    const sl_prim_range ranges[] = { { 0, 1 }, { 799, 2 } };
    f.def.dirty = ranges;
    f.def.dirty_count = 2;
    must_refuse(&f, SL_BAD_INDEX, "dirty[1]: 2 triangles from 799 on, but there are 800");
    f.def.dirty = NULL;
    must_refuse(&f, SL_INVALID_ARGUMENT, "dirty_count");
    f.def.dirty_count = 0;
    f.to.triangle_count--;
    must_refuse(&f, SL_INVALID_ARGUMENT, "799 triangles, but the tree was built over 800");
    f.to.triangle_count++;
    const float shares[] = { -0.5f, 1.5f, NAN };
    for (int i = 0; i < 3; i++) {
        f.def.rebuild_share = shares[i];
        must_refuse(&f, SL_INVALID_ARGUMENT, "rebuild_share");
    }
    f.def.rebuild_share = 0;
    f.def.vertex_stride = 8;
    must_refuse(&f, SL_INVALID_ARGUMENT, "vertex_stride is 8");
    f.def.vertex_stride = 0;
    f.def.index_stride = 6;
    must_refuse(&f, SL_INVALID_ARGUMENT, "index_stride 6");
    f.def.index_stride = 0;
    f.def.bad = (sl_bad_triangles)7;
    must_refuse(&f, SL_INVALID_ARGUMENT, "bad is 7");
    f.def.bad = SL_BAD_REFUSE;
    f.def.hooks.tasks = &(sl_tasks){ .worker_count = 0 };
    must_refuse(&f, SL_INVALID_ARGUMENT, "tasks");
    f.def.hooks.tasks = NULL;
    assert_int_equal(sl_bvh_refit(NULL, NULL, 0, NULL, 0, NULL, &f.out, NULL), SL_INVALID_ARGUMENT);
    assert_int_equal(sl_bvh_refit(f.bvh, NULL, 0, NULL, 0, NULL, NULL, NULL), SL_INVALID_ARGUMENT);
}

/* One triangle leaves and comes back, by building anew; its neighbour stays. */
TEST(triangles_are_left_out_on_request)
{
    for (int in_place = 0; in_place < 2; in_place++) {
        fixture f;
        begin_default(&f);
        /* triangle 0 alone has a vertex of its own now */
        float *xyz = realloc(f.to.xyz, (f.to.vertex_count + 1) * 3 * sizeof *xyz);
        assert_non_null(xyz);
        f.to.xyz = xyz;
        f.to.indices[0] = (uint32_t)f.to.vertex_count++;
        float *own = xyz + 3 * (f.to.vertex_count - 1);
        own[0] = own[1] = own[2] = NAN;
        f.def.bad = SL_BAD_LEAVE_OUT;
        f.def.recycle = in_place ? f.bvh : NULL;
        assert_int_equal(refit(&f), SL_OK);
        assert_true(!in_place || f.out == f.bvh);
        sl_mesh *mesh = bent_mesh(&f.to);
        assert_true(sl_bvh_check(f.out, mesh, NULL));
        assert_int_equal(sl_bvh_get_info(f.out).triangle_count, f.to.triangle_count - 1);
        sl_bvh *without = f.out, *again = NULL;
        own[0] = own[1] = own[2] = 0;
        f.def.recycle = NULL;
        f.def.bad = SL_BAD_REFUSE;
        assert_int_equal(sl_bvh_refit(without, f.to.xyz, f.to.vertex_count, f.to.indices,
                                      f.to.triangle_count, &f.def, &again, &f.error),
                         SL_INVALID_ARGUMENT);
        assert_non_null(strstr(f.error.message, "triangle 0 was left out"));
        f.def.bad = SL_BAD_LEAVE_OUT;
        f.def.recycle = without;
        assert_int_equal(sl_bvh_refit(without, f.to.xyz, f.to.vertex_count, f.to.indices,
                                      f.to.triangle_count, &f.def, &again, &f.error),
                         SL_OK);
        assert_int_equal(sl_bvh_get_info(again).triangle_count, f.to.triangle_count);
        f.out = again;
        f.bvh = in_place ? NULL : f.bvh;
        sl_mesh_destroy(mesh);
        end(&f);
    }
}

TEST(arrays_may_have_strides_and_small_indices)
{
    typedef struct vertex {
        float at[3], normal[3];
        uint8_t colour[3];
    } vertex;
    UNDONE(end) fixture f;
    begin_default(&f);
    FREED vertex *vertices = calloc(f.to.vertex_count, sizeof *vertices);
    FREED uint16_t *indices = calloc(f.to.triangle_count, 4 * sizeof *indices);
    for (size_t i = 0; i < f.to.vertex_count; i++) {
        memcpy(vertices[i].at, f.to.xyz + 3 * i, sizeof vertices[i].at);
    }
    for (size_t i = 0; i < 3 * f.to.triangle_count; i++) {
        indices[i / 3 * 4 + i % 3] = (uint16_t)f.to.indices[i];
    }
    f.def.vertex_stride = sizeof(vertex);
    f.def.index_type = SL_INDEX_U16;
    f.def.index_stride = 4 * sizeof *indices;
    assert_int_equal(sl_bvh_refit(f.bvh, vertices->at, f.to.vertex_count, indices,
                                  f.to.triangle_count, &f.def, &f.out, &f.error),
                     SL_OK);
    OWN(sl_mesh) mesh = bent_mesh(&f.to);
    assert_true(sl_bvh_check(f.out, mesh, NULL));
}

/* That each ray finds the masks it should: those of a tree that is built with them. */
static void must_mask(const fixture *f, const sl_bvh *bvh, const sl_mesh *mesh,
                      const uint32_t *masks)
{
    sl_build_def def = { .masks = masks };
    sl_bvh *fresh = made_bvh(mesh, &def);
    assert_true(sl_bvh_check(bvh, mesh, NULL));
    for (uint32_t i = 0; i < 900; i++) {
        const sl_ray ray = sl_ray_make((float[3]){ (float)(i % 30) * 0.7f, (float)i / 45, 9 },
                                       (float[3]){ 0.01f, 0.02f, -1 });
        const sl_options options = { .mask = 1u << i % 7 };
        sl_hit ours = { 0 }, theirs = { 0 };
        (void)sl_bvh_closest(bvh, &ray, &options, &ours);
        (void)sl_bvh_closest(fresh, &ray, &options, &theirs);
        assert_memory_equal(&ours, &theirs, sizeof ours);
    }
    sl_bvh_destroy(fresh);
    (void)f;
}

TEST(masks_change_alone_or_with_positions)
{
    for (int kind = 0; kind < 3; kind++) {
        UNDONE(end) fixture f;
        begin(&f, kind == 1 ? SL_BVH_QUALITY_HIGH : SL_BVH_QUALITY_DEFAULT,
              kind == 2 ? SL_BVH_LAYOUT_COMPACT : SL_BVH_LAYOUT_DEFAULT);
        OWN(sl_mesh) mesh = bent_mesh(&f.to);
        uint32_t masks[2 * SIDE * SIDE], mixed[2 * SIDE * SIDE];
        const sl_prim_range some[] = { { 100, 300 }, { 350, 100 } };
        for (uint32_t i = 0; i < 2 * SIDE * SIDE; i++) {
            masks[i] = i * 2654435761u;
            mixed[i] = i >= 100 && i < 450 ? ~masks[i] : masks[i];
        }
        f.def.masks = masks;
        sl_bvh *a = NULL, *b = NULL, *c = NULL;
        assert_int_equal(sl_bvh_set_masks(f.bvh, 800, &f.def, &a, &f.error), SL_OK);
        must_mask(&f, a, f.mesh, masks);
        must_mask(&f, f.bvh, f.mesh, NULL);
        f.def.dirty = some;
        f.def.dirty_count = 2;
        f.def.masks = mixed;
        f.def.recycle = f.bvh;
        assert_int_equal(sl_bvh_set_masks(a, 800, &f.def, &b, &f.error), SL_OK);
        must_mask(&f, b, f.mesh, mixed);
        f.def = (sl_refit_def){ 0 }; /* positions of all, in memory of other masks */
        f.def.recycle = a;
        f.bvh = b;
        assert_int_equal(refit(&f), SL_OK);
        must_mask(&f, f.out, mesh, mixed);
        f.def.recycle = f.out;
        f.def.masks = masks;
        assert_int_equal(refit(&f), SL_OK);
        must_mask(&f, f.out, mesh, masks);
        f.def.masks = NULL;
        f.def.recycle = f.out;
        assert_int_equal(sl_bvh_set_masks(f.out, 800, &f.def, &c, &f.error), SL_OK);
        must_mask(&f, c, mesh, NULL);
        assert_int_equal(sl_bvh_set_masks(c, 799, NULL, &a, &f.error), SL_INVALID_ARGUMENT);
    }
}

TEST(a_frame_loop_allocates_nothing_after_its_third_round)
{
    for (int kind = 0; kind < 6; kind++) {
        const bool dirty = kind % 2 != 0;
        const sl_prim_range some = { 0, 800 }; /* all, since all move together */
        sli_failing_allocator memory;
        fixture f;
        begin(&f, kind / 2 == 1 ? SL_BVH_QUALITY_HIGH : SL_BVH_QUALITY_DEFAULT,
              kind / 2 == 2 ? SL_BVH_LAYOUT_COMPACT : SL_BVH_LAYOUT_DEFAULT);
        f.def.hooks.allocator = sli_failing_allocator_start(&memory, SLI_NEVER_FAIL);
        f.def.dirty = dirty ? &some : NULL;
        f.def.dirty_count = dirty;
        sl_bvh *before = NULL, *now = f.bvh;
        size_t allocations = 0;
        for (int frame = 0; frame < 20; frame++) {
            f.to.xyz[3 * 5] += 0.01f;
            f.def.recycle = before;
            f.bvh = now;
            assert_int_equal(refit(&f), SL_OK);
            before = now;
            now = f.out;
            allocations = frame == 2 ? memory.allocations : allocations;
        }
        assert_int_equal(memory.allocations, allocations);
        f.bvh = before;
        end(&f);
        assert_true(sli_failing_allocator_clean(&memory));
    }
}

/* The bytes of a tree as a file. */
static size_t bytes_of(const sl_bvh *bvh, void *bytes)
{
    const size_t size = sl_bvh_save_memory(bvh, NULL);
    assert_in_range(size, 1, BYTES);
    sl_bvh_save_memory(bvh, bytes);
    return size;
}

TEST(workers_change_no_byte)
{
    uint8_t *ours = malloc(BYTES), *theirs = malloc(BYTES);
    for (int kind = 0; kind < 3; kind++) {
        fixture f;
        scrambled_tasks scrambled;
        begin(&f, kind == 1 ? SL_BVH_QUALITY_HIGH : SL_BVH_QUALITY_DEFAULT,
              kind == 2 ? SL_BVH_LAYOUT_COMPACT : SL_BVH_LAYOUT_DEFAULT);
        assert_int_equal(refit(&f), SL_OK);
        const size_t size = bytes_of(f.out, ours);
        sl_bvh_destroy(f.out);
        f.def.hooks.tasks = scrambled_tasks_start(&scrambled, 4, 7);
        assert_int_equal(refit(&f), SL_OK);
        assert_int_equal(bytes_of(f.out, theirs), size);
        assert_memory_equal(ours, theirs, size);
        assert_false(scrambled.nested);
        end(&f);
    }
    free(ours);
    free(theirs);
}

TEST(a_tree_in_a_file_is_refitted_to_a_version_only)
{
    for (int compact = 0; compact < 2; compact++) {
        fixture f;
        begin(&f, SL_BVH_QUALITY_DEFAULT, compact ? SL_BVH_LAYOUT_COMPACT : SL_BVH_LAYOUT_DEFAULT);
        FREED void *bytes = aligned_alloc(64, BYTES);
        sl_bvh_load_def def = { 0 };
        const size_t size = bytes_of(f.bvh, bytes);
        sl_bvh_destroy(f.bvh);
        def.flags = SL_LOAD_IN_PLACE;
        assert_int_equal(sl_bvh_load_memory(bytes, size, &def, &f.bvh, NULL), SL_OK);
        f.def.recycle = f.bvh;
        assert_int_equal(refit(&f), SL_INVALID_ARGUMENT);
        assert_non_null(strstr(f.error.message, "mapped"));
        f.def.recycle = NULL;
        assert_int_equal(refit(&f), SL_OK);
        assert_true(sl_bvh_check(f.bvh, f.mesh, NULL));
        sl_mesh *mesh = bent_mesh(&f.to);
        assert_true(sl_bvh_check(f.out, mesh, NULL));
        /* It is recycled as one that does not fit, and the version is proven as a file. */
        sl_bvh *next = NULL, *loaded = NULL;
        f.def.recycle = f.bvh;
        const sl_prim_range some = { 10, 20 };
        f.def.dirty = &some;
        f.def.dirty_count = 1;
        assert_int_equal(sl_bvh_refit(f.out, f.to.xyz, f.to.vertex_count, f.to.indices,
                                      f.to.triangle_count, &f.def, &next, &f.error),
                         SL_OK);
        f.bvh = next;
        assert_int_equal(sl_bvh_load_memory(bytes, bytes_of(next, bytes), NULL, &loaded, &f.error),
                         SL_OK);
        assert_true(sl_bvh_check(loaded, mesh, &f.error));
        assert_true(sl_bvh_drift(loaded) == 1);
        unmake_bvh(loaded, mesh);
        end(&f);
    }
}

TEST(drift_is_the_cost_over_that_of_the_build)
{
    fixture f;
    begin_default(&f);
    assert_true(sl_bvh_drift(f.bvh) == 1);
    memcpy(f.to.xyz, sl_mesh_soup(f.mesh).xyz, 3 * f.to.vertex_count * sizeof(float));
    assert_int_equal(refit(&f), SL_OK);
    assert_true(fabs(sl_bvh_drift(f.out) - 1) < 1e-9);
    sl_bvh_destroy(f.out);
    test_random random = { 1 };
    for (size_t i = 0; i < 3 * f.to.vertex_count; i++) {
        f.to.xyz[i] = test_random_in(&random, 0, SIDE);
    }
    assert_int_equal(refit(&f), SL_OK);
    assert_true(sl_bvh_drift(f.out) > 2);
    const double cost = sl_bvh_get_info(f.out).sah_cost / sl_bvh_get_info(f.bvh).sah_cost;
    assert_true(fabs(sl_bvh_drift(f.out) / cost - 1) < 1e-12);
    end(&f);
}

/* Nothing to move, or nothing in the tree. */
TEST(small_and_empty_trees_are_refitted)
{
    const float xyz[9] = { 0, 0, 0, 1, 0, 0, NAN, 1, 0 };
    const float moved[9] = { 5, 0, 0, 1, 0, 0, NAN, 1, 0 };
    sl_mesh_def def = { .bad = SL_BAD_LEAVE_OUT };
    for (size_t count = 0; count < 2; count++) {
        OWN(sl_bvh) out = NULL;
        OWN(sl_mesh) mesh = made_mesh(xyz, 3 * count, NULL, count, &def);
        OWN(sl_bvh) bvh = made_bvh(mesh, NULL);
        assert_int_equal(sl_bvh_refit(bvh, moved, 3 * count, NULL, count, NULL, &out, NULL), SL_OK);
        assert_true(sl_bvh_check(out, mesh, NULL));
        assert_true(sl_bvh_drift(out) == 1);
    }
    UNDONE(end) fixture f;
    begin_default(&f);
    const sl_prim_range none = { 800, 0 };
    f.def.dirty = &none;
    f.def.dirty_count = 1;
    assert_int_equal(refit(&f), SL_OK);
    assert_true(sl_bvh_check(f.out, f.mesh, NULL));
}
