/* On which side of a plane a box or a sphere is.
 * SIGHTLINE_TEST_SCALE=17 tries 200,000 cases a pair and more. */
#include "test/support/hard/bodies.h"
#include "test/support/oracle/rational.h"
#include "test/support/oracle/support_oracle.h"
#include "test/support/test.h"
#include "test/support/volume.h"

static const sl_obb unit = { { 0, 0, 0 }, { { 1, 0, 0 }, { 0, 1, 0 }, { 0, 0, 1 } }, { 1, 1, 1 } };

/* The box as the plane sees it: touched at offsets of -r and r, and not a float beyond. */
static void assert_radius(const sl_obb *box, const float n[3], float middle, float r)
{
    const float offsets[4] = { middle + r, nextafterf(middle + r, INFINITY), middle - r,
                               nextafterf(middle - r, -INFINITY) };
    const int sides[4] = { 0, -1, 0, 1 };
    for (int i = 0; i < 4; i++) {
        const sl_plane plane = { { n[0], n[1], n[2] }, offsets[i] };
        assert_int_equal(sl_plane_side_of(&plane, AS_OBB(box)), sides[i]);
    }
}

/* r = sum of e_i |n . u_i|. */
TEST(case_48_a_box_reaches_as_far_as_its_radius)
{
    const float n[3] = { 1, -2, 3 }, along[3] = { 2, 0, 0 };
    assert_radius(&unit, n, 0, 6);     /* 1 + 2 + 3 */
    assert_radius(&unit, along, 0, 2); /* n of length 2: twice the radius */
    sl_obb box = { { 1, 1, 1 }, { { 3, 4, 0 }, { -4, 3, 0 }, { 0, 0, 5 } }, { 0.5f, 0.25f, 2 } };
    assert_radius(&box, n, 2, 35); /* 0.5 |-5| + 0.25 |-10| + 2 |15| */
}

/* The largest of the 8 corners' projections is the radius, also where the axes are sheared. */
TEST(case_48_the_furthest_of_8_corners_is_the_radius)
{
    test_random random = { 4801 };
    for (int round = 0; round < 3000; round++) {
        hard_body box, plane;
        hard_obb(&random, HARD_LATTICE, &box);
        hard_plane(&random, HARD_LATTICE, &plane);
        const float *n = plane.plane.normal;
        float furthest = -FLT_MAX, middle = 0;
        for (int corner = 0; corner < 8; corner++) {
            float height = 0; /* small multiples of a half: exact */
            for (int axis = 0; axis < 3; axis++) {
                float x = box.obb.centre[axis];
                for (int i = 0; i < 3; i++) {
                    const float side = (corner >> i & 1) != 0 ? 1.0f : -1.0f;
                    x += side * box.obb.half[i] * box.obb.axis[i][axis];
                }
                height += n[axis] * x;
                middle += corner == 0 ? n[axis] * box.obb.centre[axis] : 0;
            }
            furthest = fmaxf(furthest, height);
        }
        assert_radius(&box.obb, n, middle, furthest - middle);
    }
}

TEST(a_box_along_the_axes_is_no_other)
{
    const sl_aabb box = { { 1, 2, 3 }, { 4, 6, 8 } };
    sl_plane plane = { { 1, -1, 2 }, 4 - 2 + 16 };
    assert_int_equal(sl_plane_side_of(&plane, AS_AABB(&box)), 0);
    plane.offset = nextafterf(18, 20);
    assert_int_equal(sl_plane_side_of(&plane, AS_AABB(&box)), -1);
    plane.offset = 1 - 6 + 6;
    assert_int_equal(sl_plane_side_of(&plane, AS_AABB(&box)), 0);
    plane.offset = nextafterf(1, 0);
    assert_int_equal(sl_plane_side_of(&plane, AS_AABB(&box)), 1);
}

TEST(an_infinite_box_meets_what_it_is_not_parallel_to)
{
    const sl_aabb column = { { 1, 1, -INFINITY }, { 2, 2, INFINITY } };
    const sl_aabb ray = { { 1, 1, 1 }, { 2, 2, INFINITY } };
    const sl_plane level = { { 0, 0, 1 }, 1000 }, upright = { { 1, 0, 0 }, 3 },
                   below = { { 0, 0, 1 }, 0 };
    assert_int_equal(sl_plane_side_of(&level, AS_AABB(&column)), 0);
    assert_int_equal(sl_plane_side_of(&upright, AS_AABB(&column)), -1);
    assert_int_equal(sl_plane_side_of(&level, AS_AABB(&ray)), 0);
    assert_int_equal(sl_plane_side_of(&below, AS_AABB(&ray)), 1);
}

TEST(a_sphere_reaches_its_radius_times_the_normal)
{
    sl_plane plane = { { 1, 2, 2 }, 30 }; /* of length 3: (1, 1, 1) is 25 / 3 away */
    sl_sphere sphere = { { 1, 1, 1 }, 9 };
    assert_int_equal(sl_plane_side_of(&plane, AS_SPHERE(&sphere)), 0);
    sphere.radius = 8;
    assert_int_equal(sl_plane_side_of(&plane, AS_SPHERE(&sphere)), -1);
    plane.offset = 5 + 24;
    assert_int_equal(sl_plane_side_of(&plane, AS_SPHERE(&sphere)), 0);
    plane.offset = nextafterf(29, 30);
    assert_int_equal(sl_plane_side_of(&plane, AS_SPHERE(&sphere)), -1);
    plane.offset = 5 - 24;
    assert_int_equal(sl_plane_side_of(&plane, AS_SPHERE(&sphere)), 0);
    plane.offset = nextafterf(-19, -20);
    assert_int_equal(sl_plane_side_of(&plane, AS_SPHERE(&sphere)), 1);
}

TEST(what_is_invalid_is_on_no_side)
{
    const float bad[4] = { NAN, INFINITY, -INFINITY, 0 };
    const sl_aabb box = { { 0, 0, 0 }, { 1, 1, 1 } }, empty = sl_aabb_empty();
    const sl_sphere sphere = { { 0, 0, 0 }, 1 }, negative = { { 0, 0, 0 }, -1 };
    const sl_plane fine = { { 1, 0, 0 }, 0 };
    sl_obb broken = unit;
    for (int i = 0; i < 13; i++) {
        hard_body plane = { .plane = fine };
        plane.number[i == 12 ? 0 : i % 4] = i == 12 ? 0 : bad[i / 4];
        assert_int_equal(sl_plane_side_of(&plane.plane, AS_AABB(&box)), SL_PLANE_SIDE_NONE);
        assert_int_equal(sl_plane_side_of(&plane.plane, AS_OBB(&unit)), SL_PLANE_SIDE_NONE);
        assert_int_equal(sl_plane_side_of(&plane.plane, AS_SPHERE(&sphere)), SL_PLANE_SIDE_NONE);
    }
    broken.axis[1][1] = NAN;
    assert_int_equal(sl_plane_side_of(&fine, AS_AABB(&empty)), SL_PLANE_SIDE_NONE);
    assert_int_equal(sl_plane_side_of(&fine, AS_OBB(&broken)), SL_PLANE_SIDE_NONE);
    assert_int_equal(sl_plane_side_of(&fine, AS_SPHERE(&negative)), SL_PLANE_SIDE_NONE);
}

/* Signs of n . corner - offset: one of each is enough to be met. */
static int right_side_of_points(const oracle_point_set *points, const sl_plane *plane)
{
    bool above = true, below = true;
    mpq_t height, x, y;
    mpq_inits(height, x, y, NULL);
    for (int i = 0; i < points->count; i++) {
        rational_set(height, -(double)plane->offset);
        for (int axis = 0; axis < 3; axis++) {
            mpq_set(y, points->point[i][axis]);
            rational_set(x, (double)plane->normal[axis]);
            mpq_mul(x, x, y);
            mpq_add(height, height, x);
        }
        above = above && mpq_sgn(height) > 0;
        below = below && mpq_sgn(height) < 0;
    }
    mpq_clears(height, x, y, NULL);
    return above ? 1 : below ? -1 : 0;
}

static oracle_point_set points;

static int right_aabb(const hard_body *a, const hard_body *b)
{
    oracle_point_set_aabb(&points, &b->aabb);
    return right_side_of_points(&points, &a->plane);
}

static int right_obb(const hard_body *a, const hard_body *b)
{
    oracle_point_set_obb(&points, &b->obb);
    return right_side_of_points(&points, &a->plane);
}

/* Sign of (n . c - d)^2 - r^2 n . n, and of n . c - d. */
static int right_sphere(const hard_body *a, const hard_body *b)
{
    mpq_t height, room, x, y;
    mpq_inits(height, room, x, y, NULL);
    rational_set(height, -(double)a->plane.offset);
    for (int axis = 0; axis < 3; axis++) {
        rational_set(x, (double)a->plane.normal[axis]);
        rational_set(y, (double)b->sphere.centre[axis]);
        mpq_mul(y, y, x);
        mpq_add(height, height, y);
        rational_set(y, (double)b->sphere.radius);
        mpq_mul(y, y, x);
        mpq_mul(y, y, y);
        mpq_add(room, room, y);
    }
    const int sign = mpq_sgn(height);
    mpq_mul(height, height, height);
    const int side = mpq_cmp(height, room) > 0 ? sign : 0;
    mpq_clears(height, room, x, y, NULL);
    return side;
}

static const hard_query queries[3] = {
    { hard_plane, hard_aabb, right_aabb },
    { hard_plane, hard_obb, right_obb },
    { hard_plane, hard_sphere, right_sphere },
};

TEST(as_fractions_say)
{
    for (int i = 0; i < 3; i++) {
        hard_run(&queries[i], 4810 + (uint64_t)i * 10, 2000 * test_scale());
    }
}

TEST(as_fractions_say_where_doubles_cannot_tell)
{
    test_random random = { 4860 };
    int behind = 0, in_front = 0;
    const int rounds = 2000;
    for (int i = 0; i < rounds; i++) {
        hard_body plane, box = { .obb = { .centre = { 0 } } },
                         sphere = { .sphere = { .radius = 0 } };
        plane.plane.offset = test_random_in(&random, 1, 1024);
        plane.plane.normal[2] = i % 2 == 0 ? 1 : test_random_in(&random, 1, 2);
        hard_point_by_plane(&random, &plane.plane, sphere.sphere.centre);
        for (int axis = 0; axis < 3; axis++) {
            box.obb.centre[axis] = sphere.sphere.centre[axis];
        }
        const int side = hard_run_one(&queries[1], &plane, &box);
        behind += side < 0;
        in_front += side > 0;
        hard_run_one(&queries[2], &plane, &sphere);
        box.aabb = sl_aabb_of_points(sphere.sphere.centre, 1);
        hard_run_one(&queries[0], &plane, &box);
    }
    assert_in_range(behind, rounds / 4, 3 * rounds / 4);
    assert_in_range(in_front, rounds / 4, 3 * rounds / 4);
}

/* A rod so nearly parallel to the plane that doubles cannot tell which end is higher, and so long
 * that one end is below it all the same, or nearly. */
TEST(as_fractions_say_of_nearly_parallel_rods)
{
    test_random random = { 4870 };
    int met = 0;
    const int rounds = 2000;
    for (int i = 0; i < rounds; i++) {
        hard_body plane, rod = { .obb = { .centre = { 0 } } };
        float along[3];
        const float *n = plane.plane.normal;
        plane.plane.normal[2] = 1;
        plane.plane.offset = 0;
        hard_point_by_plane(&random, &plane.plane, along);
        const double rise = (double)along[2] + (double)n[0] * (double)along[0];
        const double slope = fabs(rise + (double)n[1] * (double)along[1]); /* exact */
        for (int axis = 0; axis < 3; axis++) {
            rod.obb.axis[0][axis] = along[axis];
        }
        rod.obb.half[0] = 0x1p60f;
        plane.plane.offset = -(float)(slope * 0x1p60 * (double)test_random_in(&random, 0.5f, 2));
        met += hard_run_one(&queries[1], &plane, &rod) == 0;
    }
    assert_in_range(met, rounds / 4, 3 * rounds / 4);
}

/* The plane x = 1, between or beyond the ends; touching counts. */
TEST(capsules_and_triangles_have_a_side_and_frusta_none)
{
    const sl_plane plane = { { 2, 0, 0 }, 2 };
    sl_capsule capsule = { { -1, 0, 0 }, { 0, 5, 0 }, 0.5f };
    assert_int_equal(sl_plane_side_of(&plane, AS_CAPSULE(&capsule)), -1);
    capsule.q[0] = 0.5f;
    assert_int_equal(sl_plane_side_of(&plane, AS_CAPSULE(&capsule)), 0);
    capsule.q[0] = 3;
    assert_int_equal(sl_plane_side_of(&plane, AS_CAPSULE(&capsule)), 0); /* one end on each side */
    capsule.p[0] = nextafterf(1.5f, 2);
    assert_int_equal(sl_plane_side_of(&plane, AS_CAPSULE(&capsule)), 1);
    capsule.radius = -1;
    assert_int_equal(sl_plane_side_of(&plane, AS_CAPSULE(&capsule)), SL_PLANE_SIDE_NONE);
    sl_triangle triangle = { { { 0, 0, 0 }, { 0.5f, 1, 0 }, { 1, 0, 1 } } };
    assert_int_equal(sl_plane_side_of(&plane, AS_TRIANGLE(&triangle)), 0);
    triangle.v[2][0] = nextafterf(1, 0);
    assert_int_equal(sl_plane_side_of(&plane, AS_TRIANGLE(&triangle)), -1);
    const sl_frustum frustum = { .count = 0 };
    assert_int_equal(sl_plane_side_of(&plane, AS_FRUSTUM(&frustum)), SL_PLANE_SIDE_NONE);
}
