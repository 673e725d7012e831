/* Numbers: their bounds hold, they are exact where they say so, and unsure rather than wrong. */
#include "lib/geom/exact/arithmetic/rounding.h"
#include "lib/geom/exact/quadratic.h"
#include "test/support/hard/shapes.h"
#include "test/support/oracle/rational.h"
#include "test/support/test.h"

/* out = the exact value of x. */
static void number_to_rational(const sli_number *x, mpq_t out)
{
    mpq_set_ui(out, 0, 1);
    if (x->n <= 0) {
        return;
    }
    assert_true(x->limb[0] != 0 && x->limb[x->n - 1] != 0);
    mpz_import(mpq_numref(out), (size_t)x->n, -1, sizeof x->limb[0], 0, 0, x->limb);
    if (x->first < 0) {
        mpq_div_2exp(out, out, (mp_bitcnt_t)(-64 * x->first));
    } else {
        mpq_mul_2exp(out, out, (mp_bitcnt_t)(64 * x->first));
    }
    if (x->sign < 0) {
        mpq_neg(out, out);
    }
}

/* |value - exact| <= error, and the limbs are the exact value. */
static void check(const sli_number *x, const mpq_t exact)
{
    mpq_t a, b;
    mpq_inits(a, b, NULL);
    if (isfinite(x->error)) {
        rational_set(a, x->value);
        mpq_sub(a, a, exact);
        mpq_abs(a, a);
        rational_set(b, x->error);
        assert_true(mpq_cmp(a, b) <= 0);
    }
    number_to_rational(x, a);
    assert_true(x->n < 0 || mpq_equal(a, exact));
    bool unsure = false;
    const int sign = sli_number_sign(x, &unsure);
    assert_true(unsure ? x->n < 0 : sign == mpq_sgn(exact));
    mpq_clears(a, b, NULL);
}

/* Sums and differences of two, then the product of five or six of these: degree 6. */
TEST(bounds_hold_and_exact_numbers_are_exact)
{
    test_random random = { 6 };
    mpq_t q, r, s;
    mpq_inits(q, r, s, NULL);
    for (int i = 0; i < 20000; i++) {
        const bool exact = i % 2 != 0, wild = i % 4 < 2;
        sli_number product, factor, sum, quotient;
        sli_number_set(1, exact, &product);
        mpq_set_ui(q, 1, 1);
        mpq_set_ui(s, 0, 1);
        sli_number_set(0, exact, &sum);
        float last = 1;
        for (int k = 0; k < 6; k++) {
            const float a = last = wild ? hard_wild(&random, last) : hard_whole(&random, 3);
            const float b = last = wild ? hard_wild(&random, last) : hard_whole(&random, 3);
            sli_number_diff((double)a, (double)b, exact, &factor);
            rational_set(r, (double)b);
            mpq_neg(r, r);
            rational_set(s, (double)a);
            mpq_add(r, r, s);
            check(&factor, r);
            sli_number_mul(&product, &factor, &product);
            mpq_mul(q, q, r);
            check(&product, q);
            sli_number_set(1, exact, &sum);
            sli_number_div(&sum, &factor, &quotient);
            if (mpq_sgn(r) != 0) {
                mpq_inv(s, r);
                check(&quotient, s);
            } else {
                assert_true(isinf(quotient.error));
            }
            sli_number_sub(&product, &factor, &sum);
            mpq_sub(s, q, r);
            check(&sum, s);
        }
        assert_true(exact == (product.n >= 0));
    }
    mpq_clears(q, r, s, NULL);
}

/* Sums of products of sixteen inputs: from 2^-2384 to 2^2064 at once; and what is left of such a
 * sum when it is taken away from another. */
TEST(formulas_of_degree_16_are_exact)
{
    test_random random = { 16 };
    const size_t rounds = 2000 + 20000 * test_scale();
    mpq_t q, r, s;
    mpq_inits(q, r, s, NULL);
    for (size_t i = 0; i < rounds; i++) {
        const bool exact = i % 4 != 0;
        sli_number sum, product, factor, large;
        sli_number_set(0, exact, &sum);
        mpq_set_ui(s, 0, 1);
        for (int term = 0; term < 4; term++) {
            sli_number_set(1, exact, &product);
            mpq_set_ui(q, 1, 1);
            for (int k = 0; k < 16; k++) {
                const double x = (double)hard_number(&random, (hard_numbers)(i % HARD_NUMBERS),
                                                     term == 0 ? 1 : FLT_MAX, 3);
                sli_number_set(x, exact, &factor);
                sli_number_mul(&product, &factor, &product);
                rational_set(r, x);
                mpq_mul(q, q, r);
                check(&product, q);
            }
            sli_number_sum(&sum, &product, term % 2 == 0 ? 1 : -1, &sum);
            (term % 2 == 0 ? mpq_add : mpq_sub)(s, s, q);
            check(&sum, s);
        }
        sli_number_sub(&sum, &product, &large);
        sli_number_sub(&large, &sum, &large);
        mpq_neg(q, q);
        check(&large, q);
    }
    mpq_clears(q, r, s, NULL);
}

/* Of exact numbers and of doubles, which may be unsure: small ones, whose roots often cancel. */
TEST(signs_with_a_root_are_those_of_reals)
{
    test_random random = { 17 };
    size_t zeros = 0;
    for (size_t i = 0; i < 20000; i++) {
        const double a = (double)hard_whole(&random, 6), b = (double)hard_whole(&random, 3);
        const double c = fabs((double)hard_whole(&random, 5));
        const bool exact = i % 2 != 0;
        const double a2 = a * fabs(a), b2 = b * fabs(b) * c; /* squares with signs */
        sli_number x, y, z;
        bool unsure = false;
        sli_number_set(a, exact, &x);
        sli_number_set(b, exact, &y);
        sli_number_set(c, exact, &z);
        const int sign = sli_number_sign_with_root(&x, &y, &z, &unsure);
        assert_true(unsure ? !exact : sign == (a2 + b2 > 0) - (a2 + b2 < 0));
        zeros += a != 0 && a2 + b2 == 0;
    }
    assert_true(zeros > 100);
}

TEST(roots_are_within_their_bounds)
{
    const double values[5] = { 0, 1, 2, -0.25, 0x1p-600 }, errors[3] = { 0, 0.5, 0x1p-40 };
    for (int i = 0; i < 5; i++) {
        for (int k = 0; k < 3; k++) {
            const sli_number x = { .value = values[i], .error = errors[k], .n = -1 };
            sli_number root;
            sli_number_sqrt(&x, &root);
            for (int end = -1; end <= 1; end++) {
                const double at = values[i] + end * errors[k];
                assert_true(at < 0 || fabs(sqrt(at) - root.value) <= root.error + 0x1p-1000);
            }
        }
    }
}

static int order_of(const void *user, double boundary)
{
    const double x = *(const double *)user;
    return (x > boundary) - (x < boundary);
}

TEST(rounding_by_order_is_rounding)
{
    test_random random = { 8 };
    for (int i = 0; i < 20000; i++) {
        const double a = (double)hard_wild(&random, 1), b = (double)hard_wild(&random, 1);
        double x = i % 3 == 0 ? a : i % 3 == 1 ? a + b * 0x1p-30 : a * b;
        if (i % 5 == 0) { /* a tie */
            x = ((double)(float)x + (double)nextafterf((float)x, 1)) / 2;
        }
        const float right = (float)x + 0.0f;
        assert_true(sli_round_by_order(-INFINITY, INFINITY, order_of, &x) == right);
        assert_true(sli_round_by_order(x - fabs(x), x + 1, order_of, &x) == right);
        assert_true(sli_round_by_order(NAN, copysign(NAN, -1), order_of, &x) == right);
        assert_true(sli_round_by_order(copysign(NAN, -1), NAN, order_of, &x) == right);
    }
    const double ends[4] = { 0x1.ffffffp127, nextafter(0x1.ffffffp127, 0), -0x1p200, 0x1p-150 };
    const float rounded[4] = { INFINITY, FLT_MAX, -INFINITY, 0 };
    for (int i = 0; i < 4; i++) {
        assert_true(sli_round_by_order(-INFINITY, INFINITY, order_of, &ends[i]) == rounded[i]);
    }
}

TEST(a_root_is_ordered_by_two_signs)
{
    /* (t - 1) (t - 3), at t = 0 .. 4: values 3, 0, -1, 0, 3, slopes - - 0 + +. */
    const int value[5] = { 1, 0, -1, 0, 1 }, slope[5] = { -1, -1, 0, 1, 1 };
    for (int t = 0; t < 5; t++) {
        assert_int_equal(sli_root_order(SLI_ROOT_ENTRY, value[t], slope[t]), (1 > t) - (1 < t));
        assert_int_equal(sli_root_order(SLI_ROOT_EXIT, value[t], slope[t]), (3 > t) - (3 < t));
    }
    assert_int_equal(sli_root_order(SLI_ROOT_ENTRY, 0, 0), 0); /* a double root */
    assert_int_equal(sli_root_order(SLI_ROOT_EXIT, 0, 0), 0);
}
