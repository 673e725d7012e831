/* lib/mesh/format/decimal.c, whose static steps are tested too, since no decimal number is known
 * that needs the rarest of them.  What it makes of whole numbers is tested in test_text.c. */
#include "lib/mesh/format/decimal.c" /* NOLINT: the file itself */
#include "test/support/test.h"

#include <gmp.h>

/* Compares one step with GMP: a of count + 1 limbs, a < 2^32 b.  Returns the quotient. */
static uint32_t check_step(const uint32_t *a, const uint32_t *b, int count)
{
    uint32_t left[8];
    memcpy(left, a, (size_t)(count + 1) * sizeof a[0]);
    const uint32_t quotient = divide_step(left, b, count);
    mpz_t dividend, divisor, wanted, rest, found;
    mpz_inits(dividend, divisor, wanted, rest, found, NULL);
    mpz_import(dividend, (size_t)count + 1, -1, sizeof a[0], 0, 0, a);
    mpz_import(divisor, (size_t)count, -1, sizeof b[0], 0, 0, b);
    mpz_import(found, (size_t)count + 1, -1, sizeof left[0], 0, 0, left);
    mpz_fdiv_qr(wanted, rest, dividend, divisor);
    assert_int_equal(mpz_cmp_ui(wanted, quotient), 0);
    assert_int_equal(mpz_cmp(rest, found), 0);
    mpz_clears(dividend, divisor, wanted, rest, found, NULL);
    return quotient;
}

/* The first guess is 2^32 - 1 and too large by one: 2^127 - 2^96 + 2^95 over 2^95 + 1. */
TEST(a_guess_too_large_is_mended)
{
    const uint32_t a[] = { 0, 0, 0x80000000u, 0x7FFFFFFFu };
    const uint32_t b[] = { 1, 0, 0x80000000u };
    assert_int_equal(check_step(a, b, 3), 0xFFFFFFFEu);
}

/* Limbs that are all ones, all zeros, or nearly so make the guesses that go wrong. */
TEST(steps_agree_with_gmp)
{
    static const uint32_t extremes[] = { 0,           1,           2,           0x7FFFFFFFu,
                                         0x80000000u, 0x80000001u, 0xFFFFFFFEu, 0xFFFFFFFFu };
    test_random random = { .state = 431 };
    print_message("seed %llu\n", (unsigned long long)random.state);
    int tried = 0;
    while (tried < 50000) {
        uint32_t a[8], b[8];
        const int count = 1 + (int)test_random_below(&random, 5);
        for (int i = 0; i <= count; i++) {
            const bool extreme = test_random_below(&random, 4) != 0;
            a[i] = extreme ? extremes[test_random_below(&random, 8)]
                           : (uint32_t)test_random_u64(&random);
            b[i] = extreme ? extremes[test_random_below(&random, 8)]
                           : (uint32_t)test_random_u64(&random);
        }
        b[count - 1] |= 0x80000000u;
        /* Where the upper limbs of a are at least b, the quotient would not fit. */
        int top = count;
        while (top > 0 && a[top] == b[top - 1]) {
            top--;
        }
        if (top > 0 && a[top] < b[top - 1]) {
            check_step(a, b, count);
            tried++;
        }
    }
}
