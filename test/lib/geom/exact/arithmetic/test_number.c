/* Numbers: their bounds hold, they are exact where they say so, and unsure rather than wrong. */
#include "lib/geom/exact/quadratic.h"
#include "test/support/hard/shapes.h"
#include "test/support/oracle/rational.h"
#include "test/support/test.h"

/* |value - exact| <= error, and the components add up. */
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
    mpq_set_ui(a, 0, 1);
    for (int i = 0; i < x->n; i++) {
        rational_set(b, x->c[i]);
        mpq_add(a, a, b);
    }
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
