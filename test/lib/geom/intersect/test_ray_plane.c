/* Rays, segments and lines against planes across an axis. */
#include "lib/base/fpenv.h"
#include "test/support/oracle/path_oracle.h"
#include "test/support/test.h"

/* The document's formula, anchored at A, and its program's, anchored at B; nothing is checked. */
static void document_plane_a(const float a[3], const float b[3], int axis, float k, float c[3])
{
    const float r = (a[axis] - k) / (a[axis] - b[axis]);
    for (int i = 0; i < 3; i++) {
        c[i] = i == axis ? k : (b[i] - a[i]) * r + a[i];
    }
}

static void document_plane_b(const float a[3], const float b[3], int axis, float k, float c[3])
{
    const float r = (b[axis] - k) / (b[axis] - a[axis]);
    for (int i = 0; i < 3; i++) {
        c[i] = i == axis ? k : (a[i] - b[i]) * r + b[i];
    }
}

/* The plane where the coordinate of one axis is k. */
static sl_plane_meet across(sl_line line, int axis, float k, sl_plane_hit *hit)
{
    sl_plane plane = { .offset = k };
    plane.normal[axis] = 1;
    return sl_line_plane(line, &plane, hit);
}

TEST(case_03_a_segment_meets_a_plane_only_within_its_ends)
{
    /* From y = 4 down to y = 2: y = 1 would be at r = (4 - 1) / (4 - 2) = 1.5, beyond B. */
    const sl_segment segment = { { 0, 4, 0 }, { 8, 2, -4 } };
    float c[3];
    document_plane_a(segment.p, segment.q, 1, 1, c);
    assert_true(c[0] == 12 && c[1] == 1 && c[2] == -6); /* the document: a point past the end */
    sl_plane_hit hit = { .t = 7 };
    assert_int_equal(across(sl_line_of_segment(&segment), 1, 1, &hit), SL_PLANE_MISS);
    assert_true(hit.t == 7); /* left alone */
    assert_int_equal(across(sl_line_of_segment(&segment), 1, 3, &hit), SL_PLANE_POINT);
    assert_true(hit.t == 0.5f && hit.point[0] == 4 && hit.point[1] == 3 && hit.point[2] == -2);
    /* Both ends belong to it. */
    assert_int_equal(across(sl_line_of_segment(&segment), 1, 4, &hit), SL_PLANE_POINT);
    assert_true(hit.t == 0 && hit.point[0] == 0);
    assert_int_equal(across(sl_line_of_segment(&segment), 1, 2, &hit), SL_PLANE_POINT);
    assert_true(hit.t == 1 && hit.point[0] == 8);
    assert_int_equal(across(sl_line_of_segment(&segment), 1, nextafterf(2, 0), &hit),
                     SL_PLANE_MISS);
    assert_int_equal(across(sl_line_of_segment(&segment), 1, nextafterf(4, 5), NULL),
                     SL_PLANE_MISS);
}

TEST(case_03_parallel_misses_and_in_the_plane_is_said_to_be)
{
    const sl_segment flat = { { 1, 2, 3 }, { 5, 2, 7 } };
    float c[3];
    document_plane_a(flat.p, flat.q, 1, 2, c);
    assert_true(isnan(c[0])); /* 0 / 0 */
    document_plane_a(flat.p, flat.q, 1, 1, c);
    assert_true(isinf(c[0])); /* 1 / 0 */
    sl_plane_hit hit;
    assert_int_equal(across(sl_line_of_segment(&flat), 1, 1, &hit), SL_PLANE_MISS);
    assert_int_equal(across(sl_line_of_segment(&flat), 1, 2, &hit), SL_PLANE_WITHIN);
    assert_true(hit.t == 0 && memcmp(hit.point, flat.p, sizeof hit.point) == 0);
    /* Of the t allowed, the one nearest to 0. */
    sl_ray ray = { { 1, 2, 3 }, -5, { 1, 0, 0 }, -2 };
    assert_int_equal(across(sl_line_of_ray(&ray), 1, 2, &hit), SL_PLANE_WITHIN);
    assert_true(hit.t == -2 && hit.point[0] == -1 && hit.point[1] == 2 && hit.point[2] == 3);
    ray.tmin = -INFINITY;
    ray.tmax = INFINITY;
    assert_int_equal(across(sl_line_of_ray(&ray), 1, 2, &hit), SL_PLANE_WITHIN);
    assert_true(hit.t == 0);
    ray.tmin = 3;
    assert_int_equal(across(sl_line_of_ray(&ray), 1, 2, &hit), SL_PLANE_WITHIN);
    assert_true(hit.t == 3 && hit.point[0] == 4);
    const sl_line point = {
        .origin = { 1, 2, 3 }, .head = { 0, 0, 0 }, .tmin = -INFINITY, .tmax = INFINITY
    };
    assert_int_equal(across(point, 2, 3, &hit), SL_PLANE_WITHIN);
    assert_int_equal(across(point, 2, 4, &hit), SL_PLANE_MISS);
}

/* How many floats lie between. */
static int steps_between(float a, float b)
{
    int steps = 0;
    for (; a != b && steps < 1000; steps++) {
        a = nextafterf(a, b);
    }
    return steps;
}

TEST(case_04_both_anchors_of_the_document_agree_with_the_one_answer)
{
    test_random random = { 4 };
    int worst = 0;
    for (int i = 0; i < 20000; i++) {
        /* All within 1 .. 2, where steps are of one size. */
        sl_segment segment;
        for (int axis = 0; axis < 3; axis++) {
            segment.p[axis] = test_random_in(&random, 1, 1.5f);
            segment.q[axis] = test_random_in(&random, 1.75f, 2);
        }
        const float k = test_random_in(&random, 1.5f, 1.75f);
        float a[3], b[3];
        sl_plane_hit hit, back;
        document_plane_a(segment.p, segment.q, 1, k, a);
        document_plane_b(segment.p, segment.q, 1, k, b);
        assert_int_equal(across(sl_line_of_segment(&segment), 1, k, &hit), SL_PLANE_POINT);
        assert_true(hit.point[1] == k);
        const sl_segment reversed = { { segment.q[0], segment.q[1], segment.q[2] },
                                      { segment.p[0], segment.p[1], segment.p[2] } };
        assert_int_equal(across(sl_line_of_segment(&reversed), 1, k, &back), SL_PLANE_POINT);
        assert_memory_equal(hit.point, back.point,
                            sizeof hit.point); /* whichever end comes first */
        for (int axis = 0; axis < 3; axis++) {
            const int off_a = steps_between(hit.point[axis], a[axis]);
            const int off_b = steps_between(hit.point[axis], b[axis]);
            worst = off_a > worst ? off_a : worst;
            worst = off_b > worst ? off_b : worst;
        }
    }
    print_message("at most %d steps apart\n", worst);
    assert_in_range(worst, 1, 2);
    /* The program is exact at B and not at A: (A - B) * 1 + B loses A.  Ours is exact at both. */
    const sl_segment segment = { { 0.1f, 0, 0 }, { 1e6f, 1, 0 } };
    float b[3];
    document_plane_b(segment.p, segment.q, 1, 0, b);
    assert_true(b[0] != 0.1f);
    sl_plane_hit hit;
    assert_int_equal(across(sl_line_of_segment(&segment), 1, 0, &hit), SL_PLANE_POINT);
    assert_true(hit.point[0] == 0.1f);
    assert_int_equal(across(sl_line_of_segment(&segment), 1, 1, &hit), SL_PLANE_POINT);
    assert_true(hit.point[0] == 1e6f);
}

TEST(case_05_the_three_axes_give_the_same_bits)
{
    test_random random = { 5 };
    for (int i = 0; i < 5000; i++) {
        sl_segment segment;
        for (int axis = 0; axis < 3; axis++) {
            segment.p[axis] = test_random_in(&random, -1, 1);
            segment.q[axis] = test_random_in(&random, -1, 1);
        }
        const float k = test_random_in(&random, -1, 1);
        sl_plane_hit hit, turned_hit;
        const sl_plane_meet meet = across(sl_line_of_segment(&segment), 0, k, &hit);
        for (int turn = 1; turn < 3; turn++) {
            sl_segment turned;
            for (int axis = 0; axis < 3; axis++) {
                turned.p[(axis + turn) % 3] = segment.p[axis];
                turned.q[(axis + turn) % 3] = segment.q[axis];
            }
            assert_int_equal(across(sl_line_of_segment(&turned), turn, k, &turned_hit), meet);
            for (int axis = 0; axis < 3 && meet == SL_PLANE_POINT; axis++) {
                assert_true(turned_hit.point[(axis + turn) % 3] == hit.point[axis]);
                assert_true(turned_hit.t == hit.t);
            }
        }
    }
}

TEST(limits_of_a_ray_count_exactly)
{
    /* x = 1 at t = 1/3, which is no float: the one below it is too early, the next one late enough.
     */
    const float below = 0x1.555554p-2f, above = 0x1.555556p-2f;
    sl_ray ray = { { 0, 0, 0 }, 0, { 3, 1, 0 }, below };
    assert_int_equal(across(sl_line_of_ray(&ray), 0, 1, NULL), SL_PLANE_MISS);
    ray.tmax = above;
    sl_plane_hit hit;
    assert_int_equal(across(sl_line_of_ray(&ray), 0, 1, &hit), SL_PLANE_POINT);
    assert_true(hit.t == above); /* the nearest */
    ray.tmin = above;
    ray.tmax = INFINITY;
    assert_int_equal(across(sl_line_of_ray(&ray), 0, 1, NULL), SL_PLANE_MISS);
    ray.tmin = below;
    assert_int_equal(across(sl_line_of_ray(&ray), 0, 1, NULL), SL_PLANE_POINT);
}

TEST(what_is_not_valid_misses)
{
    const sl_ray good = { { 0, 0, -1 }, 0, { 0, 0, 1 }, INFINITY };
    assert_int_equal(across(sl_line_of_ray(&good), 2, 0, NULL), SL_PLANE_POINT);
    assert_int_equal(across(sl_line_of_ray(&good), 2, NAN, NULL), SL_PLANE_MISS);
    assert_int_equal(across(sl_line_of_ray(&good), 2, INFINITY, NULL), SL_PLANE_MISS);
    sl_ray ray = good;
    ray.tmin = ray.tmax = INFINITY; /* no finite t is left */
    assert_int_equal(across(sl_line_of_ray(&ray), 2, 0, NULL), SL_PLANE_MISS);
    ray.dir[2] = 0; /* in the plane, but where? */
    ray.origin[2] = 0;
    assert_int_equal(across(sl_line_of_ray(&ray), 2, 0, NULL), SL_PLANE_MISS);
    ray = good;
    ray.dir[0] = NAN;
    assert_int_equal(across(sl_line_of_ray(&ray), 2, 0, NULL), SL_PLANE_MISS);
    const sl_segment segment = { { 0, 0, -1 }, { 0, INFINITY, 1 } };
    assert_int_equal(across(sl_line_of_segment(&segment), 2, 0, NULL), SL_PLANE_MISS);
    const sl_line line = {
        .origin = { 0, NAN, -1 }, .head = { 0, 0, 1 }, .tmin = -INFINITY, .tmax = INFINITY
    };
    assert_int_equal(across(line, 2, 0, NULL), SL_PLANE_MISS);
}

TEST(a_t_beyond_the_float_range_is_infinite)
{
    const sl_ray ray = { { 0, 0, 0 }, 0, { 0x1p-149f, 0x1p-149f, 0 }, INFINITY };
    sl_plane_hit hit;
    assert_int_equal(across(sl_line_of_ray(&ray), 0, FLT_MAX, &hit), SL_PLANE_POINT);
    assert_true(hit.t == INFINITY);
    assert_true(hit.point[0] == FLT_MAX && hit.point[1] == FLT_MAX && hit.point[2] == 0);
}

/* Any float: lattice, any exponent, denormals; now and then equal to the one before. */
static float wild(test_random *random, float before)
{
    switch (test_random_below(random, 6)) {
    case 0:
        return before;
    case 1:
        return (float)test_random_below(random, 9) - 4;
    case 2:
        return test_random_in(random, -1, 1);
    case 3:
        return nextafterf(before, test_random_below(random, 2) != 0 ? -8.0f : 8.0f);
    default: {
        const float sign = test_random_below(random, 2) != 0 ? -1.0f : 1.0f;
        const int exponent = (int)test_random_below(random, 276) - 149;
        return sign * ldexpf(1 + test_random_unit(random), exponent);
    }
    }
}

TEST(every_answer_is_that_of_exact_arithmetic)
{
    test_random random = { 35 };
    path_oracle oracle;
    path_oracle_init(&oracle);
    const size_t count = 300000 * test_scale();
    size_t points = 0;
    print_message("seed 35, %zu cases\n", count);
    for (size_t i = 0; i < count; i++) {
        float x[9] = { 0 };
        for (int j = 0; j < 9; j++) {
            x[j] = wild(&random, j > 0 ? x[j - 1] : 1);
        }
        const int axis = (int)test_random_below(&random, 3);
        const float k = test_random_below(&random, 3) == 0 ? x[axis] : wild(&random, x[axis]);
        const sl_segment segment = { { x[0], x[1], x[2] }, { x[3], x[4], x[5] } };
        const sl_ray ray = sl_ray_make(x, x + 3);
        sl_line line = i % 3 == 0 ? sl_line_of_segment(&segment) : sl_line_of_ray(&ray);
        if (i % 3 == 1) {
            line.tmin = -INFINITY;
        } else if (i % 3 == 2) {
            line.tmin = x[6] < x[7] ? x[6] : x[7];
            line.tmax = x[6] < x[7] ? x[7] : x[6];
        }
        sl_plane_hit hit, expected;
        memset(&hit, 0, sizeof hit);
        memset(&expected, 0, sizeof expected);
        path_oracle_set(&oracle, &line);
        const sl_plane_meet meet = across(line, axis, k, &hit);
        const sl_plane_meet right = path_oracle_plane(&oracle, axis, k, &expected);
        assert_int_equal(meet, right);
        assert_memory_equal(&hit, &expected, sizeof hit);
        points += meet == SL_PLANE_POINT;
    }
    path_oracle_clear(&oracle);
    print_message("%zu met in a point\n", points);
    assert_true(points > count / 10);
}
