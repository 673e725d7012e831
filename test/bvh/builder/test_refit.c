/* Refits: answers are those of a fresh build, bit for bit, after any history, in any layout and
 * quality; the checker proves every version; what is refused changes nothing. */
#include "test/support/environment/scrambled_tasks.h"
#include "test/support/input/bent.h"
#include "test/support/query/every_question.h"
#include "test/support/query/of_one.h"
#include "test/support/test.h"

enum { SEED = 20261123, SHAPES = 4, KINDS = 5, RANGES = 40 };

/* Qualities and layouts. */
static const struct {
    sl_bvh_quality quality;
    sl_bvh_layout layout;
} kinds[KINDS] = { { SL_BVH_QUALITY_DEFAULT, SL_BVH_LAYOUT_DEFAULT },
                   { SL_BVH_QUALITY_FAST, SL_BVH_LAYOUT_DEFAULT },
                   { SL_BVH_QUALITY_HIGH, SL_BVH_LAYOUT_DEFAULT },
                   { SL_BVH_QUALITY_DEFAULT, SL_BVH_LAYOUT_COMPACT },
                   { SL_BVH_QUALITY_HIGH, SL_BVH_LAYOUT_COMPACT } };

static queries asked;
static answers ours, theirs;

static sl_mesh *shape(int i)
{
    sl_mesh *mesh = NULL;
    sl_result result = SL_OK;
    switch (i) {
    case 0:
        result = sl_mesh_generate(&(sl_mesh_shape){ SL_MESH_SPHERE, { .sphere = { 16 } } }, NULL,
                                  &mesh, NULL);
        break;
    case 1:
        result = sl_mesh_generate(&(sl_mesh_shape){ SL_MESH_GRID, { .grid = { 24, 24, 3, 5 } } },
                                  NULL, &mesh, NULL);
        break;
    case 2:
        result = sl_mesh_generate(&(sl_mesh_shape){ SL_MESH_SOUP, { .soup = { 1200, 0.4f, 3 } } },
                                  NULL, &mesh, NULL);
        break;
    default:
        result = sl_mesh_generate(&(sl_mesh_shape){ SL_MESH_SOUP, { .soup = { 3, 0.4f, 3 } } },
                                  NULL, &mesh, NULL);
    }
    assert_int_equal(result, SL_OK);
    return mesh;
}

static sl_bvh *build(const sl_mesh *mesh, int kind, const uint32_t *masks)
{
    sl_build_def def = { .quality = kinds[kind].quality,
                         .layout = kinds[kind].layout,
                         .masks = masks };
    return made_bvh(mesh, &def);
}

static sl_result refit(const sl_bvh *bvh, const bent *to, const sl_refit_def *def, sl_bvh **out,
                       sl_error *error)
{
    return sl_bvh_refit(bvh, to->xyz, to->vertex_count, to->indices, to->triangle_count, def, out,
                        error);
}

static sl_bvh *must_refit(const sl_bvh *bvh, const bent *to, const sl_refit_def *def)
{
    sl_bvh *out = NULL;
    sl_error error;
    if (refit(bvh, to, def, &out, &error) != SL_OK) {
        fail_msg("refit: %s", error.message);
    }
    return out;
}

static void must_check(const sl_bvh *bvh, const sl_mesh *mesh)
{
    sl_error error;
    if (!sl_bvh_check(bvh, mesh, &error)) {
        fail_msg("check: %s", error.message);
    }
}

/* That a tree is sound, and answers as a fresh one. */
static void must_answer(const sl_bvh *bvh, const bent *is, int kind, test_random *random)
{
    OWN(sl_mesh) mesh = bent_mesh(is);
    OWN(sl_bvh) fresh = build(mesh, kind, NULL);
    must_check(bvh, mesh);
    queries_make(mesh, random, &asked);
    memset(&ours, 0, sizeof ours);
    memset(&theirs, 0, sizeof theirs);
    queries_run(bvh, &asked, &ours);
    queries_run(fresh, &asked, &theirs);
    const char *differ = answers_differ(&ours, &theirs);
    if (differ != NULL) {
        fail_msg("kind %d: '%s' differ", kind, differ);
    }
    const sl_aabb a = bounds_in_floats(bvh), b = bounds_in_floats(fresh);
    assert_memory_equal(&a, &b, sizeof a);
    assert_true(sl_bvh_mesh_hash(bvh) == sl_bvh_mesh_hash(fresh));
    assert_true(sl_bvh_get_info(bvh).triangle_count == sl_bvh_get_info(fresh).triangle_count);
}

static void whole(const bent *all, sl_prim_range *range)
{
    *range = (sl_prim_range){ 0, (uint32_t)all->triangle_count };
}

TEST(a_refitted_tree_answers_as_a_fresh_one)
{
    test_random random = { SEED };
    for (int i = 0; i < SHAPES * KINDS; i += test_is_brief() ? 3 : 1) {
        OWN(sl_mesh) mesh = shape(i % SHAPES);
        UNDONE(bent_free) bent all = bent_make(mesh);
        sl_prim_range range;
        whole(&all, &range);
        OWN(sl_bvh) bvh = build(mesh, i / SHAPES, NULL);
        bent_move(&all, range, &random);
        OWN(sl_bvh) moved = must_refit(bvh, &all, NULL);
        must_answer(moved, &all, i / SHAPES, &random);
        must_check(bvh, mesh);
    }
}

/* Versions, of which two or three are held; whole or dirty; new, recycled or in place. */
typedef struct history {
    bent all;
    sl_bvh *now, *before;
    test_random random;
    scrambled_tasks tasks;
} history;

static void step(history *h)
{
    sl_prim_range touched[RANGES], range;
    sl_refit_def def = { 0 };
    whole(&h->all, &range);
    const bool dirty = test_random_below(&h->random, 3) != 0;
    const uint32_t memory = test_random_below(&h->random, 8);
    if (dirty) {
        range.count = 1 + test_random_below(&h->random, range.count / 8 + 1);
        range.first =
            test_random_below(&h->random, (uint32_t)h->all.triangle_count - range.count + 1);
        def.dirty_count = bent_touched(&h->all, range, touched, RANGES);
        def.dirty = touched;
    }
    bent_move(&h->all, range, &h->random);
    def.hooks.tasks = test_random_below(&h->random, 2) != 0
                          ? scrambled_tasks_start(&h->tasks, 3, h->random.state)
                          : NULL;
    def.rebuild_share = test_random_below(&h->random, 2) != 0 ? 0.3f : 0;
    def.recycle = memory == 0 ? h->now : memory == 1 ? NULL : h->before;
    sl_bvh *next = must_refit(h->now, &h->all, &def);
    if (memory == 0) {
        assert_ptr_equal(next, h->now);
        return;
    }
    if (memory == 1) {
        sl_bvh_destroy(h->before);
    }
    h->before = h->now;
    h->now = next;
}

TEST(a_history_of_refits_ends_as_a_fresh_tree)
{
    enum { STEPS = 300 };
    for (int i = 0; i < 3 * KINDS; i += test_is_brief() ? 4 : 1) {
        OWN(sl_mesh) mesh = shape(i % 3);
        history h = { .all = bent_make(mesh), .random = { SEED + (uint64_t)i } };
        h.now = build(mesh, i / 3, NULL);
        for (int k = 0; k < STEPS; k++) {
            step(&h);
            if (k % 60 == 7 || k == STEPS - 1) {
                must_answer(h.now, &h.all, i / 3, &h.random);
            } else if (k % 4 == 0) {
                must_check(h.now, NULL);
            }
        }
        assert_true(sl_bvh_drift(h.now) > 0);
        sl_bvh_destroy(h.now);
        sl_bvh_destroy(h.before);
        bent_free(&h.all);
    }
}

/* The memory of a tree that was never refitted catches up with one that was, in part. */
TEST(memory_catches_up_when_only_masks_change)
{
    OWN(sl_mesh) mesh = shape(1);
    UNDONE(bent_free) bent all = bent_make(mesh);
    test_random random = { SEED };
    const sl_prim_range some = { 100, 50 };
    sl_prim_range touched[RANGES];
    sl_refit_def def = { 0 };
    sl_bvh *first = build(mesh, 0, NULL), *last = NULL;
    bent_move(&all, some, &random);
    def.dirty = touched;
    def.dirty_count = bent_touched(&all, some, touched, RANGES);
    sl_bvh *next = must_refit(first, &all, &def);
    def = (sl_refit_def){ 0 };
    def.recycle = first;
    assert_int_equal(sl_bvh_set_masks(next, all.triangle_count, &def, &last, NULL), SL_OK);
    must_answer(last, &all, 0, &random);
    sl_bvh_destroy(next);
    sl_bvh_destroy(last);
}

/* Pieces of a mesh fly apart: triangles of one are no longer where their neighbours in the tree
 * are. */
TEST(bad_subtrees_are_built_anew)
{
    for (int in_place = 0; in_place < 2; in_place++) {
        scrambled_tasks tasks;
        OWN(sl_mesh) mesh = made_soup(30000, 0.02f, 3);
        UNDONE(bent_free) bent all = bent_make(mesh);
        test_random random = { SEED };
        sl_bvh *plain = build(mesh, 0, NULL), *mended = build(mesh, 0, NULL);
        const double built = sl_bvh_get_info(plain).sah_cost;
        for (size_t i = 0; i < all.vertex_count; i++) {
            test_random far = { i / 60 + 1 };
            for (int axis = 0; axis < 3; axis++) {
                all.xyz[3 * i + (size_t)axis] += test_random_in(&far, -1, 1);
            }
        }
        sl_refit_def def = { .recycle = plain };
        plain = must_refit(plain, &all, &def);
        def.rebuild_share = 1;
        def.recycle = in_place ? mended : NULL;
        def.hooks.tasks = in_place ? NULL : scrambled_tasks_start(&tasks, 3, 7);
        OWN(sl_bvh) next = must_refit(mended, &all, &def);
        if (!in_place) {
            must_check(mended, mesh);
        }
        must_answer(next, &all, 0, &random);
        const double with = sl_bvh_get_info(next).sah_cost,
                     without = sl_bvh_get_info(plain).sah_cost;
        if (!in_place) { /* the next version, in memory with the old groups, has the new ones */
            def = (sl_refit_def){ 0 };
            def.recycle = mended;
            mended = must_refit(next, &all, &def);
            assert_true(fabs(sl_bvh_get_info(mended).sah_cost - with) < 1e-9 * with);
            sl_bvh_destroy(mended);
        }
        assert_true(without > 3 * built);
        assert_true(with < 0.5 * without);
        sl_bvh_destroy(plain);
    }
}
