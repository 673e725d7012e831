/* Layouts that no public call has yet: whatever the arrays look like, the answers are those of
 * plain ones. */
#include "bvh/query/arrays.h"
#include "test/support/input/made.h"
#include "test/support/input/random.h"
#include "test/support/test.h"

#include <math.h>
#include <string.h>

enum { COUNT = 450, KEPT = 5 };

static sl_ray rays[COUNT];

static sl_bvh *open_tree(void)
{
    test_random random = { 20261127 };
    sl_mesh *mesh = made_sphere(12);
    sl_bvh *tree = made_bvh(mesh, NULL);
    for (int i = 0; i < COUNT; i++) {
        rays[i] = (sl_ray){ .tmax = i % 4 == 0 ? 1.5f : INFINITY };
        for (int axis = 0; axis < 3; axis++) {
            rays[i].origin[axis] = test_random_in(&random, -2, 2);
            rays[i].dir[axis] = test_random_in(&random, -1, 1) - 0.4f * rays[i].origin[axis];
        }
    }
    sl_mesh_destroy(mesh);
    return tree;
}

/* The rays as one array for each number. */
static sli_rays separate(float numbers[7][COUNT])
{
    sli_rays out = { .tmax = numbers[6], .count = COUNT };
    for (int i = 0; i < COUNT; i++) {
        for (int axis = 0; axis < 3; axis++) {
            numbers[axis][i] = rays[i].origin[axis];
            numbers[3 + axis][i] = rays[i].dir[axis];
        }
        numbers[6][i] = rays[i].tmax;
    }
    for (int axis = 0; axis < 3; axis++) {
        out.origin[axis] = numbers[axis];
        out.dir[axis] = numbers[3 + axis];
    }
    return out;
}

static void compare(const sl_bvh *bvh)
{
    static float numbers[7][COUNT], u[COUNT * KEPT];
    static double t[COUNT * KEPT];
    static uint32_t prim[COUNT * KEPT], instance[COUNT];
    static sl_hit_d plain[COUNT], rows[COUNT * KEPT];
    static uint64_t totals[COUNT], again[COUNT];
    static sl_ray_d in_doubles[COUNT];
    size_t several = 0;
    const sli_rays apart = separate(numbers);
    for (int i = 0; i < COUNT; i++) {
        in_doubles[i] = sl_ray_d_from_ray(&rays[i]);
    }
    /* Hits in doubles of rays in floats, packed apart, are those of the rays in doubles. */
    sli_hits hits = { .t = t, .u = u, .prim = prim, .instance = instance, .number = SLI_DOUBLE };
    sli_bvh_closest_many(bvh, sli_rays_of_d(in_doubles, COUNT), NULL, sli_hits_of_d(plain), NULL,
                         NULL);
    sli_bvh_closest_many(bvh, apart, NULL, hits, NULL, NULL);
    for (int i = 0; i < COUNT; i++) {
        assert_true(t[i] == plain[i].t && u[i] == plain[i].u && prim[i] == plain[i].prim);
    }
    /* Next hits in place. */
    sli_bvh_next_many(bvh, sli_rays_of_d(in_doubles, COUNT), NULL, sli_hits_of_d(plain), NULL,
                      NULL);
    sli_bvh_next_many(bvh, apart, NULL, hits, NULL, NULL);
    for (int i = 0; i < COUNT; i++) {
        assert_true(t[i] == plain[i].t && prim[i] == plain[i].prim);
    }
    /* Rows of all hits. */
    hits.instance = NULL;
    sli_bvh_all_many(bvh, sli_rays_of_d(in_doubles, COUNT), NULL, sli_hits_of_d(rows), KEPT, totals,
                     NULL, NULL);
    sli_bvh_all_many(bvh, apart, NULL, hits, KEPT, again, NULL, NULL);
    assert_memory_equal(totals, again, sizeof totals);
    for (int i = 0; i < COUNT; i++) {
        several += totals[i] > 1;
        for (size_t k = 0; k < totals[i] && k < KEPT; k++) {
            const size_t at = (size_t)i * KEPT + k;
            assert_true(t[at] == rows[at].t && u[at] == rows[at].u && prim[at] == rows[at].prim);
        }
    }
    assert_true(several > COUNT / 10);
}

TEST(layouts_change_no_answer)
{
    sl_bvh *tree = open_tree();
    const sl_instance one = sl_instance_of(tree);
    sl_bvh *scene = made_scene(&one, 1, NULL);
    compare(tree);
    compare(scene);
    sl_bvh_destroy(scene);
    sl_bvh_destroy(tree);
}

/* Proxies stand before trees over triangles; scenes do not read them. */
TEST(scenes_read_no_proxy)
{
    sl_bvh *tree = open_tree();
    const sl_instance one = sl_instance_of(tree);
    sl_bvh *scene = made_scene(&one, 1, NULL);
    const sl_proxy nowhere = { .kind = SL_PROXY_SPHERE,
                               .shape.sphere = { .centre = { 90, 90, 90 }, .radius = 1 } };
    const sl_query query = { .proxy = &nowhere };
    const float point[3] = { 0, 0, 0 };
    const sl_volume ball = { SL_VOLUME_SPHERE, { .sphere = { .radius = 1 } } };
    sl_hit with[COUNT], without[COUNT];
    uint32_t instance;
    sl_scene_closest_many(scene, rays, COUNT, NULL, without, NULL);
    sl_scene_closest_many(scene, rays, COUNT, &query, with, NULL);
    assert_memory_equal(with, without, sizeof with);
    sl_bvh_closest_many(tree, rays, COUNT, &query, with, NULL);
    for (int i = 0; i < COUNT; i++) {
        assert_int_equal(with[i].prim, SL_NONE);
    }
    assert_int_equal(sl_scene_inside(scene, point, &query, &instance, 1), 1);
    assert_int_equal(sl_scene_inside(tree, point, &query, &instance, 1), 1);
    assert_true(sl_scene_nearest(scene, point, INFINITY, &query, NULL));
    assert_true(sl_scene_overlap_any(scene, &ball, &query));
    assert_false(sl_bvh_overlap_any(tree, &ball, &query));
    sl_bvh_destroy(scene);
    sl_bvh_destroy(tree);
}

/* Counting does not change how rays from one point are traced. */
TEST(rays_from_one_point_go_together_where_they_are_counted)
{
    static float dirs[COUNT][3];
    uint8_t any[COUNT], counted[COUNT];
    sl_bvh *tree = open_tree();
    sl_stats stats = { .rays = 0 }, apart = { .rays = 0 };
    const sl_query query = { .stats = &stats }, alone = { .stats = &apart };
    const float origin[3] = { 0, 0, 3 };
    sl_ray each[COUNT];
    for (int i = 0; i < COUNT; i++) {
        memcpy(dirs[i], rays[i].dir, sizeof dirs[i]);
        each[i] = sl_ray_make(origin, dirs[i]);
    }
    sl_bvh_any_from(tree, origin, dirs[0], COUNT, INFINITY, NULL, any, NULL);
    sl_bvh_any_from(tree, origin, dirs[0], COUNT, INFINITY, &query, counted, NULL);
    assert_memory_equal(any, counted, sizeof any);
    sl_bvh_any_many(tree, each, COUNT, &alone, counted, NULL);
    assert_memory_equal(any, counted, sizeof any);
    assert_int_equal(stats.rays, COUNT);
    assert_true(stats.nodes != apart.nodes); /* sorted by direction first */
    sl_bvh_destroy(tree);
}
