/* Transforms: the corner rule and products against fractions, rounded step by step; makers; the box
 * of corners; inverses and what is proven of them; what is refused. */
#include "lib/geom/transform/transform.h"
#include "test/support/environment/callers_env.h"
#include "test/support/oracle/rational.h"
#include "test/support/test.h"

static double rounded(const mpq_t x)
{
    return rational_round_double(mpq_numref(x), mpq_denref(x), 0);
}

/* a * b, and a + b, exact and then rounded once. */
static double times(double a, double b)
{
    mpq_t x, y;
    mpq_inits(x, y, NULL);
    rational_set(x, a);
    rational_set(y, b);
    mpq_mul(x, x, y);
    const double product = rounded(x);
    mpq_clears(x, y, NULL);
    return product;
}

static double plus(double a, double b)
{
    mpq_t x, y;
    mpq_inits(x, y, NULL);
    rational_set(x, a);
    rational_set(y, b);
    mpq_add(x, x, y);
    const double sum = rounded(x);
    mpq_clears(x, y, NULL);
    return sum;
}

/* The nearest multiple of 2^exponent, ties to even. */
static double to_multiple(double x, int exponent)
{
    mpq_t q;
    mpz_t floor, rest;
    mpq_init(q);
    mpz_inits(floor, rest, NULL);
    rational_set(q, x);
    if (exponent < 0) {
        mpq_mul_2exp(q, q, (mp_bitcnt_t)-exponent);
    } else {
        mpq_div_2exp(q, q, (mp_bitcnt_t)exponent);
    }
    mpz_fdiv_qr(floor, rest, mpq_numref(q), mpq_denref(q));
    mpz_mul_2exp(rest, rest, 1);
    const int half = mpz_cmp(rest, mpq_denref(q));
    if (half > 0 || (half == 0 && mpz_odd_p(floor))) {
        mpz_add_ui(floor, floor, 1);
    }
    const double multiple = ldexp(mpz_get_d(floor), exponent);
    mpq_clear(q);
    mpz_clears(floor, rest, NULL);
    return multiple;
}

static double any_double(test_random *random, int least, int most)
{
    const double mantissa = 1 + (double)(test_random_u64(random) >> 12) * 0x1p-52;
    const int exponent = least + (int)test_random_below(random, (uint32_t)(most - least + 1));
    switch (test_random_below(random, 8)) {
    case 0:
        return 0;
    case 1:
        return ldexp(1, exponent);
    default:
        return ldexp(test_random_below(random, 2) == 0 ? mantissa : -mantissa, exponent);
    }
}

static sl_transform any_place(test_random *random, int least, int most)
{
    sl_transform transform;
    for (int i = 0; i < 12; i++) {
        transform.m[i / 4][i % 4] = any_double(random, least, most);
    }
    return transform;
}

TEST(corners_are_made_by_the_rule)
{
    test_random random = { 1501 };
    int out = 0, differ_if_fused = 0;
    for (int i = 0; i < 20000; i++) {
        static const int ranges[4][2] = { { -3, 3 }, { -160, -40 }, { -20, 130 }, { -1074, 1000 } };
        const int *range = ranges[i % 4];
        const sl_transform transform = any_place(&random, range[0], range[1]);
        float vertex[3];
        for (int axis = 0; axis < 3; axis++) {
            vertex[axis] = (float)any_double(&random, i % 4 == 1 ? -149 : -10, 10);
        }
        const int exponent = i % 3 == 0 ? -149 : (int)test_random_below(&random, 277) - 149;
        const double grid = i % 6 == 0 ? 0 : ldexp(1, exponent);
        double corner[3] = { 7, 7, 7 }, expected[3];
        bool finite = true;
        for (int axis = 0; axis < 3; axis++) {
            const double *row = transform.m[axis];
            const double x = times(row[0], (double)vertex[0]), y = times(row[1], (double)vertex[1]);
            const double z = times(row[2], (double)vertex[2]);
            finite = finite && isfinite(x) && isfinite(y) && isfinite(z);
            if (!finite) {
                break;
            }
            const double sum = plus(plus(plus(x, y), z), row[3]);
            expected[axis] = to_multiple(sum, exponent);
            finite = fabs(expected[axis]) <= (double)FLT_MAX;
            const double fused =
                fma(row[2], (double)vertex[2], fma(row[1], (double)vertex[1], x)) + row[3];
            differ_if_fused += to_multiple(fused, -149) != to_multiple(sum, -149);
        }
        assert_int_equal(sl_transform_corner(&transform, grid, vertex, corner), finite);
        if (finite) {
            assert_memory_equal(corner, expected, sizeof corner); /* zeros are +0 */
        } else {
            assert_true(corner[0] == 7 && corner[1] == 7 && corner[2] == 7);
            out++;
        }
    }
    assert_true(out > 100 && out < 15000 && differ_if_fused > 1000);
}

TEST(ties_of_the_grid_go_to_even_multiples)
{
    for (int exponent = -149; exponent <= 127; exponent += 23) {
        const double grid = ldexp(1, exponent);
        for (int half = -9; half <= 9; half += 2) {
            const double even = (half % 4 == 1 || half % 4 == -3 ? half - 1 : half + 1) / 2;
            assert_true(sli_transform_round(half * (grid / 2), grid) == even * grid);
        }
        assert_true(sli_transform_round(0x1.fffffffffffffp51 * grid, grid) == 0x1p52 * grid);
        assert_true(sli_transform_round(0x1.0000000000001p52 * grid, grid) ==
                    0x1.0000000000001p52 * grid);
        assert_true(signbit(sli_transform_round(-grid / 4, grid)) == 0);
        assert_true(signbit(sli_transform_round(-0.0, grid)) == 0);
    }
}

TEST(products_are_columns_by_the_rule)
{
    test_random random = { 1502 };
    int refused = 0, another_order = 0;
    for (int i = 0; i < 5000; i++) {
        const int most = i % 10 == 0 ? 1000 : 4;
        const sl_transform a = any_place(&random, -4, most), b = any_place(&random, -4, most);
        sl_transform product = a, expected;
        bool finite = true;
        for (int j = 0; j < 12; j++) {
            const double *row = a.m[j / 4];
            double sum = 0;
            for (int k = 0; k < 3 && finite; k++) {
                const double term = times(row[k], b.m[k][j % 4]);
                finite = isfinite(term);
                sum = finite ? (k == 0 ? term : plus(sum, term)) : 0;
                finite = finite && isfinite(sum);
            }
            expected.m[j / 4][j % 4] = !finite ? 0 : j % 4 == 3 ? plus(sum, row[3]) : sum;
            finite = finite && isfinite(expected.m[j / 4][j % 4]);
        }
        assert_int_equal(sl_transform_product(&a, &b, &product), finite);
        for (int j = 0; j < 12; j++) {
            const sl_transform *same = finite ? &expected : &a;
            assert_true(product.m[j / 4][j % 4] == same->m[j / 4][j % 4]);
        }
        refused += !finite;
        const sl_transform c = any_place(&random, -4, 4);
        sl_transform left, right;
        if (sl_transform_product(&product, &c, &left) && sl_transform_product(&b, &c, &right) &&
            sl_transform_product(&a, &right, &right)) {
            another_order += memcmp(&left, &right, sizeof left) != 0;
        }
    }
    assert_true(refused > 100 && another_order > 1000);
    const sl_transform identity = sl_transform_identity(), transform = any_place(&random, -4, 4);
    sl_transform same;
    assert_true(sl_transform_product(&identity, &transform, &same));
    assert_memory_equal(&same, &transform, sizeof same);
    assert_true(sl_transform_product(&transform, &identity, &same));
    assert_memory_equal(&same, &transform, sizeof same);
}

TEST(an_identity_keeps_vertices)
{
    const sl_transform identity = sl_transform_identity();
    static const float vertex[3] = { 0x1p-149f, -FLT_MAX, 0x1.234566p-20f };
    double corner[3];
    assert_true(sl_transform_corner(&identity, 0, vertex, corner));
    for (int axis = 0; axis < 3; axis++) {
        assert_true(corner[axis] == (double)vertex[axis]);
    }
}

TEST(matrices_are_column_major_and_affine)
{
    float matrix[16] = { 1, 2, 3, 0, 4, 5, 6, 0, 7, 8, 9, 0, 10, 11, 12, 1 };
    sl_transform transform, kept;
    assert_true(sl_transform_from_matrix(matrix, &transform));
    static const sl_transform expected = { { { 1, 4, 7, 10 }, { 2, 5, 8, 11 }, { 3, 6, 9, 12 } } };
    assert_memory_equal(&transform, &expected, sizeof transform);
    for (int i = 0; i < 16; i++) {
        static const float bad[3] = { NAN, INFINITY, 0.5f };
        for (int j = 0; j < 3; j++) {
            const float good = matrix[i];
            matrix[i] = bad[j];
            kept = expected;
            assert_int_equal(sl_transform_from_matrix(matrix, &kept), j == 2 && i % 4 != 3);
            assert_true(j == 2 || memcmp(&kept, &expected, sizeof kept) == 0);
            matrix[i] = good;
        }
    }
}

/* a b of two quaternions x y z w. */
static void multiply(const double a[4], const double b[4], double out[4])
{
    out[0] = a[3] * b[0] + a[0] * b[3] + a[1] * b[2] - a[2] * b[1];
    out[1] = a[3] * b[1] - a[0] * b[2] + a[1] * b[3] + a[2] * b[0];
    out[2] = a[3] * b[2] + a[0] * b[1] - a[1] * b[0] + a[2] * b[3];
    out[3] = a[3] * b[3] - a[0] * b[0] - a[1] * b[1] - a[2] * b[2];
}

TEST(turns_are_those_of_quaternions)
{
    test_random random = { 1503 };
    for (int i = 0; i < 2000; i++) {
        double q[4], t[3], s[3];
        const int size = i % 4 == 0 ? (int)test_random_below(&random, 2000) - 1000 : 0;
        for (int j = 0; j < 4; j++) {
            q[j] = (double)test_random_in(&random, -1, 1);
            t[j % 3] = (double)test_random_in(&random, -1e7f, 1e7f);
            s[j % 3] = (double)test_random_in(&random, -3, 3);
        }
        double far[4];
        for (int j = 0; j < 4; j++) {
            far[j] = ldexp(q[j], size);
        }
        sl_transform transform;
        assert_true(sl_transform_from_trs(t, far, s, &transform));
        const double length2 = q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3];
        const double conjugate[4] = { -q[0], -q[1], -q[2], q[3] };
        for (int k = 0; k < 3; k++) {
            double unit[4] = { 0, 0, 0, 0 }, half[4], turned[4];
            unit[k] = 1;
            multiply(q, unit, half);
            multiply(half, conjugate, turned);
            for (int axis = 0; axis < 3; axis++) {
                const double expected = turned[axis] / length2 * s[k];
                assert_true(fabs(transform.m[axis][k] - expected) <= 1e-15 * 3);
                assert_true(transform.m[axis][3] == t[axis]);
            }
        }
    }
}

TEST(quarter_turns_are_exact)
{
    const double root = sqrt(0.5);
    static const double expected[4][3][3] = {
        { { 1, 0, 0 }, { 0, 0, -1 }, { 0, 1, 0 } },
        { { 0, 0, 1 }, { 0, 1, 0 }, { -1, 0, 0 } },
        { { 0, -1, 0 }, { 1, 0, 0 }, { 0, 0, 1 } },
        { { 0, 0, 1 }, { 1, 0, 0 }, { 0, 1, 0 } },
    };
    for (int turn = 0; turn < 4; turn++) {
        const double third[4] = { 0.5, 0.5, 0.5, 0.5 };
        double q[4] = { 0, 0, 0, root };
        if (turn < 3) {
            q[turn] = root;
        }
        sl_transform transform;
        assert_true(sl_transform_from_trs(NULL, turn < 3 ? q : third, NULL, &transform));
        for (int i = 0; i < 9; i++) {
            assert_true(transform.m[i / 3][i % 3] == expected[turn][i / 3][i % 3]);
        }
    }
    sl_transform transform;
    assert_true(sl_transform_from_trs(NULL, NULL, NULL, &transform));
    const sl_transform identity = sl_transform_identity();
    for (int i = 0; i < 12; i++) {
        assert_true(transform.m[i / 4][i % 4] == identity.m[i / 4][i % 4]);
    }
}

TEST(bad_parts_make_no_place)
{
    static const double bad[3] = { NAN, INFINITY, -INFINITY };
    sl_transform transform = sl_transform_identity();
    for (int i = 0; i < 3; i++) {
        double t[3] = { 1, 2, bad[i] }, q[4] = { 0, bad[i], 0, 1 };
        assert_false(sl_transform_from_trs(t, NULL, NULL, &transform));
        assert_false(sl_transform_from_trs(NULL, q, NULL, &transform));
        assert_false(sl_transform_from_trs(NULL, NULL, t, &transform));
    }
    static const double zero[4] = { 0, 0, 0, 0 };
    assert_false(sl_transform_from_trs(NULL, zero, NULL, &transform));
    const sl_transform identity = sl_transform_identity();
    assert_memory_equal(&transform, &identity, sizeof transform);
    assert_true(sl_transform_from_trs(NULL, NULL, zero, &transform)); /* flat: refused by scenes */
}

TEST(boxes_hold_all_corners_and_no_more)
{
    test_random random = { 1504 };
    for (int i = 0; i < 3000; i++) {
        const sl_transform transform = any_place(&random, -5, 5);
        const double grid = i % 2 == 0 ? SLI_TRANSFORM_STEP : 0x1p-3;
        sl_aabb box;
        for (int axis = 0; axis < 3; axis++) {
            const float a = test_random_in(&random, -9, 9), b = test_random_in(&random, -9, 9);
            box.min[axis] = fminf(a, b);
            box.max[axis] = fmaxf(a, b);
        }
        double min[3], max[3], corner[3];
        double least[3] = { INFINITY, INFINITY, INFINITY };
        double most[3] = { -INFINITY, -INFINITY, -INFINITY };
        sli_transform_bounds(&transform, grid, &box, min, max);
        for (int j = 0; j < 20; j++) {
            float vertex[3];
            for (int axis = 0; axis < 3; axis++) {
                const bool high = j < 8 ? (j >> axis & 1) != 0 : test_random_below(&random, 2) == 0;
                const float inside = test_random_in(&random, box.min[axis], box.max[axis]);
                vertex[axis] = j >= 8 ? inside : high ? box.max[axis] : box.min[axis];
            }
            sli_transform_corner(&transform, grid, vertex, corner);
            for (int axis = 0; axis < 3; axis++) {
                least[axis] = fmin(least[axis], corner[axis]);
                most[axis] = fmax(most[axis], corner[axis]);
            }
        }
        for (int axis = 0; axis < 3; axis++) {
            assert_true(least[axis] == min[axis] && most[axis] == max[axis]);
        }
    }
}

/* The largest sum of |element| over a row of I - A M, exactly, as a fraction. */
static void exact_residual(const double a[3][3], const sl_transform *transform, mpq_t worst)
{
    mpq_t sum, x, y, row;
    mpq_inits(sum, x, y, row, NULL);
    mpq_set_ui(worst, 0, 1);
    for (int i = 0; i < 3; i++) {
        mpq_set_ui(row, 0, 1);
        for (int j = 0; j < 3; j++) {
            mpq_set_si(sum, i == j, 1);
            for (int k = 0; k < 3; k++) {
                rational_set(x, a[i][k]);
                rational_set(y, transform->m[k][j]);
                mpq_mul(x, x, y);
                mpq_sub(sum, sum, x);
            }
            mpq_abs(sum, sum);
            mpq_add(row, row, sum);
        }
        if (mpq_cmp(row, worst) > 0) {
            mpq_set(worst, row);
        }
    }
    mpq_clears(sum, x, y, row, NULL);
}

static int exact_det_sign(const sl_transform *transform)
{
    mpq_t det, x, y;
    mpq_inits(det, x, y, NULL);
    for (int term = 0; term < 6; term++) {
        const int i = term % 3, step = term < 3 ? 1 : 2;
        rational_set(x, transform->m[0][i]);
        rational_set(y, transform->m[1][(i + step) % 3]);
        mpq_mul(x, x, y);
        rational_set(y, transform->m[2][(i + 2 * step) % 3]);
        mpq_mul(x, x, y);
        if (term < 3) {
            mpq_add(det, det, x);
        } else {
            mpq_sub(det, det, x);
        }
    }
    const int sign = mpq_sgn(det);
    mpq_clears(det, x, y, NULL);
    return sign;
}

/* Two turns with scales between them, whose condition is up to 2^stretch. */
static sl_transform stretched(test_random *random, uint32_t stretch)
{
    double q[2][4], s[3];
    for (int i = 0; i < 8; i++) {
        q[i / 4][i % 4] = (double)test_random_in(random, -1, 1);
    }
    const int size = (int)test_random_below(random, 400) - 200;
    for (int i = 0; i < 3; i++) {
        const double scale = ldexp(1 + (double)test_random_unit(random),
                                   size - (int)test_random_below(random, stretch + 1));
        s[i] = test_random_below(random, 2) == 0 ? scale : -scale;
    }
    sl_transform a, b, transform;
    assert_true(sl_transform_from_trs(NULL, q[0], s, &a));
    assert_true(sl_transform_from_trs(NULL, q[1], NULL, &b));
    assert_true(sl_transform_product(&a, &b, &transform));
    return transform;
}

TEST(inverses_are_as_good_as_sigma_says)
{
    test_random random = { 1505 };
    mpq_t worst, bound;
    mpq_inits(worst, bound, NULL);
    int good = 0, refused = 0, mirrors = 0, tight = 0;
    for (int i = 0; i < 20000; i++) {
        const sl_transform transform = stretched(&random, (uint32_t)(i % 32));
        sli_transform_inverse inverse;
        if (!sli_transform_invert(&transform, &inverse)) {
            refused++;
            assert_true(i % 32 >= 17);
            continue;
        }
        good++;
        exact_residual((const double(*)[3])inverse.a, &transform, worst);
        rational_set(bound, inverse.sigma);
        assert_true(mpq_cmp(worst, bound) <= 0);
        tight += mpq_get_d(worst) > 0.999 * inverse.sigma;
        /* What doubles allow, about 2^-53 times the condition, or so little that it costs nothing.
         * */
        assert_true(inverse.sigma <= 0x1p-50 * inverse.condition || inverse.sigma <= 0x1p-44);
        assert_true(inverse.condition >= 1 && inverse.condition <= 0x1p20);
        assert_int_equal(inverse.mirrors, exact_det_sign(&transform) < 0);
        mirrors += inverse.mirrors;
    }
    mpq_clears(worst, bound, NULL);
    assert_true(good > 10000 && refused > 500 && mirrors > 4000 && tight > 5000);
}

TEST(conditions_are_those_of_the_inverse)
{
    sl_transform transform = sl_transform_identity();
    sli_transform_inverse inverse;
    for (int exponent = 0; exponent <= 24; exponent++) {
        transform.m[2][2] = ldexp(1, -exponent);
        assert_int_equal(sli_transform_invert(&transform, &inverse), exponent <= 20);
        assert_true(inverse.condition == ldexp(1, exponent <= 20 ? exponent : 20));
    }
    /* Rank 2, exactly and nearly, and 0. */
    static const double rows[3][3] = { { 1, 2, 3 }, { 4, 5, 6 }, { 7, 8, 9 } };
    for (int i = 0; i < 9; i++) {
        transform.m[i / 3][i % 3] = rows[i / 3][i % 3];
    }
    assert_false(sli_transform_invert(&transform, &inverse));
    transform.m[1][1] = nextafter(5, 6);
    assert_false(sli_transform_invert(&transform, &inverse));
    transform = (sl_transform){ { { 0 } } };
    assert_false(sli_transform_invert(&transform, &inverse));
}

TEST(bad_places_are_named)
{
    const sl_aabb box = { { -1, -2, -4 }, { 1, 2, 4 } }, empty = sl_aabb_empty();
    const sl_aabb point = { { 1, 1, 1 }, { 1, 1, 1 } };
    const sl_transform identity = sl_transform_identity();
    sli_transform_inverse inverse;
    assert_int_equal(sli_transform_check(&identity, 0, &box, &inverse), SLI_TRANSFORM_OK);
    assert_true(inverse.a[0][0] == 1 && inverse.norm == 1 && inverse.sigma <= 0x1p-48);
    assert_int_equal(sli_transform_check(&identity, 0, &empty, NULL), SLI_TRANSFORM_OK);
    assert_int_equal(sli_transform_check(&identity, 0, &point, NULL), SLI_TRANSFORM_OK);
    sl_transform transform = identity;
    for (int i = 0; i < 12; i++) {
        transform.m[i / 4][i % 4] = i % 2 == 0 ? NAN : INFINITY;
        assert_int_equal(sli_transform_check(&transform, 0, &box, NULL), SLI_TRANSFORM_NOT_FINITE);
        transform = identity;
    }
    transform.m[0][3] = (double)FLT_MAX - 1;
    assert_int_equal(sli_transform_check(&transform, 0, &box, NULL), SLI_TRANSFORM_OK);
    transform.m[0][3] = 0x1p128;
    assert_int_equal(sli_transform_check(&transform, 0, &box, NULL), SLI_TRANSFORM_OUT_OF_RANGE);
    assert_int_equal(sli_transform_check(&transform, 0, &empty, NULL), SLI_TRANSFORM_OK);
    transform = identity;
    transform.m[1][1] = 0x1p1023;
    assert_int_equal(sli_transform_check(&transform, 0, &box, NULL), SLI_TRANSFORM_OUT_OF_RANGE);
    for (int axis = 0; axis < 3; axis++) {
        transform = identity;
        transform.m[axis][axis] = 0;
        assert_int_equal(sli_transform_check(&transform, 0, &box, NULL), SLI_TRANSFORM_SINGULAR);
    }
    static const double bad_grids[] = { NAN, INFINITY, -1, 3, 0x1p-150, 0x1p128, 0x1.8p-10 };
    for (size_t i = 0; i < sizeof bad_grids / sizeof bad_grids[0]; i++) {
        assert_int_equal(sli_transform_check(&identity, bad_grids[i], &box, NULL),
                         SLI_TRANSFORM_BAD_GRID);
    }
    assert_int_equal(sli_transform_check(&identity, 0.5, &box, NULL), SLI_TRANSFORM_OK);
    assert_int_equal(sli_transform_check(&identity, 1, &box, NULL), SLI_TRANSFORM_COARSE_GRID);
    assert_int_equal(sli_transform_check(&identity, 0x1p-149, &box, NULL), SLI_TRANSFORM_OK);
    assert_int_equal(sli_transform_check(&identity, 0x1p-149, &point, NULL),
                     SLI_TRANSFORM_COARSE_GRID);
    /* Within the range, but not once it is rounded to the grid. */
    transform = identity;
    transform.m[0][3] = 0x1.fffffep127;
    transform.m[1][1] = 0x1p126;
    assert_int_equal(sli_transform_check(&transform, 0, &box, NULL), SLI_TRANSFORM_SINGULAR);
    for (int axis = 0; axis < 3; axis++) {
        transform.m[axis][axis] = 0x1p123;
    }
    transform.m[0][3] = 0x1.fffffep127 - 0x1p123;
    assert_int_equal(sli_transform_check(&transform, 0, &box, NULL), SLI_TRANSFORM_OK);
    assert_int_equal(sli_transform_check(&transform, 0x1p122, &box, NULL),
                     SLI_TRANSFORM_OUT_OF_RANGE);
    for (int fault = SLI_TRANSFORM_OK; fault <= SLI_TRANSFORM_COARSE_GRID; fault++) {
        assert_true(strlen(sli_transform_fault_words((sli_transform_fault)fault)) > 5);
    }
}

TEST(the_callers_environment_changes_nothing)
{
    test_random random = { 1506 };
    const sl_transform transform = any_place(&random, -3, 3);
    const float vertex[3] = { 0.1f, 0.2f, 0x1p-149f };
    static const double t[3] = { 0.1, 0.2, 0.3 }, q[4] = { 0.1, 0.2, 0.3, 0.4 };
    double corner[3];
    sl_transform product, made;
    assert_true(sl_transform_corner(&transform, 0, vertex, corner));
    assert_true(sl_transform_product(&transform, &transform, &product));
    assert_true(sl_transform_from_trs(t, q, t, &made));
    for (int env = 0; env < callers_env_count(); env++) {
        double corner_here[3];
        sl_transform product_here, made_here;
        callers_env_set(env);
        sl_transform_corner(&transform, 0, vertex, corner_here);
        sl_transform_product(&transform, &transform, &product_here);
        sl_transform_from_trs(t, q, t, &made_here);
        assert_true(callers_env_leave(env));
        assert_memory_equal(corner, corner_here, sizeof corner);
        assert_memory_equal(&product, &product_here, sizeof product);
        assert_memory_equal(&made, &made_here, sizeof made);
    }
}
