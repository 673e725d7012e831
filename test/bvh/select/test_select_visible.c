/* VISIBLE against one ray for each pixel, one line of sight for each corner, and samples of sides
 * one by one; a selection that goes from region to region, in parallel and with a budget, against
 * fresh ones; rays of pixels against sl_view_ray.
 *
 * SIGHTLINE_TEST_SCALE=N multiplies the number of worlds. */
#include "bvh/select/rays.h"
#include "lib/base/fpenv.h"
#include "lib/geom/exact/valid.h"
#include "test/support/environment/painted_stack.h"
#include "test/support/environment/scrambled_tasks.h"
#include "test/support/input/world.h"
#include "test/support/oracle/region_oracle.h"
#include "test/support/selection/seen_oracle.h"
#include "test/support/test.h"

enum { SEED = 20261125, WORLDS = 21, REGIONS = 8, CORNERS = 10, PRIMS = 5000, INSTANCES = 64 };

static sl_view some_view(const sl_bvh *scene, test_random *random)
{
    sl_view view = { .origin = { 0, 0, 0 } };
    sl_error error;
    do {
        sl_camera_def def = { 0 };
        double target[3][3], size = 0;
        const sl_aabb_d bounds = sl_bvh_bounds(scene);
        (void)world_triangle(scene, random, target);
        for (int axis = 0; axis < 3; axis++) {
            size = fmax(size, bounds.max[axis] - bounds.min[axis]);
            view.origin[axis] = test_random_below(random, 3) == 0 ? 0 : target[0][axis];
        }
        for (int axis = 0; axis < 3; axis++) {
            const double eye = target[0][axis] + test_random_in_d(random, -size, size);
            def.eye[axis] = (float)(eye - view.origin[axis]);
            def.target[axis] = (float)(target[0][axis] - view.origin[axis]);
        }
        def.width = 1 + test_random_below(random, 150);
        def.height = 1 + test_random_below(random, 40);
        def.clip = (sl_clip_space)test_random_below(random, 4);
        def.orthographic = test_random_below(random, 4) == 0;
        def.ortho_height = (float)(size * test_random_in_d(random, 0.1, 1));
        def.near_distance = (float)(size * test_random_in_d(random, 0.001, 0.1));
        if (def.orthographic || test_random_below(random, 3) == 0) {
            def.far_distance = (float)(size * test_random_in_d(random, 0.2, 3));
        }
        def.off_centre = test_random_below(random, 4) == 0;
        def.window[0] = -def.near_distance;
        def.window[1] = 2 * def.near_distance;
        def.window[2] = -2 * def.near_distance;
        def.window[3] = def.near_distance;
        if (sl_camera_make(&def, &view.camera, &error) == SL_OK) {
            return view;
        }
    } while (true);
}

typedef struct drawn {
    sl_region region;
    double corners[2 * CORNERS];
} drawn;

static void draw_region(const sl_bvh *scene, const sl_view *view, test_random *random, drawn *out)
{
    for (size_t i = 0; i < CORNERS; i++) {
        double *xy = out->corners + 2 * i, v[3][3];
        (void)world_triangle(scene, random, v);
        if (test_random_below(random, 3) == 0 && sl_view_project(view, v[0], xy, NULL)) {
            continue;
        }
        xy[0] = test_random_in_d(random, -10, view->camera.width + 10.0);
        xy[1] = test_random_in_d(random, -10, view->camera.height + 10.0);
        if (test_random_below(random, 2) == 0) { /* at centres */
            xy[0] = floor(xy[0]) + 0.5;
            xy[1] = floor(xy[1]) + 0.5;
        }
    }
    const double *p = out->corners, *q = out->corners + 2;
    const uint32_t kind = test_random_below(random, 4);
    out->region = kind == 0 ? sl_region_rectangle(p, q)
                  : kind == 1
                      ? sl_region_brush(p, q, floor(test_random_in_d(random, 0, 30)))
                      : (sl_region){ .kind = SL_REGION_LASSO,
                                     .corners = p,
                                     .corner_count = test_random_below(random, CORNERS) + 1 };
}

/* ---- One by one ---- */

static const sl_options everything = { .flags = 0 };

typedef struct answer {
    uint8_t triangle[INSTANCES][PRIMS];
    uint8_t instance[INSTANCES];
} answer;

static void query_pixels(const sl_bvh *scene, const sl_view *view, const sl_region *region,
                         answer *out)
{
    memset(out, 0, sizeof *out);
    for (uint32_t y = 0; y < view->camera.height; y++) {
        for (uint32_t x = 0; x < view->camera.width; x++) {
            const double centre[1][2] = { { x + 0.5, y + 0.5 } };
            sl_ray_d ray;
            sl_hit_d hit;
            if (region_oracle_holds(region, centre, 1) && sl_view_ray(view, centre[0], &ray) &&
                sl_bvh_closest_d(scene, &ray, NULL, &hit)) {
                out->triangle[hit.instance][hit.prim] = 1;
                out->instance[hit.instance] = 1;
            }
        }
    }
}

/* Of a side that is touched. */
static bool see_side(const sl_bvh *scene, const sl_view *view, const sl_region *region,
                     double ends[2][3])
{
    return region_oracle_selects(view, region, ends, 2, false) &&
           seen_oracle_side(scene, view, &everything, region, ends);
}

/* ---- Selections ---- */

enum { UNITS = 4 };
static const sl_select_unit units[UNITS] = { SL_SELECT_TRIANGLES, SL_SELECT_INSTANCES,
                                             SL_SELECT_EDGES, SL_SELECT_VERTICES };

static sl_selection *make(const sl_bvh *scene, const sl_view *view, int unit, double budget)
{
    sl_selection_def def = { 0 };
    sl_selection *out;
    def.mode = SL_SELECT_VISIBLE;
    def.unit = units[unit];
    def.budget_ms = budget;
    assert_int_equal(sl_selection_create(scene, view, &def, &out, NULL), SL_OK);
    return out;
}

static void compare(const sl_bvh *scene, const sl_view *view, const sl_region *region,
                    sl_selection *s[UNITS])
{
    static answer expected;
    const sl_bvh_info info = sl_bvh_get_info(scene);
    query_pixels(scene, view, region, &expected);
    for (uint32_t instance = 0; instance < info.instance_count; instance++) {
        assert_int_equal(sl_selection_has(s[1], instance, 0), expected.instance[instance]);
        for (uint32_t prim = 0; prim < PRIMS; prim++) {
            double v[3][3];
            if (!sl_bvh_triangle(scene, (sl_triangle_ref){ instance, prim }, v)) {
                break;
            }
            assert_int_equal(sl_selection_has(s[0], instance, prim),
                             expected.triangle[instance][prim]);
            for (uint32_t k = 0; k < 3 && prim % 4 == 0; k++) {
                double ends[2][3];
                memcpy(ends[0], v[k], sizeof ends[0]);
                memcpy(ends[1], v[(k + 1) % 3], sizeof ends[1]);
                const bool corner = region_oracle_selects(view, region, &v[k], 1, false) &&
                                    seen_oracle_point(scene, view, &everything, v[k], v[k], v[k]);
                assert_int_equal(sl_selection_has(s[3], instance, 3 * prim + k), corner);
                assert_int_equal(sl_selection_has(s[2], instance, 3 * prim + k),
                                 see_side(scene, view, region, ends));
            }
        }
    }
}

static void assert_same(const sl_selection *a, const sl_selection *b)
{
    const sl_selection_info of_a = sl_selection_get_info(a), of_b = sl_selection_get_info(b);
    assert_int_equal(of_a.selected, of_b.selected);
    assert_int_equal(of_a.pending, 0);
    assert_memory_equal(sl_selection_of(a, SL_NONE).words, sl_selection_of(b, SL_NONE).words,
                        (size_t)of_a.word_count * sizeof(uint64_t));
}

TEST(what_is_seen_is_what_rays_and_sights_meet)
{
    const uint64_t seed = test_seed(SEED);
    print_message("seed %llu\n", (unsigned long long)seed);
    test_random random = { seed };
    const size_t worlds = test_is_brief() ? 2 : WORLDS * test_scale();
    for (size_t w = 0; w < worlds; w++) {
        UNDONE(world_destroy) world_case world;
        sl_selection *moving[UNITS], *budgeted;
        scrambled_tasks scrambled;
        const sl_tasks *tasks = scrambled_tasks_start(&scrambled, 3, w);
        world_make(&world, (world_kind)(w % WORLD_KINDS), 3 + test_random_below(&random, 4),
                   w % 2 == 0, &random);
        const sl_view view = some_view(world.scene, &random);
        for (int unit = 0; unit < UNITS; unit++) {
            moving[unit] = make(world.scene, &view, unit, 0);
        }
        budgeted = make(world.scene, &view, 0, 1e-6);
        for (int r = 0; r < REGIONS; r++) {
            sl_selection *fresh[UNITS];
            drawn region;
            draw_region(world.scene, &view, &random, &region);
            for (int unit = 0; unit < UNITS; unit++) {
                fresh[unit] = make(world.scene, &view, unit, 0);
                assert_int_equal(sl_selection_update(fresh[unit], &region.region, tasks, NULL),
                                 SL_OK);
                assert_int_equal(sl_selection_update(moving[unit], &region.region, NULL, NULL),
                                 SL_OK);
                assert_same(moving[unit], fresh[unit]);
            }
            sl_selection_info info = { .pending = 1 };
            for (int i = 0; i < 1000 && info.pending > 0; i++) {
                assert_int_equal(sl_selection_update(budgeted, &region.region, NULL, NULL), SL_OK);
                info = sl_selection_get_info(budgeted);
            }
            assert_same(budgeted, fresh[0]);
            compare(world.scene, &view, &region.region, fresh);
            for (int unit = 0; unit < UNITS; unit++) {
                sl_selection_destroy(fresh[unit]);
            }
        }
        for (int unit = 0; unit < UNITS; unit++) {
            sl_selection_destroy(moving[unit]);
        }
        sl_selection_destroy(budgeted);
    }
}

TEST(rays_of_pixels_are_those_of_views)
{
    test_random random = { test_seed(SEED + 1) };
    size_t plain = 0;
    const sli_fpenv saved = sli_fpenv_enter();
    for (int i = 0; i < 200; i++) {
        UNDONE(world_destroy) world_case world;
        sli_view open;
        sli_pixel_rays rays;
        world_make(&world, (world_kind)(i % WORLD_KINDS), 2, false, &random);
        sl_view view = some_view(world.scene, &random);
        for (int k = 0; k < 16 && i % 5 == 0; k++) {
            view.camera.projection[k] += test_random_in(&random, -0.1f, 0.1f);
        }
        if (sli_view_open(&view, &open)) {
            sli_pixel_rays_open(&open, &rays);
            plain += rays.is_plain;
            for (int n = 0; n < 50; n++) {
                const uint32_t x = test_random_below(&random, 150),
                               y = test_random_below(&random, 40);
                sl_ray_d eight[SLI_RAYS], one;
                sli_pixel_rays_make(&rays, x, y, eight);
                for (uint32_t k = 0; k < SLI_RAYS; k++) {
                    const double centre[2] = { x + k + 0.5, y + 0.5 };
                    if (sl_view_ray(&view, centre, &one)) {
                        assert_memory_equal(&one, &eight[k], sizeof one);
                    } else {
                        assert_false(sli_ray_d_is_valid(&eight[k]));
                    }
                }
            }
        }
    }
    sli_fpenv_leave(saved);
    assert_true(plain > 100);
}

/* ---- Stack ---- */

static void update_on_stack(painted_stack *stack, void *context)
{
    sl_selection *s = context;
    const double p[2] = { -1, -1 }, q[2] = { 1e4, 1e4 };
    const sl_region region = sl_region_rectangle(p, q);
    (void)painted_stack_depth(stack);
    (void)sl_selection_update(s, &region, NULL, NULL);
    painted_stack_note(stack);
}

TEST(an_update_takes_at_most_60_kib_of_stack)
{
    test_random random = { 20261128 };
    UNDONE(world_destroy) world_case world;
    world_make(&world, WORLD_PLAIN, 300, true, &random);
    const sl_view view = some_view(world.scene, &random);
    for (int unit = SL_SELECT_INSTANCES; unit <= SL_SELECT_VERTICES; unit++) {
        sl_selection_def def = { 0 };
        OWN(sl_selection) s = NULL;
        def.mode = SL_SELECT_VISIBLE;
        def.unit = (sl_select_unit)unit;
        assert_int_equal(sl_selection_create(world.scene, &view, &def, &s, NULL), SL_OK);
        painted_stack_expect(192 * 1024, 60 * 1024, update_on_stack, s);
    }
}
