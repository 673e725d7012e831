/* Rays, segments and lines against boxes, held against fractions: decisions, faces, rounded t and
 * points.  SIGHTLINE_TEST_SCALE=N does N times as many. */
#include "lib/geom/intersect/paths.h"
#include "test/support/hard/floats.h"
#include "test/support/oracle/path_oracle.h"
#include "test/support/test.h"

#include <fenv.h>

typedef struct tally {
    size_t cases, hits, exact, exact_hits, ties;
} tally;

static path_oracle oracle;

/* One line against one box, by the inside, for the stage, and by the public function. */
static void check(const sl_line *line, const sl_aabb *box, tally *count)
{
    sl_aabb_hit expected, hit;
    memset(&expected, 0, sizeof expected);
    path_oracle_set(&oracle, line);
    const bool right = path_oracle_box(&oracle, box, &expected);
    sli_path path;
    memset(&hit, 0, sizeof hit);
    const bool found = sli_path_make(line, &path) &&
                       sli_path_aabb_hit(&path, box, SL_INSIDE_SOLID, false, &hit, NULL);
    assert_int_equal(found, right);
    sl_aabb_hit again;
    memset(&again, 0, sizeof again);
    const bool span = sl_line_aabb(*line, box, SL_INSIDE_SOLID, &again);
    assert_int_equal(span, right);
    count->cases++;
    count->hits += right;
    count->exact += path.stage == SLI_STAGE_EXACT;
    count->exact_hits += right && path.stage == SLI_STAGE_EXACT;
    if (!right) {
        return;
    }
    count->ties += expected.t0 == expected.t1;
    /* Bytes of padding may differ. */
    assert_memory_equal(&again, &hit, offsetof(sl_aabb_hit, inside));
    assert_int_equal(again.inside, hit.inside);
    assert_true(hit.t0 == expected.t0 && hit.t1 == expected.t1 && hit.t == expected.t);
    assert_false(signbit(hit.t0) && hit.t0 == 0);
    assert_false(signbit(hit.t1) && hit.t1 == 0);
    assert_int_equal(hit.entry, expected.entry);
    assert_int_equal(hit.exit, expected.exit);
    assert_int_equal(hit.face, expected.face);
    assert_int_equal(hit.inside, expected.inside);
    for (int axis = 0; axis < 3; axis++) {
        assert_true(hit.point[axis] == expected.point[axis]);
        assert_true(hit.normal[axis] == expected.normal[axis]);
    }
}

static void check_all(const float a[3], const float b[3], float tmin, float tmax,
                      const sl_aabb *box, tally *count)
{
    const sl_line segment =
        sl_line_of_segment(&(sl_segment){ { a[0], a[1], a[2] }, { b[0], b[1], b[2] } });
    const sl_ray ray = sl_ray_make(a, b);
    sl_line line = sl_line_of_ray(&ray), whole = line;
    line.tmin = tmin < tmax ? tmin : tmax;
    line.tmax = tmin < tmax ? tmax : tmin;
    whole.tmin = -INFINITY;
    check(&segment, box, count);
    check(&whole, box, count);
    check(&line, box, count);
}

static void report(const char *what, const tally *count)
{
    print_message("%s: %zu cases, %zu hits (%zu in one point); exact stage: %zu hits, %zu misses\n",
                  what, count->cases, count->hits, count->ties, count->exact_hits,
                  count->exact - count->exact_hits);
}

TEST(on_a_small_lattice_where_nearly_everything_touches)
{
    test_random random = { 101 };
    tally count = { 0 };
    const size_t rounds = test_count(60000);
    for (size_t i = 0; i < rounds; i++) {
        float a[3], b[3], low[3], high[3];
        for (int axis = 0; axis < 3; axis++) {
            a[axis] = (float)test_random_below(&random, 7) - 3;
            b[axis] = (float)test_random_below(&random, 7) - 3;
            low[axis] = (float)test_random_below(&random, 5) - 2;
            high[axis] = (float)test_random_below(&random, 5) - 2;
        }
        const sl_aabb box = sl_aabb_from_corners(low, high);
        const float tmin = (float)test_random_below(&random, 9) / 4 - 1;
        const float tmax = test_random_below(&random, 4) == 0
                               ? INFINITY
                               : (float)test_random_below(&random, 9) / 4 - 1;
        check_all(a, b, tmin, tmax, &box, &count);
    }
    report("seed 101, lattice", &count);
    assert_true(count.ties > count.cases / 100 && count.exact > count.cases / 10);
}

TEST(on_floats_of_all_sizes)
{
    test_random random = { 102 };
    tally count = { 0 };
    const size_t rounds = test_count(60000);
    for (size_t i = 0; i < rounds; i++) {
        float x[14];
        for (int j = 0; j < 14; j++) {
            x[j] = hard_float_wild(&random, j >= 3 ? x[j - 3] : 1);
        }
        const sl_aabb box = sl_aabb_from_corners(x + 6, x + 9);
        check_all(x, x + 3, x[12], test_random_below(&random, 3) == 0 ? INFINITY : x[13], &box,
                  &count);
    }
    report("seed 102, wild", &count);
    assert_true(count.hits > count.cases / 50 && count.exact > 100);
}

/* Aimed at a point of the box's surface as well as floats allow, from near and far. */
TEST(aimed_at_edges_and_corners)
{
    test_random random = { 103 };
    tally count = { 0 };
    const size_t rounds = test_count(60000);
    for (size_t i = 0; i < rounds; i++) {
        float low[3], high[3], a[3], b[3];
        const float reach = ldexpf(1, (int)test_random_below(&random, 40) - 20);
        const int fixed =
            (int)test_random_below(&random, 7) + 1; /* which coordinates are a face's */
        for (int axis = 0; axis < 3; axis++) {
            low[axis] = test_random_in(&random, -1, 0);
            high[axis] = test_random_in(&random, 0, 1);
            const float target = ((fixed >> axis) & 1) != 0
                                     ? (test_random_below(&random, 2) != 0 ? low : high)[axis]
                                     : test_random_in(&random, low[axis], high[axis]);
            const float step = reach * test_random_in(&random, -1, 1);
            a[axis] = target + step;
            b[axis] = i % 2 == 0 ? target : -step;
        }
        const sl_aabb box = sl_aabb_from_corners(low, high);
        check_all(a, b, 0, i % 3 == 0 ? 1 : INFINITY, &box, &count);
    }
    report("seed 103, aimed", &count);
    assert_true(count.hits > count.cases / 10 && count.hits < count.cases);
}

TEST(case_61_all_sign_patterns_with_zeros_and_denormals)
{
    const float sizes[6] = { 1, 0x1p-126f, 0x1p-149f, 0x1p-140f, 1e-30f, FLT_MAX };
    const float places[6] = { -2, -1, 0, 0x1p-149f, 1, 2 };
    const sl_aabb boxes[3] = { { { -1, -1, -1 }, { 1, 1, 1 } },
                               { { 0, -1, 0 }, { 1, 0, 0x1p-149f } },
                               { { -0x1p-149f, 0, -1 }, { 0, 0, FLT_MAX } } };
    tally count = { 0 };
    test_random random = { 61 };
    for (int pattern = 0; pattern < 27; pattern++) {
        for (int i = 0; i < 2000; i++) {
            float origin[3], dir[3];
            int rest = pattern;
            for (int axis = 0; axis < 3; axis++, rest /= 3) {
                const float zero = test_random_below(&random, 2) != 0 ? 0.0f : -0.0f;
                const float sign = (float)(rest % 3) - 1;
                dir[axis] = sign == 0 ? zero : sign * sizes[test_random_below(&random, 6)];
                origin[axis] = places[test_random_below(&random, 6)];
            }
            check_all(origin, dir, 0, INFINITY, &boxes[i % 3], &count);
        }
    }
    report("seed 61, signs", &count);
    assert_true(count.hits > 1000);
}

/* The same bits whatever the caller's rounding. */
TEST(the_callers_rounding_mode_changes_nothing)
{
    test_random random = { 104 };
    const int modes[3] = { FE_UPWARD, FE_DOWNWARD, FE_TOWARDZERO };
    const sl_aabb box = { { -1, -1, -1 }, { 1, 1, 1 } };
    int hits = 0;
    for (int i = 0; i < 3000; i++) {
        sl_segment segment;
        for (int axis = 0; axis < 3; axis++) {
            segment.p[axis] = test_random_in(&random, -3, 3);
            segment.q[axis] = test_random_in(&random, -1, 1);
        }
        sl_aabb_hit plain, other;
        memset(&plain, 0, sizeof plain);
        memset(&other, 0, sizeof other);
        const bool found =
            sl_line_aabb(sl_line_of_segment(&segment), &box, SL_INSIDE_SOLID, &plain);
        fesetround(modes[i % 3]);
        const bool again =
            sl_line_aabb(sl_line_of_segment(&segment), &box, SL_INSIDE_SOLID, &other);
        fesetround(FE_TONEAREST);
        assert_int_equal(found, again);
        assert_true(plain.t0 == other.t0 && plain.t1 == other.t1);
        assert_memory_equal(plain.point, other.point, sizeof plain.point);
        hits += found;
    }
    assert_true(hits > 1000);
}

TEST_BEFORE_ALL
{
    path_oracle_init(&oracle);
}

TEST_AFTER_ALL
{
    path_oracle_clear(&oracle);
}
