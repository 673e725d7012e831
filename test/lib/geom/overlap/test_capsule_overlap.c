/* Capsules against spheres, boxes and triangles.
 * SIGHTLINE_TEST_SCALE=34 tries 200,000 cases a pair and more. */
#include "test/support/hard/bodies.h"
#include "test/support/test.h"
#include "test/support/volume.h"

static const sl_aabb unit = { { -1, -1, -1 }, { 1, 1, 1 } };
static const sl_obb cube = { { 0, 0, 0 }, { { 1, 0, 0 }, { 0, 1, 0 }, { 0, 0, 1 } }, { 1, 1, 1 } };
static const sl_triangle floor_triangle = { { { 0, 0, 0 }, { 4, 0, 0 }, { 0, 4, 0 } } };

/* Every one has a radius at which it touches, a whole number. */
TEST(touching_a_triangle_counts)
{
    sl_capsule capsules[5] = {
        { { 1, 1, 2 }, { 5, 5, 9 }, 2 },    /* an end over the face */
        { { -9, -3, 4 }, { 9, -3, 4 }, 5 }, /* 3, 4 from the edge y = 0, which it is parallel to */
        { { 2, -3, -9 }, { 2, -3, 9 }, 3 }, /* crosswise past that edge */
        { { -4, -3, -9 }, { -4, -3, 9 }, 5 }, /* past the corner 0 */
        { { 1, 1, -1 }, { 1, 1, 1 }, 0 },     /* through the face */
    };
    for (int i = 0; i < 5; i++) {
        assert_true(sl_volume_overlaps_triangle(AS_CAPSULE(&capsules[i]), &floor_triangle));
        if (capsules[i].radius > 0) {
            capsules[i].radius = nextafterf(capsules[i].radius, 0);
            assert_false(sl_volume_overlaps_triangle(AS_CAPSULE(&capsules[i]), &floor_triangle));
        }
    }
}

TEST(touching_a_box_counts)
{
    sl_capsule capsules[5] = {
        { { 3, 0, 0 }, { 9, 5, 5 }, 2 },   /* an end before a face */
        { { 4, 5, -9 }, { 4, 5, 9 }, 5 },  /* 3, 4 from an edge, parallel to it */
        { { 9, -5, 0 }, { -5, 9, 0 }, 1 }, /* past the edge at (1, 1): x + y = 4, root of 2 away */
        { { 1, 5, -7 }, { 1, -3, 9 }, 0 }, /* in the plane of a face, through it */
        { { -5, 0.5f, 0 }, { 5, 0, 0.5f }, 0 }, /* right through */
    };
    capsules[2].radius = 1.5f;
    for (int i = 0; i < 5; i++) {
        assert_true(sl_volume_overlaps_aabb(AS_CAPSULE(&capsules[i]), &unit));
    }
    capsules[0].radius = nextafterf(2, 0);
    capsules[1].radius = nextafterf(5, 0);
    capsules[2].radius = 1.40625f;
    for (int i = 0; i < 3; i++) {
        assert_false(sl_volume_overlaps_aabb(AS_CAPSULE(&capsules[i]), &unit));
    }
}

/* Axes (1, 2, 2), (2, 1, -2), (2, -2, 1) of length 3 and halves of 1/3: the same cube, turned. Seen
 * from its frame the capsules are those above. */
TEST(touching_a_turned_box_counts)
{
    static const float turn[3][3] = { { 1, 2, 2 }, { 2, 1, -2 }, { 2, -2, 1 } };
    sl_obb box = { .centre = { 1, 2, 3 }, .half = { 1, 1, 1 } };
    memcpy(box.axis, turn, sizeof turn);
    /* In units of the axes, which are 3 long: the radius is three times what it would be. */
    const float ends[5][2][3] = { { { 3, 0, 0 }, { 9, 5, 5 } },
                                  { { 4, 5, -9 }, { 4, 5, 9 } },
                                  { { 9, -5, 0 }, { -5, 9, 0 } },
                                  { { 1, 5, -7 }, { 1, -3, 9 } },
                                  { { -5, 0.5f, 0 }, { 5, 0, 0.5f } } };
    const float radius[5] = { 6, 15, 4.5f, 0, 0 }, less[3] = { 0, 0, 4.21875f };
    for (int i = 0; i < 5; i++) {
        sl_capsule capsule = { .radius = radius[i] };
        for (int axis = 0; axis < 3; axis++) {
            capsule.p[axis] = capsule.q[axis] = box.centre[axis];
            for (int k = 0; k < 3; k++) {
                capsule.p[axis] += ends[i][0][k] * turn[k][axis];
                capsule.q[axis] += ends[i][1][k] * turn[k][axis];
            }
        }
        assert_true(sl_volume_overlaps_obb(AS_CAPSULE(&capsule), &box));
        if (radius[i] > 0) {
            capsule.radius = less[i] > 0 ? less[i] : nextafterf(radius[i], 0);
            assert_false(sl_volume_overlaps_obb(AS_CAPSULE(&capsule), &box));
        }
    }
}

/* Three axes in one plane: a hexagon with the corners (4, 4), (0, 4), (-4, 0) and their opposites.
 * A capsule beside a side is near to an edge that is no corner's; one over the middle is near to no
 * edge. */
TEST(a_flat_box_is_the_polygon_that_it_is)
{
    const sl_obb hexagon = { { 0, 0, 0 }, { { 1, 0, 0 }, { 0, 2, 0 }, { 1, 1, 0 } }, { 2, 1, 2 } };
    sl_capsule capsules[3] = { { { 0.5f, 0, 3 }, { 0, 0.25f, 9 }, 3 },   /* over the middle */
                               { { 2.5f, 9, -7 }, { 2.5f, 9, 7 }, 5 },   /* past the side y = 4 */
                               { { 5, 0, -1 }, { -5, 0.125f, 1 }, 0 } }; /* through the middle */
    for (int i = 0; i < 3; i++) {
        assert_true(sl_volume_overlaps_obb(AS_CAPSULE(&capsules[i]), &hexagon));
        if (capsules[i].radius > 0) {
            capsules[i].radius = nextafterf(capsules[i].radius, 0);
            assert_false(sl_volume_overlaps_obb(AS_CAPSULE(&capsules[i]), &hexagon));
        }
    }
    const sl_obb point = { .centre = { 0, 3, 4 } };
    sl_capsule beside = { { -9, 0, 0 }, { 9, 0, 0 }, 5 };
    assert_true(sl_volume_overlaps_obb(AS_CAPSULE(&beside), &point));
    beside.radius = nextafterf(5, 0);
    assert_false(sl_volume_overlaps_obb(AS_CAPSULE(&beside), &point));
}

TEST(case_53_a_capsule_is_a_sphere_along_a_segment)
{
    const sl_capsule capsule = { { 0, 0, 0 }, { 10, 0, 0 }, 2 };
    sl_sphere spheres[3] = { { { 4, 3, 4 }, 3 },    /* 5 from the middle */
                             { { 13, -4, 0 }, 3 },  /* 5 from one end */
                             { { -2, 3, 6 }, 5 } }; /* 7 from the other */
    for (int i = 0; i < 3; i++) {
        assert_true(sl_volume_overlaps_sphere(AS_CAPSULE(&capsule), &spheres[i]));
        spheres[i].radius = nextafterf(spheres[i].radius, 0);
        assert_false(sl_volume_overlaps_sphere(AS_CAPSULE(&capsule), &spheres[i]));
    }
}

TEST(a_capsule_without_length_is_a_sphere)
{
    test_random random = { 5310 };
    for (int i = 0; i < 2000; i++) {
        hard_body sphere, triangle, box, turned, other;
        hard_sphere(&random, HARD_LATTICE, &sphere);
        hard_body_triangle(&random, HARD_LATTICE, &triangle);
        hard_aabb(&random, HARD_LATTICE, &box);
        hard_obb(&random, HARD_LATTICE, &turned);
        hard_sphere(&random, HARD_LATTICE, &other);
        sl_capsule capsule = { .radius = sphere.sphere.radius };
        for (int axis = 0; axis < 3; axis++) {
            capsule.p[axis] = capsule.q[axis] = sphere.sphere.centre[axis];
        }
        assert_int_equal(
            sl_volume_overlaps_triangle(AS_CAPSULE(&capsule), &triangle.triangle),
            sl_volume_overlaps_triangle(AS_SPHERE(&sphere.sphere), &triangle.triangle));
        assert_int_equal(sl_volume_overlaps_aabb(AS_CAPSULE(&capsule), &box.aabb),
                         sl_volume_overlaps_aabb(AS_SPHERE(&sphere.sphere), &box.aabb));
        assert_int_equal(sl_volume_overlaps_obb(AS_CAPSULE(&capsule), &turned.obb),
                         sl_volume_overlaps_obb(AS_SPHERE(&sphere.sphere), &turned.obb));
        assert_int_equal(sl_volume_overlaps_sphere(AS_CAPSULE(&capsule), &other.sphere),
                         sl_volume_overlaps_sphere(AS_SPHERE(&sphere.sphere), &other.sphere));
    }
}

TEST(an_infinite_box_has_no_side_there)
{
    const sl_aabb column = { { -1, -1, -INFINITY }, { 1, 1, INFINITY } };
    const sl_aabb beyond = { { 0, -INFINITY, -INFINITY }, { INFINITY, INFINITY, 0 } };
    sl_capsule capsule = { { 4, 5, FLT_MAX }, { 9, 9, FLT_MAX }, 5 };
    assert_true(sl_volume_overlaps_aabb(AS_CAPSULE(&capsule), &column));
    capsule.radius = nextafterf(5, 0);
    assert_false(sl_volume_overlaps_aabb(AS_CAPSULE(&capsule), &column));
    sl_capsule slanted = { { -9, 0, 1 }, { -1, 9, 9 }, 1 };
    assert_false(sl_volume_overlaps_aabb(AS_CAPSULE(&slanted), &beyond));
    slanted.q[2] = 1; /* now root of 2 away at its end */
    assert_false(sl_volume_overlaps_aabb(AS_CAPSULE(&slanted), &beyond));
    slanted.radius = 1.4375f;
    assert_true(sl_volume_overlaps_aabb(AS_CAPSULE(&slanted), &beyond));
}

TEST(what_is_invalid_meets_nothing)
{
    const float bad[3] = { NAN, INFINITY, -INFINITY };
    const sl_capsule fine = { { 0, 0, 0 }, { 1, 0, 0 }, 1 };
    const sl_sphere sphere = { { 0, 0, 0 }, 1 };
    for (int i = 0; i < 22; i++) {
        hard_body capsule = { .capsule = fine };
        capsule.number[i == 21 ? 6 : i / 3] = i == 21 ? -1 : bad[i % 3];
        assert_false(sl_volume_overlaps_sphere(AS_CAPSULE(&capsule.capsule), &sphere));
        assert_false(sl_volume_overlaps_aabb(AS_CAPSULE(&capsule.capsule), &unit));
        assert_false(sl_volume_overlaps_triangle(AS_CAPSULE(&capsule.capsule), &floor_triangle));
        assert_false(sl_volume_overlaps_obb(AS_CAPSULE(&capsule.capsule), &cube));
    }
    for (int i = 0; i < 15; i++) {
        hard_body box = { .obb = cube };
        box.number[i] = bad[i % 3];
        assert_false(sl_volume_overlaps_obb(AS_CAPSULE(&fine), &box.obb));
    }
    sl_obb hollow = cube;
    hollow.half[1] = -1;
    assert_false(sl_volume_overlaps_obb(AS_CAPSULE(&fine), &hollow));
    const sl_aabb empty = sl_aabb_empty();
    const sl_sphere negative = { { 0, 0, 0 }, -1 };
    sl_triangle broken = floor_triangle;
    broken.v[1][1] = NAN;
    assert_false(sl_volume_overlaps_aabb(AS_CAPSULE(&fine), &empty));
    assert_false(sl_volume_overlaps_sphere(AS_CAPSULE(&fine), &negative));
    assert_false(sl_volume_overlaps_triangle(AS_CAPSULE(&fine), &broken));
}

enum { QUERIES = 4 };
static const hard_query queries[QUERIES] = {
    { hard_sphere, hard_capsule, NULL },
    { hard_aabb, hard_capsule, NULL },
    { hard_body_triangle, hard_capsule, NULL },
    { hard_obb, hard_capsule, NULL },
};

TEST(as_fractions_say)
{
    for (int i = 0; i < QUERIES; i++) {
        hard_run(&queries[i], 5320 + (uint64_t)i * 10, test_count(1000));
    }
}

/* The radius at which they touch is found to the last bit. */
TEST(as_fractions_say_where_it_changes)
{
    for (int i = 0; i < QUERIES; i++) {
        hard_run_where_it_changes(&queries[i], 6, 0, 100, 5350 + (uint64_t)i, test_count(500));
    }
}
