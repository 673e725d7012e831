/* Rays and segments from one point get the answers that any_many gives to the same
 * rays. */
#include "bvh/kernel/kernel.h"
#include "test/support/hard/rays.h"
#include "test/support/query/of_one.h"
#include "test/support/test.h"

enum { MOST = 9000, SEED = 20261120, SCENES = 4 };

typedef struct source_case {
    sl_mesh *mesh;
    sl_bvh *bvh;
    float origin[3];
    float to[3 * MOST];
    sl_ray rays[MOST];
    sl_segment segments[MOST];
    uint8_t truth[MOST], found[MOST];
} source_case;

static sl_mesh *scene(int which)
{
    sl_mesh *mesh = NULL;
    sl_result result = SL_OK;
    switch (which) {
    case 0:
        result = sl_mesh_generate(&(sl_mesh_shape){ SL_MESH_TORUS, { .torus = { 32, 16, 2, 1 } } },
                                  NULL, &mesh, NULL);
        break;
    case 1:
        result = sl_mesh_generate(&(sl_mesh_shape){ SL_MESH_SOUP, { .soup = { 3000, 0.02f, 7 } } },
                                  NULL, &mesh, NULL);
        break;
    case 2:
        result = sl_mesh_generate(&(sl_mesh_shape){ SL_MESH_SOUP, { .soup = { 60, 0.8f, 8 } } },
                                  NULL, &mesh, NULL);
        break;
    default:
        result = sl_mesh_generate(&(sl_mesh_shape){ SL_MESH_GRID, { .grid = { 40, 40, 3, 9 } } },
                                  NULL, &mesh, NULL);
        break;
    }
    assert_int_equal(result, SL_OK);
    return mesh;
}

static source_case *open_case(int which)
{
    source_case *c = made_zeros(1, sizeof *c);
    c->mesh = scene(which);
    c->bvh = made_bvh(c->mesh, NULL);
    return c;
}

static void close_case(source_case *c)
{
    unmake_bvh(c->bvh, c->mesh);
    free(c);
}

/* Targets are vertices (a touch at the end), points beside them and anywhere, now and then invalid
 * or the origin itself; directions lead there or a bit further. */
static void pose(source_case *c, size_t count, float tmax, test_random *random)
{
    const float *xyz = sl_mesh_soup(c->mesh).xyz;
    const uint32_t vertices = (uint32_t)sl_mesh_soup(c->mesh).vertex_count;
    hard_point(c->mesh, random, c->origin);
    if (test_random_below(random, 4) == 0) {
        memcpy(c->origin, xyz + 3 * test_random_below(random, vertices), sizeof c->origin);
    }
    for (size_t i = 0; i < count; i++) {
        float *to = c->to + 3 * i;
        hard_point(c->mesh, random, to);
        if (i % 3 == 0) {
            memcpy(to, xyz + 3 * test_random_below(random, vertices), 3 * sizeof *to);
        }
        if (i % 97 == 0) {
            to[i % 3] = i % 2 == 0 ? NAN : INFINITY;
        } else if (i % 101 == 0) {
            memcpy(to, c->origin, 3 * sizeof *to);
        } else if (i % 103 == 0) {
            to[0] *= 1e30f;
        }
        for (int axis = 0; axis < 3; axis++) {
            c->segments[i].p[axis] = c->rays[i].origin[axis] = c->origin[axis];
            c->segments[i].q[axis] = c->rays[i].dir[axis] = to[axis];
        }
        c->rays[i].tmin = 0;
        c->rays[i].tmax = tmax;
    }
}

static void compare(source_case *c, size_t count, const sl_options *options, float tmax,
                    const sl_tasks *tasks)
{
    sl_bvh_any_many(c->bvh, sl_rays_of(c->rays, count), options, c->truth, NULL, NULL, NULL);
    memset(c->found, 7, sizeof c->found);
    sl_bvh_any_many(c->bvh, rays_until(sl_rays_from(c->origin, c->to, count, SL_FLOAT), &tmax),
                    options, c->found, NULL, tasks, NULL);
    assert_memory_equal(c->truth, c->found, count);
    sl_bvh_any_many(c->bvh, sl_segments_of(c->segments, count), options, c->truth, NULL, NULL,
                    NULL);
    memset(c->found, 7, sizeof c->found);
    sl_bvh_any_many(c->bvh, sl_segments_from(c->origin, c->to, count, SL_FLOAT), options, c->found,
                    NULL, tasks, NULL);
    assert_memory_equal(c->truth, c->found, count);
    assert_int_equal(count < MOST ? c->found[count] : 7, 7);
}

TEST(rays_from_one_point_answer_what_single_rays_do)
{
    const size_t counts[] = { 0, 1, 7, 8, 9, 64, 100, 319, 320, 1000, 4097, MOST };
    const float limits[] = { INFINITY, 1, 0.5f, 0, 3e38f, -1, NAN };
    test_random random = { SEED };
    for (int s = 0; s < SCENES; s++) {
        source_case *c = open_case(s);
        for (int k = 0; sli_kernels_at(k) != NULL; k++) {
            c->bvh->kernels = sli_kernels_at(k);
            for (size_t i = 0; i < 12 * test_scale(); i++) {
                const float tmax = limits[test_random_below(&random, 7)];
                pose(c, counts[i % 12], tmax, &random);
                compare(c, counts[i % 12], NULL, tmax, NULL);
            }
        }
        close_case(c);
    }
}

/* Towards an edge or a vertex of a large triangle, just past it or just inside, to an end before
 * it, on it or behind it. */
static void aim_at_edge(source_case *c, test_random *random, float to[3])
{
    sl_triangle triangle;
    const uint32_t prim = test_random_below(random, (uint32_t)sl_mesh_soup(c->mesh).triangle_count);
    assert_true(sl_mesh_triangle(c->mesh, prim, &triangle));
    const uint32_t first = test_random_below(random, 3);
    const float *a = triangle.v[first], *b = triangle.v[(first + 1) % 3];
    const float *other = triangle.v[(first + 2) % 3];
    const float along = test_random_below(random, 4) == 0 ? 0 : test_random_unit(random);
    const int near = (int)test_random_below(random, 26), deep = (int)test_random_below(random, 26);
    const float aside = ldexpf(test_random_unit(random) - 0.5f, -near);
    const float further = 1 + ldexpf(test_random_unit(random) - 0.5f, -deep);
    for (int axis = 0; axis < 3; axis++) {
        const float edge = a[axis] + along * (b[axis] - a[axis]);
        const float at = edge + aside * (other[axis] - edge);
        to[axis] = c->origin[axis] + further * (at - c->origin[axis]);
    }
}

/* What is shared takes no ray for blocked that passes by, or ends before. */
TEST(rays_past_edges_are_not_occluded)
{
    test_random random = { SEED + 4 };
    source_case *c = open_case(2);
    for (int k = 0; sli_kernels_at(k) != NULL; k++) {
        c->bvh->kernels = sli_kernels_at(k);
        for (size_t round = 0; round < 20 * test_scale(); round++) {
            const float tmax = round % 4 == 3 ? 0.75f : 1;
            pose(c, MOST, tmax, &random);
            for (size_t i = 0; i < MOST; i++) {
                aim_at_edge(c, &random, c->to + 3 * i);
                for (int axis = 0; axis < 3; axis++) { /* as targets, or as directions */
                    float *to = &c->to[3 * i + (size_t)axis];
                    *to = round % 2 == 0 ? *to : *to - c->origin[axis];
                    c->segments[i].q[axis] = c->rays[i].dir[axis] = *to;
                }
            }
            compare(c, MOST, NULL, tmax, NULL);
        }
    }
    close_case(c);
}

/* All of a round past one place of an edge, so close to one another that the groups are narrow. */
TEST(narrow_cones_of_rays_are_not_occluded_past_edges)
{
    enum { COUNT = 600 };
    test_random random = { SEED + 5 };
    source_case *c = open_case(2);
    for (int k = 0; sli_kernels_at(k) != NULL; k++) {
        c->bvh->kernels = sli_kernels_at(k);
        for (size_t round = 0; round < 200 * test_scale(); round++) {
            sl_triangle triangle;
            pose(c, COUNT, 1, &random);
            const uint32_t prim = test_random_below(&random, 60);
            assert_true(sl_mesh_triangle(c->mesh, prim, &triangle));
            const float *a = triangle.v[0], *b = triangle.v[1], *other = triangle.v[2];
            const float place = test_random_unit(&random);
            const int spread = (int)test_random_below(&random, 24);
            const int near = (int)test_random_below(&random, 24);
            const float further = round % 3 == 0 ? 1 : 4;
            for (size_t i = 0; i < COUNT; i++) {
                const float along = place + ldexpf(test_random_unit(&random) - 0.5f, -spread);
                const float aside = ldexpf(test_random_unit(&random) - 0.5f, -near);
                const float deep = further * (1 + ldexpf(test_random_unit(&random) - 0.5f, -near));
                for (int axis = 0; axis < 3; axis++) {
                    const float edge = a[axis] + along * (b[axis] - a[axis]);
                    const float at = edge + aside * (other[axis] - edge) - c->origin[axis];
                    float *to = &c->to[3 * i + (size_t)axis];
                    *to = round % 2 == 0 ? c->origin[axis] + deep * at : deep * at;
                    c->segments[i].q[axis] = c->rays[i].dir[axis] = *to;
                }
            }
            compare(c, COUNT, NULL, 1, NULL);
        }
    }
    close_case(c);
}

TEST(options_hold_for_rays_from_one_point)
{
    enum { COUNT = 1500 };
    test_random random = { SEED + 1 };
    source_case *c = open_case(2);
    sl_item_options *options = malloc(COUNT * sizeof *options);
    sl_triangle_ref *skips = malloc(COUNT * sizeof *skips);
    for (size_t i = 0; i < COUNT; i++) {
        skips[i] = (sl_triangle_ref){ 0, test_random_below(&random, 60) };
        options[i] = (sl_item_options){ .skip = &skips[i], .skip_count = 1 };
    }
    const sl_options queries[] = {
        { .cull = SL_CULL_BACK },
        { .cull = SL_CULL_FRONT },
        { .flags = SL_OPEN_START | SL_OPEN_END },
        { .skip = (sl_triangle_ref[]){ { 0, 3 }, { 0, 11 } }, .skip_count = 2 },
        { .mask = 4 },
        { .flags = SL_CROSSINGS },
        { .items = options },
    };
    for (size_t i = 0; i < sizeof queries / sizeof queries[0]; i++) {
        for (int round = 0; round < 4; round++) {
            pose(c, COUNT, INFINITY, &random);
            compare(c, COUNT, &queries[i], INFINITY, NULL);
        }
    }
    free(options);
    free(skips);
    close_case(c);
}

TEST(threads_do_not_change_answers_from_one_point)
{
    test_random random = { SEED + 2 };
    OWN(sl_pool) pool = made_pool(3);
    source_case *c = open_case(0);
    pose(c, MOST, INFINITY, &random);
    compare(c, MOST, NULL, INFINITY, sl_pool_tasks(pool));
    close_case(c);
}

/* Outside the range of the float filters the plain kernel answers every ray. */
TEST(huge_and_tiny_coordinates_are_exact_from_one_point)
{
    const float sizes[] = { 1e-25f, 1e25f };
    for (int i = 0; i < 2; i++) {
        const float s = sizes[i];
        const float xyz[9] = { -s, -s, 0, s, -s, 0, 0, s, 0 };
        const uint32_t indices[3] = { 0, 1, 2 };
        source_case *c = calloc(1, sizeof *c);
        c->mesh = made_mesh(xyz, 3, indices, 1, NULL);
        c->bvh = made_bvh(c->mesh, NULL);
        test_random random = { SEED };
        pose(c, 500, 1, &random);
        c->origin[2] = s;
        for (size_t k = 0; k < 500; k++) {
            c->rays[k].origin[2] = c->segments[k].p[2] = s;
        }
        compare(c, 500, NULL, 1, NULL);
        close_case(c);
    }
}

TEST(stats_from_one_point_count_rays_and_hits)
{
    test_random random = { SEED + 3 };
    source_case *c = open_case(2);
    sl_stats stats = { 0 };
    pose(c, 5000, INFINITY, &random);
    sl_bvh_any_many(c->bvh, sl_rays_from(c->origin, c->to, 5000, SL_FLOAT), NULL, c->found, NULL,
                    NULL, &stats);
    size_t occluded = 0;
    for (size_t i = 0; i < 5000; i++) {
        occluded += c->found[i];
    }
    assert_int_equal(stats.rays, 5000);
    assert_true(stats.hits >= occluded && occluded > 0);
    assert_int_equal(stats.triangles, stats.float_stage + stats.double_stage + stats.exact_stage);
    close_case(c);
}
