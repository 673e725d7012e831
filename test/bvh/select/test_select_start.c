/* Large trees, of which a selection may begin with everything or nothing: against a selection that
 * a mask, which all triangles have, makes look at each one; and, for some of the triangles, against
 * fractions.  Trees of all kinds, those with triangles that were split among them.
 *
 * SIGHTLINE_TEST_SCALE=N multiplies the number of regions. */
#include "test/support/input/slender.h"
#include "test/support/oracle/region_oracle.h"
#include "test/support/query/of_one.h"
#include "test/support/test.h"

enum { SEED = 20261125, TRIANGLES = 40000, CORNERS = 10, PAIRS = 6, SAMPLES = 100 };

typedef struct case_of {
    sl_bvh *bvh;
    sl_bvh *scene;
    sl_view view;
} case_of;

/* Two instances of a tree, both in the picture; the second ends beyond it. */
static void make(case_of *c, sl_mesh *mesh, const sl_build_def *def)
{
    assert_non_null(mesh);
    c->bvh = made_bvh_alone(mesh, def);
    sl_instance instances[2] = { sl_instance_of(c->bvh), sl_instance_of(c->bvh) };
    const sl_aabb box = bounds_in_floats(c->bvh);
    instances[1].transform.m[0][3] = 1.5 * ((double)box.max[0] - (double)box.min[0]);
    c->scene = made_scene(instances, 2, NULL);
    sl_camera_def camera = { 0 };
    const float towards[3] = { 0.3f, 0.7f, 1 };
    camera.width = 800;
    camera.height = 600;
    assert_int_equal(sl_camera_fit(&box, NULL, towards, &camera, NULL), SL_OK);
    memset(&c->view, 0, sizeof c->view);
    c->view.camera = made_camera(&camera);
}

static void destroy(case_of *c)
{
    sl_bvh_destroy(c->scene);
    sl_bvh_destroy(c->bvh);
}

/* Small, large and nearly all of the picture; next to the one before, or anywhere. */
static sl_region some_region(test_random *random, double corners[2 * CORNERS])
{
    const double size = test_random_in_d(random, 10, 900), x = test_random_in_d(random, 0, 800),
                 y = test_random_in_d(random, 0, 600);
    const double p[2] = { x - size, y - test_random_in_d(random, 0, size) };
    const double q[2] = { x + size, y + test_random_in_d(random, 0, size) };
    switch (test_random_below(random, 4)) {
    case 0:
        return sl_region_brush(p, q, test_random_in_d(random, 0, 200));
    case 1:
        for (size_t i = 0; i < CORNERS; i++) {
            const double turn = 6.28 * (double)i / CORNERS,
                         far = size * test_random_in_d(random, 0.5, 1);
            corners[2 * i] = x + far * cos(turn);
            corners[2 * i + 1] = y + far * sin(turn);
        }
        return (sl_region){ .kind = SL_REGION_LASSO, .corners = corners, .corner_count = CORNERS };
    default:
        return sl_region_rectangle(p, q);
    }
}

static void assert_same(const sl_selection *a, const sl_selection *b)
{
    const sl_selection_info of_a = sl_selection_get_info(a), of_b = sl_selection_get_info(b);
    assert_int_equal(of_a.selected, of_b.selected);
    assert_int_equal(of_a.word_count, of_b.word_count);
    assert_memory_equal(sl_selection_of(a, SL_NONE).words, sl_selection_of(b, SL_NONE).words,
                        (size_t)of_a.word_count * sizeof(uint64_t));
    for (uint32_t instance = 0; instance < 2; instance++) {
        assert_int_equal(sl_selection_of(a, instance).selected,
                         sl_selection_of(b, instance).selected);
    }
}

static void assert_by_fractions(const case_of *c, const sl_region *region, const sl_selection *s,
                                bool inside, test_random *random)
{
    for (int i = 0; i < SAMPLES; i++) {
        double v[3][3];
        const sl_triangle_ref ref = { test_random_below(random, 2),
                                      test_random_below(random, TRIANGLES) };
        if (sl_bvh_triangle(c->scene, ref, v)) {
            assert_int_equal(sl_selection_has(s, ref.instance, ref.prim),
                             region_oracle_selects(&c->view, region, v, 3, inside));
        }
    }
}

static void compare(const case_of *c, test_random *random)
{
    static const sl_select_unit units[PAIRS / 2] = { SL_SELECT_TRIANGLES, SL_SELECT_EDGES,
                                                     SL_SELECT_VERTICES };
    const sl_options each = { .mask = UINT32_MAX };
    const size_t regions = (test_is_brief() ? 3 : 12) * test_scale();
    sl_selection *s[PAIRS][2];
    for (int i = 0; i < 2 * PAIRS; i++) {
        sl_selection_def def = { .unit = units[i / 2 % (PAIRS / 2)],
                                 .mode = i / 2 < PAIRS / 2 ? SL_SELECT_TOUCHED : SL_SELECT_INSIDE };
        def.options = i % 2 == 0 ? NULL : &each;
        assert_int_equal(sl_selection_create(c->scene, &c->view, &def, &s[i / 2][i % 2], NULL),
                         SL_OK);
    }
    for (size_t r = 0; r < regions; r++) {
        double corners[2 * CORNERS];
        const sl_region region = some_region(random, corners);
        for (int i = 0; i < PAIRS; i++) {
            assert_int_equal(sl_selection_update(s[i][0], &region, NULL, NULL), SL_OK);
            assert_int_equal(sl_selection_update(s[i][1], &region, NULL, NULL), SL_OK);
            assert_same(s[i][0], s[i][1]);
        }
        assert_by_fractions(c, &region, s[0][0], false, random);
        assert_by_fractions(c, &region, s[PAIRS / 2][0], true, random);
    }
    for (int i = 0; i < 2 * PAIRS; i++) {
        sl_selection_destroy(s[i / 2][i % 2]);
    }
}

TEST(large_trees_begin_anywhere)
{
    const uint64_t seed = test_seed(SEED);
    print_message("seed %llu\n", (unsigned long long)seed);
    test_random random = { seed };
    for (int kind = 0; kind < 4; kind++) {
        sl_mesh *mesh;
        sl_build_def def = { 0 };
        UNDONE(destroy) case_of c;
        if (kind == 0) {
            mesh = made_grid(142, 142, 5, 1);
        } else {
            mesh = made_soup(TRIANGLES, 0.02f, 7);
        }
        def.quality = kind == 2 ? SL_BVH_QUALITY_FAST : def.quality;
        def.layout = kind == 3 ? SL_BVH_LAYOUT_COMPACT : def.layout;
        make(&c, mesh, &def);
        compare(&c, &random);
    }
}

TEST(split_triangles_are_decided_as_a_whole)
{
    test_random random = { test_seed(SEED + 1) };
    size_t split = 0;
    for (int which = 0; which < slender_count(); which++) {
        sl_build_def def = { 0 };
        sl_bvh_info info;
        UNDONE(destroy) case_of c;
        def.quality = SL_BVH_QUALITY_HIGH;
        make(&c, slender_make(which, TRIANGLES), &def);
        info = sl_bvh_get_info(c.bvh);
        split += info.reference_count > info.triangle_count;
        compare(&c, &random);
    }
    assert_true(split > 0);
}
