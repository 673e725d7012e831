/* Rays, segments and lines against spheres: the classical cases, then fractions as the oracle.
 * SIGHTLINE_TEST_SCALE=2 tries 200,000 cases and more. */
#include "test/support/hard/shapes.h"
#include "test/support/oracle/convex_oracle.h"
#include "test/support/test.h"

#include <gmp.h>

static const sl_sphere unit = { { 0, 0, 0 }, 1 };

static float dot(const float a[3], const float b[3])
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

/* The document's two programs, in floats; false is null. */
typedef struct document_answer {
    bool hit;
    float distance, point[3];
} document_answer;

static document_answer document(const float a[3], const float b[3], const sl_sphere *sphere,
                                bool all_tests)
{
    const document_answer none = { false, 0, { 0, 0, 0 } };
    const float r2 = sphere->radius * sphere->radius;
    float ab[3], as[3], n[3];
    for (int i = 0; i < 3; i++) {
        ab[i] = b[i] - a[i];
        as[i] = sphere->centre[i] - a[i];
    }
    const float as2 = dot(as, as), length = sqrtf(dot(ab, ab));
    for (int i = 0; i < 3; i++) {
        n[i] = length > 0.00001f ? ab[i] / length : 0; /* Unity's normalized */
    }
    const float ac = dot(as, n), sc2 = as2 - ac * ac;
    if (all_tests && (as2 < r2 || length < sqrtf(as2) - sphere->radius || ac < 0 || sc2 > r2)) {
        return none;
    }
    const float ad = ac - sqrtf(r2 - sc2);
    if (all_tests && length < ad) {
        return none;
    }
    return (document_answer){ true, ad, { a[0] + n[0] * ad, a[1] + n[1] * ad, a[2] + n[2] * ad } };
}

static bool segment_hits(float ax, float ay, float az, float bx, float by, float bz,
                         const sl_sphere *sphere, sl_start_inside inside, sl_round_hit *hit)
{
    const sl_segment segment = { { ax, ay, az }, { bx, by, bz } };
    return sl_line_sphere(sl_line_of_segment(&segment), sphere, inside, hit);
}

TEST(case_16_the_projection_loses_what_is_far_off_and_we_do_not)
{
    /* Straight: from x = -3 to 3, the surface at x = -1: t = 2/6. */
    sl_round_hit hit;
    assert_true(segment_hits(-3, 0, 0, 3, 0, 0, &unit, SL_INSIDE_SOLID, &hit));
    assert_true(hit.t == 1.0f / 3 && hit.t0 == 1.0f / 3 && hit.t1 == 2.0f / 3);
    assert_true(hit.point[0] == -1 && hit.point[1] == 0 && hit.point[2] == 0);
    assert_true(hit.normal[0] == -1 && hit.normal[1] == 0 && hit.normal[2] == 0);
    assert_true(hit.entry && hit.exit && !hit.inside);
    /* From 10,000 away, along a slanted line; |AS|^2 has steps of 8 there. */
    int wrong = 0;
    for (int i = 0; i < 1000; i++) {
        const float y = 1.0f + (float)(i + 1) / 256; /* above the sphere: a miss */
        const float a[3] = { -10000, y, -10000 }, b[3] = { 10000, y, 10000 };
        wrong += document(a, b, &unit, true).hit;
        assert_false(
            segment_hits(a[0], a[1], a[2], b[0], b[1], b[2], &unit, SL_INSIDE_SOLID, NULL));
    }
    print_message("the document hits %d of 1000 that miss\n", wrong);
    assert_true(wrong > 10);
    assert_true(segment_hits(-10000, 1, -10000, 10000, 1, 10000, &unit, SL_INSIDE_SOLID, &hit));
    assert_true(hit.t0 == 0.5f && hit.t1 == 0.5f);
}

TEST(case_17_starting_strictly_inside_is_no_hit_by_the_documents_rule)
{
    const float a[3] = { 0.5f, 0, 0 }, b[3] = { 3, 0, 0 };
    assert_false(document(a, b, &unit, true).hit);
    sl_round_hit hit = { .t = 7 };
    assert_false(segment_hits(0.5f, 0, 0, 3, 0, 0, &unit, SL_INSIDE_IGNORE_LEAVING, &hit));
    assert_false(segment_hits(0.5f, 0, 0, 3, 0, 0, &unit, SL_INSIDE_IGNORE, &hit));
    assert_true(hit.t == 7); /* left alone */
    assert_true(segment_hits(0.5f, 0, 0, 3, 0, 0, &unit, SL_INSIDE_SOLID, &hit));
    assert_true(hit.t == 0 && hit.inside && !hit.entry && hit.exit && hit.point[0] == 0.5f);
    assert_true(hit.normal[0] == 0 && hit.normal[1] == 0 && hit.normal[2] == 0);
    assert_true(segment_hits(0.5f, 0, 0, 3, 0, 0, &unit, SL_INSIDE_HOLLOW, &hit));
    assert_true(hit.t == 0.2f && hit.point[0] == 1 && hit.normal[0] == 1); /* 0.5 of 2.5 */
    /* Hollow, and over before the surface. */
    assert_false(segment_hits(0.5f, 0, 0, 0.75f, 0, 0, &unit, SL_INSIDE_HOLLOW, NULL));
    assert_true(segment_hits(0.5f, 0, 0, 1, 0, 0, &unit, SL_INSIDE_HOLLOW, &hit));
    assert_true(hit.t == 1);
    /* One step outside of the surface is not inside. */
    assert_true(segment_hits(nextafterf(1, 2), 0, 0, 0, 0, 0, &unit, SL_INSIDE_IGNORE, &hit));
    assert_false(segment_hits(nextafterf(1, 0), 0, 0, 0, 0, 0, &unit, SL_INSIDE_IGNORE, &hit));
}

TEST(case_18_starting_on_the_surface_depends_on_the_way_only_by_the_documents_rule)
{
    const float ways[3] = { -1, 0, 1 }; /* in, along, out */
    for (int way = 0; way < 3; way++) {
        const float a[3] = { 1, 0, 0 }, b[3] = { 1 + ways[way], 1, 0 };
        sl_round_hit hit;
        for (int policy = SL_INSIDE_SOLID; policy <= SL_INSIDE_IGNORE_LEAVING; policy++) {
            const bool leaves = policy == SL_INSIDE_IGNORE_LEAVING && way == 2;
            assert_int_equal(segment_hits(a[0], a[1], a[2], b[0], b[1], b[2], &unit,
                                          (sl_start_inside)policy, &hit),
                             !leaves);
            if (!leaves) {
                assert_true(hit.t == 0 && hit.point[0] == 1 && hit.point[1] == 0 && !hit.inside);
            }
        }
        assert_int_equal(document(a, b, &unit, true).hit, way != 2);
    }
}

/* The document's rules for whole numbers, without its roots and divisions. */
static bool rules_of_the_document(const int a[3], const int b[3], const int s[3], int r,
                                  bool early_out)
{
    int64_t as2 = 0, ab2 = 0, ac = 0; /* ac is |AB| times the document's */
    for (int i = 0; i < 3; i++) {
        as2 += (s[i] - a[i]) * (s[i] - a[i]);
        ab2 += (b[i] - a[i]) * (b[i] - a[i]);
        ac += (s[i] - a[i]) * (b[i] - a[i]);
    }
    if (as2 < r * r) {
        return false;
    }
    /* |AB| < |AS| - r: |AB| + r < |AS|: 2 r |AB| < as2 - ab2 - r^2 */
    const int64_t rest = as2 - ab2 - r * r;
    if (early_out && rest > 0 && 4 * r * r * ab2 < rest * rest) {
        return false;
    }
    if (ac < 0) {
        return false;
    }
    const int64_t discriminant = ac * ac - ab2 * (as2 - r * r);
    if (discriminant < 0) {
        return false;
    }
    /* ac - sqrt(discriminant) <= ab2; for A = B all but the first is 0. */
    return ab2 == 0 ? as2 == r * r : ac - ab2 <= 0 || (ac - ab2) * (ac - ab2) <= discriminant;
}

TEST(case_19_the_early_out_changes_no_answer)
{
    test_random random = { 19 };
    int hits = 0;
    for (int i = 0; i < 100000; i++) {
        int a[3], b[3], s[3];
        for (int axis = 0; axis < 3; axis++) {
            a[axis] = (int)test_random_below(&random, 9) - 4;
            b[axis] = (int)test_random_below(&random, 9) - 4;
            s[axis] = (int)test_random_below(&random, 5) - 2;
        }
        const int r = (int)test_random_below(&random, 4);
        const sl_sphere sphere = { { (float)s[0], (float)s[1], (float)s[2] }, (float)r };
        const bool expected = rules_of_the_document(a, b, s, r, false);
        assert_int_equal(rules_of_the_document(a, b, s, r, true), expected);
        assert_int_equal(segment_hits((float)a[0], (float)a[1], (float)a[2], (float)b[0],
                                      (float)b[1], (float)b[2], &sphere, SL_INSIDE_IGNORE_LEAVING,
                                      NULL),
                         expected);
        hits += expected;
    }
    print_message("%d of 100000 hit\n", hits);
    assert_in_range(hits, 10000, 80000);
}

TEST(case_20_a_sphere_behind_is_missed_but_not_by_who_is_inside_it)
{
    for (int policy = SL_INSIDE_SOLID; policy <= SL_INSIDE_IGNORE_LEAVING; policy++) {
        assert_false(segment_hits(3, 0, 0, 10, 0, 0, &unit, (sl_start_inside)policy, NULL));
    }
    /* Past the centre and still inside: the inside test comes first. */
    sl_round_hit hit;
    assert_true(segment_hits(0.5f, 0, 0, 10, 0, 0, &unit, SL_INSIDE_SOLID, &hit));
    assert_true(hit.inside && hit.t == 0);
    const sl_line line = {
        .origin = { 3, 0, 0 }, .head = { 1, 0, 0 }, .tmin = -INFINITY, .tmax = INFINITY
    };
    assert_true(sl_line_sphere(line, &unit, SL_INSIDE_SOLID, &hit));
    assert_true(hit.t == -4 && hit.t1 == -2);
}

TEST(case_21_a_tangent_is_one_hit)
{
    sl_round_hit hit;
    assert_true(segment_hits(-2, 1, 0, 2, 1, 0, &unit, SL_INSIDE_SOLID, &hit));
    assert_true(hit.t0 == 0.5f && hit.t1 == 0.5f && hit.entry && hit.exit && !hit.inside);
    assert_true(hit.point[0] == 0 && hit.point[1] == 1 && hit.normal[1] == 1);
    const float above = nextafterf(1, 2);
    assert_false(segment_hits(-2, above, 0, 2, above, 0, &unit, SL_INSIDE_SOLID, NULL));
    /* Slanted: x + y = 5 sqrt(2)... in whole numbers, 3x + 4y = 25 touches radius 5 at (3, 4). */
    const sl_sphere five = { { 0, 0, 0 }, 5 };
    assert_true(segment_hits(7, 1, 0, -1, 7, 0, &five, SL_INSIDE_SOLID, &hit));
    assert_true(hit.t0 == 0.5f && hit.t1 == 0.5f && hit.point[0] == 3 && hit.point[1] == 4);
    assert_true(hit.normal[0] == 0.6f && hit.normal[1] == 0.8f);
    assert_false(segment_hits(nextafterf(7, 8), 1, 0, -1, 7, 0, &five, SL_INSIDE_SOLID, NULL));
    assert_true(segment_hits(nextafterf(7, 6), 1, 0, -1, 7, 0, &five, SL_INSIDE_SOLID, &hit));
    assert_true(hit.t0 < hit.t1);
}

TEST(case_22_the_end_belongs_to_the_segment)
{
    sl_round_hit hit;
    assert_true(segment_hits(-3, 0, 0, -1, 0, 0, &unit, SL_INSIDE_SOLID, &hit));
    assert_true(hit.t == 1 && hit.t1 == 1 && hit.entry && !hit.exit);
    assert_false(segment_hits(-3, 0, 0, nextafterf(-1, -2), 0, 0, &unit, SL_INSIDE_SOLID, NULL));
    /* The root 2 - sqrt(3), which is no float: the limit below it is too early. */
    sl_ray ray = { { -2, 0.5f, 0 }, 0, { 1, 0, 0 }, 0 };
    ray.dir[0] = 1;
    const float root = 2 - 0.866025403784438647f;
    const float below = (double)root < 2 - 0.866025403784438647 ? root : nextafterf(root, 0);
    ray.tmax = below;
    assert_false(sl_line_sphere(sl_line_of_ray(&ray), &unit, SL_INSIDE_SOLID, NULL));
    ray.tmax = nextafterf(below, 2);
    assert_true(sl_line_sphere(sl_line_of_ray(&ray), &unit, SL_INSIDE_SOLID, &hit));
    assert_true(hit.t == (float)(2 - 0.866025403784438647));
    assert_true(hit.point[0] == (float)-0.866025403784438647 && hit.point[1] == 0.5f);
}

TEST(case_23_both_roots_are_there)
{
    const float a[3] = { -3, 0, 0 }, b[3] = { 3, 0, 0 };
    assert_true(document(a, b, &unit, true).distance == 2); /* the nearer one only */
    sl_round_hit hit;
    assert_true(segment_hits(-3, 0, 0, 3, 0, 0, &unit, SL_INSIDE_SOLID, &hit));
    assert_true(hit.t == hit.t0 && hit.t0 * 6 == 2 && hit.t1 * 6 == 4);
    /* From inside, the far one is the exit. */
    assert_true(segment_hits(0, 0, 0, 3, 0, 0, &unit, SL_INSIDE_HOLLOW, &hit));
    assert_true(hit.t == hit.t1 && hit.t * 3 == 1 && hit.normal[0] == 1);
}

TEST(case_24_the_simple_variant_answers_where_there_is_nothing)
{
    /* Passing at a distance of 2: the root of 1 - 4. */
    const float a[3] = { -3, 2, 0 }, b[3] = { 3, 2, 0 };
    assert_true(isnan(document(a, b, &unit, false).point[0]));
    assert_false(segment_hits(-3, 2, 0, 3, 2, 0, &unit, SL_INSIDE_SOLID, NULL));
    /* The sphere behind: a point before the start. */
    const float c[3] = { 3, 0, 0 }, d[3] = { 10, 0, 0 };
    const document_answer behind = document(c, d, &unit, false);
    assert_true(behind.distance == -4 && behind.point[0] == -1);
    assert_false(segment_hits(3, 0, 0, 10, 0, 0, &unit, SL_INSIDE_SOLID, NULL));
    /* Too short: a point after the end. */
    const float e[3] = { -3, 0, 0 }, f[3] = { -2, 0, 0 };
    assert_true(document(e, f, &unit, false).point[0] == -1);
    assert_false(segment_hits(-3, 0, 0, -2, 0, 0, &unit, SL_INSIDE_SOLID, NULL));
}

TEST(case_25_without_length_it_is_a_point)
{
    sl_round_hit hit;
    assert_true(segment_hits(0.5f, 0, 0, 0.5f, 0, 0, &unit, SL_INSIDE_SOLID, &hit));
    assert_true(hit.inside && hit.t == 0 && hit.t0 == 0 && hit.t1 == 1 && hit.point[0] == 0.5f);
    assert_false(segment_hits(0.5f, 0, 0, 0.5f, 0, 0, &unit, SL_INSIDE_HOLLOW, NULL));
    assert_false(segment_hits(0.5f, 0, 0, 0.5f, 0, 0, &unit, SL_INSIDE_IGNORE, NULL));
    assert_false(segment_hits(2, 0, 0, 2, 0, 0, &unit, SL_INSIDE_SOLID, NULL));
    for (int policy = SL_INSIDE_SOLID; policy <= SL_INSIDE_IGNORE_LEAVING; policy++) {
        assert_true(segment_hits(0, 1, 0, 0, 1, 0, &unit, (sl_start_inside)policy, &hit));
        assert_true(!hit.inside && hit.t == 0 && hit.normal[1] == 0);
        assert_false(segment_hits(0, nextafterf(1, 2), 0, 0, nextafterf(1, 2), 0, &unit,
                                  (sl_start_inside)policy, &hit));
    }
    const sl_line point = {
        .origin = { 0, 0, 0 }, .head = { 0, 0, 0 }, .tmin = -INFINITY, .tmax = INFINITY
    };
    assert_true(sl_line_sphere(point, &unit, SL_INSIDE_SOLID, &hit));
    assert_true(hit.t == 0 && hit.t0 == -INFINITY && hit.t1 == INFINITY && hit.inside);
    sl_ray ray = { { 0, 0, 0 }, -INFINITY, { 0, 0, 0 }, -3 };
    assert_true(sl_line_sphere(sl_line_of_ray(&ray), &unit, SL_INSIDE_SOLID, &hit));
    assert_true(hit.t == -3); /* of the t allowed, the one nearest to 0 */
    /* A sphere of radius 0 is a point as well. */
    const sl_sphere point_sphere = { { 1, 2, 3 }, 0 };
    assert_true(segment_hits(0, 0, 0, 2, 4, 6, &point_sphere, SL_INSIDE_SOLID, &hit));
    assert_true(hit.t == 0.5f && hit.point[2] == 3 && hit.normal[0] == 0 && hit.t1 == 0.5f);
    assert_false(
        segment_hits(0, 0, 0, 2, 4, nextafterf(6, 7), &point_sphere, SL_INSIDE_SOLID, NULL));
}

TEST(case_26_in_the_plane_it_is_the_test_against_a_circle)
{
    /* The plane's own test in whole numbers: of the points of the segment, the nearest to the
     * centre is at a distance of no more than r. */
    test_random random = { 26 };
    int hits = 0;
    for (int i = 0; i < 20000; i++) {
        int a[2], d[2], f[2];
        for (int axis = 0; axis < 2; axis++) {
            a[axis] = (int)test_random_below(&random, 15) - 7;
            d[axis] = (int)test_random_below(&random, 15) - 7 - a[axis];
            f[axis] = (int)test_random_below(&random, 5) - 2 - a[axis];
        }
        const int r = (int)test_random_below(&random, 5);
        const int along = f[0] * d[0] + f[1] * d[1], length2 = d[0] * d[0] + d[1] * d[1];
        const int cross = f[0] * d[1] - f[1] * d[0];
        const int from_a = f[0] * f[0] + f[1] * f[1];
        const int from_b = (f[0] - d[0]) * (f[0] - d[0]) + (f[1] - d[1]) * (f[1] - d[1]);
        const bool expected = along <= 0         ? from_a <= r * r
                              : along >= length2 ? from_b <= r * r
                                                 : cross * cross <= r * r * length2;
        const sl_sphere sphere = { { (float)(f[0] + a[0]), (float)(f[1] + a[1]), 0 }, (float)r };
        sl_round_hit hit;
        assert_int_equal(segment_hits((float)a[0], (float)a[1], 0, (float)(a[0] + d[0]),
                                      (float)(a[1] + d[1]), 0, &sphere, SL_INSIDE_SOLID, &hit),
                         expected);
        assert_true(!expected || (hit.point[2] == 0 && hit.normal[2] == 0));
        hits += expected;
    }
    print_message("%d of 20000 hit\n", hits);
    assert_in_range(hits, 4000, 16000);
}

TEST(what_is_not_valid_misses)
{
    const sl_segment good = { { -3, 0, 0 }, { 3, 0, 0 } };
    const float bad[3] = { NAN, INFINITY, -1 };
    for (int i = 0; i < 3; i++) {
        sl_sphere sphere = unit;
        sphere.radius = bad[i];
        assert_false(sl_line_sphere(sl_line_of_segment(&good), &sphere, SL_INSIDE_SOLID, NULL));
        sphere = unit;
        sphere.centre[1] = i < 2 ? bad[i] : -INFINITY;
        assert_false(sl_line_sphere(sl_line_of_segment(&good), &sphere, SL_INSIDE_SOLID, NULL));
        sl_segment segment = good;
        segment.q[2] = i < 2 ? bad[i] : -INFINITY;
        assert_false(sl_line_sphere(sl_line_of_segment(&segment), &unit, SL_INSIDE_SOLID, NULL));
    }
    sl_ray ray = { { -3, 0, 0 }, 1, { 1, 0, 0 }, 0 };
    assert_false(
        sl_line_sphere(sl_line_of_ray(&ray), &unit, SL_INSIDE_SOLID, NULL)); /* tmin > tmax */
    ray.tmax = NAN;
    assert_false(sl_line_sphere(sl_line_of_ray(&ray), &unit, SL_INSIDE_SOLID, NULL));
    ray.tmin = ray.tmax = INFINITY;
    assert_false(sl_line_sphere(sl_line_of_ray(&ray), &unit, SL_INSIDE_SOLID, NULL));
    const sl_line line = {
        .origin = { 0, NAN, 0 }, .head = { 1, 0, 0 }, .tmin = -INFINITY, .tmax = INFINITY
    };
    assert_false(sl_line_sphere(line, &unit, SL_INSIDE_SOLID, NULL));
}

/* All policies of one case; returns whether it hits. */
static bool check(const sl_line *line, const sl_sphere *sphere)
{
    sl_capsule capsule = { .radius = sphere->radius };
    memcpy(capsule.p, sphere->centre, sizeof capsule.p);
    memcpy(capsule.q, sphere->centre, sizeof capsule.q);
    return convex_oracle_hold(line, &capsule, sphere);
}

TEST(every_answer_is_that_of_exact_arithmetic)
{
    test_random random = { 1624 };
    const size_t count = test_count(15000);
    size_t hits[HARD_NUMBERS] = { 0 };
    print_message("seed 1624, %zu cases\n", HARD_KINDS * HARD_NUMBERS * count);
    for (size_t i = 0; i < HARD_NUMBERS * count; i++) {
        const hard_numbers numbers = (hard_numbers)(i % HARD_NUMBERS);
        float a[3], b[3], last = 1;
        sl_sphere sphere;
        for (int axis = 0; axis < 3; axis++) {
            a[axis] = last = hard_number(&random, numbers, last, 4);
            b[axis] = last = hard_number(&random, numbers, last, 4);
            sphere.centre[axis] = last = hard_number(&random, numbers, last, 2);
        }
        sphere.radius = fabsf(hard_number(&random, numbers, last, 3));
        for (int kind = 0; kind < HARD_KINDS; kind++) {
            const sl_line line = hard_line(&random, (hard_kind)kind, a, b, numbers);
            hits[numbers] += check(&line, &sphere);
        }
    }
    print_message("hits: %zu on the lattice, %zu wild, %zu extreme\n", hits[0], hits[1], hits[2]);
    assert_true(hits[0] > count / 4 && hits[1] > count / 4 && hits[2] > count / 4);
}

TEST(normals_are_good_even_from_far_off)
{
    test_random random = { 22 };
    double worst = 0;
    mpf_set_default_prec(400);
    mpf_t a, b, c, d[3], f[3], x;
    mpf_inits(a, b, c, x, d[0], d[1], d[2], f[0], f[1], f[2], NULL);
    int hits = 0;
    for (int i = 0; i < 30000; i++) {
        const float far_off = ldexpf(1, (int)test_random_below(&random, 20));
        sl_segment segment;
        sl_sphere sphere;
        sphere.radius = test_random_in(&random, 0.25f, 1);
        mpf_set_d(c, -(double)sphere.radius * (double)sphere.radius);
        mpf_set_ui(a, 0);
        mpf_set_ui(b, 0);
        for (int axis = 0; axis < 3; axis++) {
            sphere.centre[axis] = test_random_in(&random, -1, 1);
            segment.p[axis] = far_off * test_random_in(&random, -1, 1);
            segment.q[axis] = test_random_in(&random, -1, 1);
            mpf_set_d(d[axis], (double)segment.q[axis]);
            mpf_set_d(f[axis], (double)segment.p[axis]);
            mpf_sub(d[axis], d[axis], f[axis]);
            mpf_set_d(x, (double)sphere.centre[axis]);
            mpf_sub(f[axis], f[axis], x);
            mpf_mul(x, d[axis], d[axis]);
            mpf_add(a, a, x);
            mpf_mul(x, d[axis], f[axis]);
            mpf_add(b, b, x);
            mpf_mul(x, f[axis], f[axis]);
            mpf_add(c, c, x);
        }
        sl_round_hit hit;
        if (!sl_line_sphere(sl_line_of_segment(&segment), &sphere, SL_INSIDE_IGNORE, &hit)) {
            continue;
        }
        hits++;
        mpf_mul(x, b, b); /* t = -(b + sqrt(b^2 - a c)) / a */
        mpf_mul(c, c, a);
        mpf_sub(x, x, c);
        mpf_sqrt(x, x);
        mpf_add(b, b, x);
        mpf_div(b, b, a);
        for (int axis = 0; axis < 3; axis++) {
            mpf_mul(x, b, d[axis]);
            mpf_sub(x, f[axis], x);
            mpf_set_d(c, (double)sphere.radius);
            mpf_div(x, x, c);
            const double off = fabs(mpf_get_d(x) - (double)hit.normal[axis]);
            worst = off > worst ? off : worst;
        }
    }
    mpf_clears(a, b, c, x, d[0], d[1], d[2], f[0], f[1], f[2], NULL);
    print_message("%d hits, at most 2^%.2f off\n", hits, log2(worst));
    assert_true(hits > 3000 && worst <= 0x1p-24 && worst > 0);
}
