/* test_predicates.c: signs of small determinants and of compared ratios, against integers and
 * fractions of any length; many of them 0, or so little beside it that doubles cannot tell. */
#include "lib/geom/exact/predicates.h"
#include "test/support/oracle/brute_force.h"
#include "test/support/oracle/rational.h"
#include "test/support/test.h"

enum { ROUNDS = 20000 };

static const uint64_t seed = 31;

static double either_sign(test_random *random)
{
    return test_random_below(random, 2) == 0 ? 1 : -1;
}

static double whole(test_random *random, uint32_t most)
{
    const double sign = either_sign(random);
    return sign * test_random_below(random, most);
}

/* One step up or down; beside 0 is the smallest float, since exact/predicates.h speaks of no
 * smaller ones. */
static double beside(double x, test_random *random)
{
    const double sign = either_sign(random);
    return x == 0 ? sign * 0x1p-149 : nextafter(x, sign * INFINITY);
}

/* Points that have much to do with one another: small wholes, wholes of 50 bits, or anything. */
static void points(test_random *random, int count, double out[][3])
{
    const uint32_t how = test_random_below(random, 4);
    const double scale = ldexp(1, (int)test_random_below(random, 150) - 90);
    for (int i = 0; i < 3 * count; i++) {
        const double sign = either_sign(random);
        const double any = sign * (1 + (double)test_random_unit(random));
        const double wide = whole(random, 1 << 25), little = whole(random, 5) * 0x1p-25;
        const int power = (int)test_random_below(random, 200) - 100;
        out[i / 3][i % 3] = how == 0   ? whole(random, 4) * scale
                            : how == 1 ? (wide + little) * scale
                            : how == 2 ? any
                                       : ldexp(any, power);
    }
}

/* Puts a point on the line, or in the plane, of the others, nearly or exactly; then perhaps a step
 * or next to nothing beside it. */
static void flatten(test_random *random, int count, double p[][3])
{
    const int k = (int)test_random_below(random, 4) - 1, m = count > 3 ? 2 - k : 0;
    double *last = p[count - 1];
    for (int axis = 0; axis < 3; axis++) {
        last[axis] = p[0][axis] + k * (p[1][axis] - p[0][axis]);
        if (count > 3) {
            last[axis] += m * (p[2][axis] - p[0][axis]);
        }
    }
    const uint32_t which = test_random_below(random, (uint32_t)count);
    double *x = &p[which][test_random_below(random, 3)];
    switch (test_random_below(random, 4)) {
    case 0:
        *x = beside(*x, random);
        break;
    case 1:
        *x += either_sign(random) * 0x1p-80;
        break;
    default:
        break;
    }
}

/* All signs must occur in numbers for a test to mean something. */
static void assert_all_signs(const char *name, const size_t signs[3])
{
    printf("%s: %zu negative, %zu zero, %zu positive\n", name, signs[0], signs[1], signs[2]);
    for (int i = 0; i < 3; i++) {
        assert_true(signs[i] > ROUNDS / 20);
    }
}

TEST(orientation_in_the_plane_is_exact)
{
    test_random random = { seed };
    size_t signs[3] = { 0 };
    for (int round = 0; round < ROUNDS; round++) {
        double p[3][3];
        points(&random, 3, p);
        flatten(&random, 3, p);
        const int expected = oracle_orient2d(p[0], p[1], p[2]);
        assert_int_equal(sli_orient2d(p[0], p[1], p[2]), expected);
        signs[expected + 1]++;
        sli_decision_stage stage = SLI_STAGE_DOUBLE;
        assert_int_equal(sli_cross2d(p[0], p[1], p[0], p[2], &stage), expected);
        assert_int_equal(sli_cross2d(p[0], p[1], p[2], p[0], &stage), -expected);
    }
    assert_all_signs("orient2d", signs);
}

TEST(orientation_in_space_is_exact)
{
    test_random random = { seed + 1 };
    size_t signs[3] = { 0 };
    for (int round = 0; round < ROUNDS; round++) {
        double p[4][3];
        points(&random, 4, p);
        flatten(&random, 4, p);
        const int expected = oracle_orient3d(p[0], p[1], p[2], p[3]);
        assert_int_equal(sli_orient3d(p[0], p[1], p[2], p[3]), expected);
        assert_int_equal(sli_orient3d(p[1], p[0], p[2], p[3]), -expected);
        signs[expected + 1]++;
    }
    assert_all_signs("orient3d", signs);
}

/* Four different differences, so that no common point helps. */
TEST(cross_products_of_differences_are_exact)
{
    test_random random = { seed + 2 };
    size_t signs[3] = { 0 };
    for (int round = 0; round < ROUNDS; round++) {
        double p[6][3], q[6][3];
        points(&random, 3, p);
        flatten(&random, 3, p);
        /* a = 0, b = p1 - p0 moved, c, d = p2 - p0 moved the other way: the same up to rounding */
        for (int axis = 0; axis < 3; axis++) {
            const double move = whole(&random, 9);
            q[0][axis] = p[0][axis];
            q[1][axis] = p[1][axis];
            q[2][axis] = p[0][axis] + move;
            q[3][axis] = p[2][axis] + move;
        }
        /* Exactly: (b - a) x (d - c) is the orientation of 0, b - a, d - c. */
        mpq_t left, right, term;
        mpq_inits(left, right, term, NULL);
        mpq_t m[4][2];
        for (int i = 0; i < 8; i++) {
            mpq_init(m[i / 2][i % 2]);
            rational_set(m[i / 2][i % 2], q[i / 2][i % 2]);
        }
        for (int axis = 0; axis < 2; axis++) {
            mpq_sub(m[1][axis], m[1][axis], m[0][axis]);
            mpq_sub(m[3][axis], m[3][axis], m[2][axis]);
        }
        mpq_mul(left, m[1][0], m[3][1]);
        mpq_mul(right, m[1][1], m[3][0]);
        const int order = mpq_cmp(left, right), expected = (order > 0) - (order < 0);
        sli_decision_stage stage = SLI_STAGE_DOUBLE;
        assert_int_equal(sli_cross2d(q[0], q[1], q[2], q[3], &stage), expected);
        signs[expected + 1]++;
        for (int i = 0; i < 8; i++) {
            mpq_clear(m[i / 2][i % 2]);
        }
        mpq_clears(left, right, term, NULL);
    }
    assert_all_signs("cross2d", signs);
}

/* In space: with q = p - s moved back and forth by whole numbers where that is exact, the triple
 * product is the orientation of the four points. */
TEST(triple_products_of_differences_are_exact)
{
    test_random random = { seed + 3 };
    size_t signs[3] = { 0 };
    for (int round = 0; round < ROUNDS; round++) {
        double p[4][3], from[3][3], to[3][3];
        for (int i = 0; i < 12; i++) {
            p[i / 3][i % 3] = whole(&random, 1 << 20);
        }
        flatten(&random, 4, p);
        for (int i = 0; i < 3; i++) {
            for (int axis = 0; axis < 3; axis++) {
                const double move = whole(&random, 1 << 20);
                const double moved = p[i + 1][axis] + move;
                const bool is_exact = moved - move == p[i + 1][axis];
                from[i][axis] = p[0][axis] + (is_exact ? move : 0);
                to[i][axis] = is_exact ? moved : p[i + 1][axis];
                if (from[i][axis] - (is_exact ? move : 0) != p[0][axis]) {
                    from[i][axis] = p[0][axis];
                    to[i][axis] = p[i + 1][axis];
                }
            }
        }
        const int expected = oracle_orient3d(p[0], p[1], p[2], p[3]);
        sli_decision_stage stage = SLI_STAGE_DOUBLE;
        assert_int_equal(sli_triple3d(from[0], to[0], from[1], to[1], from[2], to[2], &stage),
                         expected);
        signs[expected + 1]++;
    }
    assert_all_signs("triple3d", signs);
}

static double any_number(test_random *random)
{
    double p[1][3];
    points(random, 1, p);
    return p[0][0];
}

TEST(ratios_are_compared_exactly)
{
    test_random random = { seed + 4 };
    size_t signs[3] = { 0 };
    mpq_t left, right, x, y;
    mpq_inits(left, right, x, y, NULL);
    for (int round = 0; round < ROUNDS; round++) {
        double n[6];
        for (int i = 0; i < 6; i++) {
            n[i] = any_number(&random);
        }
        if (round % 4 != 0) { /* (a - b) / f = (d - e) / c, nearly or exactly */
            const double k = whole(&random, 9);
            n[3] = k * n[0];
            n[4] = k * n[1];
            n[2] = k * n[5];
            if (round % 4 == 1) {
                const int which = round / 4 % 6;
                n[which] = beside(n[which], &random);
            }
        }
        for (int side = 0; side < 2; side++) {
            rational_set(x, n[3 * side]);
            rational_set(y, n[3 * side + 1]);
            mpq_sub(x, x, y);
            rational_set(y, n[3 * side + 2]);
            mpq_mul(side == 0 ? left : right, x, y);
        }
        const int order = mpq_cmp(left, right), expected = (order > 0) - (order < 0);
        assert_int_equal(sli_compare_products(n[0], n[1], n[2], n[3], n[4], n[5]), expected);
        signs[expected + 1]++;
    }
    mpq_clears(left, right, x, y, NULL);
    assert_all_signs("compare_products", signs);
}

static void narrow(const double p[3][3], sl_triangle *out)
{
    for (int i = 0; i < 9; i++) {
        out->v[i / 3][i % 3] = (float)p[i / 3][i % 3];
    }
}

TEST(zero_area_is_exact)
{
    test_random random = { seed + 6 };
    size_t flat = 0;
    for (int round = 0; round < ROUNDS; round++) {
        double p[3][3];
        sl_triangle t;
        points(&random, 3, p);
        flatten(&random, 3, p);
        narrow((const double(*)[3])p, &t);
        const bool expected = oracle_zero_area(&t);
        assert_int_equal(sli_zero_area(t.v[0], t.v[1], t.v[2]), expected);
        flat += expected;
    }
    printf("zero_area: %zu of %d\n", flat, ROUNDS);
    assert_true(flat > ROUNDS / 20 && flat < ROUNDS - ROUNDS / 20);
}

/* Within 2^-51 of itself, component by component. */
TEST(normals_are_nearly_exact)
{
    test_random random = { seed + 7 };
    mpq_t side[2][3], found, expected, off;
    mpq_inits(found, expected, off, NULL);
    for (int i = 0; i < 6; i++) {
        mpq_init(side[i / 3][i % 3]);
    }
    for (int round = 0; round < ROUNDS / 4; round++) {
        double p[3][3], normal[3];
        sl_triangle t;
        points(&random, 3, p);
        flatten(&random, 3, p);
        narrow((const double(*)[3])p, &t);
        double v[3][3];
        for (int k = 0; k < 9; k++) {
            v[k / 3][k % 3] = (double)t.v[k / 3][k % 3];
        }
        sli_triangle_normal(v[0], v[1], v[2], normal);
        for (int i = 0; i < 6; i++) {
            rational_set(side[i / 3][i % 3], (double)t.v[1 + i / 3][i % 3]);
            rational_set(off, (double)t.v[0][i % 3]);
            mpq_sub(side[i / 3][i % 3], side[i / 3][i % 3], off);
        }
        for (int axis = 0; axis < 3; axis++) {
            const int j = (axis + 1) % 3, k = (axis + 2) % 3;
            mpq_mul(expected, side[0][j], side[1][k]);
            mpq_mul(off, side[0][k], side[1][j]);
            mpq_sub(expected, expected, off);
            rational_set(found, normal[axis]);
            mpq_sub(off, found, expected);
            mpq_mul_2exp(off, off, 51);
            mpq_abs(off, off);
            mpq_abs(expected, expected);
            assert_true(mpq_cmp(off, expected) <= 0);
        }
    }
    for (int i = 0; i < 6; i++) {
        mpq_clear(side[i / 3][i % 3]);
    }
    mpq_clears(found, expected, off, NULL);
}
