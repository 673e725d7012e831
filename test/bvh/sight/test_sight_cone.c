/* Range and angle of cones against rational arithmetic: targets anywhere, next to the rim and the
 * range, and exactly on them. */
#include "bvh/sight/cone.h"
#include "test/support/oracle/rational.h"
#include "test/support/test.h"

enum { SEED = 20261133 };

/* out = sum of (a - b) (c - d) over the axes. */
static void dot(mpq_t out, const double a[3], const double b[3], const double c[3],
                const double d[3])
{
    mpq_t x, y, z;
    mpq_inits(x, y, z, NULL);
    mpq_set_ui(out, 0, 1);
    for (int axis = 0; axis < 3; axis++) {
        rational_set(x, a[axis]);
        rational_set(z, b[axis]);
        mpq_sub(x, x, z);
        rational_set(y, c[axis]);
        rational_set(z, d[axis]);
        mpq_sub(y, y, z);
        mpq_mul(x, x, y);
        mpq_add(out, out, x);
    }
    mpq_clears(x, y, z, NULL);
}

/* By s |s| against c |c| |d|^2 |n|^2: x |x| grows with x. */
static bool expected(const double eye[3], const sl_sight_cone *cone, const double target[3])
{
    const double zero[3] = { 0, 0, 0 };
    mpq_t length2, side, dir2, x;
    mpq_inits(length2, side, dir2, x, NULL);
    dot(length2, target, eye, target, eye);
    dot(side, target, eye, cone->dir, zero);
    dot(dir2, cone->dir, zero, cone->dir, zero);
    bool has = cone->range >= 0;
    if (has && !isinf(cone->range)) {
        rational_set(x, cone->range);
        mpq_mul(x, x, x);
        has = mpq_cmp(length2, x) <= 0;
    }
    const int sign = mpq_sgn(side);
    mpq_mul(side, side, side);
    if (sign < 0) {
        mpq_neg(side, side);
    }
    rational_set(x, cone->cos_angle);
    mpq_mul(x, x, x);
    if (cone->cos_angle < 0) {
        mpq_neg(x, x);
    }
    mpq_mul(x, x, length2);
    mpq_mul(x, x, dir2);
    has = has && mpq_cmp(side, x) >= 0;
    mpq_clears(length2, side, dir2, x, NULL);
    return has;
}

/* A number that is a multiple of 2^-149, of a size. */
static double draw(double size, bool whole, test_random *random)
{
    const double x = size * ((double)test_random_unit(random) * 2 - 1 +
                             0x1p-26 * (double)test_random_unit(random));
    return whole ? floor(x * 8 / size) * size / 8 : x;
}

static void draw_case(test_random *random, double eye[3], sl_sight_cone *cone, double target[3])
{
    const double size = exp2((double)test_random_below(random, 120) - 60);
    const bool whole = test_random_below(random, 2) == 0;
    double length2 = 0, dir2 = 0, side = 0;
    for (int axis = 0; axis < 3; axis++) {
        eye[axis] = draw(size, whole, random);
        target[axis] = draw(size, whole, random);
        cone->dir[axis] = draw(1, whole, random);
        const double d = target[axis] - eye[axis];
        length2 += d * d;
        dir2 += cone->dir[axis] * cone->dir[axis];
        side += d * cone->dir[axis];
    }
    const double length = sqrt(length2);
    const uint32_t kind = test_random_below(random, 6);
    cone->range = kind == 0 ? INFINITY : length * 1.5 * (double)test_random_unit(random);
    cone->cos_angle = 2.2 * (double)test_random_unit(random) - 1.1;
    if (kind >= 2) { /* on the rim, or an ulp or two from it */
        const double c = side / (length * sqrt(dir2));
        cone->cos_angle = c + 0x1p-52 * (double)(test_random_below(random, 5))-0x1p-51;
        cone->cos_angle = isfinite(cone->cos_angle) ? cone->cos_angle : 0.5;
        cone->range = length * (1 + 0x1p-52 * ((double)test_random_below(random, 5) - 2));
    }
    if (kind == 5) {
        cone->cos_angle = test_random_below(random, 2) == 0 ? 0 : 0.5;
    }
}

TEST(range_and_angle_are_exact)
{
    test_random random = { test_seed(SEED) };
    size_t wrong = 0, inside = 0;
    const size_t count = test_is_brief() ? 1000 : 60000 * test_scale();
    for (size_t i = 0; i < count; i++) {
        double eye[3], target[3];
        sl_sight_cone cone;
        draw_case(&random, eye, &cone, target);
        const bool has = sli_sight_in_cone(eye, &cone, target);
        wrong += has != expected(eye, &cone, target);
        inside += has;
    }
    assert_int_equal(wrong, 0);
    assert_in_range(inside, count / 10, count - count / 10);
}

/* 3 4 0 is 5 away; 1 1 0 is at 45 degrees, 1 0 1 and 1 1 0 at 60 to each other: cosine 1/2. */
TEST(the_rim_is_inside)
{
    const double eye[3] = { 0, 0, 0 }, far[3] = { 3, 4, 0 }, aside[3] = { 1, 0, 1 },
                 across[3] = { 0, 0, 2 }, behind[3] = { -1, -1, 0 };
    sl_sight_cone cone = { .dir = { 1, 1, 0 }, .cos_angle = 0.5, .range = 5 };
    assert_true(sli_sight_in_cone(eye, &cone, far));
    assert_true(sli_sight_in_cone(eye, &cone, aside));
    assert_true(sli_sight_in_cone(eye, &cone, eye));
    assert_false(sli_sight_in_cone(eye, &cone, across));
    cone.cos_angle = nextafter(0.5, 1);
    assert_false(sli_sight_in_cone(eye, &cone, aside));
    cone.range = nextafter(5, 0);
    assert_false(sli_sight_in_cone(eye, &cone, far));
    cone.cos_angle = 0;
    assert_true(sli_sight_in_cone(eye, &cone, across));
    assert_false(sli_sight_in_cone(eye, &cone, behind));
    cone.cos_angle = -1;
    assert_true(sli_sight_in_cone(eye, &cone, behind));
    cone.cos_angle = nextafter(-1, 0);
    assert_false(sli_sight_in_cone(eye, &cone, behind));
}

TEST(what_is_no_number_is_in_no_cone)
{
    const double eye[3] = { 0, 0, 0 }, target[3] = { 1, 0, 0 };
    const sl_sight_cone good = { .dir = { 1, 0, 0 }, .cos_angle = 0.5, .range = INFINITY };
    static const double bad[] = { NAN, INFINITY, -INFINITY, 1e39 };
    assert_true(sli_sight_in_cone(eye, &good, target));
    for (size_t i = 0; i < 4; i++) {
        sl_sight_cone cone = good;
        double point[3] = { 1, bad[i], 0 };
        assert_false(sli_sight_in_cone(eye, &good, point));
        assert_false(sli_sight_in_cone(point, &good, target));
        cone.dir[1] = bad[i];
        assert_false(sli_sight_in_cone(eye, &cone, target));
        cone = good;
        cone.cos_angle = bad[i];
        assert_false(sli_sight_in_cone(eye, &cone, target));
    }
    sl_sight_cone cone = good;
    cone.range = NAN;
    assert_false(sli_sight_in_cone(eye, &cone, target));
    cone.range = -1;
    assert_false(sli_sight_in_cone(eye, &cone, eye));
    cone = (sl_sight_cone){ .cos_angle = 1, .range = 1 }; /* no direction: every one */
    assert_true(sli_sight_in_cone(eye, &cone, target));
    cone.range = 0x1p-160;
    assert_true(sli_sight_in_cone(eye, &cone, eye));
    assert_false(sli_sight_in_cone(eye, &cone, target));
}
