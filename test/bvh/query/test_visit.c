/* The generic traversal: which boxes and triangles are tested, and which are handed out. */
#include "bvh/query/visit.h"
#include "lib/geom/exact/valid.h"
#include "test/support/test.h"
#include "test/support/volume.h"

enum { SEED = 20260803, COUNT = 700 };

/* What a visitor of the tests wants, and what it was given. */
typedef struct wish {
    sli_interest answer;
    sl_aabb within; /* with SLI_VISIT_SOME: boxes and triangles beside it do not matter */
    float towards;  /* wants small x first (1), or large (-1) */
    size_t enough;
    size_t given;
    uint8_t times[COUNT];
    size_t sure;
    float first_x;
} wish;

static sli_interest query_box(const void *context, const sl_aabb *box)
{
    const wish *w = context;
    return w->answer != SLI_VISIT_SOME                          ? w->answer
           : sl_aabb_is_empty(&w->within)                       ? SLI_VISIT_SOME
           : !sl_volume_overlaps_aabb(AS_AABB(box), &w->within) ? SLI_VISIT_NOT
           : sli_aabb_contains_box(&w->within, box)             ? SLI_VISIT_ALL
                                                                : SLI_VISIT_SOME;
}

static double by_x(const void *context, const sl_aabb *box)
{
    const wish *w = context;
    return w->towards > 0 ? (double)box->min[0] : -(double)box->max[0];
}

static bool take(void *context, uint32_t prim, const sl_triangle *triangle, bool sure)
{
    wish *w = context;
    if (w->given++ == 0) {
        w->first_x = triangle->v[0][0];
    }
    w->times[prim]++;
    w->sure += sure;
    return w->given < w->enough;
}

static const sl_aabb everywhere = { .min = { -INFINITY, -INFINITY, -INFINITY },
                                    .max = { INFINITY, INFINITY, INFINITY } };

static wish wish_for(sli_interest answer)
{
    return (wish){ .answer = answer, .within = sl_aabb_empty(), .enough = SIZE_MAX };
}

static sli_visitor visitor_of(wish *w)
{
    return (sli_visitor){ .context = w, .bounds = everywhere, .box = query_box, .triangle = take };
}

typedef struct fixture {
    sl_mesh *mesh;
    sl_bvh *bvh;
    uint32_t masks[COUNT];
} fixture;

TEST_BEFORE_ALL
{
    fixture *f = calloc(1, sizeof *f);
    test_random random = { SEED };
    for (int i = 0; i < COUNT; i++) {
        f->masks[i] = 1u << test_random_below(&random, 3);
    }
    sl_build_def def = { .masks = f->masks };
    f->mesh = made_soup(COUNT, 0.1f, SEED);
    f->bvh = made_bvh(f->mesh, &def);
    *state = f;
}

TEST_AFTER_ALL
{
    fixture *f = *state;
    unmake_bvh(f->bvh, f->mesh);
    free(f);
}

TEST(interest_in_everything_is_given_everything_once)
{
    const fixture *f = *state;
    const sl_bvh_info info = sl_bvh_get_info(f->bvh);
    for (int all = 0; all < 2; all++) {
        wish w = wish_for(all ? SLI_VISIT_ALL : SLI_VISIT_SOME);
        sl_stats stats = { .rays = 0 };
        const sli_visitor visitor = visitor_of(&w);
        sli_visit(f->bvh, &visitor, &stats);
        for (int i = 0; i < COUNT; i++) {
            assert_int_equal(w.times[i], 1);
        }
        assert_int_equal(w.sure, all ? COUNT : 0);
        assert_int_equal(stats.rays, 1);
        assert_int_equal(stats.nodes, info.node_count);
        assert_int_equal(stats.triangles, COUNT);
        if (all) {
            assert_true(stats.boxes <= 8); /* the root's children, and no other box */
        } else {
            assert_int_equal(stats.boxes, info.child_count);
        }
    }
}

TEST(no_interest_enters_the_root_only)
{
    const fixture *f = *state;
    wish w = wish_for(SLI_VISIT_NOT);
    sl_stats stats = { .rays = 0 };
    const sli_visitor visitor = visitor_of(&w);
    sli_visit(f->bvh, &visitor, &stats);
    assert_int_equal(w.given, 0);
    assert_int_equal(stats.nodes, 1);
    assert_int_equal(stats.triangles, 0);
}

TEST(a_region_is_given_all_that_its_box_meets)
{
    const fixture *f = *state;
    test_random random = { SEED };
    size_t sure = 0, beside = 0;
    for (int round = 0; round < 300; round++) {
        float a[3], b[3];
        for (int axis = 0; axis < 3; axis++) {
            a[axis] = test_random_unit(&random);
            b[axis] = test_random_unit(&random);
        }
        wish w = wish_for(SLI_VISIT_SOME);
        w.within = sl_aabb_from_corners(a, b);
        sl_stats stats = { .rays = 0 };
        sli_visitor visitor = visitor_of(&w);
        visitor.bounds = round % 2 == 0 ? w.within : everywhere;
        sli_visit(f->bvh, &visitor, &stats);
        for (uint32_t prim = 0; prim < COUNT; prim++) {
            sl_triangle t;
            assert_true(sli_tree_triangle(f->bvh, prim, &t));
            const sl_aabb box = sl_aabb_of_points(t.v[0], 3);
            if (sl_volume_overlaps_aabb(AS_AABB(&box), &w.within)) {
                assert_int_equal(w.times[prim], 1);
            } else if (round % 2 == 0) {
                assert_int_equal(w.times[prim], 0);
            }
        }
        assert_int_equal(stats.triangles, w.given + stats.float_stage);
        sure += w.sure;
        beside += stats.float_stage;
    }
    assert_true(sure > 0 && beside > 0);
}

TEST(masks_and_skips_leave_triangles_out)
{
    const fixture *f = *state;
    wish w = wish_for(SLI_VISIT_ALL);
    sl_stats stats = { .rays = 0 };
    sli_visitor visitor = visitor_of(&w);
    visitor.selection = (sl_item_options){ .mask = 5,
                                           .skip = (sl_triangle_ref[]){ { 0, 10 }, { 0, 20 } },
                                           .skip_count = 2 };
    sli_visit(f->bvh, &visitor, &stats);
    for (uint32_t i = 0; i < COUNT; i++) {
        assert_int_equal(w.times[i], (f->masks[i] & 5) != 0 && i != 10 && i != 20);
    }
}

TEST(enough_is_enough)
{
    const fixture *f = *state;
    wish w = wish_for(SLI_VISIT_SOME);
    w.enough = 3;
    sl_stats stats = { .rays = 0 };
    const sli_visitor visitor = visitor_of(&w);
    sli_visit(f->bvh, &visitor, &stats);
    assert_int_equal(w.given, 3);
}

/* A row of quads along x: sibling boxes lie side by side, so that the walk begins at one end. */
TEST(the_nearest_child_comes_first)
{
    OWN(sl_mesh) mesh = made_grid(COUNT / 2, 1, 0, 1);
    OWN(sl_bvh) bvh = made_bvh(mesh, NULL);
    for (int side = -1; side <= 1; side += 2) {
        wish w = wish_for(SLI_VISIT_SOME);
        w.towards = (float)side;
        w.enough = 1;
        sl_stats stats = { .rays = 0 };
        sli_visitor visitor = visitor_of(&w);
        visitor.distance = by_x;
        sli_visit(bvh, &visitor, &stats);
        assert_true(side > 0 ? w.first_x <= 4 : w.first_x >= COUNT / 2 - 4);
    }
}

TEST(an_empty_tree_has_nothing_to_show)
{
    OWN(sl_mesh) mesh = made_mesh(NULL, 0, NULL, 0, NULL);
    OWN(sl_bvh) bvh = made_bvh(mesh, NULL);
    wish w = wish_for(SLI_VISIT_ALL);
    sl_stats stats = { .rays = 0 };
    const sli_visitor visitor = visitor_of(&w);
    sli_visit(bvh, &visitor, &stats);
    assert_int_equal(w.given, 0);
    assert_int_equal(stats.nodes, 0);
}
