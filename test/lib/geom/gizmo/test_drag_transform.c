/* Transforms moved, turned and scaled, and quaternions of turns. */
#include "lib/geom/transform/transform.h"
#include "test/support/test.h"

enum { SEED = 20261126, ROUNDS = 5000 };

static const double pi = 3.14159265358979323846;

static sl_transform random_place(test_random *random)
{
    sl_transform transform;
    for (int i = 0; i < 3; i++) {
        for (int k = 0; k < 4; k++) {
            transform.m[i][k] = test_random_in_d(random, -3, 3);
        }
    }
    return transform;
}

static void at(const sl_transform *transform, const double point[3], double out[3])
{
    for (int i = 0; i < 3; i++) {
        const double *row = transform->m[i];
        out[i] = row[0] * point[0] + row[1] * point[1] + row[2] * point[2] + row[3];
    }
}

TEST(nothing_leaves_a_place_as_it_is)
{
    test_random random = { SEED };
    const double none[3] = { 0, 0, 0 }, still[4] = { 0, 0, 0, 1 }, centre[3] = { 0.1, 0.7, -3 };
    const double axis[3] = { 1, 2, 3 };
    for (int i = 0; i < 100; i++) {
        const sl_transform transform = random_place(&random);
        sl_transform made;
        assert_true(sli_transform_moved(&transform, none, &made));
        assert_memory_equal(&made, &transform, sizeof made);
        assert_true(sl_transform_turned(&transform, centre, still, &made));
        assert_memory_equal(&made, &transform, sizeof made);
        assert_true(sl_transform_scaled(&transform, centre, NULL, 1, &made));
        assert_memory_equal(&made, &transform, sizeof made);
        assert_true(sl_transform_scaled(&transform, centre, axis, 1, &made));
        assert_memory_equal(&made, &transform, sizeof made);
    }
}

/* By Rodrigues' formula, with the C library's sine and cosine. */
TEST(turns_are_about_the_axis_through_the_centre)
{
    test_random random = { SEED };
    for (int i = 0; i < ROUNDS; i++) {
        const sl_transform transform = random_place(&random);
        sl_transform made;
        double axis[3], centre[3], point[3], q[4], was[3], is[3], size = 0, along = 0;
        for (int k = 0; k < 3; k++) {
            axis[k] = test_random_in_d(&random, -1, 1);
            centre[k] = test_random_in_d(&random, -5, 5);
            point[k] = test_random_in_d(&random, -5, 5);
            size += axis[k] * axis[k];
        }
        const double angle =
            i % 4 == 0 ? (i % 16) * (pi / 2) : test_random_in_d(&random, -1000, 1000);
        assert_true(sl_turn_about(axis, angle, q));
        assert_true(fabs(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3] - 1) < 1e-14);
        assert_true(sl_transform_turned(&transform, centre, q, &made));
        at(&transform, point, was);
        at(&made, point, is);
        for (int k = 0; k < 3; k++) {
            axis[k] /= sqrt(size);
            was[k] -= centre[k];
            along += axis[k] * was[k];
        }
        for (int k = 0; k < 3; k++) {
            const int m = (k + 1) % 3, n = (k + 2) % 3;
            const double cross = axis[m] * was[n] - axis[n] * was[m];
            const double turned =
                was[k] * cos(angle) + cross * sin(angle) + axis[k] * along * (1 - cos(angle));
            assert_true(fabs(is[k] - (centre[k] + turned)) < 1e-11);
        }
    }
}

TEST(quarter_turns_are_exact)
{
    const double z[3] = { 0, 0, 5 }, centre[3] = { 1, 0, 0 }, origin[3] = { 0, 0, 0 };
    const sl_transform identity = sl_transform_identity();
    const double expected[4][2] = { { 0, 0 }, { 1, -1 }, { 2, 0 }, { 1, 1 } };
    for (int i = -9; i <= 9; i++) {
        double q[4], is[3];
        sl_transform made;
        assert_true(sl_turn_about(z, i * (pi / 2), q));
        assert_true(sl_transform_turned(&identity, centre, q, &made));
        at(&made, origin, is);
        assert_true(is[0] == expected[(i + 12) % 4][0] && is[1] == expected[(i + 12) % 4][1]);
    }
}

TEST(the_shortest_turn_takes_one_direction_to_the_other)
{
    test_random random = { SEED };
    const sl_transform identity = sl_transform_identity();
    for (int i = 0; i < ROUNDS; i++) {
        double from[3], to[3], q[4], is[3], size[2] = { 0 };
        const double origin[3] = { 0, 0, 0 };
        sl_transform made;
        for (int k = 0; k < 3; k++) {
            from[k] = test_random_in_d(&random, -1, 1);
            to[k] = i % 5 == 0   ? -from[k]
                    : i % 5 == 1 ? from[k] * -3 + test_random_in_d(&random, -1e-9, 1e-9)
                    : i % 5 == 2 ? from[k] * 2
                                 : test_random_in_d(&random, -1, 1);
            size[0] += from[k] * from[k];
            size[1] += to[k] * to[k];
        }
        assert_true(sl_turn_between(from, to, q));
        assert_true(sl_transform_turned(&identity, origin, q, &made));
        at(&made, from, is);
        for (int k = 0; k < 3; k++) {
            assert_true(fabs(is[k] / sqrt(size[0]) - to[k] / sqrt(size[1])) < 1e-11);
        }
        if (i % 5 == 2) {
            assert_true(q[3] == 1);
        }
    }
}

TEST(scales_keep_the_centre_and_what_is_across)
{
    test_random random = { SEED };
    for (int i = 0; i < ROUNDS; i++) {
        const sl_transform transform = random_place(&random);
        sl_transform made, along;
        double axis[3], centre[3], point[3], was[3], is[3], one[3], size = 0, height = 0;
        for (int k = 0; k < 3; k++) {
            axis[k] = test_random_in_d(&random, -1, 1);
            centre[k] = test_random_in_d(&random, -5, 5);
            point[k] = test_random_in_d(&random, -5, 5);
            size += axis[k] * axis[k];
        }
        const double factor = test_random_in_d(&random, -2, 3);
        assert_true(sl_transform_scaled(&transform, centre, NULL, factor, &made));
        assert_true(sl_transform_scaled(&transform, centre, axis, factor, &along));
        at(&transform, point, was);
        at(&made, point, is);
        at(&along, point, one);
        for (int k = 0; k < 3; k++) {
            height += (was[k] - centre[k]) * axis[k] / size;
        }
        for (int k = 0; k < 3; k++) {
            assert_true(fabs(is[k] - (centre[k] + factor * (was[k] - centre[k]))) < 1e-12);
            assert_true(fabs(one[k] - (was[k] + (factor - 1) * height * axis[k])) < 1e-11);
        }
    }
}

TEST(what_is_not_finite_is_refused)
{
    const sl_transform identity = sl_transform_identity();
    const double bad[4] = { 0, NAN, 0, 1 }, zero[4] = { 0 }, one[4] = { 1, 1, 1, 1 };
    sl_transform made = identity, broken = identity;
    double q[4] = { 7, 7, 7, 7 };
    broken.m[1][2] = INFINITY;
    assert_false(sli_transform_moved(&identity, bad, &made));
    assert_false(sli_transform_moved(&broken, one, &made));
    assert_false(sl_transform_turned(&identity, bad, one, &made));
    assert_false(sl_transform_turned(&identity, one, bad, &made));
    assert_false(sl_transform_turned(&identity, one, zero, &made));
    assert_false(sl_transform_turned(&broken, one, one, &made));
    assert_false(sl_transform_scaled(&identity, bad, NULL, 2, &made));
    assert_false(sl_transform_scaled(&identity, one, zero, 2, &made));
    assert_false(sl_transform_scaled(&identity, one, NULL, NAN, &made));
    assert_memory_equal(&made, &identity, sizeof made);
    assert_false(sl_turn_about(zero, 1, q));
    assert_false(sl_turn_about(one, INFINITY, q));
    assert_false(sl_turn_about(one, 1e7, q));
    assert_false(sl_turn_between(one, zero, q));
    assert_false(sl_turn_between(bad, one, q));
    assert_true(q[0] == 7 && q[3] == 7);
}
