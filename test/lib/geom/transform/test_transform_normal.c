/* Normals carried by transforms, against fractions: by the transpose of the inverse, fronts staying
 * in front; transforms that mirror, shear, and scale by 10^30 and 10^-30; those without an inverse.
 */
#include "lib/geom/transform/transform.h"
#include "test/support/environment/callers_env.h"
#include "test/support/oracle/fraction.h"
#include "test/support/test.h"

static bool turned(const sl_transform *transform, const double n[3], double out[3])
{
    sli_upright upright;
    const bool made = sli_upright_make(transform, &upright);
    if (made) {
        sli_upright_turn(&upright, n, out);
    }
    return made;
}

/* out = the sign of det m times its cofactors times n; returns that sign. */
static int carry(const sl_transform *transform, const double n[3], fraction out[3])
{
    fraction m[3][3], c[3][3], det = fraction_of(0);
    for (int i = 0; i < 9; i++) {
        m[i / 3][i % 3] = fraction_of(transform->m[i / 3][i % 3]);
    }
    for (int i = 0; i < 9; i++) {
        const int row = i / 3, column = i % 3;
        const int i1 = (row + 1) % 3, i2 = (row + 2) % 3;
        const int k1 = (column + 1) % 3, k2 = (column + 2) % 3;
        c[row][column] =
            fraction_sub(fraction_mul(m[i1][k1], m[i2][k2]), fraction_mul(m[i1][k2], m[i2][k1]));
    }
    for (int k = 0; k < 3; k++) {
        det = fraction_add(det, fraction_mul(m[0][k], c[0][k]));
    }
    fraction sign = fraction_of(fraction_sign(det));
    for (int i = 0; i < 3; i++) {
        out[i] = fraction_of(0);
        for (int k = 0; k < 3; k++) {
            out[i] = fraction_add(out[i], fraction_mul(c[i][k], fraction_of(n[k])));
        }
        out[i] = fraction_mul(out[i], sign);
    }
    return fraction_sign(det);
}

/* Whether got and exact point the same way: the cross product, over both lengths, is below bound,
 * and the dot product above 0.  Lengths are taken as the largest components. */
static bool is_along(const double got[3], fraction exact[3], double bound)
{
    fraction largest = fraction_of(0), dot = fraction_of(0);
    double got_largest = 0;
    for (int i = 0; i < 3; i++) {
        fraction size = fraction_abs(exact[i]);
        largest = fraction_compare(size, largest) > 0 ? size : largest;
        got_largest = fmax(got_largest, fabs(got[i]));
        dot = fraction_add(dot, fraction_mul(exact[i], fraction_of(got[i])));
    }
    fraction most =
        fraction_mul(largest, fraction_mul(fraction_of(got_largest), fraction_of(bound)));
    for (int i = 0; i < 3; i++) {
        const int j = (i + 1) % 3, k = (i + 2) % 3;
        fraction cross = fraction_sub(fraction_mul(exact[j], fraction_of(got[k])),
                                      fraction_mul(exact[k], fraction_of(got[j])));
        if (fraction_compare(fraction_abs(cross), most) > 0) {
            return false;
        }
    }
    return fraction_sign(dot) > 0;
}

static double between(test_random *random, double low, double high)
{
    return low + (high - low) * (double)test_random_unit(random);
}

/* Well-conditioned, sheared, close to flat; now and then mirrored; of any scale. */
static sl_transform any_place(test_random *random, int kind, double *condition)
{
    sl_transform transform;
    for (int i = 0; i < 12; i++) {
        transform.m[i / 4][i % 4] = between(random, -0.1, 0.1) + (i % 5 == 0 ? 1 : 0);
    }
    *condition = 4;
    if (kind == 1) { /* close to flat */
        for (int k = 0; k < 3; k++) {
            transform.m[2][k] = transform.m[1][k] + transform.m[2][k] * 0x1p-18;
        }
        *condition = 0x1p20;
    } else if (kind == 2) { /* sheared */
        transform.m[0][1] += 1000;
        *condition = 0x1p21;
    }
    if (test_random_below(random, 2) != 0) {
        for (int i = 0; i < 3; i++) {
            transform.m[i][2] = -transform.m[i][2];
        }
    }
    const double scales[5] = { 1, 1e30, 1e-30, 1e150, 1e-150 };
    const double scale = scales[test_random_below(random, 5)];
    for (int i = 0; i < 12; i++) {
        transform.m[i / 4][i % 4] *= scale;
    }
    return transform;
}

TEST(normals_are_carried_by_the_transpose_of_the_inverse)
{
    test_random random = { test_seed(61) };
    print_message("seed %llu\n", (unsigned long long)random.state);
    const size_t rounds = test_is_brief() ? 300 : 30000 * test_scale();
    for (size_t i = 0; i < rounds; i++) {
        double condition;
        const sl_transform transform = any_place(&random, (int)(i % 3), &condition);
        double n[3], got[3];
        for (int axis = 0; axis < 3; axis++) {
            n[axis] = between(&random, -1, 1);
        }
        fraction exact[3];
        fraction_reset();
        assert_int_not_equal(carry(&transform, n, exact), 0);
        assert_true(turned(&transform, n, got));
        assert_true(is_along(got, exact, condition * 0x1p-48));
    }
}

/* Each axis by its own factor, and all of them differ by 10^60: what matters of a normal may be its
 * smallest component. */
TEST(axes_of_very_different_scales_lose_nothing)
{
    test_random random = { test_seed(62) };
    const double scales[4] = { 1e30, 1e-30, -1e30, 1 };
    for (int i = 0; i < 3000; i++) {
        sl_transform transform = sl_transform_identity();
        double n[3], got[3];
        for (int axis = 0; axis < 3; axis++) {
            transform.m[axis][axis] = scales[test_random_below(&random, 4)];
            n[axis] = between(&random, -1, 1) * (i % 2 == 0 ? 1 : fabs(transform.m[axis][axis]));
        }
        fraction exact[3];
        fraction_reset();
        assert_int_not_equal(carry(&transform, n, exact), 0);
        assert_true(turned(&transform, n, got));
        assert_true(is_along(got, exact, 0x1p-48));
    }
}

TEST(fronts_stay_in_front_of_mirrored_places)
{
    sl_transform transform = sl_transform_identity();
    transform.m[2][2] = -1;
    double got[3];
    assert_true(turned(&transform, (double[3]){ 0, 0, 1 }, got));
    assert_true(got[2] < 0); /* the mirror image of what is in front is below */
    transform.m[2][2] = 1;
    transform.m[0][0] = -2;
    assert_true(turned(&transform, (double[3]){ 0, 0, 1 }, got));
    assert_true(got[2] > 0);
    assert_true(turned(&transform, (double[3]){ 0, 0, 0 }, got));
    assert_true(got[0] == 0 && got[1] == 0 && got[2] == 0);
}

TEST(places_without_an_inverse_are_refused)
{
    const double n[3] = { 0, 0, 1 };
    double got[3] = { 7, 7, 7 };
    sl_transform flat = sl_transform_identity(), twisted = sl_transform_identity();
    flat.m[1][1] = 0;
    assert_false(turned(&flat, n, got));
    for (int k = 0; k < 3; k++) {
        twisted.m[0][k] = 0.1 * (k + 1);
        twisted.m[1][k] = 0.2 * (k + 1);
    }
    assert_false(turned(&twisted, n, got));
    const double bad[3] = { NAN, INFINITY, -INFINITY };
    for (int i = 0; i < 27; i++) {
        sl_transform transform = sl_transform_identity();
        transform.m[i / 9][i % 3] = bad[i / 3 % 3];
        assert_false(turned(&transform, n, got));
    }
    assert_true(got[0] == 7 && got[2] == 7);
}

TEST(public_normals_have_unit_length_in_any_environment)
{
    sl_transform transform = sl_transform_identity();
    transform.m[0][1] = 3;
    transform.m[1][1] = -1e-30;
    const double n[3] = { 1e300, 2e300, -2e300 }, tiny[3] = { 0, 0, 0x1p-1074 };
    double first[3];
    assert_true(sl_transform_normal(&transform, n, first));
    const double length = sqrt(first[0] * first[0] + first[1] * first[1] + first[2] * first[2]);
    assert_true(fabs(length - 1) < 0x1p-50 && first[1] > 0.99);
    for (int env = 0; env < callers_env_count(); env++) {
        double out[3];
        callers_env_set(env);
        const bool made = sl_transform_normal(&transform, n, out);
        const bool kept = callers_env_leave(env);
        assert_true(made && kept);
        assert_memory_equal(out, first, sizeof out);
    }
    assert_true(sl_transform_normal(&transform, tiny, first) && first[2] == 1);
    assert_true(sl_transform_normal(&transform, (double[3]){ 0, 0, 0 }, first));
    assert_true(first[0] == 0 && first[1] == 0 && first[2] == 0);
    first[0] = 7;
    assert_false(sl_transform_normal(&transform, (double[3]){ 0, NAN, 0 }, first));
    assert_false(sl_transform_normal(&transform, (double[3]){ INFINITY, 0, 0 }, first));
    assert_true(first[0] == 7);
}
