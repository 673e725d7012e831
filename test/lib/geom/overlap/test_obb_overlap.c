/* Boxes of any orientation against each other, boxes along the axes, and triangles.
 * SIGHTLINE_TEST_SCALE=134 tries 200,000 cases a pair and more. */
#include "test/support/hard/bodies.h"
#include "test/support/test.h"
#include "test/support/volume.h"

static const sl_obb unit = { { 0, 0, 0 }, { { 1, 0, 0 }, { 0, 1, 0 }, { 0, 0, 1 } }, { 1, 1, 1 } };

static float dot(const float a[3], const float b[3])
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

/* The document's first step: the triangle is moved by the inverse of the box's matrix, and the box
 * becomes one along the axes.  The matrix's columns are the axes, at right angles and of the length
 * scale, so that its inverse projects on them and divides by the square of that. */
static bool by_inverse_matrix(const sl_obb *box, const sl_triangle *triangle, float scale)
{
    sl_triangle moved;
    sl_aabb extents;
    for (int i = 0; i < 3; i++) {
        float way[3];
        for (int axis = 0; axis < 3; axis++) {
            way[axis] = triangle->v[i][axis] - box->centre[axis];
        }
        for (int axis = 0; axis < 3; axis++) {
            moved.v[i][axis] = dot(way, box->axis[axis]) / (scale * scale);
            extents.min[axis] = -box->half[axis];
            extents.max[axis] = box->half[axis];
        }
    }
    return sl_volume_overlaps_aabb(AS_TRIANGLE(&moved), &extents);
}

/* Axes (1, 2, 2), (2, 1, -2), (2, -2, 1) are of length 3; corners at quarters in the box's frame
 * come back to it exactly, the division by 9 included. */
TEST(case_44_an_obb_is_an_aabb_seen_from_its_frame)
{
    test_random random = { 4401 };
    int overlaps = 0;
    sl_obb box = { { 1, -2, 3 }, { { 1, 2, 2 }, { 2, 1, -2 }, { 2, -2, 1 } }, { 1, 2, 0.5f } };
    for (int i = 0; i < 20000; i++) {
        sl_triangle triangle;
        for (int k = 0; k < 3; k++) { /* quarters in the box's frame */
            const float t[3] = { hard_whole(&random, 12) / 4, hard_whole(&random, 12) / 4,
                                 hard_whole(&random, 12) / 4 };
            for (int axis = 0; axis < 3; axis++) {
                triangle.v[k][axis] = box.centre[axis] + t[0] * box.axis[0][axis] +
                                      t[1] * box.axis[1][axis] + t[2] * box.axis[2][axis];
            }
        }
        const bool overlap = by_inverse_matrix(&box, &triangle, 3);
        assert_int_equal(sl_volume_overlaps_triangle(AS_OBB(&box), &triangle), overlap);
        overlaps += overlap;
    }
    assert_in_range(overlaps, 2000, 18000);
}

/* A matrix with the scale 3 in it: its inverse makes the triangle smaller, so that beside the
 * extents that the box has in the world (1.5 = 3 * 0.5) it is a third of its size. */
TEST(case_44_a_scale_in_the_matrix_is_not_counted_twice)
{
    const sl_triangle beside = { { { 2, 0, 0 }, { 3, 0, 0 }, { 2, 1, 0 } } };
    const sl_obb document = { { 0, 0, 0 },
                              { { 3, 0, 0 }, { 0, 3, 0 }, { 0, 0, 3 } },
                              { 1.5f, 1.5f, 1.5f } };
    assert_true(by_inverse_matrix(&document, &beside, 3)); /* 2 / 3 < 1.5 */
    /* Ours: the axes with their length, or of unit length with the extents of the world. */
    const sl_obb scaled = { { 0, 0, 0 },
                            { { 3, 0, 0 }, { 0, 3, 0 }, { 0, 0, 3 } },
                            { 0.5f, 0.5f, 0.5f } };
    sl_obb world = unit;
    world.half[0] = world.half[1] = world.half[2] = 1.5f;
    assert_false(sl_volume_overlaps_triangle(AS_OBB(&scaled), &beside));
    assert_false(sl_volume_overlaps_triangle(AS_OBB(&world), &beside));
    const sl_triangle touching = { { { 1.5f, 0, 0 }, { 3, 0, 0 }, { 2, 1, 0 } } };
    assert_true(sl_volume_overlaps_triangle(AS_OBB(&scaled), &touching));
    assert_true(sl_volume_overlaps_triangle(AS_OBB(&world), &touching));
}

/* A rod along x, 6 long and 2 thick, turned so that x goes to (3, 4) / 5. */
TEST(case_54_an_aabb_does_not_turn_with_its_object)
{
    const sl_aabb before = { { -3, -1, -1 }, { 3, 1, 1 } };
    const sl_obb turned = { { 0, 0, 0 },
                            { { 3, 4, 0 }, { -4, 3, 0 }, { 0, 0, 5 } },
                            { 0.6f, 0.2f, 0.2f } };
    /* Row 48: it reaches 0.6 * 3 + 0.2 * 4 = 2.6 along x and 0.6 * 4 + 0.2 * 3 = 3 along y. */
    const sl_aabb around = { { -2.6f, -3, -1 }, { 2.6f, 3, 1 } };
    const sl_aabb at_tip = { { 1.5f, 2, 0 }, { 2, 2.5f, 0 } };       /* on the turned rod */
    const sl_aabb at_old_tip = { { 2.75f, -0.5f, 0 }, { 3, 0, 0 } }; /* where its end was */
    const sl_aabb in_corner = { { 2, -2.5f, 0 }, { 2.5f, -2, 0 } };  /* only in the box around it */
    assert_false(sl_volume_overlaps_aabb(AS_AABB(&before), &at_tip));
    assert_true(sl_volume_overlaps_aabb(AS_AABB(&before), &at_old_tip));
    assert_true(sl_volume_overlaps_aabb(AS_OBB(&turned), &at_tip) &&
                sl_volume_overlaps_aabb(AS_AABB(&around), &at_tip));
    assert_false(sl_volume_overlaps_aabb(AS_OBB(&turned), &at_old_tip) ||
                 sl_volume_overlaps_aabb(AS_AABB(&around), &at_old_tip));
    assert_false(sl_volume_overlaps_aabb(AS_OBB(&turned), &in_corner));
    assert_true(sl_volume_overlaps_aabb(AS_AABB(&around), &in_corner));
}

/* Two rods with square sections that stand on their edges, one along y, the other along x on it. */
TEST(edges_that_cross_touch)
{
    sl_obb a = { { 0, 0, 0 },
                 { { 1, 0, 1 }, { 0, 1, 0 }, { -1, 0, 1 } },
                 { 1, 3, 1 } }; /* top edge z = 2 */
    sl_obb b = { { 0, 0, 4 },
                 { { 0, 1, 1 }, { 1, 0, 0 }, { 0, -1, 1 } },
                 { 1, 3, 1 } }; /* lowest z = 2 */
    assert_true(sl_volume_overlaps_obb(AS_OBB(&a), &b) && sl_volume_overlaps_obb(AS_OBB(&b), &a));
    b.centre[2] = nextafterf(4, 5);
    assert_false(sl_volume_overlaps_obb(AS_OBB(&a), &b) || sl_volume_overlaps_obb(AS_OBB(&b), &a));
}

TEST(corners_faces_and_edges_touch)
{
    const float places[3][3] = { { 2, 0.5f, 1 }, { 2, 2, 0.5f }, { 2, -2, 2 } };
    for (int i = 0; i < 3; i++) {
        sl_obb other = unit;
        sl_aabb box;
        for (int axis = 0; axis < 3; axis++) {
            other.centre[axis] = places[i][axis];
            box.min[axis] = places[i][axis] - 1;
            box.max[axis] = places[i][axis] + 1;
        }
        assert_true(sl_volume_overlaps_obb(AS_OBB(&unit), &other) &&
                    sl_volume_overlaps_aabb(AS_OBB(&unit), &box));
        other.centre[0] = nextafterf(2, 3);
        box.min[0] = nextafterf(1, 2);
        assert_false(sl_volume_overlaps_obb(AS_OBB(&unit), &other) ||
                     sl_volume_overlaps_aabb(AS_OBB(&unit), &box));
    }
}

/* The unit box's x axis made (1, 1, 0): a parallelepiped with the corner (2, 1, 1), but nothing at
 * (0, 1.5, 0) nor at (1.5, -0.75, 0). */
TEST(sheared_and_mirrored_boxes_are_taken_as_they_are)
{
    const sl_obb sheared = { { 0, 0, 0 }, { { 1, 0, 0 }, { 1, 1, 0 }, { 0, 0, 1 } }, { 1, 1, 1 } };
    sl_obb mirrored = sheared;
    for (int axis = 0; axis < 3; axis++) {
        mirrored.axis[1][axis] = -mirrored.axis[1][axis];
    }
    const sl_triangle corner = { { { 2, 1, 1 }, { 3, 1, 1 }, { 3, 2, 1 } } };
    const sl_triangle beside = { { { 1.5f, -0.75f, 0 }, { 1.5f, -1, 0 }, { 2, -0.75f, 0 } } };
    assert_true(sl_volume_overlaps_triangle(AS_OBB(&sheared), &corner) &&
                sl_volume_overlaps_triangle(AS_OBB(&mirrored), &corner));
    assert_false(sl_volume_overlaps_triangle(AS_OBB(&sheared), &beside) ||
                 sl_volume_overlaps_triangle(AS_OBB(&mirrored), &beside));
}

TEST(flat_boxes_are_faces_segments_and_points)
{
    sl_obb face = unit, segment = unit, point = unit, above = unit;
    face.half[2] = 0;
    above.half[2] = 0;
    above.centre[2] = nextafterf(0, 1);
    segment.half[1] = segment.half[2] = 0;
    point.half[0] = point.half[1] = point.half[2] = 0;
    assert_true(sl_volume_overlaps_obb(AS_OBB(&face), &face) &&
                sl_volume_overlaps_obb(AS_OBB(&face), &segment));
    assert_true(sl_volume_overlaps_obb(AS_OBB(&segment), &point) &&
                sl_volume_overlaps_obb(AS_OBB(&point), &point));
    assert_false(sl_volume_overlaps_obb(AS_OBB(&face), &above));
    point.centre[0] = 2;
    assert_false(sl_volume_overlaps_obb(AS_OBB(&face), &point) ||
                 sl_volume_overlaps_obb(AS_OBB(&segment), &point));
    /* In one plane, and apart there by an edge of a slanted square only: |x| + |y| <= 1. */
    const sl_obb slanted = { { 0, 0, 0 },
                             { { 0.5f, 0.5f, 0 }, { -0.5f, 0.5f, 0 }, { 0, 0, 0 } },
                             { 1, 1, 1 } };
    sl_obb corner = { { 1, 1, 0 }, { { 1, 0, 0 }, { 0, 1, 0 }, { 0, 0, 1 } }, { 0.5f, 0.5f, 0 } };
    assert_true(sl_volume_overlaps_obb(AS_OBB(&slanted), &corner)); /* at (0.5, 0.5) */
    corner.half[0] = nextafterf(0.5f, 0);
    assert_false(sl_volume_overlaps_obb(AS_OBB(&slanted), &corner));
}

TEST(an_infinite_box_has_no_side_there)
{
    const sl_aabb half_space = { { 1, -INFINITY, -INFINITY }, { INFINITY, INFINITY, INFINITY } };
    const sl_aabb all = { { -INFINITY, -INFINITY, -INFINITY }, { INFINITY, INFINITY, INFINITY } };
    const sl_aabb slab = { { -INFINITY, 3, -INFINITY }, { INFINITY, 4, INFINITY } };
    sl_obb tall = { { 0, 0, 0 },
                    { { 1, 2, 0 }, { 2, -1, 0 }, { 0, 0, 1 } },
                    { 1, 1, 1 } }; /* y <= 3 */
    assert_true(sl_volume_overlaps_aabb(AS_OBB(&unit), &half_space) &&
                sl_volume_overlaps_aabb(AS_OBB(&unit), &all));
    assert_false(sl_volume_overlaps_aabb(AS_OBB(&unit), &slab));
    assert_true(sl_volume_overlaps_aabb(AS_OBB(&tall), &slab));
    tall.centre[1] = -FLT_EPSILON;
    assert_false(sl_volume_overlaps_aabb(AS_OBB(&tall), &slab));
}

TEST(what_is_invalid_meets_nothing)
{
    const float bad[3] = { NAN, INFINITY, -INFINITY };
    const sl_aabb box = { { -1, -1, -1 }, { 1, 1, 1 } }, empty = sl_aabb_empty();
    const sl_triangle triangle = { { { 0, 0, 0 }, { 1, 0, 0 }, { 0, 1, 0 } } };
    sl_triangle broken = triangle;
    broken.v[2][0] = NAN;
    for (int i = 0; i < 48; i++) {
        hard_body other = { .obb = unit };
        other.number[i < 45 ? i / 3 : i - 33] =
            i < 45 ? bad[i % 3] : -1; /* the halves are 12 .. 14 */
        assert_false(sl_volume_overlaps_obb(AS_OBB(&unit), &other.obb) ||
                     sl_volume_overlaps_obb(AS_OBB(&other.obb), &unit));
        assert_false(sl_volume_overlaps_aabb(AS_OBB(&other.obb), &box) ||
                     sl_volume_overlaps_triangle(AS_OBB(&other.obb), &triangle));
    }
    assert_false(sl_volume_overlaps_aabb(AS_OBB(&unit), &empty) ||
                 sl_volume_overlaps_triangle(AS_OBB(&unit), &broken));
}

static const hard_query queries[3] = {
    { hard_obb, hard_obb, NULL },
    { hard_obb, hard_aabb, NULL },
    { hard_obb, hard_body_triangle, NULL },
};

TEST(as_fractions_say)
{
    for (int i = 0; i < 3; i++) {
        hard_run(&queries[i], 5400 + (uint64_t)i * 10, test_count(250));
    }
}

/* The second one's x is moved, or that of one corner. */
TEST(as_fractions_say_where_it_changes)
{
    hard_run_where_it_changes(&queries[0], 0, 0, 9, 5451, test_count(100));
    hard_run_where_it_changes(&queries[2], 0, -9, 9, 5453, test_count(100));
}

/* A point by a face: axes (1, 0, -x), (0, 1, -y) and (0, 0, 1) have a face with the normal (x, y,
 * 1), half[2] from the centre. */
TEST(as_fractions_say_where_doubles_cannot_tell)
{
    test_random random = { 5460 };
    int apart = 0;
    const int rounds = 1000;
    for (int i = 0; i < rounds; i++) {
        hard_body box = { .obb = unit }, triangle;
        sl_plane plane = { { 0, 0, 1 }, test_random_in(&random, 1, 1024) };
        float point[3];
        hard_point_by_plane(&random, &plane, point);
        box.obb.axis[0][2] = -plane.normal[0];
        box.obb.axis[1][2] = -plane.normal[1];
        box.obb.half[2] = plane.offset;
        box.obb.half[0] = box.obb.half[1] = 0x1p100f;
        for (int k = 0; k < 9; k++) { /* the other corners are further out */
            triangle.triangle.v[k / 3][k % 3] = point[k % 3] + (k == 5 || k == 8 ? 0x1p22f : 0);
        }
        apart += hard_run_one(&queries[2], &box, &triangle) == 0;
    }
    assert_in_range(apart, rounds / 4, 3 * rounds / 4);
}
