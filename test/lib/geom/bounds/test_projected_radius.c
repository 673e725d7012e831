/* How far boxes reach, and the boxes around turned ones: by hand, and over all corners in
 * fractions.
 * SIGHTLINE_TEST_SCALE=10 tries 200,000 cases a question and more. */
#include "test/support/hard/floats.h"
#include "test/support/oracle/fraction.h"
#include "test/support/test.h"

static const sl_obb upright = { { 0 }, { { 1, 0, 0 }, { 0, 1, 0 }, { 0, 0, 1 } }, { 1, 2, 3 } };

/* Half extents 1, 2, 3: along (1,1,1), 6 / sqrt(3); along (0,3,4), (6 + 12) / 5. */
TEST(case_48_the_radius_is_a_sum_over_the_axes)
{
    const sl_aabb box = { .min = { 4, 4, 4 }, .max = { 6, 8, 10 } };
    const float one[3] = { 1, 1, 1 }, two[3] = { 0, -3, 4 };
    assert_true(sl_aabb_radius(&box, one).radius == (float)(6 / sqrt(3)));
    assert_true(sl_aabb_radius(&box, one).sum == 6);
    assert_true(sl_aabb_radius(&box, two).radius == 18.0f / 5);
    assert_true(sl_obb_radius(&upright, two).radius == 18.0f / 5);
    assert_true(sl_obb_radius(&upright, two).sum == 18);
}

static bool same_bits(float a, float b)
{
    return memcmp(&a, &b, sizeof a) == 0;
}

/* The largest |n . (corner - centre)| over the eight corners centre +- e0 u0 +- e1 u1 +- e2 u2. */
static fraction over_corners(const sl_obb *box, fraction3 n)
{
    fraction most = fraction_of(0);
    for (int corner = 0; corner < 8; corner++) {
        fraction along = fraction_of(0);
        for (int i = 0; i < 3; i++) {
            fraction step = fraction_mul(fraction_of(box->half[i]),
                                         fraction3_dot(n, fraction3_of(box->axis[i])));
            along = (corner >> i & 1) != 0 ? fraction_add(along, step) : fraction_sub(along, step);
        }
        most = fraction_compare(fraction_abs(along), most) > 0 ? fraction_abs(along) : most;
    }
    return most;
}

static fraction over_aabb_corners(const sl_aabb *box, fraction3 n)
{
    fraction most = fraction_of(0);
    const fraction3 low = fraction3_of(box->min), high = fraction3_of(box->max);
    const fraction3 centre = fraction3_mul(fraction3_add(low, high), fraction_of(0.5));
    for (int i = 0; i < 8; i++) {
        fraction3 corner = low;
        for (int axis = 0; axis < 3; axis++) {
            corner.x[axis] = (i >> axis & 1) != 0 ? high.x[axis] : low.x[axis];
        }
        fraction along = fraction_abs(fraction3_dot(n, fraction3_sub(corner, centre)));
        most = fraction_compare(along, most) > 0 ? along : most;
    }
    return most;
}

static bool is_radius(float sum, float radius, fraction most, fraction3 n)
{
    fraction size = fraction3_dot(n, n);
    return same_bits(sum, fraction_round(most)) &&
           fraction_is_root(radius, fraction_div(fraction_mul(most, most), size));
}

TEST(case_48_the_radius_is_the_farthest_of_eight_corners)
{
    test_random random = { 331 };
    size_t asked = 0;
    const size_t rounds = test_count(25000);
    for (size_t i = 0; i < rounds; i++) {
        float x[18];
        hard_floats(&random, i, x, 18);
        const float *n = x + 15;
        sl_obb box;
        memcpy(&box, x, sizeof box);
        for (int j = 0; j < 3; j++) {
            box.half[j] = fabsf(box.half[j]);
        }
        const sl_aabb aabb = sl_aabb_from_corners(x, x + 3);
        if (n[0] == 0 && n[1] == 0 && n[2] == 0) {
            assert_true(sl_obb_radius(&box, n).radius == 0 && sl_aabb_radius(&aabb, n).radius == 0);
            continue;
        }
        fraction_reset();
        const fraction3 along = fraction3_of(n);
        assert_true(is_radius(sl_obb_radius(&box, n).sum, sl_obb_radius(&box, n).radius,
                              over_corners(&box, along), along));
        assert_true(is_radius(sl_aabb_radius(&aabb, n).sum, sl_aabb_radius(&aabb, n).radius,
                              over_aabb_corners(&aabb, along), along));
        asked++;
    }
    print_message("seed 331: %zu axes\n", asked);
    assert_true(asked > rounds / 2);
}

TEST(case_48_what_has_no_radius_has_0)
{
    const float n[3] = { 1, 0, 0 }, zero[3] = { 0, 0, 0 }, bad[3] = { 1, NAN, 0 };
    const sl_aabb empty = sl_aabb_empty();
    const sl_aabb open = { .min = { 0, 0, 0 }, .max = { 1, INFINITY, 1 } };
    const float across[3] = { 0, 1, 0 };
    sl_obb wrong = upright;
    wrong.half[1] = -1;
    assert_true(sl_aabb_radius(&empty, n).radius == 0 && sl_aabb_radius(&empty, n).sum == 0);
    assert_true(sl_obb_radius(&upright, zero).radius == 0 &&
                sl_obb_radius(&upright, bad).radius == 0);
    assert_true(sl_obb_radius(&wrong, n).radius == 0 && sl_obb_radius(&wrong, n).sum == 0);
    assert_true(sl_aabb_radius(&open, n).radius == 0.5f &&
                isinf(sl_aabb_radius(&open, across).radius));
}

/* A quarter turn about z of a box at (2 .. 4, 0 .. 1): x' = -y, y' = x. */
TEST(case_54_a_turned_objects_box_is_made_anew)
{
    const sl_aabb box = { .min = { 2, 0, 5 }, .max = { 4, 1, 6 } };
    const float turn[16] = { 0, 1, 0, 0, -1, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1 };
    const sl_aabb turned = sl_aabb_transform(&box, turn);
    const sl_aabb right = { .min = { -1, 2, 5 }, .max = { 0, 4, 6 } };
    assert_memory_equal(&turned, &right, sizeof right);
    const sl_obb diamond = { { 1, 1, 1 }, { { 1, 1, 0 }, { -1, 1, 0 }, { 0, 0, 1 } }, { 1, 1, 2 } };
    const sl_aabb around = sl_aabb_of_obb(&diamond);
    const sl_aabb diamonds = { .min = { -1, -1, -1 }, .max = { 3, 3, 3 } };
    assert_memory_equal(&around, &diamonds, sizeof around);
}

/* Holds low .. high, and would not if any bound were the next float inwards. */
static bool is_tight(float min, float max, fraction low, fraction high)
{
    const float up = nextafterf(min, INFINITY), down = nextafterf(max, -INFINITY);
    const bool holds = (isinf(min) || fraction_compare(fraction_of(min), low) <= 0) &&
                       (isinf(max) || fraction_compare(fraction_of(max), high) >= 0);
    return holds && (isinf(up) || fraction_compare(fraction_of(up), low) > 0) &&
           (isinf(down) || fraction_compare(fraction_of(down), high) < 0);
}

TEST(case_54_boxes_around_turned_boxes_hold_all_corners_and_no_more)
{
    test_random random = { 332 };
    size_t fits = 0;
    const size_t rounds = test_count(10000);
    for (size_t i = 0; i < rounds; i++) {
        float m[16], x[6];
        hard_floats(&random, i, m, 16);
        hard_floats(&random, i, x, 6);
        const sl_aabb box = sl_aabb_from_corners(x, x + 3);
        sl_obb obb = { .half = { fabsf(x[0]), fabsf(x[1]), fabsf(x[2]) } };
        memcpy(obb.centre, m, 12);
        memcpy(obb.axis, m + 3, 36);
        const sl_aabb image = sl_aabb_transform(&box, m), around = sl_aabb_of_obb(&obb);
        fraction_reset();
        for (int row = 0; row < 3; row++) {
            fraction low = NULL, high = NULL, reach = fraction_of(0);
            for (int corner = 0; corner < 8; corner++) {
                fraction y = fraction_of(m[12 + row]);
                for (int axis = 0; axis < 3; axis++) {
                    const float c = (corner >> axis & 1) != 0 ? box.max[axis] : box.min[axis];
                    y = fraction_add(y,
                                     fraction_mul(fraction_of(m[4 * axis + row]), fraction_of(c)));
                }
                low = low == NULL || fraction_compare(y, low) < 0 ? y : low;
                high = high == NULL || fraction_compare(y, high) > 0 ? y : high;
            }
            assert_true(is_tight(image.min[row], image.max[row], low, high));
            fraction3 along = { { fraction_of(row == 0), fraction_of(row == 1),
                                  fraction_of(row == 2) } };
            reach = over_corners(&obb, along);
            fraction centre = fraction_of(obb.centre[row]);
            assert_true(is_tight(around.min[row], around.max[row], fraction_sub(centre, reach),
                                 fraction_add(centre, reach)));
            fits++;
        }
    }
    print_message("seed 332: %zu sides\n", fits);
}

TEST(boxes_that_are_not_valid_give_the_empty_box)
{
    float m[16] = { 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1 };
    const sl_aabb box = { .min = { 0, 0, 0 }, .max = { 1, 1, 1 } }, empty = sl_aabb_empty();
    m[3] = NAN; /* the last row is not looked at */
    sl_aabb image = sl_aabb_transform(&box, m);
    assert_memory_equal(&image, &box, sizeof box);
    image = sl_aabb_transform(&empty, m);
    assert_true(sl_aabb_is_empty(&image));
    m[13] = NAN;
    image = sl_aabb_transform(&box, m);
    assert_true(sl_aabb_is_empty(&image));
    sl_obb wrong = upright;
    wrong.axis[2][2] = INFINITY;
    image = sl_aabb_of_obb(&wrong);
    assert_true(sl_aabb_is_empty(&image));
}

/* Half unbounded: what a 0 in the matrix leaves out is not there, the rest is infinite. */
TEST(unbounded_boxes_stay_unbounded)
{
    const float m[16] = { 0, -2, 0, 0, 1, 0, 0, 0, 0, 0, 1, 0, 5, 0, 0, 1 };
    const sl_aabb box = { .min = { 0, 0, 0 }, .max = { INFINITY, 1, 1 } };
    const sl_aabb image = sl_aabb_transform(&box, m);
    assert_true(image.min[0] == 5 && image.max[0] == 6);
    assert_true(image.min[1] == -INFINITY && image.max[1] == 0);
}

/* Beyond the floats on one side: from the largest float to infinity, not empty. */
TEST(boxes_beyond_the_floats_are_not_empty)
{
    const float m[16] = { 4, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1 };
    const sl_aabb box = { .min = { FLT_MAX, 0, 0 }, .max = { FLT_MAX, 1, 1 } };
    const sl_aabb image = sl_aabb_transform(&box, m);
    assert_true(image.min[0] == FLT_MAX && image.max[0] == INFINITY);
}
