/* Inverses, and points, vectors and normals in the object's space, against fractions: each
 * coordinate is the exact one rounded to the nearest double. */
#include "test/support/environment/callers_env.h"
#include "test/support/oracle/fraction.h"
#include "test/support/test.h"

#include <sightline/transform.h>

/* Whether x is the double nearest to exact, by its neighbours. */
static bool is_nearest(double x, fraction exact)
{
    fraction off = fraction_abs(fraction_sub(fraction_of(x), exact));
    const double around[2] = { nextafter(x, INFINITY), nextafter(x, -INFINITY) };
    for (int i = 0; i < 2; i++) {
        fraction other = fraction_abs(fraction_sub(fraction_of(around[i]), exact));
        if (fraction_compare(other, off) < 0) {
            return false;
        }
    }
    return true;
}

/* Solves linear part x = y; false if it has no inverse. */
static bool solve(const sl_transform *transform, fraction y[3], fraction x[3])
{
    fraction c[3][3], det = fraction_of(0);
    for (int i = 0; i < 9; i++) {
        const int r = i / 3, k = i % 3, r1 = (r + 1) % 3, r2 = (r + 2) % 3;
        const int k1 = (k + 1) % 3, k2 = (k + 2) % 3;
        c[r][k] = fraction_sub(
            fraction_mul(fraction_of(transform->m[r1][k1]), fraction_of(transform->m[r2][k2])),
            fraction_mul(fraction_of(transform->m[r1][k2]), fraction_of(transform->m[r2][k1])));
    }
    for (int k = 0; k < 3; k++) {
        det = fraction_add(det, fraction_mul(fraction_of(transform->m[0][k]), c[0][k]));
    }
    for (int k = 0; k < 3 && fraction_sign(det) != 0; k++) {
        x[k] = fraction_of(0);
        for (int r = 0; r < 3; r++) {
            x[k] = fraction_add(x[k], fraction_mul(c[r][k], y[r]));
        }
        x[k] = fraction_div(x[k], det);
    }
    return fraction_sign(det) != 0;
}

static double between(test_random *random, double low, double high)
{
    return low + (high - low) * (double)test_random_unit(random);
}

/* Kind 0: close to the identity; 1: any; 2: stretched; 3: close to flat; 4: of integers, now and
 * then flat; 5: of any scale in each axis. */
static sl_transform any_transform(test_random *random, uint32_t kind)
{
    sl_transform transform;
    for (int i = 0; i < 12; i++) {
        const double x = between(random, -1, 1), scale = ldexp(1, (int)(kind * (uint32_t)i));
        double *to = &transform.m[i / 4][i % 4];
        *to = kind == 0   ? (i % 5 == 0) + 0x1p-20 * x
              : kind == 2 ? x * scale
              : kind == 4 ? round(4 * x)
              : kind == 5 ? x * ldexp(1, 90 * (i / 4) - 60 * (i % 4))
                          : x;
    }
    for (int k = 0; k < 3 && kind == 3; k++) {
        transform.m[2][k] = transform.m[0][k] + transform.m[1][k] + 0x1p-40 * transform.m[2][k];
    }
    return transform;
}

TEST(points_vectors_and_inverses_are_the_exact_ones_rounded_once)
{
    test_random random = { 20261127 };
    size_t flat = 0;
    for (uint32_t round = 0; round < 3000; round++) {
        const sl_transform t = any_transform(&random, round % 6);
        double p[3], got[3], error = -1;
        sl_transform inverse;
        fraction y[3], x[3];
        for (int i = 0; i < 3; i++) {
            p[i] = between(&random, -1, 1) * (round % 5 == 0 ? 1e30 : 10);
        }
        for (int kind = 0; kind < 2; kind++) {
            for (int i = 0; i < 3; i++) {
                y[i] = fraction_sub(fraction_of(p[i]), fraction_of(kind == 0 ? t.m[i][3] : 0));
            }
            const bool solved = solve(&t, y, x);
            assert_int_equal(sl_transform_to_object(&t, kind == 0 ? SL_POINT : SL_VECTOR, p, got),
                             solved);
            for (int i = 0; i < 3 && solved; i++) {
                assert_true(is_nearest(got[i], x[i]));
            }
            flat += !solved;
        }
        double most = 0;
        const bool solved = sl_transform_inverse(&t, &inverse, &error);
        for (int k = 0; k < 4 && solved; k++) {
            for (int i = 0; i < 3; i++) {
                y[i] = fraction_of(k < 3 ? (i == k) : -t.m[i][3]);
            }
            assert_true(solve(&t, y, x));
            for (int i = 0; i < 3; i++) {
                fraction off = fraction_abs(fraction_sub(fraction_of(inverse.m[i][k]), x[i]));
                assert_true(is_nearest(inverse.m[i][k], x[i]));
                assert_true(fraction_compare(off, fraction_of(error)) <= 0);
                most = fraction_sign(off) != 0 ? 1 : most;
            }
        }
        assert_true(!solved || (most == 0) == (error == 0));
        fraction_reset();
    }
    assert_true(flat > 5);
}

TEST(moves_quarter_turns_mirrors_and_powers_of_two_are_inverted_exactly)
{
    const double quarter[4] = { 0, 0, 1, 1 }, moved[3] = { 1e6 + 0.5, -3, 0x1p-60 };
    const double scale[3] = { -4, 0.5, 0x1p-30 };
    sl_transform t, inverse, product, back;
    const sl_transform identity = sl_transform_identity();
    double error = -1;
    assert_true(sl_transform_from_trs(moved, quarter, scale, &t));
    assert_true(sl_transform_inverse(&t, &inverse, &error));
    assert_true(error == 0);
    assert_true(sl_transform_product(&t, &inverse, &product));
    assert_true(sl_transform_product(&inverse, &t, &back));
    for (int i = 0; i < 12; i++) {
        assert_true(product.m[i / 4][i % 4] == identity.m[i / 4][i % 4]);
        assert_true(back.m[i / 4][i % 4] == identity.m[i / 4][i % 4]);
    }
    assert_true(sl_transform_inverse(&t, &t, NULL));
    assert_memory_equal(&t, &inverse, sizeof t);
    const double third[3] = { 3, 3, 3 };
    assert_true(sl_transform_from_trs(NULL, NULL, third, &t));
    assert_true(sl_transform_inverse(&t, &inverse, &error));
    assert_true(inverse.m[0][0] == 1.0 / 3 && error > 0 && error < 0x1p-53);
}

TEST(normals_come_back_from_the_world)
{
    test_random random = { 5 };
    for (uint32_t round = 0; round < 600; round++) {
        sl_transform t = any_transform(&random, round % 3);
        const double n[3] = { between(&random, -1, 1), between(&random, -1, 1), 0.5 };
        const double length = sqrt(n[0] * n[0] + n[1] * n[1] + n[2] * n[2]);
        double world[3], back[3];
        if (round % 7 == 0) {
            for (int i = 0; i < 9; i++) {
                t.m[i / 3][i % 3] *= 0x1p600;
            }
        }
        assert_true(sl_transform_normal(&t, n, world));
        assert_true(sl_transform_to_object(&t, SL_NORMAL, world, back));
        for (int i = 0; i < 3; i++) {
            assert_true(fabs(back[i] - n[i] / length) < 1e-6);
        }
    }
}

TEST(what_has_no_inverse_is_refused_and_outputs_are_left_alone)
{
    const sl_transform flat = { { { 1, 2, 3, 0 }, { 2, 4, 6, 0 }, { 0.1, 0, 1, 0 } } };
    const sl_transform zero = { { { 0 } } };
    sl_transform bad = sl_transform_identity(), out = bad;
    double point[3] = { 1, 2, 3 }, error = 7;
    bad.m[1][3] = INFINITY;
    const sl_transform *const refused[] = { &flat, &zero, &bad };
    for (int i = 0; i < 3; i++) {
        assert_false(sl_transform_inverse(refused[i], &out, &error));
        for (int kind = SL_POINT; kind <= SL_NORMAL; kind++) {
            assert_false(sl_transform_to_object(refused[i], (sl_coordinates)kind, point, point));
        }
    }
    assert_true(out.m[0][0] == 1 && error == 7 && point[2] == 3);
    const sl_transform identity = sl_transform_identity();
    for (int kind = SL_POINT; kind <= SL_NORMAL; kind++) {
        const double nan[3] = { 0, NAN, 1 };
        assert_false(sl_transform_to_object(&identity, (sl_coordinates)kind, nan, point));
    }
}

TEST(any_floating_point_environment_gives_the_same)
{
    sl_transform t, first, out;
    double error;
    assert_true(sl_transform_from_trs((double[]){ 1, 2, 3 }, (double[]){ 1, 2, 3, 4 },
                                      (double[]){ 3, 5, 7 }, &t));
    assert_true(sl_transform_inverse(&t, &first, &error));
    for (int i = 0; i < callers_env_count(); i++) {
        callers_env_set(i);
        const bool made = sl_transform_inverse(&t, &out, &error);
        const bool kept = callers_env_leave(i);
        assert_true(made && kept);
        assert_memory_equal(&out, &first, sizeof out);
    }
}
