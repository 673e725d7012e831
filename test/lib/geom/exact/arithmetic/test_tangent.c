/* The tangent of half an angle, against that of the C library. */
#include "lib/geom/exact/arithmetic/tangent.h"
#include "test/support/test.h"

static void assert_near(float angle)
{
    const double expected = tan((double)angle / 2);
    assert_true(fabs(sli_half_angle_tangent(angle) - expected) <= 2e-15 * expected);
}

TEST(it_is_the_tangent_over_the_whole_range)
{
    for (int i = 1; i < 31415; i++) {
        assert_near((float)i * 1e-4f);
    }
    assert_near(0x1p-149f);
    assert_near(0x1p-60f);
    assert_near(1.57079632f); /* where the two halves of the formula meet */
    assert_near(nextafterf(1.57079632f, 2));
    assert_near(nextafterf(3.14159265f, 0)); /* the largest below pi */
}

/* tan(60 degrees / 2) = 1 / sqrt(3), tan(90 / 2) = 1: as floats, from angles rounded to floats. */
TEST(known_angles_have_known_tangents)
{
    assert_true((float)sli_half_angle_tangent(1.04719755f) == 0.577350269f);
    assert_true((float)sli_half_angle_tangent(1.57079633f) == 1);
}
