/* Spheres against spheres, boxes and triangles.
 * SIGHTLINE_TEST_SCALE=34 tries 200,000 cases a pair and more. */
#include "test/support/hard/bodies.h"
#include "test/support/test.h"
#include "test/support/volume.h"

static const sl_aabb unit = { { -1, -1, -1 }, { 1, 1, 1 } };
static const sl_obb unit_obb = { { 0, 0, 0 },
                                 { { 1, 0, 0 }, { 0, 1, 0 }, { 0, 0, 1 } },
                                 { 1, 1, 1 } };

/* The document's: |C - S|^2 <= r^2, with C the box's nearest point, and nothing asked of r. */
static bool document_sphere_aabb(const sl_sphere *sphere, const sl_aabb *box)
{
    float square = 0;
    for (int axis = 0; axis < 3; axis++) {
        const float s = sphere->centre[axis];
        const float c = fminf(fmaxf(s, box->min[axis]), box->max[axis]);
        square += (c - s) * (c - s);
    }
    return square <= sphere->radius * sphere->radius;
}

TEST(case_28_a_sphere_touches_a_box_without_a_root)
{
    /* A face 1 away; an edge 3, 4, so 5, away; a corner 1, 2, 2, so 3, away. */
    static const struct {
        float centre[3], radius;
    } touching[3] = { { { 2, 0.5f, 0 }, 1 }, { { 4, -5, 0 }, 5 }, { { 2, 3, -3 }, 3 } };
    for (int i = 0; i < 3; i++) {
        const float *c = touching[i].centre;
        sl_sphere sphere = { { c[0], c[1], c[2] }, touching[i].radius };
        assert_true(sl_volume_overlaps_aabb(AS_SPHERE(&sphere), &unit));
        assert_true(sl_volume_overlaps_obb(AS_SPHERE(&sphere), &unit_obb));
        sphere.radius = nextafterf(sphere.radius, 0);
        assert_false(sl_volume_overlaps_aabb(AS_SPHERE(&sphere), &unit));
        assert_false(sl_volume_overlaps_obb(AS_SPHERE(&sphere), &unit_obb));
    }
}

TEST(case_28_a_sphere_inside_a_box_overlaps_it)
{
    const sl_sphere small = { { 0.25f, 0.5f, 0 }, 0.125f }, point = { { 0, 0, 0 }, 0 };
    const sl_sphere around = { { 0, 0, 0 }, 10 };
    assert_true(sl_volume_overlaps_aabb(AS_SPHERE(&small), &unit) &&
                sl_volume_overlaps_obb(AS_SPHERE(&small), &unit_obb));
    assert_true(sl_volume_overlaps_aabb(AS_SPHERE(&point), &unit) &&
                sl_volume_overlaps_obb(AS_SPHERE(&point), &unit_obb));
    assert_true(sl_volume_overlaps_aabb(AS_SPHERE(&around), &unit) &&
                sl_volume_overlaps_obb(AS_SPHERE(&around), &unit_obb));
}

TEST(case_28_a_negative_radius_is_not_a_positive_one)
{
    const sl_sphere sphere = { { 2, 0, 0 }, -1.5f };
    assert_true(document_sphere_aabb(&sphere, &unit)); /* 1 <= (-1.5)^2 */
    assert_false(sl_volume_overlaps_aabb(AS_SPHERE(&sphere), &unit));
    assert_false(sl_volume_overlaps_obb(AS_SPHERE(&sphere), &unit_obb));
}

/* The document's squares overflow and vanish: inf <= inf, 0 <= 0. */
TEST(case_28_no_size_is_too_large_or_too_small)
{
    const sl_sphere large = { { 0x1p100f, 0, 0 }, 0x1p99f },
                    small = { { 0x1p-100f, 0, 0 }, 0x1p-101f };
    const sl_aabb point = { { 0, 0, 0 }, { 0, 0, 0 } };
    assert_true(document_sphere_aabb(&large, &unit) && document_sphere_aabb(&small, &point));
    assert_false(sl_volume_overlaps_aabb(AS_SPHERE(&large), &unit));
    assert_false(sl_volume_overlaps_aabb(AS_SPHERE(&small), &point));
}

TEST(case_53_two_spheres_overlap_where_their_radii_reach)
{
    const sl_sphere a = { { 1, 2, 3 }, 1 }, inside = { { 1, 2, 3 }, 0.5f };
    sl_sphere b = { { 3, 5, 9 }, 6 }; /* 2, 3, 6: 7 apart */
    assert_true(sl_volume_overlaps_sphere(AS_SPHERE(&a), &b) &&
                sl_volume_overlaps_sphere(AS_SPHERE(&b), &a));
    assert_true(sl_volume_overlaps_sphere(AS_SPHERE(&a), &inside) &&
                sl_volume_overlaps_sphere(AS_SPHERE(&inside), &a));
    b.radius = nextafterf(6, 0);
    assert_false(sl_volume_overlaps_sphere(AS_SPHERE(&a), &b) ||
                 sl_volume_overlaps_sphere(AS_SPHERE(&b), &a));
}

/* The sum of the radii is no float, nor a double. */
TEST(case_53_radii_are_not_rounded_together)
{
    const sl_sphere a = { { 0, 0, 0 }, 1 }, b = { { 1, 0, 0 }, 0x1p-149f };
    const sl_sphere c = { { 1.0f + FLT_EPSILON, 0, 0 }, 0x1p-149f };
    assert_true(sl_volume_overlaps_sphere(AS_SPHERE(&a), &b));
    assert_false(sl_volume_overlaps_sphere(AS_SPHERE(&a), &c));
}

TEST(a_sphere_touches_face_edge_and_corner_of_a_triangle)
{
    const sl_triangle triangle = { { { 0, 0, 0 }, { 4, 0, 0 }, { 0, 4, 0 } } };
    sl_sphere spheres[3] = {
        { { 1, 1, 2 }, 2 },   /* over the face */
        { { 2, -3, 4 }, 5 },  /* 3, 4 from the edge y = 0 */
        { { -1, -2, 2 }, 3 }, /* 1, 2, 2 from the corner 0 */
    };
    for (int i = 0; i < 3; i++) {
        assert_true(sl_volume_overlaps_triangle(AS_SPHERE(&spheres[i]), &triangle));
        spheres[i].radius = nextafterf(spheres[i].radius, 0);
        assert_false(sl_volume_overlaps_triangle(AS_SPHERE(&spheres[i]), &triangle));
    }
}

TEST(a_triangle_without_area_is_what_it_is)
{
    const sl_triangle segment = { { { 0, 0, 0 }, { 2, 0, 0 }, { 4, 0, 0 } } };
    const sl_triangle point = { { { 4, 0, 0 }, { 4, 0, 0 }, { 4, 0, 0 } } };
    const sl_sphere beside = { { 3, 1, 0 }, 1 };
    assert_true(sl_volume_overlaps_triangle(AS_SPHERE(&beside), &segment));
    assert_false(sl_volume_overlaps_triangle(AS_SPHERE(&beside), &point)); /* root of 2 away */
}

/* A unit box sheared to the side: x' = x + 2 y, so the face at its right has the normal (1, -2, 0)
 * and goes through (3, 1): x - 2 y = 1. */
TEST(an_obb_is_the_parallelepiped_that_it_is)
{
    const sl_obb sheared = { { 0, 0, 0 }, { { 1, 0, 0 }, { 2, 1, 0 }, { 0, 0, 1 } }, { 1, 1, 1 } };
    const sl_sphere corner = { { 6, 5, 0 }, 5 };  /* 3, 4 from the corner (3, 1) */
    const sl_sphere beside = { { 2, -2, 0 }, 2 }; /* (6 - 1) / root of 5 = 2.236 from the face */
    const sl_sphere near = { { 2, -2, 0 }, 2.25f };
    assert_true(sl_volume_overlaps_obb(AS_SPHERE(&corner), &sheared));
    assert_false(sl_volume_overlaps_obb(AS_SPHERE(&beside), &sheared));
    /* The face's projection, (1, 0), lies on it. */
    assert_true(sl_volume_overlaps_obb(AS_SPHERE(&near), &sheared));
}

TEST(a_flat_obb_is_a_face_an_edge_or_a_point)
{
    const sl_sphere sphere = { { 1, 1, 1 }, 1 };
    sl_obb box = { { 0, 0, 0 }, { { 1, 0, 0 }, { 0, 1, 0 }, { 0, 0, 1 } }, { 2, 2, 0 } };
    assert_true(sl_volume_overlaps_obb(AS_SPHERE(&sphere), &box)); /* touches z = 0 at (1, 1) */
    box.half[1] = 0;
    assert_false(sl_volume_overlaps_obb(AS_SPHERE(&sphere), &box)); /* the segment y = z = 0 */
    box.half[1] = 2;
    for (int axis = 0; axis < 3; axis++) {
        box.axis[2][axis] = 0; /* no third axis at all */
    }
    box.half[2] = 7;
    assert_true(sl_volume_overlaps_obb(AS_SPHERE(&sphere), &box));
    /* Two axes alike: a segment from (-4, 0, 0) to (4, 0, 0). */
    const sl_obb segment = { { 0, 0, 0 }, { { 1, 0, 0 }, { 1, 0, 0 }, { 0, 0, 0 } }, { 2, 2, 1 } };
    const sl_sphere at_end = { { 7, 4, 0 }, 5 };
    assert_true(sl_volume_overlaps_obb(AS_SPHERE(&at_end), &segment));
}

TEST(an_infinite_box_has_no_side_there)
{
    const sl_aabb half_space = { { -INFINITY, -INFINITY, -INFINITY }, { 0, INFINITY, INFINITY } };
    const sl_sphere touching = { { FLT_MAX, FLT_MAX, -FLT_MAX }, FLT_MAX },
                    beside = { { 2, 9, 9 }, 1 };
    assert_true(sl_volume_overlaps_aabb(AS_SPHERE(&touching), &half_space));
    assert_false(sl_volume_overlaps_aabb(AS_SPHERE(&beside), &half_space));
}

TEST(what_is_invalid_meets_nothing)
{
    const float bad[3] = { NAN, INFINITY, -INFINITY };
    const sl_sphere fine = { { 0, 0, 0 }, 1 };
    const sl_triangle triangle = { { { 0, 0, 0 }, { 1, 0, 0 }, { 0, 1, 0 } } };
    for (int i = 0; i < 13; i++) {
        hard_body sphere = { .sphere = fine };
        sphere.number[i < 12 ? i / 3 : 3] = i < 12 ? bad[i % 3] : -FLT_MIN;
        assert_false(sl_volume_overlaps_sphere(AS_SPHERE(&sphere.sphere), &fine));
        assert_false(sl_volume_overlaps_sphere(AS_SPHERE(&fine), &sphere.sphere));
        assert_false(sl_volume_overlaps_aabb(AS_SPHERE(&sphere.sphere), &unit));
        assert_false(sl_volume_overlaps_obb(AS_SPHERE(&sphere.sphere), &unit_obb));
        assert_false(sl_volume_overlaps_triangle(AS_SPHERE(&sphere.sphere), &triangle));
    }
    for (int i = 0; i < 48; i++) {
        hard_body box = { .obb = unit_obb };
        box.number[i < 45 ? i / 3 : i - 33] =
            i < 45 ? bad[i % 3] : -1; /* the halves are 12 .. 14 */
        assert_false(sl_volume_overlaps_obb(AS_SPHERE(&fine), &box.obb));
    }
    const sl_aabb empty = sl_aabb_empty(), inverted = { { 1, -1, -1 }, { -1, 1, 1 } };
    assert_false(sl_volume_overlaps_aabb(AS_SPHERE(&fine), &empty) ||
                 sl_volume_overlaps_aabb(AS_SPHERE(&fine), &inverted));
}

static const hard_query queries[4] = {
    { hard_sphere, hard_sphere, NULL },
    { hard_aabb, hard_sphere, NULL },
    { hard_obb, hard_sphere, NULL },
    { hard_body_triangle, hard_sphere, NULL },
};

TEST(as_fractions_say)
{
    for (int i = 0; i < 4; i++) {
        hard_run(&queries[i], 2800 + (uint64_t)i * 10, test_count(1000));
    }
}

/* The radius at which they touch is found to the last bit. */
TEST(as_fractions_say_where_it_changes)
{
    for (int i = 0; i < 4; i++) {
        hard_run_where_it_changes(&queries[i], 3, 0, 100, 2850 + (uint64_t)i, test_count(500));
    }
}
