/* TOUCHED and INSIDE against every triangle on its own, in fractions (region_oracle.h): regions of
 * all kinds, drawn about corners of the world so that they end in them, in worlds of all kinds and
 * views of all kinds; a fresh selection for each, and one that goes from region to region.
 *
 * SIGHTLINE_TEST_SCALE=N multiplies the number of worlds. */
#include "bvh/select/region/region.h"
#include "lib/base/memory.h"
#include "test/support/input/world.h"
#include "test/support/oracle/region_oracle.h"
#include "test/support/test.h"

enum { SEED = 20261124, CORNERS = 24, WORLDS = 30, REGIONS = 12 };

static double in(test_random *random, double low, double high)
{
    return low + (high - low) * test_random_unit_d(random);
}

/* ---- Views ---- */

/* A view of the world from beside it, or from within, so that the near plane cuts it. */
static sl_view some_view(const sl_bvh *scene, test_random *random)
{
    sl_camera_def def = { 0 };
    sl_view view = { .origin = { 0, 0, 0 } };
    double target[3][3], eye[3], size = 0;
    const sl_aabb_d bounds = sl_bvh_bounds(scene);
    (void)world_triangle(scene, random, target);
    const bool within = test_random_below(random, 2) == 0;
    for (int axis = 0; axis < 3; axis++) {
        size = fmax(size, bounds.max[axis] - bounds.min[axis]);
        view.origin[axis] = test_random_below(random, 3) == 0 ? 0 : target[0][axis];
    }
    for (int axis = 0; axis < 3; axis++) {
        eye[axis] = within ? in(random, bounds.min[axis], bounds.max[axis])
                           : target[0][axis] + in(random, -size, size);
        def.eye[axis] = (float)(eye[axis] - view.origin[axis]);
        def.target[axis] = (float)(target[0][axis] - view.origin[axis]);
    }
    def.width = 40 + test_random_below(random, 200);
    def.height = 30 + test_random_below(random, 200);
    def.clip = (sl_clip_space)test_random_below(random, 4);
    def.orthographic = test_random_below(random, 4) == 0;
    def.ortho_height = (float)(size * in(random, 0.1, 1));
    def.near_distance = (float)(size * pow(10, in(random, -4, -1)));
    if (def.orthographic || test_random_below(random, 3) == 0) {
        def.far_distance = (float)(size * in(random, 0.2, 2));
    }
    sl_error error;
    if (sl_camera_make(&def, &view.camera, &error) != SL_OK) {
        return some_view(scene, random);
    }
    return view;
}

/* ---- Regions ---- */

typedef struct drawn {
    sl_region region;
    double corners[2 * CORNERS];
} drawn;

/* Where a corner of the world appears, or a place at random. */
static void some_place(const sl_bvh *scene, const sl_view *view, test_random *random, double xy[2])
{
    double v[3][3];
    const double width = view->camera.width, height = view->camera.height;
    (void)world_triangle(scene, random, v);
    const uint32_t kind = test_random_below(random, 4);
    if (kind < 2 && sl_view_project(view, v[test_random_below(random, 3)], xy, NULL)) {
        return;
    }
    xy[0] = in(random, -0.2 * width, 1.2 * width);
    xy[1] = in(random, -0.2 * height, 1.2 * height);
    if (kind == 3) { /* centres of pixels, and what lies between */
        xy[0] = floor(xy[0]) + 0.5 * test_random_below(random, 2);
        xy[1] = floor(xy[1]) + 0.5 * test_random_below(random, 2);
    }
}

static void draw_lasso(const sl_bvh *scene, const sl_view *view, test_random *random, drawn *out)
{
    const uint32_t kind = test_random_below(random, 6);
    size_t count = kind == 0 ? test_random_below(random, 4) : 3 + test_random_below(random, 8);
    for (size_t i = 0; i < count; i++) {
        some_place(scene, view, random, out->corners + 2 * i);
    }
    if (kind == 1) { /* goes back along itself */
        for (size_t i = 0; i < count; i++) {
            memcpy(out->corners + 2 * (count + i), out->corners + 2 * (count - 1 - i),
                   2 * sizeof(double));
        }
        count *= 2;
        some_place(scene, view, random, out->corners);
    }
    if (kind == 2) { /* upright sides on whole numbers, that overlap */
        for (size_t i = 0; i < 2 * count; i++) {
            out->corners[i] = 10 * floor(out->corners[i] / 10);
        }
        for (size_t i = 1; i < count; i++) {
            out->corners[2 * i + i % 2] = out->corners[2 * i - 2 + i % 2];
        }
    }
    if (kind == 3) { /* a large rectangle, so that much lies in it */
        const double x[2] = { -40, view->camera.width + 40.0 };
        const double y[2] = { -40, view->camera.height + 40.0 };
        for (size_t i = 0; i < 4; i++) {
            out->corners[2 * i] = x[i == 1 || i == 2];
            out->corners[2 * i + 1] = y[i > 1];
        }
        count = count < 4 ? 4 : count;
    }
    out->region =
        (sl_region){ .kind = SL_REGION_LASSO, .corners = out->corners, .corner_count = count };
}

static void draw_region(const sl_bvh *scene, const sl_view *view, test_random *random, drawn *out)
{
    static const double sizes[] = { 0, 1, 3, 20, 100, 1e4, 1e300 };
    double p[2], q[2];
    some_place(scene, view, random, p);
    some_place(scene, view, random, q);
    const double size = sizes[test_random_below(random, 7)];
    switch (test_random_below(random, 5)) {
    case 0:
        for (int axis = 0; axis < 2; axis++) {
            q[axis] = test_random_below(random, 4) == 0 ? p[axis] : p[axis] + size;
        }
        out->region = sl_region_rectangle(p, q);
        return;
    case 1:
        out->region = sl_region_rectangle(p, q);
        return;
    case 2:
        if (test_random_below(random, 2) == 0) {
            memcpy(q, p, sizeof q);
        }
        out->region = sl_region_brush(p, q, size > 100 ? size : size * test_random_unit_d(random));
        return;
    default:
        draw_lasso(scene, view, random, out);
    }
}

/* ---- The world, one by one ---- */

typedef struct options {
    sl_options query;
    sl_triangle_ref skip[2];
    sl_instance_range ignore;
} options;

static void draw_options(const sl_bvh *scene, test_random *random, options *out)
{
    double v[3][3];
    *out = (options){ .query = { .flags = 0 } };
    if (test_random_below(random, 3) == 0) {
        out->skip[0] = world_triangle(scene, random, v);
        out->skip[1] = world_triangle(scene, random, v);
        out->query.skip = out->skip;
        out->query.skip_count = 2;
    }
    if (test_random_below(random, 3) == 0) {
        out->ignore = (sl_instance_range){ test_random_below(random, 4), 2 };
        out->query.ignore = &out->ignore;
        out->query.ignore_count = 1;
    }
}

static bool is_there(const options *o, sl_triangle_ref ref)
{
    if (o->query.ignore_count != 0 && ref.instance - o->ignore.first < o->ignore.count) {
        return false;
    }
    for (size_t i = 0; i < o->query.skip_count; i++) {
        if (o->query.skip[i].instance == ref.instance && o->query.skip[i].prim == ref.prim) {
            return false;
        }
    }
    return true;
}

/* Checks each triangle's bits, and what follows for its instance. */
static void compare(const sl_bvh *scene, const sl_view *view, const sl_region *region,
                    const options *o, sl_selection *selections[2][4], const char *what)
{
    const sl_bvh_info info = sl_bvh_get_info(scene);
    for (uint32_t instance = 0; instance < info.instance_count; instance++) {
        bool any[2] = { false, false }, all[2] = { true, true };
        for (uint32_t prim = 0; prim < 5000; prim++) {
            double v[3][3];
            const sl_triangle_ref ref = { instance, prim };
            if (!sl_bvh_triangle(scene, ref, v)) {
                break;
            }
            const bool there = is_there(o, ref);
            for (int inside = 0; inside < 2; inside++) {
                sl_selection **s = selections[inside];
                const bool expected =
                    there && region_oracle_selects(view, region, v, 3, inside != 0);
                if (sl_selection_has(s[0], instance, prim) != expected) {
                    fail_msg("%s: instance %u triangle %u inside %d: expected %d, kind %d", what,
                             instance, prim, inside, expected, (int)region->kind);
                }
                any[inside] |= expected;
                all[inside] &= expected || !there;
            }
            for (uint32_t k = 0; k < 3 && prim % 8 == 0; k++) {
                double side[2][3];
                memcpy(side[0], v[k], sizeof side[0]);
                memcpy(side[1], v[(k + 1) % 3], sizeof side[1]);
                for (int inside = 0; inside < 2; inside++) {
                    sl_selection **s = selections[inside];
                    assert_int_equal(sl_selection_has(s[2], instance, 3 * prim + k),
                                     there &&
                                         region_oracle_selects(view, region, side, 2, inside != 0));
                    assert_int_equal(
                        sl_selection_has(s[3], instance, 3 * prim + k),
                        there && region_oracle_selects(view, region, &v[k], 1, inside != 0));
                }
            }
        }
        assert_int_equal(sl_selection_has(selections[0][1], instance, 0), any[0]);
        assert_int_equal(sl_selection_has(selections[1][1], instance, 0), any[1] && all[1]);
    }
}

/* That bits, counts and lists are those of another selection. */
static void assert_same(const sl_selection *a, const sl_selection *b)
{
    sl_selection_info of_a, of_b;
    sl_selected list[64];
    of_a = sl_selection_get_info(a);
    of_b = sl_selection_get_info(b);
    assert_int_equal(of_a.selected, of_b.selected);
    assert_int_equal(of_a.word_count, of_b.word_count);
    assert_memory_equal(sl_selection_of(a, SL_NONE).words, sl_selection_of(b, SL_NONE).words,
                        (size_t)of_a.word_count * sizeof(uint64_t));
    const uint64_t first = of_a.selected / 3;
    assert_int_equal(sl_selection_list(a, first, list, 64), of_a.selected);
    for (uint64_t i = 0; i < 64 && first + i < of_a.selected; i++) {
        assert_true(sl_selection_has(b, list[i].instance, list[i].element));
        assert_true(i == 0 || list[i - 1].instance < list[i].instance ||
                    list[i - 1].element < list[i].element);
    }
}

static const sl_select_unit units[4] = { SL_SELECT_TRIANGLES, SL_SELECT_INSTANCES, SL_SELECT_EDGES,
                                         SL_SELECT_VERTICES };

static void make(const sl_bvh *scene, const sl_view *view, const options *o,
                 sl_selection *out[2][4])
{
    for (int i = 0; i < 8; i++) {
        sl_selection_def def = { 0 };
        def.mode = i / 4 == 0 ? SL_SELECT_TOUCHED : SL_SELECT_INSIDE;
        def.unit = units[i % 4];
        def.options = &o->query;
        assert_int_equal(sl_selection_create(scene, view, &def, &out[i / 4][i % 4], NULL), SL_OK);
    }
}

static void update(sl_selection *selections[2][4], const sl_region *region)
{
    for (int i = 0; i < 8; i++) {
        assert_int_equal(sl_selection_update(selections[i / 4][i % 4], region, NULL, NULL), SL_OK);
    }
}

static void destroy(sl_selection *selections[2][4])
{
    for (int i = 0; i < 8; i++) {
        sl_selection_destroy(selections[i / 4][i % 4]);
    }
}

TEST(figures_are_those_of_every_triangle)
{
    const uint64_t seed = test_seed(SEED);
    const size_t worlds = test_is_brief() ? 2 : WORLDS * test_scale();
    print_message("seed %llu\n", (unsigned long long)seed);
    test_random random = { seed };
    for (size_t w = 0; w < worlds; w++) {
        UNDONE(world_destroy) world_case world;
        world_make(&world, (world_kind)(w % WORLD_KINDS), 3 + test_random_below(&random, 4),
                   w % 2 == 0, &random);
        const sl_view view = some_view(world.scene, &random);
        options o;
        draw_options(world.scene, &random, &o);
        sl_selection *moving[2][4];
        make(world.scene, &view, &o, moving);
        for (int r = 0; r < REGIONS; r++) {
            sl_selection *fresh[2][4];
            drawn region;
            char what[64];
            snprintf(what, sizeof what, "world %zu region %d", w, r);
            draw_region(world.scene, &view, &random, &region);
            make(world.scene, &view, &o, fresh);
            update(fresh, &region.region);
            compare(world.scene, &view, &region.region, &o, fresh, what);
            update(moving, &region.region);
            for (int i = 0; i < 8; i++) {
                assert_same(moving[i / 4][i % 4], fresh[i / 4][i % 4]);
            }
            destroy(fresh);
        }
        destroy(moving);
    }
}

/* ---- Points of the picture ---- */

TEST(points_are_in_regions_by_fractions)
{
    test_random random = { test_seed(SEED + 1) };
    const size_t rounds = 300 * test_scale();
    const sl_allocator allocator = sli_allocator(NULL);
    sli_region in_lasso = { .none = true }, in_brush = { .none = true };
    for (size_t round = 0; round < rounds; round++) {
        double corners[2 * CORNERS];
        const size_t count = test_random_below(&random, CORNERS);
        for (size_t i = 0; i < 2 * count; i++) {
            corners[i] = (double)test_random_below(&random, 7) +
                         (round % 2 == 0 ? 0 : in(&random, -1e-15, 1e-15));
        }
        const sl_region lasso =
            (sl_region){ .kind = SL_REGION_LASSO, .corners = corners, .corner_count = count };
        const sl_region brush = sl_region_brush(corners, corners + 2, corners[4]);
        const bool with_brush = count > 2 && corners[4] >= 0;
        assert_true(sli_region_prepare(&allocator, &lasso, 7, 7, &in_lasso));
        assert_true(!with_brush || sli_region_prepare(&allocator, &brush, 7, 7, &in_brush));
        for (int i = 0; i < 100; i++) {
            const double at[1][2] = { { 0.5 * test_random_below(&random, 14),
                                        0.5 * test_random_below(&random, 14) } };
            assert_int_equal(sli_region_holds(&in_lasso, at, 1),
                             region_oracle_holds(&lasso, at, 1));
            if (with_brush) {
                assert_int_equal(sli_region_holds(&in_brush, at, 1),
                                 region_oracle_holds(&brush, at, 1));
            }
        }
    }
    sli_region_free(&allocator, &in_lasso);
    sli_region_free(&allocator, &in_brush);
}

/* Where nearly everything is in line, or on a side. */
TEST(figures_of_a_lattice_are_those_of_fractions)
{
    test_random random = { test_seed(SEED + 2) };
    const size_t rounds = (test_is_brief() ? 20 : 1500) * test_scale();
    const sl_allocator allocator = sli_allocator(NULL);
    sli_region region = { .none = true };
    size_t held = 0, touched = 0;
    for (size_t round = 0; round < rounds; round++) {
        double corners[2 * CORNERS];
        const size_t count = 1 + test_random_below(&random, 10);
        for (size_t i = 0; i < 2 * count; i++) {
            corners[i] = test_random_below(&random, 5);
        }
        const double p[2] = { corners[0], corners[1] };
        const sl_region given =
            round % 8 == 0 ? sl_region_rectangle(p, corners + 2 * (count / 2))
            : round % 8 == 1
                ? sl_region_brush(p, corners + 2 * (count / 2), 1)
                : (sl_region){ .kind = SL_REGION_LASSO, .corners = corners, .corner_count = count };
        assert_true(sli_region_prepare(&allocator, &given, 5, 5, &region));
        for (int i = 0; i < 60; i++) {
            double figure[3][2];
            for (int k = 0; k < 6; k++) {
                figure[k / 2][k % 2] = 0.5 * test_random_below(&random, 9);
            }
            const int points = 1 + (int)test_random_below(&random, 3);
            const bool touches = region_oracle_touches(&given, (const double(*)[2])figure, points);
            const bool holds = region_oracle_holds(&given, (const double(*)[2])figure, points);
            assert_int_equal(sli_region_touches(&region, (const double(*)[2])figure, points),
                             touches);
            assert_int_equal(sli_region_holds(&region, (const double(*)[2])figure, points), holds);
            held += holds;
            touched += touches;
        }
    }
    assert_true(held > rounds && touched > 4 * rounds);
    sli_region_free(&allocator, &region);
}

TEST(what_is_no_region_is_refused)
{
    const double p[2] = { 1, 2 }, bad[2] = { 1, NAN }, far[2] = { INFINITY, 0 };
    double corners[6] = { 0, 0, 1, 1, NAN, 3 };
    test_random random = { 1 };
    UNDONE(world_destroy) world_case world;
    world_make(&world, WORLD_PLAIN, 3, false, &random);
    const sl_view view = some_view(world.scene, &random);
    sl_selection *s;
    sl_error error;
    assert_int_equal(sl_selection_create(world.scene, &view, NULL, &s, &error), SL_OK);
    const sl_region refused[] = {
        sl_region_rectangle(p, bad), sl_region_rectangle(far, p), sl_region_brush(p, p, NAN),
        sl_region_brush(p, bad, 1),
        (sl_region){ .kind = SL_REGION_LASSO, .corners = corners, .corner_count = 3 }
    };
    for (size_t i = 0; i < 5; i++) {
        assert_int_equal(sl_selection_update(s, &refused[i], NULL, &error), SL_NOT_FINITE);
    }
    assert_non_null(strstr(error.message, "corner 2"));
    const sl_region negative = sl_region_brush(p, p, -1);
    assert_int_equal(sl_selection_update(s, &negative, NULL, &error), SL_INVALID_ARGUMENT);
    const sl_region nothing =
        (sl_region){ .kind = SL_REGION_LASSO, .corners = NULL, .corner_count = 0 };
    assert_int_equal(sl_selection_update(s, &nothing, NULL, &error), SL_OK);
    const sl_selection_info info = sl_selection_get_info(s);
    assert_int_equal(info.selected, 0);
    sl_selection_destroy(s);
}
