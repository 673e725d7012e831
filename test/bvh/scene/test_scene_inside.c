/* Which instances contain a point, against crossings of every triangle of the world in rational
 * arithmetic; by every kernel, in floats and doubles, alone and in arrays, with masks and skips.
 * Nearest points and containers do not depend on how a scene is made: one identity instance gives
 * the bits of its tree, and arrays through tasks those of single calls; calls take little stack. */
#include "bvh/scene/scene.h"
#include "test/support/environment/painted_stack.h"
#include "test/support/environment/scrambled_tasks.h"
#include "test/support/input/world.h"
#include "test/support/oracle/brute_force.h"
#include "test/support/query/of_one.h"
#include "test/support/test.h"

enum { SEED = 20261125, KEPT = 3 };

/* In the box around the corners that the place makes of the corners of the tree's bounds. */
static bool in_box(const sl_instance *like, const sl_bvh *tree, const double at[3])
{
    double min[3] = { INFINITY, INFINITY, INFINITY }, max[3] = { -INFINITY, -INFINITY, -INFINITY };
    for (int i = 0; i < 8; i++) {
        float vertex[3];
        double corner[3];
        for (int axis = 0; axis < 3; axis++) {
            vertex[axis] = (i >> axis & 1) != 0 ? tree->bounds.max[axis] : tree->bounds.min[axis];
        }
        assert_true(sl_transform_corner(&like->transform, like->grid, vertex, corner));
        for (int axis = 0; axis < 3; axis++) {
            min[axis] = fmin(min[axis], corner[axis]);
            max[axis] = fmax(max[axis], corner[axis]);
        }
    }
    bool in = true;
    for (int axis = 0; axis < 3; axis++) {
        in = in && at[axis] >= min[axis] && at[axis] <= max[axis];
    }
    return in;
}

/* Whether the ray along +x crosses an odd number of the instance's triangles. */
static bool is_odd(const sl_bvh *scene, uint32_t instance, const double at[3],
                   const sl_options *options)
{
    const sl_bvh *tree = scene->world.transformed[instance].tree;
    const oracle_line line = { .valid = true,
                               .origin = { at[0], at[1], at[2] },
                               .dir = { 1, 0, 0 },
                               .tmin = 0,
                               .tmax = INFINITY,
                               .crossings = true };
    bool odd = false;
    for (uint32_t prim = 0; prim < tree->prim_count; prim++) {
        double v[3][3];
        const sl_triangle_ref ref = { instance, prim };
        const bool skipped = options->skip_count > 0 && options->skip[0].instance == instance &&
                             options->skip[0].prim == prim;
        assert_true(sl_bvh_triangle(scene, ref, v));
        odd ^= !skipped && oracle_corners(&line, (const double(*)[3])v, SL_CULL_NONE).hit;
    }
    return odd;
}

static size_t plainly(const sl_bvh *scene, const double at[3], const sl_options *options,
                      uint32_t kept[KEPT])
{
    size_t total = 0;
    for (uint32_t i = 0; i < scene->world.count; i++) {
        const sli_transformed *transformed = &scene->world.transformed[i];
        const sl_instance like = { .transform = transformed->transform, .grid = transformed->grid };
        if (transformed->tree == NULL ||
            (options->mask != 0 && (transformed->mask & options->mask) == 0) ||
            !in_box(&like, transformed->tree, at) || !is_odd(scene, i, at, options)) {
            continue;
        }
        if (total < KEPT) {
            kept[total] = i;
        }
        total++;
    }
    return total;
}

static sl_triangle_ref skip; /* the query's */

/* A corner of the world, a point of its surface, one between two such points, or anything. */
static void draw(const sl_bvh *scene, test_random *random, double at[3], sl_options *options)
{
    double from[3][3] = { { 0 } }, to[3][3] = { { 0 } };
    const uint32_t count = scene->world.count;
    *options = (sl_options){ .flags = 0 };
    uint32_t instance = 0;
    for (int tries = 0; tries < 20; tries++) {
        instance = test_random_below(random, count);
        const sl_bvh *tree = scene->world.transformed[instance].tree;
        if (tree != NULL) {
            const uint32_t prims = tree->prim_count;
            const sl_triangle_ref a = { instance, test_random_below(random, prims) };
            const sl_triangle_ref b = { instance, test_random_below(random, prims) };
            assert_true(sl_bvh_triangle(scene, a, from));
            assert_true(sl_bvh_triangle(scene, b, to));
            skip = a;
            break;
        }
    }
    const uint32_t kind = test_random_below(random, 4);
    const double share = kind == 0 ? 0 : kind == 1 ? 0.5 : test_random_unit_d(random);
    for (int axis = 0; axis < 3; axis++) {
        const double end =
            kind == 3 ? to[1][axis] + (to[2][axis] - to[0][axis]) * test_random_unit_d(random)
                      : to[2][axis];
        at[axis] = sli_round_to_grid(from[0][axis] + share * (end - from[0][axis]), SLI_STEP);
    }
    if (test_random_below(random, 4) == 0) {
        options->mask = 1 + test_random_below(random, 7);
    }
    options->skip = &skip;
    options->skip_count = test_random_below(random, 4) == 0;
}

static size_t all_inside;

static void check(sl_bvh *scene, const double at[3], const sl_options *options)
{
    uint32_t truth[KEPT], kept[KEPT];
    const float floats[3] = { (float)at[0], (float)at[1], (float)at[2] };
    const double wide[3] = { floats[0], floats[1], floats[2] };
    const size_t total = plainly(scene, at, options, truth);
    const size_t kept_count = total < KEPT ? total : KEPT;
    all_inside += total;
    for (int i = 0; sli_kernels_at(i) != NULL; i++) {
        scene->kernels = sli_kernels_at(i);
        assert_int_equal(inside_of_one_d(scene, at, options, kept, KEPT), total);
        assert_int_equal(inside_of_one_d(scene, at, options, NULL, 0), total);
        assert_memory_equal(kept, truth, kept_count * sizeof *kept);
    }
    const size_t of_floats = plainly(scene, wide, options, truth);
    assert_int_equal(sl_bvh_inside(scene, floats, options, kept, KEPT), of_floats);
    assert_memory_equal(kept, truth, (of_floats < KEPT ? of_floats : KEPT) * sizeof *kept);
}

TEST(containers_are_those_of_every_triangle)
{
    static const size_t sizes[] = { 1, 7, 30 };
    const int queries = test_is_brief() ? 10 : 120 * (int)test_scale();
    for (int kind = 0; kind < WORLD_KINDS; kind++) {
        for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
            test_random random = { test_seed(SEED) + (uint64_t)(kind * 10) + i };
            UNDONE(world_destroy) world_case world;
            world_make(&world, (world_kind)kind, sizes[i], i == 1, &random);
            const sli_kernels *kernels = world.scene->kernels;
            for (int k = 0; k < queries; k++) {
                double at[3];
                sl_options options;
                draw(world.scene, &random, at, &options);
                check(world.scene, at, &options);
            }
            world.scene->kernels = kernels;
        }
    }
    assert_true(all_inside > (test_is_brief() ? 5 : 100));
}

TEST(one_identity_instance_gives_the_bits_of_its_tree)
{
    enum { K = 5 };
    test_random random = { SEED };
    OWN(sl_bvh) bvh = made_bvh_alone(made_sphere(24), NULL);
    const sl_instance instance = sl_instance_of(bvh);
    OWN(sl_bvh) scene = made_scene(&instance, 1, NULL);
    for (int i = 0; i < 2000; i++) {
        float point[3];
        sl_nearest of_tree[K], of_scene[K];
        uint32_t kept;
        for (int axis = 0; axis < 3; axis++) {
            point[axis] = (float)((i % 3 == 0 ? 1e5 : 2.5) * (test_random_unit_d(&random) - 0.5));
        }
        const float limit = i % 4 == 0 ? 1 : INFINITY;
        sl_bvh_nearest(bvh, point, limit, NULL, of_tree);
        sl_bvh_nearest(scene, point, limit, NULL, of_scene);
        assert_memory_equal(of_tree, of_scene, sizeof *of_tree);
        const size_t k = sl_bvh_nearest_k(bvh, point, limit, NULL, of_tree, K);
        assert_int_equal(sl_bvh_nearest_k(scene, point, limit, NULL, of_scene, K), k);
        assert_memory_equal(of_tree, of_scene, k * sizeof *of_tree);
        const size_t total = sl_bvh_within(bvh, point, limit, NULL, of_tree, K);
        assert_int_equal(sl_bvh_within(scene, point, limit, NULL, of_scene, K), total);
        assert_memory_equal(of_tree, of_scene, (total < K ? total : K) * sizeof *of_tree);
        assert_int_equal(sl_bvh_inside(scene, point, NULL, &kept, 1),
                         winding_of_one(bvh, NULL, point, NULL, NULL));
    }
}

TEST(arrays_are_the_answers_of_single_calls)
{
    enum { COUNT = 3000, K = 2 };
    static float points[COUNT][3];
    static double points_d[COUNT][3];
    static sl_nearest one[COUNT], two[COUNT][K];
    static sl_nearest_d one_d[COUNT], two_d[COUNT][K];
    static uint32_t in[COUNT][K];
    static uint64_t found[COUNT], within[COUNT], inside[COUNT], found_d[COUNT];
    test_random random = { SEED };
    UNDONE(world_destroy) world_case world;
    world_make(&world, WORLD_MIRRORED, 20, true, &random);
    const sl_bvh *scene = world.scene;
    for (int i = 0; i < COUNT * 3; i++) {
        points_d[i / 3][i % 3] = 12 * (test_random_unit_d(&random) - 0.5);
        points[i / 3][i % 3] = (float)points_d[i / 3][i % 3];
    }
    points[7][1] = NAN;
    points_d[8][2] = 1e39;
    sl_stats stats = { .rays = 0 };
    scrambled_tasks scrambled;
    const sl_tasks *tasks = scrambled_tasks_start(&scrambled, 3, SEED);
    sl_bvh_nearest_many(scene, sl_points_of(points[0], COUNT, SL_FLOAT), 2, NULL,
                        sl_nearests_of(one, SL_FLOAT), tasks, &stats);
    assert_int_equal(stats.rays, COUNT);
    assert_true(stats.instances > 0);
    sl_bvh_nearest_many(scene, sl_points_of(points_d[0], COUNT, SL_DOUBLE), 2, NULL,
                        sl_nearests_of(one_d, SL_DOUBLE), tasks, NULL);
    sl_bvh_nearest_k_many(scene, sl_points_of(points[0], COUNT, SL_FLOAT), 2, NULL,
                          sl_nearests_of(two[0], SL_FLOAT), K, found, tasks, NULL);
    sl_bvh_nearest_k_many(scene, sl_points_of(points_d[0], COUNT, SL_DOUBLE), 2, NULL,
                          sl_nearests_of(two_d[0], SL_DOUBLE), K, found_d, tasks, NULL);
    sl_bvh_inside_many(scene, sl_points_of(points[0], COUNT, SL_FLOAT), NULL, in[0], K, inside,
                       tasks, NULL);
    for (int i = 0; i < COUNT; i++) {
        sl_nearest near, list[K];
        sl_nearest_d near_d, list_d[K];
        uint32_t kept[K];
        (void)sl_bvh_nearest(scene, points[i], 2, NULL, &near);
        assert_memory_equal(&near, &one[i], sizeof near);
        (void)sl_bvh_nearest_d(scene, points_d[i], 2, NULL, &near_d);
        assert_memory_equal(&near_d, &one_d[i], sizeof near_d);
        assert_int_equal(sl_bvh_nearest_k(scene, points[i], 2, NULL, list, K), found[i]);
        assert_memory_equal(list, two[i], found[i] * sizeof *list);
        assert_int_equal(nearest_k_of_one_d(scene, points_d[i], 2, NULL, list_d, K), found_d[i]);
        assert_memory_equal(list_d, two_d[i], found_d[i] * sizeof *list_d);
        assert_int_equal(sl_bvh_inside(scene, points[i], NULL, kept, K), inside[i]);
        assert_memory_equal(kept, in[i], (inside[i] < K ? inside[i] : K) * sizeof *kept);
    }
    assert_true(one[7].prim == SL_NONE && found[7] == 0 && inside[7] == 0);
    assert_true(one_d[8].prim == SL_NONE && one_d[8].distance == 2);
    sl_bvh_within_many(scene, sl_points_of(points[0], COUNT, SL_FLOAT), 2, NULL,
                       sl_nearests_of(two[0], SL_FLOAT), K, within, tasks, NULL);
    sl_bvh_within_many(scene, sl_points_of(points_d[0], COUNT, SL_DOUBLE), 2, NULL,
                       sl_nearests_of(two_d[0], SL_DOUBLE), K, found_d, tasks, NULL);
    for (int i = 0; i < COUNT; i++) {
        assert_int_equal(sl_bvh_within(scene, points[i], 2, NULL, NULL, 0), within[i]);
        assert_int_equal(within_of_one_d(scene, points_d[i], 2, NULL, NULL, 0), found_d[i]);
    }
    sl_bvh_inside_many(scene, sl_points_of(points_d[0], COUNT, SL_DOUBLE), NULL, in[0], K, inside,
                       tasks, NULL);
    for (int i = 0; i < COUNT; i++) {
        assert_int_equal(inside_of_one_d(scene, points_d[i], NULL, NULL, 0), inside[i]);
    }
}

/* A ball of 1 mm at 10^7 m: in doubles the distance of a point 1 mm above it is right to a tenth of
 * a nanometre. */
TEST(a_millimetre_is_right_ten_thousand_kilometres_away)
{
    OWN(sl_bvh) bvh = made_bvh_alone(made_sphere(24), NULL);
    sl_instance instance = sl_instance_of(bvh);
    const double scale[3] = { 1e-3, 1e-3, 1e-3 }, place[3] = { 1e7, -1e7, 1e7 };
    assert_true(sl_transform_from_trs(place, NULL, scale, &instance.transform));
    OWN(sl_bvh) scene = made_scene(&instance, 1, NULL);
    const double above[3] = { place[0], place[1], place[2] + 2e-3 };
    sl_nearest_d near;
    assert_true(sl_bvh_nearest_d(scene, above, INFINITY, NULL, &near));
    /* The sphere has a vertex there; at 10^7 doubles are multiples of 2^-29. */
    assert_true(fabs((double)near.distance - 1e-3) < 0x1p-28);
    assert_true(fabs(near.point[2] - (place[2] + 1e-3)) < 0x1p-28);
    uint32_t in = SL_NONE;
    assert_int_equal(inside_of_one_d(scene, place, NULL, &in, 1), 1);
    assert_int_equal(in, 0);
    assert_int_equal(inside_of_one_d(scene, above, NULL, &in, 1), 0);
}

/* Of a mesh that is open, a point outside of its box is not inside, however close it is and
 * whatever the ray meets: so answers do not depend on the tree over the instances. */
TEST(what_is_outside_of_the_box_is_not_inside)
{
    static const float xyz[3][3] = { { 1, 0, 0 }, { 1, 1, 0 }, { 1, 0, 1 } };
    static const uint32_t indices[3] = { 0, 1, 2 };
    const double on[3] = { 1, 0.25, 0.25 }, before[3] = { 1 - 0x1p-53, 0.25, 0.25 };
    OWN(sl_bvh) bvh = made_bvh_alone(made_mesh(xyz[0], 3, indices, 1, NULL), NULL);
    const sl_instance instance = sl_instance_of(bvh);
    OWN(sl_bvh) scene = made_scene(&instance, 1, NULL);
    const sl_ray_d ray = sl_ray_d_make(before, (const double[3]){ 1, 0, 0 });
    assert_true(any_of_one(scene, sl_rays_of_d(&ray, 1), NULL, NULL));
    assert_int_equal(inside_of_one_d(scene, before, NULL, NULL, 0), 0);
    /* On the triangle the moved point has passed it. */
    assert_int_equal(inside_of_one_d(scene, on, NULL, NULL, 0), 0);
}

TEST(an_empty_world_has_nothing_near)
{
    const sl_instance hole = sl_instance_of(NULL);
    const float point[3] = { 1, 2, 3 };
    for (size_t count = 0; count < 2; count++) {
        sl_nearest near;
        OWN(sl_bvh) scene = made_scene(&hole, count, NULL);
        assert_false(sl_bvh_nearest(scene, point, INFINITY, NULL, &near));
        assert_true(near.prim == SL_NONE && isinf(near.distance));
        assert_int_equal(sl_bvh_within(scene, point, INFINITY, NULL, NULL, 0), 0);
        assert_int_equal(sl_bvh_inside(scene, point, NULL, NULL, 0), 0);
    }
}

static const sl_bvh *asked_scene;

static void query_on_stack(painted_stack *stack, void *context)
{
    enum { COUNT = 40 };
    static double points[COUNT][3];
    static sl_nearest_d near[COUNT];
    sl_stats *stats = context;
    test_random random = { SEED };
    for (int i = 0; i < 50; i++) {
        for (int k = 0; k < COUNT; k++) {
            /* On corners and sides, whose distances only the exact stage can tell from 0. */
            const sl_triangle_ref ref = { test_random_below(&random, 20), 0 };
            double v[3][3] = { { 0 } };
            (void)sl_bvh_triangle(asked_scene, ref, v);
            for (int axis = 0; axis < 3; axis++) {
                points[k][axis] = k % 2 == 0 ? v[0][axis] : (v[0][axis] + v[1][axis]) / 2;
            }
        }
        uint32_t in[2];
        sl_nearest_d list[4];
        sl_bvh_nearest_many(asked_scene, sl_points_of(points[0], COUNT, SL_DOUBLE), INFINITY, NULL,
                            sl_nearests_of(near, SL_DOUBLE), NULL, stats);
        const sl_points one = sl_points_of(points[i % COUNT], 1, SL_DOUBLE);
        const sl_nearests to = sl_nearests_of(list, SL_DOUBLE);
        uint64_t total;
        sl_bvh_nearest_k_many(asked_scene, one, INFINITY, NULL, to, 4, &total, NULL, stats);
        sl_bvh_within_many(asked_scene, one, 1, NULL, to, 4, &total, NULL, stats);
        sl_bvh_inside_many(asked_scene, one, NULL, in, 2, &total, NULL, stats);
        painted_stack_note(stack);
    }
}

TEST(little_stack_is_taken)
{
    test_random random = { SEED };
    UNDONE(world_destroy) world_case world;
    sl_stats stats = { .rays = 0 };
    world_make(&world, WORLD_PLAIN, 20, true, &random);
    asked_scene = world.scene;
    painted_stack_expect(192 * 1024, 48 * 1024, query_on_stack, &stats);
    assert_true(stats.exact_stage > 0);
}
