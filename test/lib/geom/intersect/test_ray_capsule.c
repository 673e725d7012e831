/* Rays, segments and lines against capsules: by hand, then fractions as the oracle.
 * SIGHTLINE_TEST_SCALE=5 tries 200,000 cases and more. */
#include "test/support/hard/shapes.h"
#include "test/support/oracle/convex_oracle.h"
#include "test/support/test.h"

/* From (0, 0, 0) to (0, 4, 0), as thick as 1. */
static const sl_capsule upright = { { 0, 0, 0 }, { 0, 4, 0 }, 1 };

static bool segment_hits(float ax, float ay, float az, float bx, float by, float bz,
                         const sl_capsule *capsule, sl_start_inside inside, sl_round_hit *hit)
{
    const sl_segment segment = { { ax, ay, az }, { bx, by, bz } };
    return sl_line_capsule(sl_line_of_segment(&segment), capsule, inside, hit);
}

TEST(the_side_and_both_ends_are_hit)
{
    sl_round_hit hit;
    /* Across at height 2: the cylinder, x = -1 and 1 of -3 .. 3. */
    assert_true(segment_hits(-3, 2, 0, 3, 2, 0, &upright, SL_INSIDE_SOLID, &hit));
    assert_true(hit.t0 == 1.0f / 3 && hit.t1 == 2.0f / 3 && hit.entry && hit.exit);
    assert_true(hit.point[0] == -1 && hit.point[1] == 2 && hit.normal[0] == -1);
    assert_true(hit.normal[1] == 0 && hit.normal[2] == 0);
    /* From above: y = 5, then y = -1, of 9 .. -11. */
    assert_true(segment_hits(0, 9, 0, 0, -11, 0, &upright, SL_INSIDE_SOLID, &hit));
    assert_true(hit.t0 == 0.2f && hit.t1 == 0.5f && hit.normal[1] == 1 && hit.point[1] == 5);
    /* The same along the way up, beside the axis: 0.6 from it the ends are 0.8 away. */
    assert_true(segment_hits(0.6f, -9, 0, 0.6f, 13, 0, &upright, SL_INSIDE_SOLID, &hit));
    assert_true(fabsf(hit.point[1] + 0.8f) < 1e-6f && fabsf(hit.normal[0] - 0.6f) < 1e-6f);
    /* Across below p, and above q, where only the ball is: at height 4.8 it is 0.6 wide. */
    assert_true(segment_hits(-3, 4.8f, 0, 3, 4.8f, 0, &upright, SL_INSIDE_SOLID, &hit));
    assert_true(fabsf(hit.point[0] + 0.6f) < 1e-6f && fabsf(hit.normal[1] - 0.8f) < 1e-6f);
    assert_true(segment_hits(-3, -1, 0, 3, -1, 0, &upright, SL_INSIDE_SOLID, &hit));
    assert_true(hit.t0 == 0.5f && hit.t1 == 0.5f && hit.normal[1] == -1);
    assert_false(segment_hits(-3, nextafterf(-1, -2), 0, 3, nextafterf(-1, -2), 0, &upright,
                              SL_INSIDE_SOLID, NULL));
    /* In by the ball about p, out by the side: from (0, -3) along (1, 4)... at x = 1, y = 1. */
    assert_true(segment_hits(0, -3, 0, 2, 5, 0, &upright, SL_INSIDE_SOLID, &hit));
    assert_true(hit.t1 == 0.5f && hit.point[1] < 0 && hit.normal[1] < 0);
    /* Into the cylinder beside the ball, and past it. */
    assert_false(segment_hits(-3, -1, 0, 0, -1.5f, 0, &upright, SL_INSIDE_SOLID, NULL));
}

TEST(what_touches_the_side_slides_along_it)
{
    sl_round_hit hit;
    /* Along the side, from height -4 to 8: in contact from 0 to 4, never inside. */
    assert_true(segment_hits(1, -4, 0, 1, 8, 0, &upright, SL_INSIDE_IGNORE, &hit));
    assert_true(hit.t0 == 1.0f / 3 && hit.t1 == 2.0f / 3 && !hit.inside);
    assert_true(hit.point[0] == 1 && hit.point[1] == 0 && hit.normal[0] == 1);
    assert_true(segment_hits(1, 2, 0, 1, 8, 0, &upright, SL_INSIDE_IGNORE, &hit));
    assert_true(hit.t0 == 0 && !hit.inside && !hit.entry);
    assert_false(segment_hits(nextafterf(1, 2), -4, 0, nextafterf(1, 2), 8, 0, &upright,
                              SL_INSIDE_SOLID, NULL));
    /* Across it, touching. */
    assert_true(segment_hits(1, 2, -1, 1, 2, 1, &upright, SL_INSIDE_SOLID, &hit));
    assert_true(hit.t0 == 0.5f && hit.t1 == 0.5f && hit.normal[0] == 1);
}

TEST(starting_inside_is_a_policy)
{
    sl_round_hit hit;
    assert_true(segment_hits(0, 2, 0, 4, 2, 0, &upright, SL_INSIDE_SOLID, &hit));
    assert_true(hit.inside && hit.t == 0 && hit.t1 == 0.25f);
    assert_true(segment_hits(0, 2, 0, 4, 2, 0, &upright, SL_INSIDE_HOLLOW, &hit));
    assert_true(hit.t == 0.25f && hit.normal[0] == 1 && hit.point[0] == 1 && hit.point[1] == 2);
    assert_false(segment_hits(0, 2, 0, 4, 2, 0, &upright, SL_INSIDE_IGNORE, NULL));
    assert_false(segment_hits(0, 2, 0, 0, 3, 0, &upright, SL_INSIDE_HOLLOW, NULL));
    /* Starting on the surface is a hit, but by the fourth rule not if the segment leaves. */
    assert_true(segment_hits(1, 2, 0, 4, 2, 0, &upright, SL_INSIDE_IGNORE, &hit));
    assert_false(segment_hits(1, 2, 0, 4, 2, 0, &upright, SL_INSIDE_IGNORE_LEAVING, NULL));
    assert_true(segment_hits(1, 2, 0, 0, 2, 0, &upright, SL_INSIDE_IGNORE_LEAVING, &hit));
    assert_true(segment_hits(1, 2, 0, 1, 2, 3, &upright, SL_INSIDE_IGNORE_LEAVING, &hit));
    /* Hollow, out through the end. */
    assert_true(segment_hits(0, 2, 0, 0, 8, 0, &upright, SL_INSIDE_HOLLOW, &hit));
    assert_true(hit.t == 0.5f && hit.normal[1] == 1);
}

TEST(without_length_or_radius_it_is_a_sphere_or_a_segment)
{
    const sl_capsule ball = { { 1, 2, 3 }, { 1, 2, 3 }, 2 };
    const sl_sphere sphere = { { 1, 2, 3 }, 2 };
    test_random random = { 7 };
    for (int i = 0; i < 2000; i++) {
        sl_segment segment;
        for (int axis = 0; axis < 3; axis++) {
            segment.p[axis] = test_random_in(&random, -5, 8);
            segment.q[axis] = test_random_in(&random, -5, 8);
        }
        sl_round_hit one, two;
        memset(&one, 0, sizeof one);
        memset(&two, 0, sizeof two);
        assert_int_equal(
            sl_line_capsule(sl_line_of_segment(&segment), &ball, SL_INSIDE_SOLID, &one),
            sl_line_sphere(sl_line_of_segment(&segment), &sphere, SL_INSIDE_SOLID, &two));
        assert_memory_equal(&one, &two, sizeof one);
    }
    const sl_capsule thin = { { 0, 0, 0 }, { 0, 4, 0 }, 0 };
    sl_round_hit hit;
    assert_true(segment_hits(-1, 4, 0, 1, 4, 0, &thin, SL_INSIDE_SOLID, &hit));
    assert_true(hit.t0 == 0.5f && hit.t1 == 0.5f && !hit.inside && hit.normal[0] == 0);
    assert_false(segment_hits(-1, 4.5f, 0, 1, 4.5f, 0, &thin, SL_INSIDE_SOLID, NULL));
    assert_true(segment_hits(0, -4, 0, 0, 4, 0, &thin, SL_INSIDE_SOLID, &hit));
    assert_true(hit.t0 == 0.5f && hit.t1 == 1 && !hit.inside);
    /* A point against it. */
    assert_true(segment_hits(1, 4, 0, 1, 4, 0, &upright, SL_INSIDE_SOLID, &hit));
    assert_true(hit.t == 0 && hit.t1 == 1 && !hit.inside);
    assert_true(segment_hits(0, -0.5f, 0, 0, -0.5f, 0, &upright, SL_INSIDE_SOLID, &hit));
    assert_true(hit.inside);
    assert_false(segment_hits(0.8f, 4.8f, 0, 0.8f, 4.8f, 0, &upright, SL_INSIDE_SOLID, &hit));
}

TEST(what_is_not_valid_misses)
{
    const sl_segment good = { { -3, 2, 0 }, { 3, 2, 0 } };
    assert_true(sl_line_capsule(sl_line_of_segment(&good), &upright, SL_INSIDE_SOLID, NULL));
    const float bad[3] = { NAN, INFINITY, -1 };
    for (int i = 0; i < 3; i++) {
        sl_capsule capsule = upright;
        capsule.radius = bad[i];
        assert_false(sl_line_capsule(sl_line_of_segment(&good), &capsule, SL_INSIDE_SOLID, NULL));
        capsule = upright;
        capsule.p[i] = NAN;
        assert_false(sl_line_capsule(sl_line_of_segment(&good), &capsule, SL_INSIDE_SOLID, NULL));
        capsule = upright;
        capsule.q[i] = -INFINITY;
        assert_false(sl_line_capsule(sl_line_of_segment(&good), &capsule, SL_INSIDE_SOLID, NULL));
        sl_segment segment = good;
        segment.p[i] = NAN;
        assert_false(
            sl_line_capsule(sl_line_of_segment(&segment), &upright, SL_INSIDE_SOLID, NULL));
    }
    const sl_ray ray = { { -3, 2, 0 }, 1, { 1, 0, 0 }, 0 };
    assert_false(
        sl_line_capsule(sl_line_of_ray(&ray), &upright, SL_INSIDE_SOLID, NULL)); /* tmin > tmax */
    const sl_line line = {
        .origin = { -3, 2, 0 }, .head = { NAN, 0, 0 }, .tmin = -INFINITY, .tmax = INFINITY
    };
    assert_false(sl_line_capsule(line, &upright, SL_INSIDE_SOLID, NULL));
}

/* The normal is the way from the nearest point of the segment p q, in whole fractions of r. */
static void check_normal(const sl_capsule *capsule, const sl_round_hit *hit)
{
    double s = 0, length2 = 0, w[3];
    for (int axis = 0; axis < 3; axis++) {
        const double u = (double)capsule->q[axis] - (double)capsule->p[axis];
        w[axis] = (double)hit->point[axis] - (double)capsule->p[axis];
        s += w[axis] * u;
        length2 += u * u;
    }
    s = length2 == 0 || s < 0 ? 0 : s > length2 ? 1 : s / length2;
    for (int axis = 0; axis < 3; axis++) {
        const double u = (double)capsule->q[axis] - (double)capsule->p[axis];
        const double right = (w[axis] - s * u) / (double)capsule->radius;
        assert_true(fabs(right - (double)hit->normal[axis]) < 1e-5);
    }
}

TEST(every_answer_is_that_of_exact_arithmetic)
{
    test_random random = { 53 };
    const size_t count = test_count(5000);
    size_t hits[HARD_NUMBERS] = { 0 }, crossings = 0;
    print_message("seed 53, %zu cases\n", HARD_KINDS * HARD_NUMBERS * count);
    for (size_t i = 0; i < HARD_NUMBERS * count; i++) {
        const hard_numbers numbers = (hard_numbers)(i % HARD_NUMBERS);
        float a[3], b[3], last = 1;
        sl_capsule capsule;
        for (int axis = 0; axis < 3; axis++) {
            a[axis] = last = hard_number(&random, numbers, last, 3);
            b[axis] = last = hard_number(&random, numbers, last, 3);
            capsule.p[axis] = last = hard_number(&random, numbers, last, 2);
            capsule.q[axis] = last = hard_number(&random, numbers, last, 2);
        }
        capsule.radius = fabsf(hard_number(&random, numbers, last, 2));
        for (int kind = 0; kind < HARD_KINDS; kind++) {
            const sl_line line = hard_line(&random, (hard_kind)kind, a, b, numbers);
            hits[numbers] += convex_oracle_hold(&line, &capsule, NULL);
        }
        sl_round_hit hit;
        const sl_line line = { .origin = { a[0], a[1], a[2] },
                               .head = { b[0], b[1], b[2] },
                               .tmin = -INFINITY,
                               .tmax = INFINITY };
        if (numbers == HARD_LATTICE && capsule.radius > 0 &&
            sl_line_capsule(line, &capsule, SL_INSIDE_SOLID, &hit) && hit.entry) {
            check_normal(&capsule, &hit);
            crossings++;
        }
    }
    print_message("hits: %zu on the lattice, %zu wild, %zu extreme; %zu normals\n", hits[0],
                  hits[1], hits[2], crossings);
    assert_true(hits[0] > count / 4 && hits[1] > count / 4 && hits[2] > count / 4 &&
                crossings > count / 10);
}
