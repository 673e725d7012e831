/* Which side of a triangle a direction meets. */
#include "test/support/oracle/rational.h"
#include "test/support/test.h"

TEST(case_49_fronts_face_the_viewer_and_parallel_is_neither)
{
    /* Counter-clockwise seen from +z, so its front is there. */
    const sl_triangle triangle = { { { 0, 0, 0 }, { 1, 0, 0 }, { 0, 1, 0 } } };
    assert_int_equal(sl_triangle_facing(&triangle, (float[3]){ 0, 0, -1 }), -1);
    assert_int_equal(sl_triangle_facing(&triangle, (float[3]){ 5, 9, -1e-30f }), -1);
    assert_int_equal(sl_triangle_facing(&triangle, (float[3]){ 0, 0, 1 }), 1);
    assert_int_equal(sl_triangle_facing(&triangle, (float[3]){ 1, 2, 0 }), 0);
    assert_int_equal(sl_triangle_facing(&triangle, (float[3]){ 0, 0, 0 }), 0);
    assert_int_equal(sl_triangle_facing(&triangle, (float[3]){ 0, NAN, 1 }), 0);
    const sl_triangle flat = { { { 0, 0, 0 }, { 1, 1, 1 }, { 2, 2, 2 } } };
    assert_int_equal(sl_triangle_facing(&flat, (float[3]){ 1, 0, 0 }), 0);
    const sl_triangle endless = { { { 0, 0, 0 }, { INFINITY, 0, 0 }, { 0, 1, 0 } } };
    assert_int_equal(sl_triangle_facing(&endless, (float[3]){ 0, 0, 1 }), 0);
}

TEST(case_49_the_cull_of_a_query_goes_by_it)
{
    test_random random = { 49 };
    const sl_options cull_back = { .cull = SL_CULL_BACK }, cull_front = { .cull = SL_CULL_FRONT };
    int sides[3] = { 0, 0, 0 };
    for (int i = 0; i < 20000; i++) {
        /* Aimed at a point of the triangle, on a lattice, so that parallel ones occur. */
        sl_triangle triangle;
        for (int j = 0; j < 9; j++) {
            triangle.v[j / 3][j % 3] = (float)(4 * (int)test_random_below(&random, 5) - 8);
        }
        float origin[3], dir[3];
        for (int axis = 0; axis < 3; axis++) {
            const float target =
                triangle.v[0][axis] / 2 + triangle.v[1][axis] / 4 + triangle.v[2][axis] / 4;
            dir[axis] = (float)test_random_below(&random, 5) - 2;
            origin[axis] = target - 4 * dir[axis];
        }
        const sl_ray ray = sl_ray_make(origin, dir);
        const int facing = sl_triangle_facing(&triangle, dir);
        assert_int_equal(sl_ray_triangle(&ray, &triangle, NULL, NULL), facing != 0);
        assert_int_equal(sl_ray_triangle(&ray, &triangle, &cull_back, NULL), facing < 0);
        assert_int_equal(sl_ray_triangle(&ray, &triangle, &cull_front, NULL), facing > 0);
        sides[facing + 1]++;
    }
    assert_true(sides[0] > 1000 && sides[1] > 1000 && sides[2] > 1000);
}

/* dir . ((v1 - v0) x (v2 - v0)) in fractions. */
static int oracle_facing(const sl_triangle *triangle, const float dir[3])
{
    mpq_t e[2][3], d, left, right, sum, from;
    mpq_inits(d, left, right, sum, from, NULL);
    for (int i = 0; i < 2; i++) {
        for (int axis = 0; axis < 3; axis++) {
            mpq_init(e[i][axis]);
            rational_set(e[i][axis], (double)triangle->v[i + 1][axis]);
            rational_set(from, (double)triangle->v[0][axis]);
            mpq_sub(e[i][axis], e[i][axis], from);
        }
    }
    for (int axis = 0; axis < 3; axis++) {
        const int j = (axis + 1) % 3, k = (axis + 2) % 3;
        mpq_mul(left, e[0][j], e[1][k]);
        mpq_mul(right, e[0][k], e[1][j]);
        mpq_sub(left, left, right);
        rational_set(d, (double)dir[axis]);
        mpq_mul(left, left, d);
        mpq_add(sum, sum, left);
    }
    const int sign = mpq_sgn(sum);
    for (int i = 0; i < 6; i++) {
        mpq_clear(e[i / 3][i % 3]);
    }
    mpq_clears(d, left, right, sum, from, NULL);
    return sign;
}

static float document_dot(const sl_triangle *triangle, const float dir[3])
{
    float sum = 0;
    for (int axis = 0; axis < 3; axis++) {
        const int j = (axis + 1) % 3, k = (axis + 2) % 3;
        const float *a = triangle->v[0], *b = triangle->v[1], *c = triangle->v[2];
        sum += dir[axis] * ((b[j] - a[j]) * (c[k] - a[k]) - (b[k] - a[k]) * (c[j] - a[j]));
    }
    return sum;
}

TEST(nearly_parallel_directions_have_the_exact_side)
{
    test_random random = { 50 };
    int wrong = 0, neither = 0;
    for (int i = 0; i < 30000; i++) {
        /* From a point of the plane to another as well as floats can, at mixed sizes. */
        sl_triangle triangle;
        for (int j = 0; j < 9; j++) {
            const int exponent = i % 2 == 0 ? 0 : (int)test_random_below(&random, 60) - 30;
            triangle.v[j / 3][j % 3] = ldexpf(test_random_in(&random, -1, 1), exponent);
        }
        const float a = test_random_in(&random, -1, 1), b = i % 3 == 0 ? 0 : a / 2;
        float dir[3];
        for (int axis = 0; axis < 3; axis++) {
            dir[axis] = a * (triangle.v[1][axis] - triangle.v[0][axis]) +
                        b * (triangle.v[2][axis] - triangle.v[0][axis]);
        }
        const int facing = sl_triangle_facing(&triangle, dir);
        assert_int_equal(facing, oracle_facing(&triangle, dir));
        const float document = document_dot(&triangle, dir);
        wrong += ((document > 0) - (document < 0)) != facing;
        neither += facing == 0;
    }
    print_message("a dot product of floats has the wrong side %d times of 30000\n", wrong);
    assert_true(wrong > 1000 && neither < 30000);
}
