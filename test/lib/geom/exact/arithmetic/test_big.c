/* Numbers of any size against those of GMP. */
#include "lib/base/memory.h"
#include "lib/geom/exact/arithmetic/big.h"
#include "test/support/oracle/rational.h"
#include "test/support/test.h"

/* A number and what GMP has of it. */
typedef struct both {
    sli_big own;
    mpq_t right;
} both;

static sli_bigs start(void)
{
    const sl_allocator allocator = sli_allocator(NULL);
    return (sli_bigs){ .arena = sli_arena_make(&allocator) };
}

/* Doubles of few bits or of many, near one another or far apart. */
static double random_double(test_random *random)
{
    const double x = test_random_below(random, 2) ? (double)test_random_below(random, 9) - 4
                                                  : (double)(int64_t)test_random_u64(random);
    const uint32_t spread = test_random_below(random, 3) * 100 + 1;
    return ldexp(x, (int)test_random_below(random, spread) - (int)spread / 2);
}

/* One number is made of two others. */
static void combine(sli_bigs *bigs, uint32_t how, const both *x, const both *y, both *out)
{
    if (how == 0) {
        out->own = sli_big_add(bigs, x->own, y->own);
        mpq_add(out->right, x->right, y->right);
    } else if (how == 1) {
        out->own = sli_big_sub(bigs, x->own, y->own);
        mpq_sub(out->right, x->right, y->right);
    } else {
        out->own = sli_big_mul(bigs, x->own, y->own);
        mpq_mul(out->right, x->right, y->right);
    }
}

/* The sum of the limbs. */
static void assert_same(const both *x)
{
    mpq_t sum, limb;
    mpq_inits(sum, limb, NULL);
    for (int i = x->own.n; i-- > 0;) {
        mpz_set_ui(mpq_numref(limb), (unsigned long)(x->own.limb[i] >> 32));
        mpz_mul_2exp(mpq_numref(limb), mpq_numref(limb), 32);
        mpz_add_ui(mpq_numref(limb), mpq_numref(limb),
                   (unsigned long)(x->own.limb[i] & UINT32_MAX));
        mpz_set_ui(mpq_denref(limb), 1);
        if (x->own.first + i >= 0) {
            mpq_mul_2exp(limb, limb, 64 * (mp_bitcnt_t)(x->own.first + i));
        } else {
            mpq_div_2exp(limb, limb, 64 * (mp_bitcnt_t) - (x->own.first + i));
        }
        mpq_add(sum, sum, limb);
    }
    if (x->own.sign < 0) {
        mpq_neg(sum, sum);
    }
    assert_int_equal(x->own.sign, mpq_sgn(x->right));
    assert_true(mpq_equal(sum, x->right) != 0);
    assert_true(x->own.n == 0 || (x->own.limb[0] != 0 && x->own.limb[x->own.n - 1] != 0));
    mpq_clears(sum, limb, NULL);
}

enum { FORMULA = 16 };

TEST(sums_differences_and_products_are_exact)
{
    test_random random = { test_seed(1) };
    both all[FORMULA];
    for (int k = 0; k < FORMULA; k++) {
        mpq_init(all[k].right);
    }
    for (size_t i = 0; i < test_count(5000); i++) {
        sli_bigs bigs = start();
        for (int k = 0; k < FORMULA; k++) {
            if (k < FORMULA / 2) {
                const double x = random_double(&random);
                all[k].own = sli_big_of(&bigs, x);
                rational_set(all[k].right, x);
            } else {
                const both *x = &all[test_random_below(&random, (uint32_t)k)];
                const both *y = &all[test_random_below(&random, (uint32_t)k)];
                combine(&bigs, test_random_below(&random, 3), x, y, &all[k]);
            }
            assert_same(&all[k]);
        }
        assert_false(bigs.failed);
        sli_arena_free(&bigs.arena);
    }
    for (int k = 0; k < FORMULA; k++) {
        mpq_clear(all[k].right);
    }
}

/* 2^192 - 1 borrows through all limbs, and 2^192 - 2^64 - 1 through two; and back. */
TEST(carries_go_through_all_limbs)
{
    sli_bigs bigs = start();
    const sli_big one = sli_big_of(&bigs, 1), large = sli_big_of(&bigs, 0x1p192);
    const sli_big less = sli_big_sub(&bigs, large, one);
    assert_int_equal(less.n, 3);
    for (int i = 0; i < 3; i++) {
        assert_true(less.limb[i] == UINT64_MAX);
    }
    const sli_big more = sli_big_sub(&bigs, less, sli_big_of(&bigs, 0x1p64));
    assert_true(more.limb[0] == UINT64_MAX && more.limb[1] == UINT64_MAX - 1);
    assert_int_equal(sli_big_sub(&bigs, sli_big_add(&bigs, less, one), large).sign, 0);
    sli_arena_free(&bigs.arena);
}

TEST(ratios_are_near)
{
    test_random random = { test_seed(2) };
    mpq_t ratio, off;
    mpq_inits(ratio, off, NULL);
    for (size_t i = 0; i < test_count(5000); i++) {
        sli_bigs bigs = start();
        const double x[2] = { random_double(&random), random_double(&random) };
        const double y[2] = { random_double(&random), random_double(&random) };
        if (y[0] != 0 && y[1] != 0) {
            const sli_big num =
                sli_big_mul(&bigs, sli_big_of(&bigs, x[0]), sli_big_of(&bigs, x[1]));
            const sli_big den =
                sli_big_mul(&bigs, sli_big_of(&bigs, y[0]), sli_big_of(&bigs, y[1]));
            rational_set(ratio, x[0]);
            for (int k = 1; k < 4; k++) {
                rational_set(off, k == 1 ? x[1] : y[k - 2]);
                if (k == 1) {
                    mpq_mul(ratio, ratio, off);
                } else {
                    mpq_div(ratio, ratio, off);
                }
            }
            rational_set(off, sli_big_ratio(num, den));
            mpq_sub(off, off, ratio);
            mpq_abs(off, off);
            mpq_abs(ratio, ratio);
            mpq_div_2exp(ratio, ratio, 50);
            assert_true(mpq_cmp(off, ratio) <= 0);
        }
        sli_arena_free(&bigs.arena);
    }
    mpq_clears(ratio, off, NULL);
}
