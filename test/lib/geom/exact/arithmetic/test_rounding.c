/* Ratios and roots rounded to doubles, nearest and down, as rationals say. */
#include "lib/geom/exact/arithmetic/round_root.h"
#include "test/support/hard/shapes.h"
#include "test/support/oracle/rational.h"
#include "test/support/test.h"

/* The sign of the root x (of degree 1 or 2) minus a double, from the value x^degree >= 0. */
static int compare_power(const mpq_t power, int degree, double x, mpq_t room)
{
    if (degree == 2 && x < 0) {
        return 1;
    }
    rational_set(room, x);
    if (degree == 2) {
        mpq_mul(room, room, room);
    }
    return mpq_cmp(power, room);
}

/* The sign of the root minus the middle of two doubles. */
static int compare_middle(const mpq_t power, int degree, double a, double b, mpq_t room)
{
    mpq_t other;
    mpq_init(other);
    rational_set(room, a);
    rational_set(other, b);
    mpq_add(room, room, other);
    mpq_div_2exp(room, room, 1);
    if (degree == 2) {
        mpq_mul(room, room, room);
    }
    mpq_clear(other);
    return mpq_cmp(power, room);
}

static bool is_even(double x)
{
    int exponent;
    return x == 0 || fmod(frexp(x, &exponent) * 0x1p53, 2) == 0; /* of normal doubles */
}

/* Whether r is the root of power, rounded both ways. */
static void check(sli_rounded r, const mpq_t power, int degree)
{
    mpq_t room;
    mpq_init(room);
    const double next = nextafter(r.down, INFINITY);
    assert_true(!signbit(r.down) || r.down != 0);
    assert_true(compare_power(power, degree, r.down, room) >= 0);
    assert_true(compare_power(power, degree, next, room) < 0);
    assert_true(r.nearest == r.down || r.nearest == next);
    const int side = compare_middle(power, degree, r.down, next, room);
    const bool up = side > 0 || (side == 0 && !is_even(r.down));
    assert_true(r.nearest == (up ? next : r.down));
    mpq_clear(room);
}

/* A product of up to three numbers; or a double, or halfway between two. */
static void make(test_random *random, int kind, sli_number *out, mpq_t exact)
{
    mpq_t x;
    mpq_init(x);
    sli_number_set(1, true, out);
    mpq_set_ui(exact, 1, 1);
    const int factors = 1 + (int)test_random_below(random, 3);
    for (int i = 0; i < factors; i++) {
        const double factor = kind == 0   ? (double)hard_whole(random, 9)
                              : kind == 1 ? (double)hard_wild(random, 1)
                                          : (double)hard_wild(random, 1) + 0x1p-20;
        sli_number next;
        sli_number_set(factor, true, &next);
        rational_set(x, factor);
        sli_number_mul(out, &next, out);
        mpq_mul(exact, exact, x);
    }
    mpq_clear(x);
}

TEST(ratios_are_rounded_both_ways)
{
    test_random random = { 31 };
    mpq_t q, r;
    mpq_inits(q, r, NULL);
    for (size_t i = 0; i < 30000; i++) {
        sli_number x, y;
        make(&random, (int)(i % 3), &x, q);
        make(&random, (int)(i / 3 % 3), &y, r);
        if (mpq_sgn(r) == 0) {
            continue;
        }
        if (i % 7 == 0) { /* x = y * a double, or y * halfway between two */
            sli_number by;
            const double a = test_random_in(&random, -1, 1) + 0x1p-30;
            sli_number_diff(a, -nextafter(a, i % 2 != 0 ? 2 : a), true, &by);
            sli_number_mul(&by, &y, &x);
            rational_set(q, a);
            rational_set(r, nextafter(a, i % 2 != 0 ? 2 : a));
            mpq_add(q, q, r);
        } else {
            mpq_div(q, q, r);
        }
        const double size = fabs(mpq_get_d(q));
        if (size > 0x1p-1000 && size < 0x1p1000) {
            check(sli_number_round_ratio_double(&x, &y), q, 1);
        }
        if (mpq_sgn(q) == 0) {
            const sli_rounded zero = sli_number_round_ratio_double(&x, &y);
            assert_true(zero.nearest == 0 && zero.down == 0 && !signbit(zero.nearest));
        }
    }
    mpq_clears(q, r, NULL);
}

TEST(roots_are_rounded_both_ways)
{
    test_random random = { 32 };
    mpq_t q, r;
    mpq_inits(q, r, NULL);
    for (size_t i = 0; i < 30000; i++) {
        sli_number x, y;
        make(&random, (int)(i % 3), &x, q);
        make(&random, (int)(i / 3 % 3), &y, r);
        if (mpq_sgn(r) == 0 || mpq_sgn(q) == 0) {
            continue;
        }
        sli_number_turn(&x, x.sign);
        sli_number_turn(&y, y.sign);
        if (i % 5 == 0) { /* a square: the root is a ratio */
            sli_number_mul(&x, &x, &x);
            sli_number_mul(&y, &y, &y);
            mpq_mul(q, q, q);
            mpq_mul(r, r, r);
        }
        mpq_div(q, q, r);
        mpq_abs(q, q);
        check(sli_round_root_double(&x, &y), q, 2);
    }
    mpq_clears(q, r, NULL);
}

static int order_of(const void *user, const sli_number *boundary)
{
    sli_number x;
    sli_number_set(*(const double *)user, true, &x);
    sli_number_sub(&x, boundary, &x);
    return x.sign;
}

/* Doubles, of which nothing is known: tiny ones, and the largest, too. */
TEST(rounding_by_order_alone_is_rounding)
{
    const double values[] = { 0,    0x1p-1074, -0x1p-1074, 1,       -1.5,
                              1e30, DBL_MAX,   -DBL_MAX,   DBL_MIN, nextafter(1, 0) };
    for (size_t i = 0; i < sizeof values / sizeof values[0]; i++) {
        const double x = values[i], errors[3] = { INFINITY, NAN, 1 };
        for (int k = 0; k < 3; k++) {
            const sli_rounded r = sli_round_double(k == 2 ? x : 0, 0, errors[k], order_of, &x);
            assert_true(r.nearest == x && r.down == x);
        }
    }
}
