/* How far two triangles are apart, and where they are nearest: by hand, and against fractions.
 * SIGHTLINE_TEST_SCALE=100 tries 1,000,000 pairs. */
#include "lib/geom/contact/distance.h"
#include "lib/geom/exact/arithmetic/grid.h"
#include "test/support/hard/floats.h"
#include "test/support/oracle/gap_oracle.h"
#include "test/support/test.h"

/* 0, 4 x, 4 y: in the plane z = 0. */
static const sl_triangle_d ground = { { { 0, 0, 0 }, { 4, 0, 0 }, { 0, 4, 0 } } };

static bool is_at(const double x[3], double a, double b, double c)
{
    return x[0] == a && x[1] == b && x[2] == c;
}

static sl_closest_points points_of(const sl_triangle_d *a, const sl_triangle_d *b)
{
    sl_closest_points out, back;
    assert_true(sl_triangle_distance(a, b, &out));
    assert_true(sl_triangle_distance(b, a, &back)); /* the rule for points prefers neither */
    assert_true(out.distance == back.distance);
    assert_memory_equal(out.a, back.b, sizeof out.a);
    assert_memory_equal(out.b, back.a, sizeof out.b);
    return out;
}

/* A corner 2 above (1, 1, 0). */
TEST(a_corner_above_a_face)
{
    const sl_triangle_d b = { { { 1, 1, 2 }, { 9, 1, 9 }, { 1, 9, 9 } } };
    const sl_closest_points p = points_of(&ground, &b);
    assert_true(p.distance == 2 && is_at(p.a, 1, 1, 0) && is_at(p.b, 1, 1, 2));
}

/* The edge from (4, 0, 0) to (0, 4, 0) and one along (1, 1, 0) that passes 1 above (2, 2, 0),
 * beginning beyond it: at (3, 3, 1). */
TEST(edges_and_corners)
{
    const sl_triangle_d across = { { { 1, 1, 1 }, { 5, 5, 1 }, { 5, 5, 9 } } };
    const sl_triangle_d beyond = { { { 3, 3, 1 }, { 5, 5, 1 }, { 5, 5, 9 } } };
    const sl_triangle_d corner = { { { -1, -1, 0 }, { -5, -1, 0 }, { -1, -5, 0 } } };
    sl_closest_points p = points_of(&ground, &across);
    assert_true(p.distance == 1 && is_at(p.a, 1, 1, 0) && is_at(p.b, 1, 1, 1));
    p = points_of(&ground, &beyond); /* (3, 3, 1) - (2, 2, 0) */
    assert_true(p.distance == sqrtf(3) && is_at(p.a, 2, 2, 0) && is_at(p.b, 3, 3, 1));
    p = points_of(&ground, &corner);
    assert_true(p.distance == sqrtf(2) && is_at(p.a, 0, 0, 0) && is_at(p.b, -1, -1, 0));
}

/* Over a parallel copy of itself all of it is as near: the lowest point is (0, 0, 0), then beside a
 * copy that begins at (1, 2) that corner, and over a larger one (-8, 2) the crossing of x = 0 with
 * y = 2. */
TEST(of_many_nearest_points_the_lowest_counts)
{
    sl_triangle_d copy = ground;
    for (int i = 0; i < 3; i++) {
        copy.v[i][2] = 3;
    }
    sl_closest_points p = points_of(&ground, &copy);
    assert_true(p.distance == 3 && is_at(p.a, 0, 0, 0) && is_at(p.b, 0, 0, 3));
    for (int i = 0; i < 3; i++) {
        copy.v[i][0] += 1;
        copy.v[i][1] += 2;
    }
    p = points_of(&ground, &copy);
    assert_true(p.distance == 3 && is_at(p.a, 1, 2, 0) && is_at(p.b, 1, 2, 3));
    const sl_triangle_d large = { { { -8, 2, 3 }, { 8, 2, 3 }, { -8, 18, 3 } } };
    p = points_of(&ground, &large);
    assert_true(p.distance == 3 && is_at(p.a, 0, 2, 0) && is_at(p.b, 0, 2, 3));
}

/* Where they meet: through the face at (1, 1, 0) and (2, 1, 0). */
TEST(what_meets_is_0_apart_at_the_lowest_point)
{
    const sl_triangle_d b = { { { 1.5, 1, -2 }, { 0.5, 1, 2 }, { 3.5, 1, 2 } } };
    const sl_closest_points p = points_of(&ground, &b);
    assert_true(p.distance == 0 && is_at(p.a, 1, 1, 0) && is_at(p.b, 1, 1, 0));
    (void)points_of(&ground, &ground);
}

TEST(without_area_they_are_segments_and_points)
{
    const sl_triangle_d point = { { { 1, 1, 5 }, { 1, 1, 5 }, { 1, 1, 5 } } };
    const sl_triangle_d segment = { { { 1, 1, 3 }, { 1, 1, 9 }, { 1, 1, 5 } } };
    const sl_triangle_d away = { { { 4, 5, 5 }, { 4, 5, 5 }, { 4, 5, 5 } } };
    assert_true(points_of(&ground, &point).distance == 5);
    assert_true(points_of(&ground, &segment).distance == 3);
    assert_true(points_of(&segment, &point).distance == 0);
    assert_true(points_of(&away, &point).distance == 5); /* 3, 4 */
    assert_true(points_of(&away, &segment).distance == 5);
}

TEST(what_is_not_valid_is_refused)
{
    const double bad[4] = { NAN, INFINITY, -INFINITY, 0x1p128 };
    for (int i = 0; i < 36; i++) {
        sl_triangle_d broken = ground;
        sl_closest_points out = { .distance = 7 };
        broken.v[i % 9 / 3][i % 3] = bad[i / 9];
        assert_false(sl_triangle_distance(&broken, &ground, &out));
        assert_false(sl_triangle_distance(&ground, &broken, &out));
        assert_false(sl_triangle_distance(&broken, &broken, NULL));
        assert_true(out.distance == 7);
    }
    assert_true(sl_triangle_distance(&ground, &ground, NULL));
}

TEST(the_largest_distance_is_infinite_as_a_float)
{
    const double far = (double)FLT_MAX;
    const sl_triangle_d a = { { { far, far, far }, { far, far, far }, { far, far, far } } };
    const sl_triangle_d b = { { { -far, 0, 0 }, { -far, -far, 0 }, { -far, 0, 0 } } };
    assert_true(isinf(points_of(&a, &b).distance));
}

/* ---- Against fractions ---- */

static double hair(test_random *random)
{
    return ldexp(test_random_in_d(random, -1, 1), -(int)test_random_below(random, 60));
}

/* Numbers of one size, whole ones, or any. */
static void any_corners(test_random *random, double *x)
{
    float hard[18];
    const uint32_t kind = test_random_below(random, 4);
    hard_floats(random, test_random_below(random, 256), hard, 18);
    for (int i = 0; i < 18; i++) {
        x[i] = kind == 0   ? test_random_in_d(random, -1, 1)
               : kind == 1 ? (double)test_random_in(random, -1, 1)
               : kind == 2 ? (double)test_random_below(random, 5)
                           : (double)hard[i];
    }
}

/* Makes b a copy of a, beside or above it; or lets it share corners, or lie close to a's inside. */
static void relate(test_random *random, double a[3][3], double b[3][3])
{
    const uint32_t kind = test_random_below(random, 8);
    double by[3];
    for (int axis = 0; axis < 3; axis++) {
        by[axis] = test_random_below(random, 2) != 0 ? b[0][axis] : hair(random);
    }
    for (int i = 0; i < 9; i++) {
        double *to = &b[i / 3][i % 3];
        if (kind == 0) {
            *to = a[i / 3][i % 3] + by[i % 3]; /* parallel, or nearly so */
        } else if (kind == 1) {
            *to = a[i / 3][i % 3] + by[i % 3] + hair(random) * 0x1p-30;
        } else if (kind == 2 && i % 3 == 2) {
            a[i / 3][2] = 0; /* two flat ones */
            *to = by[2];
        } else if (kind == 3 && i / 3 < 1 + (int)(by[0] > 0)) {
            *to = a[i / 3][i % 3]; /* a corner or an edge in common */
        } else if (kind == 4 && i / 3 == 0) {
            *to = (a[0][i % 3] + a[1][i % 3] + 2 * a[2][i % 3]) / 4 + hair(random);
        } else if (kind == 5 && i / 3 == 0) {
            *to = (a[0][i % 3] + a[1][i % 3]) / 2 + hair(random);
        }
    }
}

/* Needles, flat ones, segments and points; moved, scaled, and put where the library takes them. */
static void finish(test_random *random, double *x)
{
    const uint32_t kind = test_random_below(random, 8), axis = test_random_below(random, 3);
    const double scale = ldexp(1, (int)test_random_below(random, 41) - 20);
    const double away = test_random_below(random, 4) == 0 ? 1e7 : 0;
    for (int i = 0; i < 18; i++) {
        double *to = &x[i];
        *to = kind == 0 && i % 3 == (int)axis ? *to * 1e-6 : *to;
        *to = kind == 1 && i % 9 >= 6 ? x[i - 3] + hair(random) * 0x1p-10 : *to;
        *to = kind == 2 && i >= 15 ? x[i - 3] : *to;
        *to = kind == 3 && i >= 12 ? x[i - 3] : *to;
        *to = kind == 4 ? *to * scale : *to;
    }
    for (int i = 0; i < 18; i++) {
        x[i] = sli_round_to_grid(x[i] + away, SLI_STEP);
        x[i] = fabs(x[i]) > (double)FLT_MAX ? 1 : x[i];
    }
}

static void make_pair(test_random *random, sl_triangle_d *a, sl_triangle_d *b)
{
    double x[2][3][3];
    any_corners(random, x[0][0]);
    relate(random, x[0], x[1]);
    finish(random, x[0][0]);
    memcpy(a, x[0], sizeof *a);
    memcpy(b, x[1], sizeof *b);
}

static void print_pair(const sl_triangle_d *a, const sl_triangle_d *b)
{
    for (int i = 0; i < 18; i++) {
        print_message("%a, ", i < 9 ? a->v[i / 3][i % 3] : b->v[i / 3 - 3][i % 3]);
    }
    print_message("\n");
}

static bool is_right(const sl_triangle_d *a, const sl_triangle_d *b, fraction square)
{
    const sli_gap gap = sli_triangle_gap(a, b);
    fraction low = fraction_of(gap.low), high = fraction_of(gap.high);
    sl_closest_points p;
    float within = 0;
    return fraction_compare(fraction_mul(low, low), square) <= 0 &&
           fraction_compare(fraction_mul(high, high), square) >= 0 &&
           sl_triangle_distance(a, b, &p) && fraction_is_root(p.distance, square) &&
           gap_oracle_points(a, b, p.a, p.b) &&
           sli_triangles_within(a, b, p.distance, &within) ==
               (isinf(p.distance) ||
                fraction_compare(square, fraction_mul(fraction_of((double)p.distance),
                                                      fraction_of((double)p.distance))) <= 0);
}

/* The edge of b that pierces a is so nearly in its plane that doubles do not tell the sign of the
 * denominator, and so nearly those of the weights. */
TEST(an_edge_that_pierces_by_a_hair)
{
    const sl_triangle_d a = { { { -0x1p+1, 0x1.ea460ep+38, 0 },
                                { -0x1.fffffep+0, -0x1.a4a86p+101, 0x1.92a737110e454p-19 },
                                { 0x1.582928p+92, 1, -0x1.0c6f7a0b5fp-109 } } };
    const sl_triangle_d b = { { { 0x1.ce9d7cp+9, 0x1.ea460e0004p+38, -0x1.580f4f321db96p-87 },
                                { 0x1.ce9d7c01p+9, -0x1.a4a86p+101, 0x1.92a737110e454p-19 },
                                { 0x1.582928p+92, 2, -0x1.a00943d30837bp-52 } } };
    fraction3 d;
    fraction_reset();
    assert_true(is_right(&a, &b, gap_oracle_square(&a, &b, &d)));
    assert_true(is_right(&b, &a, gap_oracle_square(&b, &a, &d)));
}

TEST(as_fractions_say)
{
    test_random random = { test_seed(2811) };
    sli_exact_gap last, next;
    fraction3 d;
    sl_triangle_d a, b;
    make_pair(&random, &a, &b);
    sli_triangle_gap_exact(&a, &b, &last);
    mpq_t last_square;
    mpq_init(last_square);
    mpq_set(last_square, gap_oracle_square(&a, &b, &d));
    size_t met = 0, tied = 0;
    for (size_t i = 0; i < test_count(10000); i++) {
        fraction_reset();
        make_pair(&random, &a, &b);
        fraction square = gap_oracle_square(&a, &b, &d);
        if (!is_right(&a, &b, square)) {
            print_pair(&a, &b);
            fail_msg("pair %zu is wrong", i);
        }
        sli_triangle_gap_exact(&a, &b, &next);
        const int order = fraction_compare(square, last_square);
        assert_int_equal(sli_exact_gap_compare(&next, &last), order);
        assert_int_equal(sli_exact_gap_compare(&last, &next), -order);
        met += fraction_sign(square) == 0;
        tied += order == 0;
        last = next;
        mpq_set(last_square, square);
    }
    mpq_clear(last_square);
    assert_in_range(met, test_count(10000) / 100, test_count(10000) / 2);
    assert_true(tied > 0);
}

/* Beside the exact distance of hard pairs, a float less and a float more. */
TEST(limits_are_exact)
{
    test_random random = { test_seed(2813) };
    for (size_t i = 0; i < test_count(2000); i++) {
        fraction_reset();
        sl_triangle_d a, b;
        fraction3 d;
        float distance, within;
        make_pair(&random, &a, &b);
        fraction square = gap_oracle_square(&a, &b, &d);
        if (!sli_triangles_within(&a, &b, INFINITY, &distance) || !isfinite(distance)) {
            continue;
        }
        for (int k = -1; k <= 1; k++) {
            const float limit = k == 0 ? distance : nextafterf(distance, k < 0 ? 0 : INFINITY);
            const fraction x = fraction_of((double)limit);
            const bool is_within = fraction_compare(square, fraction_mul(x, x)) <= 0;
            assert_int_equal(sli_triangles_within(&a, &b, limit, &within), is_within);
            assert_true(!is_within || within == distance);
            assert_false(is_within && sli_triangles_are_beyond(&a, &b, (double)limit));
        }
    }
}
