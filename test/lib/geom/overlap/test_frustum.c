/* Frusta against triangles, boxes and spheres.
 * SIGHTLINE_TEST_SCALE=85 tries 200,000 cases a pair and more. */
#include "test/support/hard/bodies.h"
#include "test/support/test.h"
#include "test/support/volume.h"

/* What an eye at 0 sees down -z, one to the side for each one ahead, from 1 to 10. */
static const sl_frustum view = { { { { 1, 0, 1 }, 0 },
                                   { { -1, 0, 1 }, 0 },
                                   { { 0, 1, 1 }, 0 },
                                   { { 0, -1, 1 }, 0 },
                                   { { 0, 0, 1 }, -1 },
                                   { { 0, 0, -1 }, 10 } },
                                 6 };

static sl_obb obb_of(const sl_aabb *box)
{
    sl_obb out = { .axis = { { 1, 0, 0 }, { 0, 1, 0 }, { 0, 0, 1 } } };
    for (int axis = 0; axis < 3; axis++) {
        out.centre[axis] = (box->min[axis] + box->max[axis]) / 2;
        out.half[axis] = (box->max[axis] - box->min[axis]) / 2;
    }
    return out;
}

static void assert_box(const sl_frustum *frustum, const sl_aabb *box, bool meet)
{
    const sl_obb obb = obb_of(box);
    assert_int_equal(sl_volume_overlaps_aabb(AS_FRUSTUM(frustum), box), meet);
    assert_int_equal(sl_volume_overlaps_obb(AS_FRUSTUM(frustum), &obb), meet);
}

/* The planes one by one cannot tell: no plane has all of the box in front. */
TEST(a_box_past_an_edge_of_the_frustum_is_apart)
{
    /* The edge between right and far goes through (10, 0, -10). */
    const sl_aabb box = { { 11, -1, -12 }, { 20, 1, -9 } };
    for (uint32_t i = 0; i < view.count; i++) {
        assert_true(sl_plane_side_of(&view.plane[i], AS_AABB(&box)) <= 0);
    }
    assert_box(&view, &box, false);
    const sl_aabb touching = { { 10, -1, -12 }, { 20, 1, -9 } };
    assert_box(&view, &touching, true);
    const sl_aabb beside = { { nextafterf(10, 11), -1, -12 }, { 20, 1, -9 } };
    assert_false(sl_volume_overlaps_aabb(AS_FRUSTUM(&view), &beside));
}

TEST(a_triangle_past_a_corner_of_the_frustum_is_apart)
{
    /* The view's greatest x + y - z is 30, at the corner (10, 10, -10); past has 31 everywhere, and
     * each plane has some of it behind. */
    const sl_triangle past = { { { 50, -20, -1 }, { -20, 50, -1 }, { 5, 5, -21 } } };
    sl_triangle touching = { { { 10, 10, -10 }, { 40, 10, 20 }, { 10, 40, 20 } } };
    assert_false(sl_volume_overlaps_triangle(AS_FRUSTUM(&view), &past));
    assert_true(sl_volume_overlaps_triangle(AS_FRUSTUM(&view), &touching));
    touching.v[0][0] = nextafterf(10, 11);
    assert_false(sl_volume_overlaps_triangle(AS_FRUSTUM(&view), &touching));
}

/* No corner of either is in the other. */
TEST(a_triangle_across_the_frustum_meets_it)
{
    const sl_triangle wall = { { { -100, -100, -5 }, { 100, -100, -5 }, { 0, 200, -5 } } };
    const sl_triangle needle = { { { -100, 0, -5 }, { 100, 0, -5 }, { 100, 0.125f, -5 } } };
    const sl_triangle behind = { { { -100, -100, 5 }, { 100, -100, 5 }, { 0, 200, 5 } } };
    assert_true(sl_volume_overlaps_triangle(AS_FRUSTUM(&view), &wall));
    assert_true(sl_volume_overlaps_triangle(AS_FRUSTUM(&view), &needle));
    assert_false(sl_volume_overlaps_triangle(AS_FRUSTUM(&view), &behind));
}

TEST(a_sphere_is_near_a_face_an_edge_or_a_corner)
{
    /* The cube |x|, |y|, |z| <= 1, with normals of any length. */
    const sl_frustum cube = { { { { 2, 0, 0 }, 2 },
                                { { -1, 0, 0 }, 1 },
                                { { 0, 3, 0 }, 3 },
                                { { 0, -1, 0 }, 1 },
                                { { 0, 0, 0.5f }, 0.5f },
                                { { 0, 0, -1 }, 1 } },
                              6 };
    sl_sphere spheres[3] = { { { 3, 0, 0.5f }, 2 }, { { 4, -5, 0 }, 5 }, { { 2, 3, -3 }, 3 } };
    for (int i = 0; i < 3; i++) {
        assert_true(sl_volume_overlaps_sphere(AS_FRUSTUM(&cube), &spheres[i]));
        spheres[i].radius = nextafterf(spheres[i].radius, 0);
        assert_false(sl_volume_overlaps_sphere(AS_FRUSTUM(&cube), &spheres[i]));
    }
    const sl_sphere inside = { { 0, 0, 0 }, 0 }, around = { { 0, 0, 0 }, 100 };
    assert_true(sl_volume_overlaps_sphere(AS_FRUSTUM(&cube), &inside) &&
                sl_volume_overlaps_sphere(AS_FRUSTUM(&cube), &around));
}

TEST(a_frustum_without_planes_is_all_of_space)
{
    const sl_frustum space = { .count = 0 };
    const sl_sphere point = { { FLT_MAX, 0, 0 }, 0 };
    const sl_aabb box = { { 1, 2, 3 }, { 1, 2, 3 } };
    const sl_triangle triangle = { { { 1, 2, 3 }, { 1, 2, 3 }, { 1, 2, 3 } } };
    assert_true(sl_volume_overlaps_sphere(AS_FRUSTUM(&space), &point) &&
                sl_volume_overlaps_triangle(AS_FRUSTUM(&space), &triangle));
    assert_box(&space, &box, true);
}

TEST(a_frustum_that_holds_no_point_meets_nothing)
{
    /* A prism without inside: x >= 0, y >= 0, x + y <= -1; and four planes around nothing. */
    const sl_frustum prism = { { { { -1, 0, 0 }, 0 }, { { 0, -1, 0 }, 0 }, { { 1, 1, 0 }, -1 } },
                               3 };
    const sl_frustum simplex = {
        { { { -1, 0, 0 }, 0 }, { { 0, -1, 0 }, 0 }, { { 0, 0, -1 }, 0 }, { { 1, 1, 1 }, -1 } }, 4
    };
    const sl_frustum slab = { { { { 1, 0, 0 }, 0 }, { { -1, 0, 0 }, -1 } }, 2 };
    const sl_frustum *const empty[3] = { &prism, &simplex, &slab };
    const sl_aabb box = { { -9, -9, -9 }, { 9, 9, 9 } };
    const sl_sphere sphere = { { 0, 0, 0 }, 9 };
    const sl_triangle triangle = { { { -9, -9, 0 }, { 9, -9, 0 }, { 0, 18, 0 } } };
    for (int i = 0; i < 3; i++) {
        assert_box(empty[i], &box, false);
        assert_false(sl_volume_overlaps_sphere(AS_FRUSTUM(empty[i]), &sphere));
        assert_false(sl_volume_overlaps_triangle(AS_FRUSTUM(empty[i]), &triangle));
    }
}

TEST(a_frustum_may_be_flat)
{
    /* x = 1, by two planes; and the point (1, 1, 1), by four. */
    const sl_frustum sheet = { { { { 1, 0, 0 }, 1 }, { { -2, 0, 0 }, -2 } }, 2 };
    const sl_frustum point = {
        { { { -1, 0, 0 }, -1 }, { { 0, -1, 0 }, -1 }, { { 0, 0, -1 }, -1 }, { { 1, 1, 1 }, 3 } }, 4
    };
    const sl_aabb touching = { { 0, 0, 0 }, { 1, 1, 1 } },
                  beside = { { 0, 0, 0 }, { 0.75f, 1, 1 } };
    const sl_sphere near = { { 3, 3, 2 }, 3 };
    assert_box(&sheet, &touching, true);
    assert_box(&point, &touching, true);
    assert_box(&sheet, &beside, false);
    assert_box(&point, &beside, false);
    assert_true(sl_volume_overlaps_sphere(AS_FRUSTUM(&sheet), &near) &&
                sl_volume_overlaps_sphere(AS_FRUSTUM(&point), &near)); /* 2, 2, 1 */
}

TEST(an_infinite_box_has_no_side_there)
{
    const sl_aabb column = { { 3, -1, -INFINITY }, { 4, 1, INFINITY } };
    const sl_aabb behind = { { -INFINITY, -INFINITY, -0.5f }, { INFINITY, INFINITY, INFINITY } };
    const sl_aabb all = { { -INFINITY, -INFINITY, -INFINITY }, { INFINITY, INFINITY, INFINITY } };
    assert_true(sl_volume_overlaps_aabb(AS_FRUSTUM(&view), &column) &&
                sl_volume_overlaps_aabb(AS_FRUSTUM(&view), &all));
    assert_false(sl_volume_overlaps_aabb(AS_FRUSTUM(&view), &behind));
    /* Both are unbounded, and meet nowhere: x >= 1 against x + y <= 0 with y >= 0. */
    const sl_frustum wedge = { { { { 1, 1, 0 }, 0 }, { { 0, -1, 0 }, 0 } }, 2 };
    const sl_aabb right = { { 1, -INFINITY, -INFINITY }, { INFINITY, INFINITY, INFINITY } };
    assert_false(sl_volume_overlaps_aabb(AS_FRUSTUM(&wedge), &right));
    /* They meet far out only: y <= x / 2^20 and y >= 2^20. */
    const sl_frustum slope = { { { { -0x1p-20f, 1, 0 }, 0 } }, 1 };
    const sl_aabb high = { { 0, 0x1p20f, 0 }, { INFINITY, INFINITY, 0 } };
    assert_true(sl_volume_overlaps_aabb(AS_FRUSTUM(&slope), &high));
}

TEST(what_is_invalid_meets_nothing)
{
    const float bad[3] = { NAN, INFINITY, -INFINITY };
    const sl_aabb box = { { -9, -9, -9 }, { 9, 9, 9 } }, empty = sl_aabb_empty();
    sl_obb obb = obb_of(&box);
    sl_sphere sphere = { { 0, 0, -5 }, 9 };
    sl_triangle triangle = { { { -9, -9, -5 }, { 9, -9, -5 }, { 0, 18, -5 } } };
    assert_true(sl_volume_overlaps_sphere(AS_FRUSTUM(&view), &sphere) &&
                sl_volume_overlaps_triangle(AS_FRUSTUM(&view), &triangle));
    for (int i = 0; i < 74; i++) {
        hard_body broken = { .frustum = view };
        if (i < 72) {
            broken.number[i / 3] = bad[i % 3];
        } else if (i == 72) {
            broken.frustum.count = SL_FRUSTUM_PLANES_MAX + 1;
        } else {
            broken.frustum.plane[4].normal[2] = 0;
        }
        assert_false(sl_volume_overlaps_aabb(AS_FRUSTUM(&broken.frustum), &box));
        assert_false(sl_volume_overlaps_obb(AS_FRUSTUM(&broken.frustum), &obb));
        assert_false(sl_volume_overlaps_sphere(AS_FRUSTUM(&broken.frustum), &sphere));
        assert_false(sl_volume_overlaps_triangle(AS_FRUSTUM(&broken.frustum), &triangle));
    }
    obb.half[1] = -1;
    sphere.radius = -1;
    triangle.v[1][1] = INFINITY;
    assert_false(sl_volume_overlaps_aabb(AS_FRUSTUM(&view), &empty) ||
                 sl_volume_overlaps_obb(AS_FRUSTUM(&view), &obb));
    assert_false(sl_volume_overlaps_sphere(AS_FRUSTUM(&view), &sphere) ||
                 sl_volume_overlaps_triangle(AS_FRUSTUM(&view), &triangle));
}

static const hard_query queries[5] = {
    { hard_body_triangle, hard_frustum, NULL }, { hard_aabb, hard_frustum, NULL },
    { hard_infinite_aabb, hard_frustum, NULL }, { hard_obb, hard_frustum, NULL },
    { hard_sphere, hard_frustum, NULL },
};

TEST(as_fractions_say)
{
    for (int i = 0; i < 5; i++) {
        hard_run(&queries[i], 4800 + (uint64_t)i * 10, test_count(400));
    }
}

/* One of the planes is moved. */
TEST(as_fractions_say_where_it_changes)
{
    for (int i = 0; i < 5; i++) {
        hard_run_where_it_changes(&queries[i], 3, -20, 20, 4851 + (uint64_t)i, test_count(200));
    }
}

/* Bodies that are a point, by one plane. */
TEST(as_fractions_say_where_doubles_cannot_tell)
{
    test_random random = { 4860 };
    int apart = 0;
    const int rounds = 2000;
    for (int i = 0; i < rounds; i++) {
        hard_body frustum = { .frustum = { .count = 1 } }, triangle,
                  box = { .obb = { .centre = { 0 } } };
        sl_plane *plane = &frustum.frustum.plane[0];
        float point[3];
        plane->offset = ldexpf(1 + test_random_unit(&random), -(int)test_random_below(&random, 50));
        plane->normal[2] = test_random_in(&random, 1, 2);
        hard_point_by_plane(&random, plane, point);
        for (int k = 0; k < 9; k++) {
            triangle.triangle.v[k / 3][k % 3] = point[k % 3];
        }
        for (int axis = 0; axis < 3; axis++) {
            box.obb.centre[axis] = point[axis];
        }
        apart += hard_run_one(&queries[0], &triangle, &frustum) == 0;
        hard_run_one(&queries[3], &box, &frustum);
        box.aabb = sl_aabb_of_points(point, 1);
        hard_run_one(&queries[1], &box, &frustum);
    }
    assert_in_range(apart, rounds / 4, 3 * rounds / 4);
}
