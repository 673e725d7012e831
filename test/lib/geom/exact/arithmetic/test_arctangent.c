/* test_arctangent.c: the arc tangent of sli_arctangent against that of the C library in long
 * double. */
#include "lib/geom/exact/arithmetic/arctangent.h"
#include "test/support/test.h"

enum { SEED = 20260805, COUNT = 200000 };

static double worst;

static void check(double y, double x)
{
    const long double truth = atan2l((long double)y, (long double)x);
    const double error = (double)fabsl((long double)sli_arctangent(y, x) - truth);
    worst = fmax(worst, error);
    if (!(error <= 0x1p-50)) {
        fail_msg("%a %a: %a instead of %La", y, x, sli_arctangent(y, x), truth);
    }
}

TEST(angles_are_within_2_to_the_minus_50)
{
    test_random random = { SEED };
    worst = 0;
    for (size_t i = 0; i < COUNT * test_scale(); i++) {
        const double y = 2 * (double)(test_random_u64(&random) >> 11) * 0x1p-53 - 1;
        const double x = 2 * (double)(test_random_u64(&random) >> 11) * 0x1p-53 - 1;
        const int spread = (int)test_random_below(&random, 40);
        check(y, x);
        check(ldexp(y, -spread), x);
        check(y, ldexp(x, -spread));
    }
    print_message("off by 2^%.2f at most\n", log2(worst));
}

TEST(borders_of_the_table_are_no_different)
{
    for (int sixteenth = 0; sixteenth <= 16; sixteenth++) {
        for (int steps = -3; steps <= 3; steps++) {
            const double low = sixteenth / 16.0 + steps * 0x1p-53;
            for (int sides = 0; sides < 4; sides++) {
                const double y = sides & 1 ? -low : low, x = sides & 2 ? -1 : 1;
                check(y, x);
                check(x, y);
            }
        }
    }
}

TEST(sizes_do_not_matter)
{
    check(0x1p-900, 0x1p-900);
    check(-0x1p-900, 0x1.8p1000);
    check(0x1.8p1000, -0x1p-900);
    check(0x1p1000, 0x1.5p1000);
    check(-0x1.7p-890, -0x1.1p-893);
}

TEST(axes_and_signs_of_zeros_are_kept)
{
    const double pi = 0x1.921fb54442d18p+1;
    assert_true(sli_arctangent(0.0, 1) == 0 && !signbit(sli_arctangent(0.0, 1)));
    assert_true(sli_arctangent(-0.0, 1) == 0 && signbit(sli_arctangent(-0.0, 1)));
    assert_true(sli_arctangent(0.0, -1) == pi);
    assert_true(sli_arctangent(-0.0, -1) == -pi);
    assert_true(sli_arctangent(3, 0) == pi / 2);
    assert_true(sli_arctangent(-3, 0) == -pi / 2);
    assert_true(sli_arctangent(0.0, 0.0) == 0);
    assert_true(sli_arctangent(2, 2) == pi / 4);
}
