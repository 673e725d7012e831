/* Products in two parts: within their bounds of the exact ones. */
#include "lib/geom/exact/arithmetic/number.h"
#include "lib/geom/exact/arithmetic/parts.h"
#include "test/support/hard/shapes.h"
#include "test/support/test.h"

/* A vector of exact differences, often of few bits, and the same in numbers. */
static void draw(test_random *random, int kind, sli_dd v[3], sli_number exact[3])
{
    float before = 1;
    for (int axis = 0; axis < 3; axis++) {
        double x[2];
        for (int i = 0; i < 2; i++) {
            before = hard_number(random, (hard_numbers)(kind % HARD_NUMBERS), before, 5);
            x[i] = kind < HARD_NUMBERS ? (double)before
                                       : (double)before * (double)test_random_in(random, 1, 2);
        }
        v[axis] = sli_dd_difference(x[0], x[1]);
        sli_number_diff(x[0], x[1], true, &exact[axis]);
    }
}

/* Whether x is within error of high + low. */
static bool is_within(const sli_number *x, sli_dd found, double error)
{
    sli_number rest, part;
    bool unsure = false;
    sli_number_diff(found.high, -found.low, true, &part);
    sli_number_sub(x, &part, &rest);
    sli_number_turn(&rest, sli_number_sign(&rest, &unsure) < 0 ? -1 : 1);
    sli_number_set(error, true, &part);
    sli_number_sub(&rest, &part, &rest);
    return sli_number_sign(&rest, &unsure) <= 0;
}

TEST(cross_and_dot_products_are_as_near_as_they_say)
{
    static const double none[3] = { 0, 0, 0 };
    test_random random = { test_seed(1) };
    size_t exact = 0, rounded = 0;
    for (size_t i = 0; i < test_count(20000); i++) {
        sli_dd a[3], b[3], found[3];
        sli_number x[3], y[3], across[3], dot;
        sli_parts p[3], q[3];
        double error[3], size = 0;
        draw(&random, (int)(i % (2 * HARD_NUMBERS)), a, x);
        draw(&random, (int)(i / 2 % (2 * HARD_NUMBERS)), b, y);
        sli_parts_cross(a, b, none, found, error);
        sli_number_cross(x, y, across);
        for (int axis = 0; axis < 3; axis++) {
            assert_true(is_within(&across[axis], found[axis], error[axis]));
            exact += error[axis] == 0;
            rounded += error[axis] > 0;
            size += fabs(a[axis].high * b[axis].high);
        }
        sli_parts_of3(a, p);
        sli_parts_of3(b, q);
        sli_number_dot(x, y, &dot);
        assert_true(is_within(&dot, sli_parts_dot(p, q), 20 * SLI_PART * size));
    }
    assert_true(exact > 1000 && rounded > 1000);
}
