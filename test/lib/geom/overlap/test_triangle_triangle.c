/* Two triangles.
 * SIGHTLINE_TEST_SCALE=17 tries 200,000 cases and more. */
#include "test/support/hard/bodies.h"
#include "test/support/test.h"
#include "test/support/volume.h"

/* 0, 4 x; 0, 4 y: in the plane z = 0. */
static const sl_triangle floor_triangle = { { { 0, 0, 0 }, { 4, 0, 0 }, { 0, 4, 0 } } };

static void assert_meet(const sl_triangle *a, const sl_triangle *b, bool meet)
{
    assert_int_equal(sl_volume_overlaps_triangle(AS_TRIANGLE(a), b), meet);
    assert_int_equal(sl_volume_overlaps_triangle(AS_TRIANGLE(b), a), meet);
    for (int turn = 1; turn < 3; turn++) { /* whichever corner is first */
        sl_triangle turned;
        for (int i = 0; i < 9; i++) {
            turned.v[i / 3][i % 3] = a->v[(i / 3 + turn) % 3][i % 3];
        }
        assert_int_equal(sl_volume_overlaps_triangle(AS_TRIANGLE(&turned), b), meet);
    }
}

TEST(one_pierces_the_other)
{
    const sl_triangle inside = { { { 1, 1, -1 }, { 1, 1, 1 }, { 9, 9, 1 } } };
    const sl_triangle beside = { { { 3, 3, -1 }, { 3, 3, 1 }, { 9, 9, 1 } } };
    assert_meet(&floor_triangle, &inside, true);
    assert_meet(&floor_triangle, &beside, false); /* x + y = 6 > 4 */
}

TEST(touching_counts)
{
    /* A corner in the face, on an edge, on a corner; an edge across an edge. */
    const sl_triangle face = { { { 1, 1, 0 }, { 1, 1, 5 }, { 2, 1, 5 } } };
    const sl_triangle edge = { { { 2, 2, 0 }, { 2, 2, 5 }, { 3, 2, 5 } } };
    const sl_triangle corner = { { { 4, 0, 0 }, { 4, 0, 5 }, { 5, 0, 5 } } };
    const sl_triangle across = { { { 4, 4, 3 }, { 0, 0, -3 }, { 9, 9, -3 } } }; /* (2, 2, 0) */
    assert_meet(&floor_triangle, &face, true);
    assert_meet(&floor_triangle, &edge, true);
    assert_meet(&floor_triangle, &corner, true);
    assert_meet(&floor_triangle, &across, true);
}

/* One step of a float away from touching. */
TEST(one_step_apart_is_apart)
{
    const float up = nextafterf(0, 1), out = nextafterf(2, 3);
    const sl_triangle face = { { { 1, 1, up }, { 1, 1, 5 }, { 2, 1, 5 } } };
    const sl_triangle edge = { { { out, 2, 0 }, { 2, 2, 5 }, { 3, 2, 5 } } };
    assert_meet(&floor_triangle, &face, false);
    assert_meet(&floor_triangle, &edge, false);
}

TEST(in_one_plane_they_meet_or_not)
{
    const sl_triangle within = { { { 1, 1, 0 }, { 2, 1, 0 }, { 1, 2, 0 } } };
    const sl_triangle beside = { { { 5, 5, 0 }, { 6, 5, 0 }, { 5, 6, 0 } } };
    const sl_triangle shares_edge = { { { 4, 0, 0 }, { 0, 4, 0 }, { 4, 4, 0 } } };
    const sl_triangle shares_corner = { { { 4, 0, 0 }, { 8, 0, 0 }, { 4, 4, 0 } } };
    /* Its box meets the floor's, and no coordinate tells them apart: the edge x + y = 4 does. */
    const sl_triangle slanted = { { { 4, 3, 0 }, { 3, 4, 0 }, { 4, 1, 0 } } };
    assert_meet(&floor_triangle, &within, true);
    assert_meet(&floor_triangle, &beside, false);
    assert_meet(&floor_triangle, &shares_edge, true);
    assert_meet(&floor_triangle, &shares_corner, true);
    assert_meet(&floor_triangle, &slanted, false);
}

TEST(in_parallel_planes_they_are_apart)
{
    sl_triangle above = floor_triangle;
    above.v[0][2] = above.v[1][2] = above.v[2][2] = nextafterf(0, 1);
    assert_meet(&floor_triangle, &above, false);
}

TEST(without_area_they_are_segments_and_points)
{
    const sl_triangle point = { { { 1, 1, 0 }, { 1, 1, 0 }, { 1, 1, 0 } } };
    const sl_triangle outside = { { { 3, 3, 0 }, { 3, 3, 0 }, { 3, 3, 0 } } };
    const sl_triangle segment = { { { 1, 1, -1 }, { 1, 1, 0.5f }, { 1, 1, 1 } } };
    const sl_triangle along = { { { 1, 1, 2 }, { 1, 1, 1 }, { 1, 1, 3 } } };   /* touches segment */
    const sl_triangle further = { { { 1, 1, 2 }, { 1, 1, 2 }, { 1, 1, 3 } } }; /* on its line */
    const sl_triangle crossing = { { { 0, 1, 0.25f }, { 2, 1, 0.25f }, { 0, 1, 0.25f } } };
    assert_meet(&floor_triangle, &point, true);
    assert_meet(&floor_triangle, &outside, false);
    assert_meet(&floor_triangle, &segment, true);
    assert_meet(&point, &point, true);
    assert_meet(&point, &outside, false);
    assert_meet(&point, &segment, true);
    assert_meet(&segment, &along, true);
    assert_meet(&segment, &further, false);
    assert_meet(&segment, &crossing, true);
}

TEST(what_is_not_finite_meets_nothing)
{
    const float bad[3] = { NAN, INFINITY, -INFINITY };
    for (int i = 0; i < 27; i++) {
        sl_triangle broken = floor_triangle;
        broken.v[i % 9 / 3][i % 3] = bad[i / 9];
        assert_meet(&floor_triangle, &broken, false);
        assert_meet(&broken, &broken, false);
    }
}

static const hard_query triangles = { hard_body_triangle, hard_body_triangle, NULL };

TEST(as_fractions_say)
{
    hard_run(&triangles, 5301, test_count(2000));
}

TEST(as_fractions_say_where_it_changes)
{
    hard_run_where_it_changes(&triangles, 2, -6, 6, 5305, test_count(2000));
}
