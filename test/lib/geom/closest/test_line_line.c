/* Lines, rays and segments in space: by hand, and against fractions.
 * SIGHTLINE_TEST_SCALE=10 tries 200,000 cases and more. */
#include "test/support/hard/floats.h"
#include "test/support/oracle/fraction.h"
#include "test/support/test.h"

typedef enum domain { WHOLE, RAY, SEGMENT, DOMAINS } domain;

/* Along q where tail is NULL, else through it. */
static sl_line line_of(domain of, const float p[3], const float *tail, const float q[3])
{
    sl_line line = { .tmin = of == WHOLE ? -INFINITY : 0, .tmax = of == SEGMENT ? 1 : INFINITY };
    for (int axis = 0; axis < 3; axis++) {
        line.origin[axis] = p[axis];
        line.tail[axis] = tail != NULL ? tail[axis] : 0;
        line.head[axis] = q[axis];
    }
    return line;
}

static sl_line path(domain of, float px, float py, float pz, float qx, float qy, float qz)
{
    const float p[3] = { px, py, pz }, q[3] = { qx, qy, qz };
    return line_of(of, p, p, q);
}

static bool is_at(const float x[3], float a, float b, float c)
{
    return x[0] == a && x[1] == b && x[2] == c;
}

/* Along x at z = 0, and along y at z = 3 over x = 2: nearest at (2,0,0) and (2,0,3). */
TEST(case_36_skew_lines_are_nearest_across_both)
{
    const sl_line a = path(WHOLE, 0, 0, 0, 4, 0, 0);
    const sl_line b = path(WHOLE, 2, -1, 3, 2, 3, 3);
    sl_closest_pair pair;
    assert_true(sl_line_line(a, b, &pair));
    assert_true(pair.s == 0.5f && pair.t == 0.25f && pair.distance == 3 && !pair.parallel);
    assert_true(is_at(pair.on_first, 2, 0, 0) && is_at(pair.on_second, 2, 0, 3));
}

/* The same cut short: the segment ends at x = 1, so 1 - 2 across and 3 up: sqrt(10). */
TEST(case_36_segments_and_rays_stop_at_their_ends)
{
    const sl_line a = path(SEGMENT, 0, 0, 0, 1, 0, 0);
    const sl_line b = path(WHOLE, 2, -1, 3, 2, 3, 3);
    const sl_line up = path(RAY, 2, 1, 3, 2, 2, 3);
    sl_closest_pair pair;
    assert_true(sl_line_line(a, b, &pair));
    assert_true(pair.s == 1 && pair.t == 0.25f && pair.distance == sqrtf(10));
    /* the ray starts at y = 1 and goes up: 1 across, 1 back, 3 up */
    assert_true(sl_line_line(a, up, &pair));
    assert_true(pair.s == 1 && pair.t == 0 && pair.distance == sqrtf(11));
    assert_true(is_at(pair.on_second, 2, 1, 3));
}

/* Sliding one of two parallel segments along the other, a quarter at a time: the pair moves without
 * jumps, s staying in 0 .. 1 and as near to 0 as may be. */
TEST(case_36_parallel_pairs_slide_continuously)
{
    const sl_line a = path(SEGMENT, 0, 0, 0, 4, 0, 0);
    for (float x = -8; x <= 8; x += 0.25f) {
        const sl_line b = path(SEGMENT, x + 2, 1, 0, x, 1, 0);
        sl_closest_pair pair;
        assert_true(sl_line_line(a, b, &pair));
        const float s = fminf(fmaxf(x / 4, 0), 1), gap = fmaxf(fmaxf(x - 4, -2 - x), 0);
        assert_true(pair.parallel && pair.s == s);
        assert_true(pair.on_first[0] == 4 * s);
        assert_true(pair.on_second[0] == fminf(fmaxf(4 * s, x), x + 2));
        assert_true(pair.distance == sqrtf(1 + gap * gap));
    }
}

/* Turning one of them through parallel by smaller and smaller angles: the distance runs into that
 * of the parallel pair, 1. */
TEST(case_36_the_distance_is_continuous_at_parallel)
{
    const sl_line a = path(SEGMENT, 0, 0, 0, 1, 0, 0);
    for (int exponent = -2; exponent >= -149; exponent--) {
        for (float sign = -1; sign <= 1; sign += 2) {
            const float turn = sign * ldexpf(1, exponent);
            const sl_line b = path(SEGMENT, 0, 1, 0, 1, 1, turn);
            sl_closest_pair pair;
            assert_true(sl_line_line(a, b, &pair));
            assert_true(!pair.parallel);
            assert_true(fabsf(pair.distance - 1) <= fabsf(turn));
        }
    }
    const sl_line b = path(SEGMENT, 0, 1, 0, 1, 1, 0);
    sl_closest_pair pair;
    assert_true(sl_line_line(a, b, &pair));
    assert_true(pair.parallel && pair.distance == 1 && pair.s == 0 && pair.t == 0);
}

TEST(points_are_paths_without_length)
{
    const sl_line a = path(RAY, 1, 2, 3, 1, 2, 3);
    const sl_line b = path(SEGMENT, 1, 0, 0, 1, 4, 0);
    sl_closest_pair pair;
    assert_true(sl_line_line(a, b, &pair));
    assert_true(pair.s == 0 && pair.t == 0.5f && pair.distance == 3 && pair.parallel);
    assert_true(sl_line_line(b, a, &pair));
    assert_true(pair.s == 0.5f && pair.t == 0 && pair.distance == 3);
    assert_true(sl_line_line(a, a, &pair));
    assert_true(pair.s == 0 && pair.t == 0 && pair.distance == 0);
}

TEST(what_is_not_valid_is_refused)
{
    const sl_line good = path(WHOLE, 0, 0, 0, 1, 0, 0);
    for (int field = 0; field < 9; field++) {
        for (int i = 0; i < 3; i++) {
            float x[9];
            memcpy(x, &good, sizeof x);
            x[field] = i == 0 ? NAN : i == 1 ? INFINITY : -INFINITY;
            sl_line bad = good;
            memcpy(&bad, x, sizeof x);
            sl_closest_pair pair = { .s = 7 };
            assert_false(sl_line_line(bad, good, &pair));
            assert_false(sl_line_line(good, bad, &pair));
            assert_true(pair.s == 7);
        }
    }
    sl_line unknown = good;
    unknown.tmin = -1; /* valid, but not here */
    sl_closest_pair pair;
    assert_false(sl_line_line(good, unknown, &pair));
}

/* ---- Against fractions ---- */

typedef struct oracle_path {
    fraction3 origin, dir;
    double tmin, tmax;
} oracle_path;

typedef struct best_pair {
    bool found;
    fraction s, t, square;
    fraction3 on[2];
} best_pair;

static oracle_path oracle_of(const sl_line *a)
{
    return (oracle_path){ .origin = fraction3_of(a->origin),
                          .dir = fraction3_sub(fraction3_of(a->head), fraction3_of(a->tail)),
                          .tmin = (double)a->tmin,
                          .tmax = (double)a->tmax };
}

static bool allows(const oracle_path *p, fraction s)
{
    return (p->tmin < 0 || fraction_sign(s) >= 0) &&
           (p->tmax > 1 || fraction_compare(s, fraction_of(1)) <= 0);
}

static fraction3 at(const oracle_path *p, fraction s)
{
    return fraction3_add(p->origin, fraction3_mul(p->dir, s));
}

/* Nearest first, then |s|, then |t|. */
static void try_pair(best_pair *best, const oracle_path *a, const oracle_path *b, fraction s,
                     fraction t)
{
    if (!allows(a, s) || !allows(b, t)) {
        return;
    }
    best_pair next = { .found = true, .s = s, .t = t, .on = { at(a, s), at(b, t) } };
    const fraction3 between = fraction3_sub(next.on[0], next.on[1]);
    next.square = fraction3_dot(between, between);
    if (best->found) {
        int order = fraction_compare(next.square, best->square);
        order = order != 0 ? order : fraction_compare(fraction_abs(s), fraction_abs(best->s));
        order = order != 0 ? order : fraction_compare(fraction_abs(t), fraction_abs(best->t));
        if (order >= 0) {
            return;
        }
    }
    *best = next;
}

/* The parameter of the projection of a point on a path's line; false for a path of zero length. */
static bool project(const oracle_path *p, fraction3 point, fraction *s)
{
    fraction size = fraction3_dot(p->dir, p->dir);
    if (fraction_sign(size) == 0) {
        return false;
    }
    *s = fraction_div(fraction3_dot(fraction3_sub(point, p->origin), p->dir), size);
    return true;
}

/* All pairs that may be the nearest: where both directions are across, by the normal equations; an
 * end of one (or its start, though it has none) with its projection on the other, or with an end of
 * it. */
static best_pair oracle(const oracle_path *a, const oracle_path *b, bool *parallel)
{
    best_pair best = { .found = false };
    fraction zero = fraction_of(0), minus = fraction_of(-1);
    fraction3 w = fraction3_sub(b->origin, a->origin);
    fraction m[3][3], y[3], x[3];
    m[0][0] = fraction3_dot(a->dir, a->dir);
    m[0][1] = m[1][0] = fraction_mul(minus, fraction3_dot(a->dir, b->dir));
    m[1][1] = fraction3_dot(b->dir, b->dir);
    y[0] = fraction3_dot(a->dir, w);
    y[1] = fraction_mul(minus, fraction3_dot(b->dir, w));
    *parallel = !fraction_solve(2, m, y, x);
    if (!*parallel) {
        try_pair(&best, a, b, x[0], x[1]);
    }
    for (int i = 0; i < 2; i++) {
        for (int j = 0; j < 2; j++) {
            try_pair(&best, a, b, fraction_of(i), fraction_of(j));
        }
        fraction end = fraction_of(i), other = zero;
        if (project(b, at(a, end), &other)) {
            try_pair(&best, a, b, end, other);
        }
        if (project(a, at(b, end), &other)) {
            try_pair(&best, a, b, other, end);
        }
    }
    return best;
}

/* Every third pair is parallel, in one plane or crossing, where that can be done without rounding.
 */
static void make_pair(test_random *random, size_t i, sl_line *a, sl_line *b)
{
    float x[12];
    hard_floats(random, i, x, 12);
    const domain da = (domain)test_random_below(random, DOMAINS);
    const domain db = (domain)test_random_below(random, DOMAINS);
    *a = line_of(da, x, i % 4 < 2 ? x : NULL, x + 3);
    *b = line_of(db, x + 6, i % 5 < 2 ? x + 6 : NULL, x + 9);
    if (i % 7 == 0 && a->tmax == 1) {
        a->tmin = -INFINITY; /* ends, but does not begin */
    }
    if (i % 3 != 0) {
        return;
    }
    const float times = (float)test_random_below(random, 5) - 2;
    const float step = (float)test_random_below(random, 5) - 2;
    const bool shares = test_random_below(random, 2) == 0;
    for (int axis = 0; axis < 3; axis++) {
        const float dir = a->head[axis] - a->tail[axis], along = times * dir;
        const float origin = shares ? a->origin[axis] + step * dir : b->origin[axis];
        if (isfinite(origin) && isfinite(along)) {
            b->origin[axis] = origin;
            b->tail[axis] = 0;
            b->head[axis] = i % 9 == 0 && axis == 2 ? b->head[axis] : along;
        }
    }
}

static bool same_bits(float a, float b)
{
    return memcmp(&a, &b, sizeof a) == 0;
}

static bool is_right(const sl_closest_pair *got, const best_pair *right, bool parallel)
{
    bool ok = got->parallel == parallel && same_bits(got->s, fraction_round(right->s)) &&
              same_bits(got->t, fraction_round(right->t)) &&
              fraction_is_root(got->distance, right->square);
    for (int axis = 0; axis < 3; axis++) {
        ok = ok && same_bits(got->on_first[axis], fraction_round(right->on[0].x[axis])) &&
             same_bits(got->on_second[axis], fraction_round(right->on[1].x[axis]));
    }
    return ok;
}

TEST(case_36_all_pairs_are_as_fractions_say)
{
    test_random random = { 321 };
    size_t parallels = 0, touching = 0, inner = 0;
    const size_t rounds = 20000 * test_scale();
    for (size_t i = 0; i < rounds; i++) {
        sl_line a, b;
        make_pair(&random, i, &a, &b);
        fraction_reset();
        const oracle_path oa = oracle_of(&a), ob = oracle_of(&b);
        bool parallel;
        const best_pair right = oracle(&oa, &ob, &parallel);
        sl_closest_pair got;
        assert_true(sl_line_line(a, b, &got));
        if (!is_right(&got, &right, parallel)) {
            const float *x[2] = { a.origin, b.origin };
            for (int j = 0; j < 2; j++) {
                print_message("from, tail, head, limits");
                for (int k = 0; k < 11; k++) {
                    print_message(" %a", (double)x[j][k]);
                }
                print_message("\n");
            }
            fail();
        }
        parallels += parallel;
        touching += fraction_sign(right.square) == 0;
        inner += !parallel && got.s > 0 && got.s < 1 && got.t > 0 && got.t < 1;
    }
    print_message("seed 321: %zu pairs, %zu parallel, %zu touching, %zu inside both\n", rounds,
                  parallels, touching, inner);
    assert_true(parallels > rounds / 10 && touching > rounds / 10 && inner > rounds / 50);
}
