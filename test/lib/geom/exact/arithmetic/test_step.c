/* The largest powers of two that numbers, and so determinants, are multiples of. */
#include "lib/geom/exact/arithmetic/step.h"
#include "test/support/test.h"

TEST(a_step_is_the_lowest_bit)
{
    assert_int_equal(sli_step_exponent(1), 0);
    assert_int_equal(sli_step_exponent(-12), 2);
    assert_int_equal(sli_step_exponent(0x1.8p-149), -150);
    assert_int_equal(sli_step_exponent(0x1.0000000000001p0), -52);
    assert_int_equal(sli_step_exponent(0x1p127), 127);
    assert_true(sli_step_exponent(0) > 1000 && sli_step_exponent(-0.0) > 1000);
}

TEST(products_of_vectors_are_multiples_of_their_steps)
{
    const sli_dd a[3] = { { 6, 0 }, { 0, 0 }, { -4, 0 } };
    const sli_dd b[3] = { { 0x1.8p-149, 0 }, { 1, 0 }, { 0x1p127, 0 } };
    const sli_dd none[3] = { { 0, 0 }, { 0, 0 }, { 0, 0 } };
    const sli_dd low[3] = { { 1, 0x1p-60 }, { 0, 0 }, { 1, 0 } };
    assert_true(sli_step_of_two(a, b) == 0x1p-149);
    assert_true(sli_step_of_product(a, b, a) == 0x1p-148);
    assert_true(sli_step_of_product(b, b, b) == 0x1p-450);
    assert_true(sli_step_of_two(a, low) == 0 && sli_step_of_product(low, a, b) == 0);
    assert_true(sli_step_of_two(a, none) == 0x1p1000);
    assert_true(sli_step_of_product(none, b, b) == 0x1p1000);
}
