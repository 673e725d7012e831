/* Closest points by hand, and what is not valid. */
#include "test/support/test.h"

#include <fenv.h>

static bool is_at(const float x[3], float a, float b, float c)
{
    return x[0] == a && x[1] == b && x[2] == c;
}

static const sl_aabb unit = { .min = { 0, 0, 0 }, .max = { 1, 1, 1 } };

/* Beyond a face, an edge and a corner of the unit box: 2; 3, 4, 5; 1, 2, 2, 3. */
TEST(case_27_a_box_is_clamped_to_on_each_axis)
{
    sl_closest c;
    assert_true(sl_aabb_closest(&unit, (float[3]){ 0.25f, 0.5f, -2 }, &c));
    assert_true(is_at(c.point, 0.25f, 0.5f, 0) && c.distance == 2);
    assert_true(sl_aabb_closest(&unit, (float[3]){ 4, 0.5f, -4 }, &c));
    assert_true(is_at(c.point, 1, 0.5f, 0) && c.distance == 5);
    assert_true(sl_aabb_closest(&unit, (float[3]){ 2, 3, -2 }, &c));
    assert_true(is_at(c.point, 1, 1, 0) && c.distance == 3);
}

/* The document's answer for a point inside, P itself; and the one of the surface. */
TEST(case_27_inside_is_itself_or_the_nearest_face)
{
    const float p[3] = { 0.25f, 0.5f, 0.875f };
    sl_closest solid, surface;
    assert_true(sl_aabb_closest(&unit, p, &solid));
    assert_true(is_at(solid.point, 0.25f, 0.5f, 0.875f) && solid.distance == 0);
    assert_true(sl_aabb_surface_closest(&unit, p, &surface));
    assert_true(is_at(surface.point, 0.25f, 0.5f, 1) && surface.distance == 0.125f);
    assert_true(sl_aabb_surface_closest(&unit, (float[3]){ 0.5f, 0.5f, 0.5f }, &surface));
    assert_true(is_at(surface.point, 0, 0.5f, 0.5f) && surface.distance == 0.5f);
    assert_true(sl_aabb_surface_closest(&unit, (float[3]){ 3, 0.5f, 0.5f }, &surface));
    assert_true(is_at(surface.point, 1, 0.5f, 0.5f) && surface.distance == 2);
}

/* The document silently takes min where min > max, and lets a NaN pass. */
TEST(case_27_an_empty_box_and_a_nan_are_refused)
{
    sl_closest c = { .distance = 7 };
    const sl_aabb inverted = { .min = { 0, 2, 0 }, .max = { 1, 1, 1 } };
    const sl_aabb with_nan = { .min = { 0, NAN, 0 }, .max = { 1, 1, 1 } };
    const float p[3] = { 3, 3, 3 }, bad[3] = { 0.5f, NAN, 0.5f }, off[3] = { 0, 0, INFINITY };
    assert_false(sl_aabb_closest(&inverted, p, &c));
    assert_false(sl_aabb_closest(&with_nan, p, &c));
    assert_false(sl_aabb_closest(&unit, bad, &c));
    assert_false(sl_aabb_closest(&unit, off, &c));
    assert_false(sl_aabb_surface_closest(&inverted, p, &c));
    assert_false(sl_aabb_surface_closest(&unit, bad, &c));
    assert_true(c.distance == 7);
}

TEST(unbounded_boxes_have_the_faces_they_have)
{
    const sl_aabb half_space = { .min = { -INFINITY, -INFINITY, -INFINITY },
                                 .max = { INFINITY, INFINITY, 1 } };
    const sl_aabb everything = { .min = { -INFINITY, -INFINITY, -INFINITY },
                                 .max = { INFINITY, INFINITY, INFINITY } };
    sl_closest c;
    assert_true(sl_aabb_closest(&half_space, (float[3]){ 5, 6, 4 }, &c));
    assert_true(is_at(c.point, 5, 6, 1) && c.distance == 3);
    assert_true(sl_aabb_surface_closest(&half_space, (float[3]){ 5, 6, -4 }, &c));
    assert_true(is_at(c.point, 5, 6, 1) && c.distance == 5);
    assert_true(sl_aabb_closest(&everything, (float[3]){ 5, 6, -4 }, &c));
    assert_true(c.distance == 0);
    assert_false(sl_aabb_surface_closest(&everything, (float[3]){ 5, 6, -4 }, &c));
}

/* From (0,0,0) to (4,0,0): over its middle 3 up; past its end by 3, and 4 up. */
TEST(segments_end_where_they_end)
{
    const sl_segment s = { { 0, 0, 0 }, { 4, 0, 0 } }, none = { { 1, 1, 1 }, { 1, 1, 1 } };
    sl_closest c;
    assert_true(sl_segment_closest(&s, (float[3]){ 1, 3, 0 }, &c));
    assert_true(is_at(c.point, 1, 0, 0) && c.distance == 3 && c.u == 0.25f && c.v == 0);
    assert_true(sl_segment_closest(&s, (float[3]){ 7, 4, 0 }, &c));
    assert_true(is_at(c.point, 4, 0, 0) && c.distance == 5 && c.u == 1);
    assert_true(sl_segment_closest(&none, (float[3]){ 1, 1, 3 }, &c));
    assert_true(is_at(c.point, 1, 1, 1) && c.distance == 2 && c.u == 0);
}

/* The right angle at (0,0,0), legs of 4 along x and y; each of the seven regions. */
TEST(triangles_have_seven_regions)
{
    const sl_triangle t = { { { 0, 0, 0 }, { 4, 0, 0 }, { 0, 4, 0 } } };
    static const struct {
        float from[3], to[3], distance, u, v;
    } cases[7] = {
        { { 1, 2, 5 }, { 1, 2, 0 }, 5, 0.25f, 0.5f }, { { 1, -3, 4 }, { 1, 0, 0 }, 5, 0.25f, 0 },
        { { -3, 2, -4 }, { 0, 2, 0 }, 5, 0, 0.5f },   { { 5, 5, 0 }, { 2, 2, 0 }, 0, 0.5f, 0.5f },
        { { -3, -4, 0 }, { 0, 0, 0 }, 5, 0, 0 },      { { 7, -1, 4 }, { 4, 0, 0 }, 0, 1, 0 },
        { { -2, 6, 1 }, { 0, 4, 0 }, 3, 0, 1 },
    };
    for (int i = 0; i < 7; i++) {
        sl_closest c;
        assert_true(sl_triangle_closest(&t, cases[i].from, &c));
        assert_true(is_at(c.point, cases[i].to[0], cases[i].to[1], cases[i].to[2]));
        assert_true(c.u == cases[i].u && c.v == cases[i].v);
        const float right = i == 3 ? sqrtf(18) : i == 5 ? sqrtf(26) : cases[i].distance;
        assert_true(c.distance == right);
    }
}

/* 3x + 4y = 10, the normal 5 long: (5, 5) is (15 + 20 - 10) / 5 = 5 in front of it. */
TEST(planes_need_no_unit_normal)
{
    const sl_plane plane = { { 3, 4, 0 }, 10 };
    sl_closest c;
    assert_true(sl_plane_closest(&plane, (float[3]){ 5, 5, 2 }, &c));
    assert_true(is_at(c.point, 2, 1, 2) && c.distance == 5);
    assert_true(sl_plane_distance(&plane, (float[3]){ 5, 5, 2 }) == 5);
    assert_true(sl_plane_distance(&plane, (float[3]){ -1, -3, 0 }) == -5);
    const float on = sl_plane_distance(&plane, (float[3]){ 2, 1, 7 });
    assert_true(on == 0 && !signbit(on));
}

/* A half turn of 45 degrees is not representable, but axes of length sqrt(2) are: (1,1,0),
 * (-1,1,0). With half 1 the corners are at (0,2), (2,0), (0,-2), (-2,0).  (3,3) is nearest at
 * (1,1). */
TEST(oriented_boxes_need_no_unit_axes)
{
    const sl_obb box = { { 0, 0, 0 }, { { 1, 1, 0 }, { -1, 1, 0 }, { 0, 0, 1 } }, { 1, 1, 1 } };
    sl_closest c;
    assert_true(sl_obb_closest(&box, (float[3]){ 3, 3, 0 }, &c));
    assert_true(is_at(c.point, 1, 1, 0) && c.distance == sqrtf(8));
    assert_true(sl_obb_closest(&box, (float[3]){ 1, 1, 0.5f }, &c));
    assert_true(is_at(c.point, 1, 1, 0.5f) && c.distance == 0);
    assert_true(sl_obb_closest(&box, (float[3]){ 5, 0, 5 }, &c));
    assert_true(is_at(c.point, 2, 0, 1) && c.distance == 5);
}

/* Sheared: x' = x + y.  Clamping in the frame, as for right angles, would put (0, 3) at (0, 1),
 * where the box holds only 0 <= x at y = 1; so does the corner of the true answer. */
TEST(sheared_boxes_are_what_they_are)
{
    const sl_obb box = { { 0, 0, 0 }, { { 1, 0, 0 }, { 1, 1, 0 }, { 0, 0, 1 } }, { 1, 1, 1 } };
    sl_closest c;
    assert_true(sl_obb_closest(&box, (float[3]){ -2, 1, 0 }, &c));
    /* the left edge runs from (-2,-1) to (0,1); the projection of (-2,1) on x - y = -1 is (-1,0) */
    assert_true(is_at(c.point, -1, 0, 0) && c.distance == sqrtf(2));
    const sl_obb flat = { { 0, 0, 0 }, { { 1, 0, 0 }, { 2, 0, 0 }, { 0, 0, 0 } }, { 1, 1, 1 } };
    assert_true(sl_obb_closest(&flat, (float[3]){ 7, 3, 0 }, &c)); /* -3 .. 3 on the x axis */
    assert_true(is_at(c.point, 3, 0, 0) && c.distance == 5);
}

/* The upper face's normal is a0 x a1 = (2^-298, -2^-22, 2^254): nearly z, and a hair longer than
 * its z. The point is 2^126 + 3 * 2^102 above the middle of the box, halfway between two floats, of
 * which the even one is above; divided by the normal's length it is below by one part in 2^553. The
 * height times that length has a component of 2^-596, too, whose square is beyond the range of
 * doubles. */
TEST(heights_are_rounded_right_at_all_sizes)
{
    const sl_obb box = {
        { 0, 0, -0x3p102f },
        { { 0x1p127f, 0x1p-149f, 0 }, { 0, 0x1p127f, 0x1p-149f }, { 0x1p-149f, 0, 0 } },
        { 1, 1, 0x1p-149f }
    };
    sl_closest c;
    assert_true(sl_obb_closest(&box, (float[3]){ 0, 0, 0x1p126f }, &c));
    assert_true(c.distance == 0x1p126f + 0x1p103f);
}

TEST(invalid_shapes_and_points_are_refused)
{
    const float p[3] = { 1, 2, 3 };
    sl_closest c = { .distance = 7 };
    for (int i = 0; i < 3; i++) {
        const float bad = i == 0 ? NAN : i == 1 ? INFINITY : -INFINITY;
        const float off[3] = { 0, bad, 0 };
        const sl_segment segment = { { 0, 0, 0 }, { 1, 0, bad } }, fine = { { 0 }, { 1, 0, 0 } };
        const sl_triangle t = { { { 0, 0, 0 }, { bad, 0, 0 }, { 0, 1, 0 } } };
        const sl_plane plane = { { 0, 0, 1 }, bad }, tilted = { { bad, 0, 1 }, 0 };
        sl_obb box = { { 0 }, { { 1, 0, 0 }, { 0, 1, 0 }, { 0, 0, 1 } }, { 1, 1, bad } };
        assert_false(sl_segment_closest(&segment, p, &c));
        assert_false(sl_segment_closest(&fine, off, &c));
        assert_false(sl_triangle_closest(&t, p, &c));
        assert_false(sl_plane_closest(&plane, p, &c));
        assert_false(sl_plane_closest(&tilted, p, &c));
        assert_true(isnan(sl_plane_distance(&plane, p)));
        assert_false(sl_obb_closest(&box, p, &c));
        box.half[2] = -FLT_TRUE_MIN;
        assert_false(sl_obb_closest(&box, p, &c));
        box.half[2] = 1;
        box.axis[1][2] = bad;
        assert_false(sl_obb_closest(&box, p, &c));
    }
    const sl_plane none = { { 0, 0, 0 }, 0 };
    assert_false(sl_plane_closest(&none, p, &c));
    assert_true(c.distance == 7);
}

/* The corners of space are further apart than the largest float. */
TEST(a_distance_beyond_the_floats_is_infinite)
{
    const sl_segment s = { { FLT_MAX, FLT_MAX, FLT_MAX }, { FLT_MAX, FLT_MAX, 0 } };
    sl_closest c;
    assert_true(sl_segment_closest(&s, (float[3]){ -FLT_MAX, -FLT_MAX, -FLT_MAX }, &c));
    assert_true(isinf(c.distance) && is_at(c.point, FLT_MAX, FLT_MAX, 0));
}

/* Upwards, a third plus a third would be one ulp more. */
TEST(the_callers_rounding_mode_does_not_matter)
{
    const sl_triangle t = { { { 0.1f, 0, 0.3f }, { 4, 0.7f, 0 }, { 0.9f, 4, 1 } } };
    const sl_obb box = { { 0.1f, 0, 0 },
                         { { 1, 0.1f, 0 }, { 0, 1, 0.3f }, { 0, 0, 1 } },
                         { 1, 1, 1 } };
    const float p[3] = { 3, 3.3f, 7 };
    sl_closest one[2], two[2];
    assert_true(sl_triangle_closest(&t, p, &one[0]) && sl_obb_closest(&box, p, &one[1]));
    assert_int_equal(fesetround(FE_UPWARD), 0);
    const bool found = sl_triangle_closest(&t, p, &two[0]) && sl_obb_closest(&box, p, &two[1]);
    fesetround(FE_TONEAREST);
    assert_true(found && memcmp(one, two, sizeof one) == 0);
}
