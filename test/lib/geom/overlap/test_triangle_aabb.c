/* A triangle against a box: the classical cases.  The box is -1 .. 1 on all axes unless a test says
 * otherwise.  test_triangle_aabb_exact.c has the random ones. */
#include "lib/geom/overlap/triangle_aabb.h"
#include "test/support/oracle/box_oracle.h"
#include "test/support/test.h"
#include "test/support/volume.h"

#include <fenv.h>

static const sl_aabb unit = { { -1, -1, -1 }, { 1, 1, 1 } };

static void cross(const float a[3], const float b[3], float out[3])
{
    for (int axis = 0; axis < 3; axis++) {
        const int j = (axis + 1) % 3, k = (axis + 2) % 3;
        out[axis] = a[j] * b[k] - a[k] * b[j];
    }
}

static float dot(const float a[3], const float b[3])
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static void subtract(const float a[3], const float b[3], float out[3])
{
    for (int axis = 0; axis < 3; axis++) {
        out[axis] = a[axis] - b[axis];
    }
}

static void document_normal(const sl_triangle *triangle, float n[3])
{
    float e1[3], e2[3];
    subtract(triangle->v[1], triangle->v[0], e1);
    subtract(triangle->v[2], triangle->v[0], e2);
    cross(e1, e2, n);
}

static float document_radius(const float n[3])
{
    return fabsf(n[0]) + fabsf(n[1]) + fabsf(n[2]); /* of the unit box */
}

/* Step 2 of the document: the plane's distance s against the radius r of the unit box. */
static bool document_plane_separates(const sl_triangle *triangle)
{
    float n[3];
    document_normal(triangle, n);
    return dot(n, triangle->v[0]) > document_radius(n); /* s > r */
}

/* One of the thirteen for the unit box, by intervals; 0 .. 2 box, 3 .. 11 cross products. */
static bool document_axis_separates(const sl_triangle *triangle, int axis)
{
    float direction[3] = { 0, 0, 0 };
    direction[axis % 3] = 1;
    if (axis >= 3) {
        const int i = (axis - 3) / 3;
        const float face[3] = { direction[0], direction[1], direction[2] };
        float edge[3];
        subtract(triangle->v[(i + 1) % 3], triangle->v[i], edge);
        cross(face, edge, direction);
    }
    float least = INFINITY, most = -INFINITY;
    for (int i = 0; i < 3; i++) {
        least = fminf(least, dot(direction, triangle->v[i]));
        most = fmaxf(most, dot(direction, triangle->v[i]));
    }
    return least > document_radius(direction) || most < -document_radius(direction);
}

/* "If all of the inequalities below hold, they do not intersect." */
static bool document_says_apart(const sl_triangle *triangle, int first, int count)
{
    bool all = true;
    for (int axis = first; axis < first + count; axis++) {
        all = all && document_axis_separates(triangle, axis);
    }
    return all;
}

TEST(case_42_disjoint_means_separated_on_one_of_the_axes)
{
    test_random random = { 42 };
    int apart = 0;
    for (int i = 0; i < 20000; i++) {
        sl_triangle triangle;
        sl_aabb box = { { -2, -2, -2 }, { 0, 0, 0 } };
        for (int axis = 0; axis < 3; axis++) {
            for (int corner = 0; corner < 3; corner++) {
                triangle.v[corner][axis] = (float)test_random_below(&random, 13) - 6;
            }
            box.min[axis] += (float)test_random_below(&random, 3);
            box.max[axis] += (float)test_random_below(&random, 3);
        }
        bool separated = false;
        for (int axis = SLI_SAT_BOX_X; axis <= SLI_SAT_Z_EDGE_20; axis++) {
            separated =
                separated || sli_triangle_aabb_sat_separates(&triangle, &box, (sli_sat_axis)axis);
        }
        if (!sl_aabb_is_empty(&box)) {
            assert_int_equal(separated, !oracle_lattice(&triangle, &box));
            assert_int_equal(sl_volume_overlaps_aabb(AS_TRIANGLE(&triangle), &box), !separated);
            apart += separated;
        }
    }
    assert_true(apart > 2000 && apart < 18000);
}

TEST(case_43_one_separating_axis_is_enough)
{
    /* Across the corner region: x + y = 3 in the plane z = 0, while the box reaches x + y = 2. Only
     * the cross products of z with the edge, and the normal, see that. */
    const sl_triangle triangle = { { { 3, 0, -5 }, { 0, 3, -5 }, { 1.5f, 1.5f, 9 } } };
    assert_false(document_says_apart(&triangle, 0, 12)); /* the document: they intersect */
    assert_false(sl_volume_overlaps_aabb(AS_TRIANGLE(&triangle), &unit));
    assert_false(oracle_clip(&triangle, &unit));
    assert_true(sli_triangle_aabb_sat_separates(&triangle, &unit, SLI_SAT_Z_EDGE_01));
    assert_true(sli_triangle_aabb_sat_separates(&triangle, &unit, SLI_SAT_NORMAL));
    assert_false(sli_triangle_aabb_sat_separates(&triangle, &unit, SLI_SAT_BOX_X));
}

TEST(case_43_both_orders_name_their_first_axis_and_agree)
{
    const sl_triangle triangle = { { { 3, 0, -5 }, { 0, 3, -5 }, { 1.5f, 1.5f, 9 } } };
    assert_int_equal(sli_triangle_aabb_sat_axis(&triangle, &unit, SLI_SAT_ORDER_123),
                     SLI_SAT_NORMAL);
    assert_int_equal(sli_triangle_aabb_sat_axis(&triangle, &unit, SLI_SAT_ORDER_312),
                     SLI_SAT_Z_EDGE_01);
    assert_string_equal(sli_sat_axis_name(SLI_SAT_Z_EDGE_01), "z cross edge 01");
    assert_string_equal(sli_sat_axis_name(SLI_SAT_OVERLAP), "overlap");
    assert_string_equal(sli_sat_axis_name(SLI_SAT_INVALID), "invalid");
    assert_string_equal(sli_sat_axis_name(SLI_SAT_AXIS_COUNT), "?");
    test_random random = { 43 };
    bool seen[SLI_SAT_AXIS_COUNT] = { false };
    for (int i = 0; i < 50000; i++) {
        sl_triangle other;
        for (int corner = 0; corner < 9; corner++) {
            other.v[corner / 3][corner % 3] = test_random_in(&random, -4, 4);
        }
        const sli_sat_axis one = sli_triangle_aabb_sat_axis(&other, &unit, SLI_SAT_ORDER_123);
        const sli_sat_axis two = sli_triangle_aabb_sat_axis(&other, &unit, SLI_SAT_ORDER_312);
        assert_int_equal(one == SLI_SAT_OVERLAP, two == SLI_SAT_OVERLAP);
        assert_true(one == SLI_SAT_OVERLAP || sli_triangle_aabb_sat_separates(&other, &unit, one));
        assert_true(two == SLI_SAT_OVERLAP || sli_triangle_aabb_sat_separates(&other, &unit, two));
        seen[one] = true;
    }
    for (int axis = SLI_SAT_OVERLAP; axis <= SLI_SAT_Z_EDGE_20; axis++) {
        assert_true(seen[axis]); /* none of the thirteen is there for nothing */
    }
}

TEST(case_45_two_extents_do_for_three_vertices_and_eight_corners)
{
    test_random random = { 45 };
    int separated = 0;
    for (int i = 0; i < 20000; i++) {
        sl_triangle triangle;
        float low[3], high[3];
        for (int axis = 0; axis < 3; axis++) {
            for (int corner = 0; corner < 3; corner++) {
                triangle.v[corner][axis] = (float)test_random_below(&random, 9) - 4;
            }
            low[axis] = (float)test_random_below(&random, 5) - 2;
            high[axis] = (float)test_random_below(&random, 5) - 2;
        }
        const sl_aabb box = sl_aabb_from_corners(low, high);
        for (int axis = 0; axis < 13; axis++) {
            const bool got = sli_triangle_aabb_sat_separates(&triangle, &box,
                                                             (sli_sat_axis)(SLI_SAT_BOX_X + axis));
            assert_int_equal(got, oracle_separates(&triangle, &box, axis));
            separated += got;
        }
    }
    assert_true(separated > 10000);
    /* An edge along the box's: the axis is zero and separates nothing. */
    const sl_triangle far = { { { 5, 5, 5 }, { 7, 5, 5 }, { 5, 9, 5 } } };
    assert_false(sli_triangle_aabb_sat_separates(&far, &unit, SLI_SAT_X_EDGE_01));
    assert_true(sli_triangle_aabb_sat_separates(&far, &unit, SLI_SAT_BOX_X));
}

TEST(case_46_beyond_the_box_on_one_axis_is_apart)
{
    const sl_triangle beside = { { { 2, 0, 0 }, { 3, 0.5f, 0 }, { 2, 0, 0.5f } } };
    assert_true(document_axis_separates(&beside, 0));
    assert_false(
        document_says_apart(&beside, 0, 3)); /* the document: apart on x, y and z, or not at all */
    assert_false(sl_volume_overlaps_aabb(AS_TRIANGLE(&beside), &unit));
    assert_int_equal(sli_triangle_aabb_sat_axis(&beside, &unit, SLI_SAT_ORDER_123), SLI_SAT_BOX_X);
    for (int side = -1; side <= 1; side += 2) {
        for (int axis = 0; axis < 3; axis++) {
            sl_triangle turned;
            for (int i = 0; i < 3; i++) {
                for (int k = 0; k < 3; k++) {
                    turned.v[i][(k + axis) % 3] = (float)side * beside.v[i][k];
                }
            }
            assert_int_equal(sli_triangle_aabb_sat_axis(&turned, &unit, SLI_SAT_ORDER_123),
                             SLI_SAT_BOX_X + axis);
        }
    }
}

TEST(case_47_the_plane_separates_on_either_side)
{
    /* In the plane x + y + z = -4, with the normal pointing to (1, 1, 1): s = -4 |n|, r = 3 |n|. */
    const sl_triangle below = { { { -44, 20, 20 }, { 20, -44, 20 }, { 20, 20, -44 } } };
    float n[3];
    document_normal(&below, n);
    assert_true(n[0] > 0 && n[0] == n[1] && n[1] == n[2]);
    assert_false(document_plane_separates(&below)); /* the document: s > r without the sign */
    assert_int_equal(sli_triangle_aabb_sat_axis(&below, &unit, SLI_SAT_ORDER_123), SLI_SAT_NORMAL);
    assert_false(sl_volume_overlaps_aabb(AS_TRIANGLE(&below), &unit));
    /* The same triangle, wound the other way: now the document sees it. */
    const sl_triangle wound = { { { -44, 20, 20 }, { 20, 20, -44 }, { 20, -44, 20 } } };
    assert_true(document_plane_separates(&wound));
    assert_false(sl_volume_overlaps_aabb(AS_TRIANGLE(&wound), &unit));
    /* x + y + z = -3 goes through the corner, and touching counts. */
    const sl_triangle touching = { { { -43, 20, 20 }, { 20, -43, 20 }, { 20, 20, -43 } } };
    assert_true(sl_volume_overlaps_aabb(AS_TRIANGLE(&touching), &unit));
}

TEST(case_47_a_triangle_without_area_is_the_segment_or_point_it_is)
{
    /* From (-2, 1.5) to (1.5, -2): x + y = -0.5 passes through the box; shifted to x + y = 2.5,
     * not. */
    sl_triangle segment = { { { -2, 1.5f, 0 }, { 1.5f, -2, 0 }, { -0.25f, -0.25f, 0 } } };
    assert_false(sli_triangle_aabb_sat_separates(&segment, &unit, SLI_SAT_NORMAL));
    assert_true(sl_volume_overlaps_aabb(AS_TRIANGLE(&segment), &unit));
    for (int i = 0; i < 3; i++) {
        segment.v[i][0] += 3;
    }
    assert_false(sli_triangle_aabb_sat_separates(&segment, &unit, SLI_SAT_NORMAL));
    assert_false(sl_volume_overlaps_aabb(AS_TRIANGLE(&segment), &unit));
    const sl_triangle corner = { { { 1, 1, 1 }, { 1, 1, 1 }, { 1, 1, 1 } } };
    assert_true(sl_volume_overlaps_aabb(AS_TRIANGLE(&corner), &unit));
    const float beyond = nextafterf(1, 2);
    const sl_triangle outside = { { { 1, beyond, 1 }, { 1, beyond, 1 }, { 1, beyond, 1 } } };
    assert_false(sl_volume_overlaps_aabb(AS_TRIANGLE(&outside), &unit));
}

TEST(touching_in_one_point_counts_and_one_step_further_does_not)
{
    /* An edge of the triangle on an edge of the box, crossing it at (1, 1, 0). */
    sl_triangle triangle = { { { 2, 0, -1 }, { 0, 2, 1 }, { 9, 9, 0 } } };
    assert_true(sl_volume_overlaps_aabb(AS_TRIANGLE(&triangle), &unit));
    triangle.v[0][0] = nextafterf(2, 3);
    assert_false(sl_volume_overlaps_aabb(AS_TRIANGLE(&triangle), &unit));
    /* The box's corner on the triangle's plane, well inside. */
    sl_triangle plane = { { { 9, -3, -3 }, { -3, 9, -3 }, { -3, -3, 9 } } }; /* x + y + z = 3 */
    assert_true(sl_volume_overlaps_aabb(AS_TRIANGLE(&plane), &unit));
    plane.v[0][0] = nextafterf(9, 10);
    assert_false(sl_volume_overlaps_aabb(AS_TRIANGLE(&plane), &unit));
    /* A denormal step counts as well: above y = x, and a box with its corner at the origin below.
     */
    const sl_triangle diagonal = { { { -1, -1, 0 }, { 3, 3, 0 }, { -1, 1, 0 } } };
    sl_aabb quadrant = { { 0, -1, -1 }, { 1, 0, 1 } };
    assert_true(sl_volume_overlaps_aabb(AS_TRIANGLE(&diagonal), &quadrant));
    quadrant.max[1] = -0x1p-149f;
    assert_int_equal(sli_triangle_aabb_sat_axis(&diagonal, &quadrant, SLI_SAT_ORDER_123),
                     SLI_SAT_Z_EDGE_01);
}

TEST(what_is_not_a_triangle_or_a_box_overlaps_nothing)
{
    const sl_triangle good = { { { 0, 0, 0 }, { 1, 0, 0 }, { 0, 1, 0 } } };
    assert_true(sl_volume_overlaps_aabb(AS_TRIANGLE(&good), &unit));
    const float bad[2] = { NAN, INFINITY };
    for (int i = 0; i < 18; i++) {
        sl_triangle triangle = good;
        triangle.v[i / 6][i / 2 % 3] = bad[i % 2];
        assert_false(sl_volume_overlaps_aabb(AS_TRIANGLE(&triangle), &unit));
        assert_int_equal(sli_triangle_aabb_sat_axis(&triangle, &unit, SLI_SAT_ORDER_123),
                         SLI_SAT_INVALID);
        assert_false(sli_triangle_aabb_sat_separates(&triangle, &unit, SLI_SAT_BOX_X));
    }
    const sl_aabb empty = sl_aabb_empty(), inverted = { { -1, 1, -1 }, { 1, -1, 1 } };
    const sl_aabb nan = { { -1, -1, NAN }, { 1, 1, 1 } };
    assert_false(sl_volume_overlaps_aabb(AS_TRIANGLE(&good), &empty));
    assert_false(sl_volume_overlaps_aabb(AS_TRIANGLE(&good), &inverted));
    assert_false(sl_volume_overlaps_aabb(AS_TRIANGLE(&good), &nan));
    assert_false(sli_triangle_aabb_sat_separates(&good, &unit, SLI_SAT_OVERLAP));
    assert_false(sli_triangle_aabb_sat_separates(&good, &unit, SLI_SAT_INVALID));
}

TEST(an_unbounded_box_is_the_limit_of_large_ones)
{
    test_random random = { 48 };
    int overlaps = 0;
    for (int i = 0; i < 20000; i++) {
        sl_triangle triangle;
        sl_aabb unbounded = unit, large = unit;
        for (int axis = 0; axis < 3; axis++) {
            for (int corner = 0; corner < 3; corner++) {
                triangle.v[corner][axis] = (float)test_random_below(&random, 9) - 4;
            }
            if (test_random_below(&random, 2) != 0) {
                unbounded.min[axis] = -INFINITY;
                large.min[axis] = -10; /* past all vertices */
            }
            if (test_random_below(&random, 2) != 0) {
                unbounded.max[axis] = INFINITY;
                large.max[axis] = 10;
            }
        }
        const bool overlap = oracle_lattice(&triangle, &large);
        assert_int_equal(sl_volume_overlaps_aabb(AS_TRIANGLE(&triangle), &unbounded), overlap);
        overlaps += overlap;
    }
    assert_true(overlaps > 1000 && overlaps < 19000);
    /* An endless column, and an upright triangle in x + y = 3: its normal does not point to where
     * the column has no corner. */
    const sl_aabb column = { { -1, -1, -INFINITY }, { 1, 1, INFINITY } };
    const sl_triangle upright = { { { 3, 0, -5 }, { 0, 3, -5 }, { 1.5f, 1.5f, 9 } } };
    assert_true(sli_triangle_aabb_sat_separates(&upright, &column, SLI_SAT_NORMAL));
    assert_true(sli_triangle_aabb_sat_separates(&upright, &column, SLI_SAT_Z_EDGE_01));
    assert_false(sli_triangle_aabb_sat_separates(&upright, &column, SLI_SAT_X_EDGE_20));
}

TEST(the_callers_rounding_mode_changes_nothing)
{
    const int modes[4] = { FE_TONEAREST, FE_UPWARD, FE_DOWNWARD, FE_TOWARDZERO };
    const float tiny = 0x1p-80f; /* lost in any sum here */
    for (int sign = -1; sign <= 1; sign++) {
        /* The triangle's edge crosses the box's edge x = y = 1, moved by very little. */
        const float move = (float)sign * tiny;
        const sl_triangle triangle = { { { 0, 3, -1 }, { 3, 0, 1 }, { 9, 9, 0 } } };
        const sl_aabb box = { { -1, -1, -1 }, { 3, move, 1 } };
        for (int mode = 0; mode < 4; mode++) {
            fesetround(modes[mode]);
            const bool overlap = sl_volume_overlaps_aabb(AS_TRIANGLE(&triangle), &box);
            fesetround(FE_TONEAREST);
            assert_int_equal(overlap, sign >= 0);
        }
    }
}
