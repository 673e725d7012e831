/* Values between corners: against whole numbers of GMP, of which every sum is exact. */
#include "lib/geom/exact/weighted.h"
#include "test/support/hard/shapes.h"
#include "test/support/oracle/rational.h"
#include "test/support/test.h"

enum { STEPS = 149 }; /* floats are multiples of 2^-149 */

typedef struct corners {
    float values[3], u, v;
} corners;

/* ((1 - u - v) a + u b + v c) 2^298. */
static void weigh(mpz_t out, const corners *at)
{
    mpz_t weight, x;
    mpz_inits(weight, x, NULL);
    rational_scaled(weight, 1, STEPS);
    rational_scaled(x, (double)at->u, STEPS);
    mpz_sub(weight, weight, x);
    rational_scaled(x, (double)at->v, STEPS);
    mpz_sub(weight, weight, x);
    mpz_set_ui(out, 0);
    const float weights[3] = { 0, at->u, at->v };
    for (int i = 0; i < 3; i++) {
        if (i > 0) {
            rational_scaled(weight, (double)weights[i], STEPS);
        }
        rational_scaled(x, (double)at->values[i], STEPS);
        mpz_addmul(out, weight, x);
    }
    mpz_clears(weight, x, NULL);
}

/* As hits have it, and a little beyond. */
static corners like_a_hit(test_random *random)
{
    corners at;
    at.u = test_random_unit(random);
    at.v = (1 - at.u) * test_random_in(random, -0.001f, 1.001f);
    for (int i = 0; i < 3; i++) {
        at.values[i] = test_random_in(random, -1, 1);
    }
    return at;
}

/* Ties and sums of zero. */
static corners on_a_lattice(test_random *random)
{
    corners at = { .u = hard_whole(random, 16) / 16, .v = hard_whole(random, 16) / 16 };
    const float size = ldexpf(1, (int)test_random_below(random, 60) - 30);
    for (int i = 0; i < 3; i++) {
        at.values[i] = hard_whole(random, 16) * size;
    }
    return at;
}

/* A tie that the third corner moves by as little as 2^-298, or leaves alone. */
static corners beside_a_tie(test_random *random)
{
    const float a = hard_wild(random, 1), sign = test_random_below(random, 2) != 0 ? 1 : -1;
    const float tiny = ldexpf(sign, -(int)test_random_below(random, 150));
    corners at = { .values = { a, nextafterf(a, INFINITY), a }, .u = 0.5f, .v = tiny };
    at.values[2] = nextafterf(a, test_random_below(random, 2) != 0 ? 0 : INFINITY);
    if (test_random_below(random, 3) == 0) {
        at.values[2] = a;
    }
    return at;
}

/* The first two terms cancel, all but the last digits. */
static corners cancelling(test_random *random)
{
    corners at = like_a_hit(random);
    const double rest = (1 - (double)at.u - (double)at.v) * (double)at.values[0];
    at.values[1] = at.u != 0 ? (float)(-rest / (double)at.u) : 0;
    at.v = test_random_below(random, 2) != 0 ? 0 : at.v * 0x1p-60f;
    return at;
}

/* About where floats end. */
static corners huge(test_random *random)
{
    corners at = { .u = hard_wild(random, 0.5f), .v = hard_wild(random, 0.5f) };
    if (test_random_below(random, 2) != 0) {
        at.u = test_random_unit(random);
        at.v = nextafterf(1 - at.u, 2);
    }
    for (int i = 0; i < 3; i++) {
        at.values[i] = test_random_below(random, 4) == 0 ? -FLT_MAX : FLT_MAX;
        at.values[i] = nextafterf(at.values[i], test_random_below(random, 2) != 0 ? 0 : 1);
    }
    return at;
}

static corners denormal(test_random *random)
{
    corners at = like_a_hit(random);
    for (int i = 0; i < 3; i++) {
        at.values[i] *= 0x1p-126f * ldexpf(1, -(int)test_random_below(random, 23));
    }
    return at;
}

static corners wild(test_random *random)
{
    corners at;
    float before = 1;
    at.u = before = hard_wild(random, before);
    at.v = before = hard_wild(random, before);
    for (int i = 0; i < 3; i++) {
        at.values[i] = before = hard_wild(random, before);
    }
    return at;
}

typedef corners maker(test_random *random);
static maker *const makers[] = { like_a_hit, on_a_lattice, beside_a_tie, cancelling,
                                 huge,       denormal,     wild };
enum { MAKERS = sizeof makers / sizeof makers[0] };

static size_t rounds_of_each(void)
{
    return test_is_brief() ? 2000 : 60000 * test_scale();
}

TEST(a_float_is_the_exact_value_rounded_once)
{
    test_random random = { test_seed(51) };
    print_message("seed %llu\n", (unsigned long long)random.state);
    mpz_t exact, one;
    mpz_inits(exact, one, NULL);
    mpz_set_ui(one, 1);
    for (size_t i = 0; i < MAKERS * rounds_of_each(); i++) {
        const corners at = makers[i % MAKERS](&random);
        weigh(exact, &at);
        const float expected = rational_round(exact, one, -2 * STEPS);
        const float got = sli_weighted_float(at.values, at.u, at.v);
        if (memcmp(&expected, &got, sizeof got) != 0) {
            fail_msg("case %zu: %a %a %a at %a %a: %a instead of %a", i, (double)at.values[0],
                     (double)at.values[1], (double)at.values[2], (double)at.u, (double)at.v,
                     (double)got, (double)expected);
        }
    }
    mpz_clears(exact, one, NULL);
}

TEST(a_double_is_within_its_bound)
{
    test_random random = { test_seed(52) };
    print_message("seed %llu\n", (unsigned long long)random.state);
    mpz_t exact, got;
    mpz_inits(exact, got, NULL);
    for (size_t i = 0; i < MAKERS * rounds_of_each(); i++) {
        const corners at = makers[i % MAKERS](&random);
        weigh(exact, &at);
        rational_scaled(got, sli_weighted_double(at.values, at.u, at.v), 2 * STEPS + 60);
        mpz_mul_2exp(exact, exact, 60);
        mpz_sub(got, got, exact);
        mpz_mul_2exp(got, got, 51);
        assert_true(mpz_cmpabs(got, exact) <= 0);
    }
    mpz_clears(exact, got, NULL);
}

TEST(corners_have_their_values)
{
    test_random random = { 53 };
    for (int i = 0; i < 10000; i++) {
        const corners at = wild(&random);
        const float *x = at.values;
        assert_true(sli_weighted_float(x, 0, 0) == x[0]);
        assert_true(sli_weighted_float(x, 1, 0) == x[1]);
        assert_true(sli_weighted_float(x, 0, 1) == x[2]);
    }
    const float zeros[3] = { -0.0f, -0.0f, -0.0f };
    assert_false(signbit(sli_weighted_float(zeros, 0.25f, 0.25f)));
}

TEST(values_that_are_not_finite_are_as_documented)
{
    const float u = 0.25f, inf = INFINITY;
    assert_true(sli_weighted_float((float[3]){ inf, 1, 2 }, u, u) == INFINITY);
    assert_true(sli_weighted_float((float[3]){ 1, -inf, 2 }, u, u) == -INFINITY);
    assert_true(sli_weighted_float((float[3]){ 1, -inf, 2 }, -u, u) == INFINITY);
    assert_true(sli_weighted_float((float[3]){ inf, 0, inf }, u, u) == INFINITY);
    const float cases[][5] = { { NAN, 1, 2, u, u },   { 1, -NAN, 2, 0, 0 }, { inf, 1, -inf, u, u },
                               { inf, 1, 2, 1, 0 },   { 1, inf, 2, 0, u },  { 1, 2, inf, u, 0 },
                               { inf, 1, inf, u, 1 }, { inf, NAN, 0, u, u } };
    const float plain = NAN;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const float got = sli_weighted_float(cases[i], cases[i][3], cases[i][4]);
        assert_memory_equal(&got, &plain, sizeof got); /* the same bits everywhere */
    }
    /* The weight of the first corner has its exact sign, however small it is. */
    assert_true(sli_weighted_float((float[3]){ inf, 1, 2 }, 1, 0x1p-149f) == -INFINITY);
    assert_true(sli_weighted_float((float[3]){ inf, 1, 2 }, 1, -0x1p-149f) == INFINITY);
    assert_true(sli_weighted_float((float[3]){ inf, 1, 2 }, 0x1p-149f, 1) == -INFINITY);
}
