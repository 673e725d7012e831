/* test_expansion.c: exact sums and products of doubles, against fractions of any length. */
#include "lib/geom/exact/arithmetic/expansion.h"
#include "test/support/oracle/rational.h"
#include "test/support/test.h"

enum { ROUNDS = 3000 };

static const uint64_t seed = 7;

/* Of any sign; whole numbers, powers of two, and anything, from 2^-149 to 2^128. */
static double number(test_random *random)
{
    const double sign = test_random_below(random, 2) == 0 ? 1 : -1;
    const int power = (int)test_random_below(random, 277) - 149;
    switch (test_random_below(random, 6)) {
    case 0:
        return 0;
    case 1:
        return sign * ldexp(1, power);
    case 2:
        return sign * (double)test_random_below(random, 1u << 24);
    case 3: /* just below or above a power of two */
        return sign * nextafter(ldexp(1, power), test_random_below(random, 2) == 0 ? 0 : INFINITY);
    default:
        return sign * ldexp(1 + (double)(test_random_u64(random) >> 12) * 0x1p-52, power - 1);
    }
}

static void sum_up(mpq_t out, int n, const double *components)
{
    mpq_t component;
    mpq_init(component);
    mpq_set_ui(out, 0, 1);
    for (int i = 0; i < n; i++) {
        rational_set(component, components[i]);
        mpq_add(out, out, component);
    }
    mpq_clear(component);
}

/* The value is right, so are sign and estimate, and components do not overlap: each is less than
 * the lowest bit of the next. */
static void assert_expansion(int n, const double *e, const mpq_t value)
{
    mpq_t found, estimate, off;
    mpq_inits(found, estimate, off, NULL);
    sum_up(found, n, e);
    assert_true(mpq_equal(found, value));
    assert_int_equal(sli_expansion_sign(n, e), mpq_sgn(value));
    for (int i = 0; i < n; i++) {
        assert_true(e[i] != 0);
        if (i > 0) {
            const double lowest_bit = ldexp(1, -rational_scale(1, &e[i], -10000));
            assert_true(fabs(e[i - 1]) < lowest_bit);
        }
    }
    rational_set(estimate, sli_expansion_estimate(n, e));
    mpq_sub(off, estimate, value);
    mpq_mul_2exp(off, off, 51);
    mpq_abs(off, off);
    mpq_abs(found, value);
    assert_true(mpq_cmp(off, found) <= 0);
    mpq_clears(found, estimate, off, NULL);
}

TEST(differences_are_exact)
{
    test_random random = { seed };
    mpq_t a, b, value;
    mpq_inits(a, b, value, NULL);
    for (int round = 0; round < ROUNDS; round++) {
        const double x = number(&random);
        const double y = test_random_below(&random, 8) == 0 ? x : number(&random);
        rational_set(a, x);
        rational_set(b, y);
        mpq_sub(value, a, b);
        const sli_diff diff = sli_diff_make(x, y);
        assert_true(diff.n <= 2);
        assert_expansion(diff.n, diff.c, value);
        double pair[2];
        sli_two_sum(x, y, &pair[1], &pair[0]);
        mpq_add(value, a, b);
        sum_up(a, 2, pair);
        assert_true(mpq_equal(a, value));
        assert_true(pair[1] == x + y);
    }
    mpq_clears(a, b, value, NULL);
}

/* Steps go on from two expansions of so many components; one of the two has become longer. */
enum { GROWN = SLI_PRODUCT_MAX, CAPACITY = 5 * GROWN };

/* An expansion and its value, grown by random steps. */
typedef struct growing {
    int n;
    double c[CAPACITY];
    mpq_t value;
} growing;

static void start(growing *g, test_random *random)
{
    const double x = number(random), y = number(random);
    const sli_diff diff = sli_diff_make(x, y);
    g->n = diff.n;
    g->c[0] = diff.c[0];
    g->c[1] = diff.c[1];
    sum_up(g->value, diff.n, diff.c);
}

static void copy(growing *to, int n, const double *c)
{
    to->n = n;
    for (int i = 0; i < n; i++) {
        to->c[i] = c[i];
    }
}

/* One step: add or subtract another, or multiply by a number or a difference. */
static void grow(growing *g, growing *other, test_random *random)
{
    double h[CAPACITY];
    mpq_t factor;
    mpq_init(factor);
    const double x = number(random), y = number(random);
    const sli_diff diff = sli_diff_make(x, y);
    switch (test_random_below(random, 4)) {
    case 0:
        mpq_add(g->value, g->value, other->value);
        copy(g, sli_expansion_sum(g->n, g->c, other->n, other->c, h), h);
        break;
    case 1:
        mpq_sub(g->value, g->value, other->value);
        copy(g, sli_expansion_diff(g->n, g->c, other->n, other->c, h), h);
        break;
    case 2:
        rational_set(factor, x);
        mpq_mul(g->value, g->value, factor);
        copy(g, sli_expansion_scale(g->n, g->c, x, h), h);
        break;
    default:
        sum_up(factor, diff.n, diff.c);
        mpq_mul(g->value, g->value, factor);
        copy(g, sli_expansion_times_diff(g->n, g->c, &diff, h), h);
    }
    mpq_clear(factor);
}

TEST(sums_and_products_are_exact)
{
    test_random random = { seed + 1 };
    growing one, other;
    mpq_inits(one.value, other.value, NULL);
    int longest = 0;
    for (int round = 0; round < ROUNDS; round++) {
        start(&one, &random);
        start(&other, &random);
        for (int step = 0; step < 3; step++) {
            grow(&one, &other, &random);
            assert_expansion(one.n, one.c, one.value);
            grow(&other, &one, &random);
            assert_expansion(other.n, other.c, other.value);
            longest = one.n > longest ? one.n : longest;
            if (fabs(sli_expansion_estimate(one.n, one.c)) > 0x1p400 || one.n > GROWN ||
                fabs(sli_expansion_estimate(other.n, other.c)) > 0x1p400 || other.n > GROWN) {
                break; /* keep within the documented range */
            }
        }
    }
    assert_true(longest > 16);
    mpq_clears(one.value, other.value, NULL);
}

TEST(equal_expansions_cancel)
{
    test_random random = { seed + 2 };
    growing one;
    mpq_init(one.value);
    double h[4];
    for (int round = 0; round < ROUNDS; round++) {
        start(&one, &random);
        assert_int_equal(sli_expansion_diff(one.n, one.c, one.n, one.c, h), 0);
        assert_int_equal(sli_expansion_sign(0, h), 0);
        assert_true(sli_expansion_estimate(0, h) == 0);
        assert_int_equal(sli_expansion_scale(one.n, one.c, 0, h), 0);
    }
    mpq_clear(one.value);
}

/* The second one stands behind the room that the first one takes, as it may. */
TEST(a_sum_may_be_written_over_its_second_part)
{
    test_random random = { seed + 5 };
    growing one, other;
    mpq_t sum;
    mpq_inits(one.value, other.value, sum, NULL);
    for (int round = 0; round < ROUNDS; round++) {
        start(&one, &random);
        start(&other, &random);
        grow(&one, &other, &random);
        double h[CAPACITY];
        for (int i = 0; i < other.n; i++) {
            h[one.n + i] = other.c[i];
        }
        mpq_add(sum, one.value, other.value);
        assert_expansion(sli_expansion_sum(one.n, one.c, other.n, h + one.n, h), h, sum);
    }
    mpq_clears(one.value, other.value, sum, NULL);
}

TEST(comparisons_are_those_of_values)
{
    test_random random = { seed + 6 };
    growing one, other;
    mpq_inits(one.value, other.value, NULL);
    for (int round = 0; round < ROUNDS; round++) {
        start(&one, &random);
        start(&other, &random);
        grow(&one, &other, &random);
        const int order = mpq_cmp(one.value, other.value);
        assert_int_equal(sli_expansion_compare(one.n, one.c, other.n, other.c),
                         (order > 0) - (order < 0));
        assert_int_equal(sli_expansion_compare(one.n, one.c, one.n, one.c), 0);
        double beside[CAPACITY];
        const double bit = one.n > 0 ? ldexp(one.c[0], -60) : 0x1p-200;
        const int n = sli_expansion_sum(one.n, one.c, 1, &bit, beside);
        assert_int_equal(sli_expansion_compare(n, beside, one.n, one.c), bit > 0 ? 1 : -1);
    }
    mpq_clears(one.value, other.value, NULL);
}

/* det(a, b, c) of differences by the rule of Sarrus. */
static void sarrus(mpq_t out, mpq_t m[3][3])
{
    mpq_t term;
    mpq_init(term);
    mpq_set_ui(out, 0, 1);
    for (int i = 0; i < 3; i++) {
        for (int way = 1; way <= 2; way++) {
            mpq_mul(term, m[0][i], m[1][(i + way) % 3]);
            mpq_mul(term, term, m[2][(i + 2 * way) % 3]);
            (way == 1 ? mpq_add : mpq_sub)(out, out, term);
        }
    }
    mpq_clear(term);
}

TEST(determinants_are_exact)
{
    test_random random = { seed + 3 };
    mpq_t m[3][3], det;
    mpq_init(det);
    for (int i = 0; i < 9; i++) {
        mpq_init(m[i / 3][i % 3]);
    }
    for (int round = 0; round < ROUNDS; round++) {
        sli_diff rows[3][3];
        for (int i = 0; i < 9; i++) {
            const double x = number(&random), y = number(&random);
            rows[i / 3][i % 3] = sli_diff_make(x, y);
            sum_up(m[i / 3][i % 3], rows[i / 3][i % 3].n, rows[i / 3][i % 3].c);
        }
        double h[SLI_DET3_MAX];
        const int n = sli_exact_det3(rows[0], rows[1], rows[2], h);
        assert_in_range(n, 0, SLI_DET3_MAX);
        sarrus(det, m);
        assert_expansion(n, h, det);
    }
    for (int i = 0; i < 9; i++) {
        mpq_clear(m[i / 3][i % 3]);
    }
    mpq_clear(det);
}

/* A double that is a multiple of 2^-149 and no larger than FLT_MAX; mostly from the ends of that
 * range, so that determinants span all of it. */
static double corner(test_random *random)
{
    const double sign = test_random_below(random, 2) == 0 ? 1 : -1;
    const double mantissa = 1 + (double)(test_random_u64(random) >> 12) * 0x1p-52;
    switch (test_random_below(random, 6)) {
    case 0:
        return sign * (double)FLT_MAX;
    case 1:
        return sign * 0x1p-149;
    case 2:
        return sign * ldexp(mantissa, 126);
    case 3: /* 53 bits, the last of which is 2^-149 */
        return sign * ldexp(mantissa, -97);
    case 4:
        return sign * ldexp((double)(test_random_below(random, 1u << 30) | 1), -149);
    default:
        return sign * ldexp(mantissa, (int)test_random_below(random, 224) - 97);
    }
}

/* The proof that expansions have room goes by span: a value of degree k in such numbers is a
 * multiple of 2^-149k below 2^(130k + 3), whatever digits the numbers have, and compressed
 * components but the last hold 53 bits each. */
TEST(corners_that_are_doubles_leave_room)
{
    test_random random = { seed + 9 };
    mpq_t m[3][3], det, side, product;
    mpq_inits(det, side, product, NULL);
    for (int i = 0; i < 9; i++) {
        mpq_init(m[i / 3][i % 3]);
    }
    int most[3] = { 0, 0, 0 };
    for (int round = 0; round < ROUNDS; round++) {
        sli_diff rows[3][3];
        for (int i = 0; i < 9; i++) {
            const double x = corner(&random), y = corner(&random);
            rows[i / 3][i % 3] = sli_diff_make(x, y);
            sum_up(m[i / 3][i % 3], rows[i / 3][i % 3].n, rows[i / 3][i % 3].c);
        }
        double h[SLI_DET3_MAX], h6[SLI_COMPRESSED_MAX], h7[SLI_COMPRESSED_MAX];
        const int n = sli_exact_det3(rows[0], rows[1], rows[2], h);
        sarrus(det, m);
        assert_expansion(n, h, det);
        const int n6 = sli_expansion_product(n, h, n, h, h6);
        mpq_mul(product, det, det);
        assert_expansion(n6, h6, product);
        const int n7 = sli_expansion_product(n6, h6, rows[0][0].n, rows[0][0].c, h7);
        mpq_mul(product, product, m[0][0]);
        assert_expansion(n7, h7, product);
        const int counts[3] = { n, n6, n7 };
        for (int i = 0; i < 3; i++) {
            most[i] = counts[i] > most[i] ? counts[i] : most[i];
        }
    }
    print_message("at most %d, %d and %d components\n", most[0], most[1], most[2]);
    /* (447 + 390) / 53 + 1, (894 + 780) / 53 + 1, (1043 + 909) / 53 + 1 */
    assert_in_range(most[0], 14, 17);
    assert_in_range(most[1], 20, 33);
    assert_in_range(most[2], 20, 38);
    for (int i = 0; i < 9; i++) {
        mpq_clear(m[i / 3][i % 3]);
    }
    mpq_clears(det, side, product, NULL);
}

static float round_fraction(const mpq_t x)
{
    return rational_round(mpq_numref(x), mpq_denref(x), 0);
}

/* Numerators are boundary times den: the quotient is a float or the middle between two; and a bit
 * beside it, with any denominator. */
TEST(ratios_are_rounded_and_compared_exactly)
{
    test_random random = { seed + 4 };
    mpq_t ratio, limit;
    mpq_inits(ratio, limit, NULL);
    growing num, den;
    mpq_inits(num.value, den.value, NULL);
    int infinite = 0, denormal = 0, equal = 0;
    for (int round = 0; round < 4 * ROUNDS; round++) {
        do {
            start(&den, &random);
        } while (den.n == 0);
        const int power = (int)test_random_below(&random, 300) - 160;
        const double whole = (double)((1 << 24) + (int)test_random_below(&random, 1 << 24));
        const double boundary = ldexp(test_random_below(&random, 8) == 0 ? 1 : whole, power);
        double h[8];
        copy(&num, sli_expansion_scale(den.n, den.c, boundary, h), h);
        const uint32_t beside = test_random_below(&random, 3);
        if (beside > 0 && num.n > 0) { /* by 2^-60 of it */
            const double bit = ldexp(num.c[num.n - 1], -60);
            copy(&num, sli_expansion_sum(num.n, num.c, 1, &bit, h), h);
        }
        sum_up(num.value, num.n, num.c);
        mpq_div(ratio, num.value, den.value);
        const float expected = round_fraction(ratio);
        const float found = sli_expansion_round_ratio(num.n, num.c, den.n, den.c);
        assert_memory_equal(&found, &expected, sizeof found);
        rational_set(limit, boundary);
        const int sign = mpq_cmp(ratio, limit) * mpq_sgn(den.value);
        const int compared = sli_expansion_compare_ratio(num.n, num.c, den.n, den.c, boundary);
        assert_int_equal(compared, (sign > 0) - (sign < 0));
        infinite += isinf(found);
        denormal += found != 0 && fabsf(found) < FLT_MIN;
        equal += compared == 0;
    }
    printf("%d of infinite, %d of denormal ratio, %d equal to the limit\n", infinite, denormal,
           equal);
    assert_true(infinite > 50 && denormal > 50 && equal > ROUNDS / 2);
    assert_int_equal(sli_expansion_round_ratio(0, num.c, den.n, den.c), 0);
    mpq_clears(ratio, limit, num.value, den.value, NULL);
}

TEST(intervals_round_alike_only_if_every_value_does)
{
    float rounded = 7;
    assert_true(sli_rounds_alike(1, 1 + 0x1p-25, &rounded));
    assert_true(rounded == 1);
    assert_false(sli_rounds_alike(1, 1 + 0x1p-23, &rounded));
    assert_true(sli_rounds_alike(-0x1p-160, -0x1p-170, &rounded));
    assert_true(rounded == 0 && !signbit(rounded));
    assert_true(sli_rounds_alike(0x1p128, 0x1p200, &rounded));
    assert_true(isinf(rounded));
    assert_false(sli_rounds_alike(-INFINITY, INFINITY, &rounded));
}
