/* Nearest triangles, against every triangle in turn. */
#include "lib/geom/closest/point_triangle.h"
#include "test/support/hard/rays.h"
#include "test/support/input/moved.h"
#include "test/support/test.h"

enum { SEED = 20260801, POINTS = 300, KEPT = 12 };

typedef struct candidate {
    float distance;
    uint32_t prim;
} candidate;

static int by_distance(const void *a, const void *b)
{
    const candidate *x = a, *y = b;
    if (x->distance != y->distance) {
        return x->distance < y->distance ? -1 : 1;
    }
    return x->prim < y->prim ? -1 : x->prim > y->prim;
}

/* All triangles within limit, sorted; returns how many. */
static size_t in_turn(const sl_mesh *mesh, const float point[3], float limit, candidate *out)
{
    const double p[3] = { point[0], point[1], point[2] };
    size_t count = 0;
    for (uint32_t prim = 0; prim < sl_mesh_soup(mesh).triangle_count; prim++) {
        sl_triangle t;
        sli_nearest_point near;
        if (sl_mesh_triangle(mesh, prim, &t) &&
            sli_point_triangle(p, t.v[0], t.v[1], t.v[2], limit, INFINITY, &near)) {
            out[count++] = (candidate){ near.distance, prim };
        }
    }
    qsort(out, count, sizeof *out, by_distance);
    return count;
}

enum { SCENES = 8 };

static sl_mesh *scene(int i)
{
    sl_mesh *mesh = NULL;
    if (i == 0 || i == 4 || i == 5) {
        mesh = made_sphere(8);
    } else if (i == 1 || i == 6) {
        mesh = made_grid(16, 16, 2, 3);
    } else if (i == 2) {
        mesh = made_torus(16, 8, 2, 0.5f);
    } else {
        mesh = made_soup(400, i == 3 ? 0.3f : 0, 9);
    }
    return i == 4   ? test_mesh_moved(mesh, 1e-30f, 0)
           : i == 5 ? test_mesh_moved(mesh, 1e30f, 0)
           : i == 6 ? test_mesh_moved(mesh, 1, 4096)
                    : mesh;
}

/* Random points, vertices, points of surfaces, a step beside them. */
static void hard_place(const sl_mesh *mesh, int i, test_random *random, float point[3])
{
    const hard_kind kinds[4] = { HARD_BOX, HARD_VERTEX, HARD_EDGE, HARD_BESIDE };
    if (i % 4 == 0) {
        hard_point(mesh, random, point);
    } else {
        const hard_ray r = hard_ray_make(mesh, kinds[i % 4], random);
        memcpy(point, r.segment.q, 3 * sizeof *point);
    }
}

static void compare(const sl_bvh *bvh, const float point[3], float limit, const candidate *truth,
                    size_t count)
{
    sl_nearest nearest, list[KEPT];
    const size_t kept = count < KEPT ? count : KEPT;
    assert_int_equal(sl_bvh_nearest(bvh, point, limit, NULL, &nearest), count > 0);
    if (count > 0) {
        assert_true(nearest.distance == truth[0].distance);
        assert_int_equal(nearest.prim, truth[0].prim);
    } else {
        assert_int_equal(nearest.prim, SL_NONE);
    }
    assert_int_equal(sl_bvh_nearest_k(bvh, point, limit, NULL, list, KEPT), kept);
    for (size_t i = 0; i < kept; i++) {
        assert_true(list[i].distance == truth[i].distance && list[i].prim == truth[i].prim);
    }
    assert_int_equal(sl_bvh_within(bvh, point, limit, NULL, list, KEPT), count);
    for (size_t i = 0; i < kept; i++) {
        assert_true(list[i].distance == truth[i].distance && list[i].prim == truth[i].prim);
    }
    assert_int_equal(sl_bvh_within(bvh, point, limit, NULL, NULL, 0), count);
}

/* From a mesh's size up to where floats end, on an axis and between axes: squares of squares of
 * such distances are beyond a float long before the distances are. */
TEST(points_may_be_any_distance_away)
{
    static candidate truth[4096];
    static const float towards[][3] = { { 1, 0, 0 }, { 0, -0.75f, 0.5f }, { -0.5f, 1, 0.75f } };
    for (int s = 0; s < SCENES; s++) {
        OWN(sl_mesh) mesh = scene(s);
        OWN(sl_bvh) bvh = made_bvh(mesh, NULL);
        for (int i = 0; i < 3 * 128; i++) {
            float point[3];
            for (int axis = 0; axis < 3; axis++) {
                point[axis] = ldexpf(towards[i % 3][axis], i / 3);
            }
            const size_t count = in_turn(mesh, point, INFINITY, truth);
            compare(bvh, point, INFINITY, truth, count);
        }
    }
}

TEST(the_tree_agrees_with_every_triangle_in_turn)
{
    static candidate truth[4096];
    test_random random = { SEED };
    for (int s = 0; s < SCENES; s++) {
        OWN(sl_mesh) mesh = scene(s);
        OWN(sl_bvh) bvh = made_bvh(mesh, NULL);
        for (int i = 0; i < POINTS; i++) {
            float point[3];
            hard_place(mesh, i, &random, point);
            size_t count = in_turn(mesh, point, INFINITY, truth);
            compare(bvh, point, INFINITY, truth, count);
            /* A limit that is exactly some distance, and a step less. */
            const float at = truth[test_random_below(&random, (uint32_t)count)].distance;
            count = in_turn(mesh, point, at, truth);
            compare(bvh, point, at, truth, count);
            if (at > 0) {
                const float less = nextafterf(at, 0);
                count = in_turn(mesh, point, less, truth);
                compare(bvh, point, less, truth, count);
            }
        }
    }
}

TEST(on_the_surface_the_distance_is_zero)
{
    OWN(sl_mesh) mesh = scene(1);
    OWN(sl_bvh) bvh = made_bvh(mesh, NULL);
    for (size_t i = 0; i < sl_mesh_soup(mesh).vertex_count; i++) {
        sl_nearest nearest;
        assert_true(sl_bvh_nearest(bvh, sl_mesh_soup(mesh).xyz + 3 * i, 0, NULL, &nearest));
        assert_true(nearest.distance == 0);
        assert_memory_equal(nearest.point, sl_mesh_soup(mesh).xyz + 3 * i, 12);
    }
}

TEST(masks_and_skips_leave_triangles_out)
{
    OWN(sl_mesh) mesh = scene(0);
    uint32_t masks[2048];
    sl_build_def def = { .masks = masks };
    assert_true(sl_mesh_soup(mesh).triangle_count <= 2048);
    for (int i = 0; i < 2048; i++) {
        masks[i] = 7;
    }
    OWN(sl_bvh) bvh = made_bvh(mesh, &def);
    const float point[3] = { 0.3f, 0.4f, 2 };
    sl_nearest two[2], other;
    assert_int_equal(sl_bvh_nearest_k(bvh, point, INFINITY, NULL, two, 2), 2);
    const sl_options skip = { .skip = &(sl_triangle_ref){ 0, two[0].prim }, .skip_count = 1 };
    assert_true(sl_bvh_nearest(bvh, point, INFINITY, &skip, &other));
    assert_memory_equal(&other, &two[1], sizeof other);
    const sl_options nothing = { .mask = 8 };
    assert_false(sl_bvh_nearest(bvh, point, INFINITY, &nothing, &other));
}

/* A closed fan around an apex at (0, 0, 1), over a base of count corners. */
static sl_mesh *fan(uint32_t count)
{
    FREED float *xyz = malloc(3 * (count + 1) * sizeof *xyz);
    FREED uint32_t *indices = malloc(3 * count * sizeof *indices);
    memcpy(xyz, (const float[]){ 0, 0, 1 }, 12);
    for (uint32_t i = 0; i < count; i++) {
        const float along = (float)(i % (count / 4)) / (float)(count / 4);
        const float x[4] = { 1 - along, -along, along - 1, along };
        const float y[4] = { along, 1 - along, -along, along - 1 };
        const uint32_t side = i / (count / 4);
        memcpy(xyz + 3 * (i + 1), (const float[]){ x[side], y[side], 0 }, 12);
        memcpy(indices + 3 * i, (const uint32_t[]){ 0, 1 + i, 1 + (i + 1) % count }, 12);
    }
    return made_mesh(xyz, count + 1, indices, count, NULL);
}

/* More candidates than a search can remember: it must decide some on the way. */
TEST(of_any_number_of_equals_the_lowest_is_nearest)
{
    enum { COUNT = 4000 };
    OWN(sl_mesh) mesh = fan(COUNT);
    OWN(sl_bvh) bvh = made_bvh(mesh, NULL);
    float points[3 * POINTS];
    sl_nearest nearest[POINTS];
    sl_item_options skip[POINTS];
    sl_triangle_ref skips[POINTS][2];
    test_random random = { SEED };
    for (uint32_t i = 0; i < POINTS; i++) {
        memcpy(points + 3 * i, (const float[]){ 0, 0, 1 + (float)i }, 12);
        skips[i][0] = (sl_triangle_ref){ 0, 0 };
        skips[i][1] = (sl_triangle_ref){ 0, 1 + test_random_below(&random, 2) };
        skip[i] = (sl_item_options){ .skip = skips[i], .skip_count = 2 };
    }
    sl_bvh_nearest_many(bvh, sl_points_of(points, POINTS, SL_FLOAT), INFINITY, NULL,
                        sl_nearests_of(nearest, SL_FLOAT), NULL, NULL);
    for (uint32_t i = 0; i < POINTS; i++) {
        assert_true(nearest[i].distance == (float)i);
        assert_int_equal(nearest[i].prim, 0);
    }
    const sl_options options = { .items = skip };
    sl_bvh_nearest_many(bvh, sl_points_of(points, POINTS, SL_FLOAT), INFINITY, &options,
                        sl_nearests_of(nearest, SL_FLOAT), NULL, NULL);
    for (uint32_t i = 0; i < POINTS; i++) {
        assert_true(nearest[i].distance == (float)i);
        assert_int_equal(nearest[i].prim, skip[i].skip[1].prim == 1 ? 2 : 1);
    }
}

/* Arrays mix what the float filters can do with what they cannot, and with what is no point. */
TEST(one_answer_from_an_array_and_from_single_calls)
{
    OWN(sl_mesh) mesh = scene(3);
    OWN(sl_bvh) bvh = made_bvh(mesh, NULL);
    float points[3 * POINTS];
    sl_nearest many[POINTS], one, list;
    test_random random = { SEED };
    for (int i = 0; i < POINTS; i++) {
        hard_place(mesh, i, &random, points + 3 * i);
        points[3 * i] = i % 7 == 3 ? NAN : i % 7 == 5 ? 0x1p70f : points[3 * i];
    }
    sl_stats stats = { .rays = 0 };
    sl_bvh_nearest_many(bvh, sl_points_of(points, POINTS, SL_FLOAT), INFINITY, NULL,
                        sl_nearests_of(many, SL_FLOAT), NULL, &stats);
    for (int i = 0; i < POINTS; i++) {
        const bool found = sl_bvh_nearest(bvh, points + 3 * i, INFINITY, NULL, &one);
        assert_int_equal(found, i % 7 != 3);
        assert_memory_equal(&one, &many[i], sizeof one);
        if (found) { /* by the walk that knows lists */
            assert_int_equal(sl_bvh_nearest_k(bvh, points + 3 * i, INFINITY, NULL, &list, 1), 1);
            assert_memory_equal(&one, &list, sizeof one);
        }
    }
    assert_int_equal(stats.rays, POINTS);
    assert_true(stats.triangles == stats.float_stage + stats.double_stage + stats.exact_stage);
}

TEST(bad_input_finds_nothing)
{
    OWN(sl_mesh) mesh = scene(0);
    OWN(sl_bvh) bvh = made_bvh(mesh, NULL);
    const float good[3] = { 0, 0, 0 }, bad[3] = { 0, NAN, 0 }, far[3] = { INFINITY, 0, 0 };
    sl_nearest nearest;
    assert_false(sl_bvh_nearest(bvh, bad, INFINITY, NULL, &nearest));
    assert_int_equal(nearest.prim, SL_NONE);
    assert_false(sl_bvh_nearest(bvh, far, INFINITY, NULL, NULL));
    assert_false(sl_bvh_nearest(bvh, good, NAN, NULL, NULL));
    assert_false(sl_bvh_nearest(bvh, good, -1, NULL, NULL));
    assert_false(sl_bvh_nearest(bvh, good, 0.5f, NULL, NULL));
    assert_int_equal(sl_bvh_nearest_k(bvh, good, INFINITY, NULL, NULL, 0), 0);
    assert_int_equal(sl_bvh_within(bvh, bad, 1, NULL, NULL, 0), 0);
}

TEST(nothing_is_allocated)
{
    sli_failing_allocator counter;
    OWN(sl_mesh) mesh = scene(2);
    sl_build_def def = { .hooks.allocator = sli_failing_allocator_start(&counter, SLI_NEVER_FAIL) };
    OWN(sl_bvh) bvh = made_bvh(mesh, &def);
    const size_t before = counter.allocations;
    const float point[3] = { 1, 0, 0 };
    sl_nearest list[4];
    assert_int_equal(sl_bvh_nearest_k(bvh, point, INFINITY, NULL, list, 4), 4);
    assert_true(sl_bvh_within(bvh, point, 3, NULL, list, 4) > 4);
    assert_int_equal(counter.allocations, before);
}
