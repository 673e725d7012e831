/* Lines, rays and segments in the plane: by hand, and against fractions.
 * SIGHTLINE_TEST_SCALE=10 tries 200,000 cases and more. */
#include "test/support/hard/floats.h"
#include "test/support/oracle/fraction.h"
#include "test/support/test.h"

typedef enum domain { WHOLE, RAY, SEGMENT, DOMAINS } domain;

/* Through q where `through` says so, else along it.  What is no number of the plane is not read. */
static sl_line line_of(domain of, const float p[2], bool through, const float q[2])
{
    return (sl_line){ .origin = { p[0], p[1], NAN },
                      .tail = { through ? p[0] : 0, through ? p[1] : 0, INFINITY },
                      .head = { q[0], q[1], NAN },
                      .tmin = of == WHOLE ? -INFINITY : 0,
                      .tmax = of == SEGMENT ? 1 : INFINITY };
}

static sl_line path(domain of, float px, float py, float qx, float qy)
{
    const float p[2] = { px, py }, q[2] = { qx, qy };
    return line_of(of, p, true, q);
}

/* Both methods, which have to agree; -1 if they do not. */
static int ask(const sl_line *a, const sl_line *b, sl_line_line_hit *hit)
{
    sl_line_line_hit one = { .s = { 0 } }, two = { .s = { 0 } };
    const sl_line_line_relation divided = sl_line_line_2d(*a, *b, SL_LINE_LINE_DIVIDE, &one);
    const sl_line_line_relation rejected = sl_line_line_2d(*a, *b, SL_LINE_LINE_REJECT, &two);
    if (divided != rejected || memcmp(&one, &two, sizeof one) != 0) {
        return -1;
    }
    if (hit != NULL) {
        *hit = one;
    }
    return (int)divided;
}

/* r1 = (0,0) + s (4,4), r2 = (0,4) + t (8,-4): 4s = 8t and 4s = 4 - 4t, so t = 1/3, s = 2/3, at
 * (8/3, 8/3). */
TEST(case_29_lines_cross_where_the_perpendicular_products_say)
{
    const sl_line a = path(WHOLE, 0, 0, 4, 4), b = path(WHOLE, 0, 4, 8, 0);
    sl_line_line_hit hit = { 0 };
    assert_int_equal(ask(&a, &b, &hit), SL_LINE_LINE_POINT);
    assert_true(hit.s[0] == 2.0f / 3 && hit.s[1] == hit.s[0]);
    assert_true(hit.t[0] == 1.0f / 3 && hit.t[1] == hit.t[0]);
    assert_true(hit.point[0] == 8.0f / 3 && hit.point[1] == 8.0f / 3);
}

TEST(case_29_parallel_collinear_and_overlapping_are_told_apart)
{
    const sl_line a = path(SEGMENT, 0, 0, 4, 2);
    const sl_line beside = path(SEGMENT, 0, 1, 4, 3);
    const sl_line after = path(SEGMENT, 6, 3, 8, 4);
    const sl_line touching = path(SEGMENT, 8, 4, 4, 2);
    const sl_line over = path(SEGMENT, 6, 3, 2, 1);
    sl_line_line_hit hit = { 0 };
    assert_int_equal(ask(&a, &beside, NULL), SL_LINE_LINE_PARALLEL);
    assert_int_equal(ask(&a, &after, NULL), SL_LINE_LINE_COLLINEAR);
    assert_int_equal(ask(&a, &touching, &hit), SL_LINE_LINE_OVERLAP);
    assert_true(hit.s[0] == 1 && hit.s[1] == 1 && hit.t[0] == 1 && hit.t[1] == 1);
    assert_true(hit.point[0] == 4 && hit.point[1] == 2);
    /* a from (2,1), its middle, to its end; the other runs backwards: from its end to its middle */
    assert_int_equal(ask(&a, &over, &hit), SL_LINE_LINE_OVERLAP);
    assert_true(hit.s[0] == 0.5f && hit.s[1] == 1 && hit.t[0] == 1 && hit.t[1] == 0.5f);
    assert_true(hit.point[0] == 2 && hit.point[1] == 1);
}

/* No threshold: directions a single ulp apart cross, at any scale; the same scaled down to 1e-30
 * too. From (0,1), (1, 1 - 2^-24) drops by 2^-24 for every 1: it meets y = 0 at s = 2^24. */
TEST(case_29_nearly_parallel_is_not_parallel)
{
    for (int exponent = -90; exponent <= 90; exponent += 45) {
        const float unit = ldexpf(1, exponent);
        const sl_line a = path(WHOLE, 0, unit, unit, nextafterf(unit, 0));
        const sl_line b = path(WHOLE, 0, 0, unit, 0);
        sl_line_line_hit hit = { 0 };
        assert_int_equal(ask(&a, &b, &hit), SL_LINE_LINE_POINT);
        assert_true(hit.s[0] == 0x1p24f && hit.t[0] == 0x1p24f);
    }
}

/* a: from (0,0) to (2,0).  b crosses its line at x, coming from above, at t; the domains decide. */
TEST(case_30_domains_mix_freely)
{
    static const struct {
        float x, t;
    } cross[9] = { { 1, 0.5f }, { 3, 0.5f },  { -1, 0.5f }, { 1, 2 },  { 3, 2 },
                   { -1, 2 },   { 1, -0.5f }, { 3, -1 },    { -1, -2 } };
    for (int i = 0; i < 9 * 9; i++) {
        const domain da = (domain)(i / 9 / 3), db = (domain)(i / 9 % 3);
        const float x = cross[i % 9].x, t = cross[i % 9].t;
        const sl_line a = path(da, 0, 0, 2, 0), b = path(db, x, 4 * t, x, 4 * t - 4);
        const bool in_a = da == WHOLE || (x >= 0 && (da == RAY || x <= 2));
        const bool in_b = db == WHOLE || (t >= 0 && (db == RAY || t <= 1));
        sl_line_line_hit hit = { 0 };
        assert_int_equal(ask(&a, &b, &hit),
                         in_a && in_b ? SL_LINE_LINE_POINT : SL_LINE_LINE_BEYOND);
        if (in_a && in_b) {
            assert_true(hit.s[0] == x / 2 && hit.t[0] == t);
        }
    }
}

/* With a unit direction s is a length, 0 <= s <= l, both included. */
TEST(case_31_a_unit_direction_measures_length)
{
    const float p[2] = { 1, 1 }, dir[2] = { 0, 1 };
    const sl_line b = path(WHOLE, 0, 6, 1, 6);
    sl_line_line_hit hit = { 0 };
    sl_line five = line_of(SEGMENT, p, false, dir);
    five.tmax = 5;
    assert_int_equal(ask(&five, &b, &hit), SL_LINE_LINE_POINT);
    assert_true(hit.s[0] == 5 && hit.point[1] == 6);
    sl_line less = line_of(SEGMENT, p, false, dir);
    less.tmax = nextafterf(5, 0);
    assert_int_equal(ask(&less, &b, NULL), SL_LINE_LINE_BEYOND);
    sl_line none = line_of(SEGMENT, p, false, dir);
    none.tmax = -1;
    assert_int_equal(ask(&none, &b, NULL), SL_LINE_LINE_INVALID);
}

TEST(case_32_segments_include_both_ends)
{
    const sl_line a = path(SEGMENT, 0, 0, 3, 0);
    for (int end = 0; end < 2; end++) {
        const float x = end == 0 ? 0.0f : 3.0f;
        const sl_line stops = path(SEGMENT, x, -1, x, 0);
        const sl_line before = path(SEGMENT, x, -1, x, -0x1p-149f);
        sl_line_line_hit hit = { 0 };
        assert_int_equal(ask(&a, &stops, &hit), SL_LINE_LINE_POINT);
        assert_true(hit.s[0] == (float)end && hit.t[0] == 1);
        assert_int_equal(ask(&a, &before, NULL), SL_LINE_LINE_BEYOND);
    }
}

TEST(case_33_rays_begin_at_their_origin_and_never_end)
{
    const sl_line a = path(RAY, 0, 0, 1, 0);
    const sl_line far_off = path(RAY, 0x1p120f, -1, 0x1p120f, 0);
    const sl_line at_origin = path(RAY, 0, 1, 0, 0);
    const sl_line behind = path(RAY, -0x1p-149f, 1, -0x1p-149f, 0);
    sl_line_line_hit hit = { 0 };
    assert_int_equal(ask(&a, &far_off, &hit), SL_LINE_LINE_POINT);
    assert_true(hit.s[0] == 0x1p120f && hit.t[0] == 1);
    assert_int_equal(ask(&a, &at_origin, &hit), SL_LINE_LINE_POINT);
    assert_true(hit.s[0] == 0 && !signbit(hit.s[0]));
    assert_int_equal(ask(&a, &behind, NULL), SL_LINE_LINE_BEYOND);
}

/* The document's rules in fractions: a = q2 - q1, b = p2 - p1, c = p1 - q1, and with (x, y) turned
 * to
 * (-y, x), d = c . turned a, e = c . turned b, f = a . turned b. */
static bool document_accepts(const float x[8])
{
    fraction p1[2], b[2], a[2], c[2];
    for (int axis = 0; axis < 2; axis++) {
        p1[axis] = fraction_of(x[axis]);
        b[axis] = fraction_sub(fraction_of(x[2 + axis]), p1[axis]);
        fraction q1 = fraction_of(x[4 + axis]);
        a[axis] = fraction_sub(fraction_of(x[6 + axis]), q1);
        c[axis] = fraction_sub(p1[axis], q1);
    }
    fraction d = fraction_sub(fraction_mul(c[1], a[0]), fraction_mul(c[0], a[1]));
    fraction e = fraction_sub(fraction_mul(c[1], b[0]), fraction_mul(c[0], b[1]));
    fraction f = fraction_sub(fraction_mul(a[1], b[0]), fraction_mul(a[0], b[1]));
    const int sign = fraction_sign(f);
    if (sign > 0) {
        return !(fraction_sign(d) < 0 || fraction_compare(d, f) > 0) &&
               !(fraction_sign(e) < 0 || fraction_compare(e, f) > 0);
    }
    return sign < 0 && !(fraction_sign(d) > 0 || fraction_compare(d, f) < 0) &&
           !(fraction_sign(e) > 0 || fraction_compare(e, f) < 0);
}

/* Whole numbers: a third of the pairs touch at an end or are parallel. */
TEST(case_34_the_second_method_accepts_by_the_documents_rules)
{
    test_random random = { 311 };
    size_t accepted = 0, at_ends = 0;
    const size_t rounds = 20000 * test_scale();
    for (size_t i = 0; i < rounds; i++) {
        float x[8];
        hard_floats(&random, i, x, 8);
        const sl_line a = path(SEGMENT, x[0], x[1], x[2], x[3]);
        const sl_line b = path(SEGMENT, x[4], x[5], x[6], x[7]);
        sl_line_line_hit hit = { 0 };
        const sl_line_line_relation how = sl_line_line_2d(a, b, SL_LINE_LINE_REJECT, &hit);
        const bool moving =
            (x[0] != x[2] || x[1] != x[3]) && (x[4] != x[6] || x[5] != x[7]); /* 0 is -0 */
        fraction_reset();
        if (moving) {
            assert_int_equal(how == SL_LINE_LINE_POINT, document_accepts(x));
            accepted += how == SL_LINE_LINE_POINT;
            at_ends += how == SL_LINE_LINE_POINT && (hit.s[0] == 0 || hit.s[0] == 1);
        }
    }
    print_message("seed 311: %zu accepted, %zu at an end\n", accepted, at_ends);
    assert_true(accepted > rounds / 10 && at_ends > rounds / 50);
}

/* ---- Everything against fractions ---- */

typedef struct oracle_path {
    fraction origin[2], dir[2];
    float min, max;
    bool moves;
} oracle_path;

static oracle_path oracle_of(const sl_line *a)
{
    oracle_path out = { .min = a->tmin, .max = a->tmax };
    for (int axis = 0; axis < 2; axis++) {
        out.origin[axis] = fraction_of(a->origin[axis]);
        out.dir[axis] = fraction_sub(fraction_of(a->head[axis]), fraction_of(a->tail[axis]));
        out.moves = out.moves || fraction_sign(out.dir[axis]) != 0;
    }
    return out;
}

static fraction cross(fraction a[2], fraction b[2])
{
    return fraction_sub(fraction_mul(a[0], b[1]), fraction_mul(a[1], b[0]));
}

static bool allows(const oracle_path *p, fraction s)
{
    return (isinf(p->min) || fraction_compare(s, fraction_of(p->min)) >= 0) &&
           (isinf(p->max) || fraction_compare(s, fraction_of(p->max)) <= 0);
}

static void at(const oracle_path *p, fraction s, fraction out[2])
{
    for (int axis = 0; axis < 2; axis++) {
        out[axis] = fraction_add(p->origin[axis], fraction_mul(p->dir[axis], s));
    }
}

/* The parameter of the point of the path's line that is nearest: of a point on the line, its own.
 */
static fraction parameter_of(const oracle_path *p, fraction point[2])
{
    fraction along = fraction_of(0), size = fraction_of(0);
    for (int axis = 0; axis < 2; axis++) {
        fraction w = fraction_sub(point[axis], p->origin[axis]);
        along = fraction_add(along, fraction_mul(w, p->dir[axis]));
        size = fraction_add(size, fraction_mul(p->dir[axis], p->dir[axis]));
    }
    return fraction_div(along, size);
}

/* A parameter that may be infinite. */
typedef struct bound {
    float infinite; /* or 0 */
    fraction value;
} bound;

static int compare_bounds(bound a, bound b)
{
    if (a.infinite != 0 || b.infinite != 0) {
        return (a.infinite > b.infinite) - (a.infinite < b.infinite);
    }
    return fraction_compare(a.value, b.value);
}

static bound bound_of(float limit)
{
    return isinf(limit) ? (bound){ limit, NULL } : (bound){ 0, fraction_of(limit) };
}

/* A limit of one path as a parameter of another on the same line. */
static bound carried(const oracle_path *from, float limit, const oracle_path *to)
{
    fraction zero[2], step[2], point[2];
    at(to, fraction_of(0), zero);
    for (int axis = 0; axis < 2; axis++) {
        step[axis] = fraction_add(zero[axis], from->dir[axis]);
    }
    const int turn = fraction_sign(parameter_of(to, step));
    if (isinf(limit)) {
        return (bound){ limit * (float)turn, NULL };
    }
    at(from, fraction_of(limit), point);
    return (bound){ 0, parameter_of(to, point) };
}

static float round_bound(bound b)
{
    return b.infinite != 0 ? b.infinite : fraction_round(b.value);
}

static bound other_parameter(const oracle_path *from, bound s, const oracle_path *to)
{
    if (s.infinite != 0) {
        return carried(from, s.infinite, to);
    }
    fraction point[2];
    at(from, s.value, point);
    return (bound){ 0, parameter_of(to, point) };
}

static void round_point(const oracle_path *p, fraction s, float out[2])
{
    fraction point[2];
    at(p, s, point);
    out[0] = fraction_round(point[0]);
    out[1] = fraction_round(point[1]);
}

static sl_line_line_relation oracle_overlap(const oracle_path *a, const oracle_path *b,
                                            sl_line_line_hit *hit)
{
    bound low = carried(b, b->min, a), high = carried(b, b->max, a);
    if (compare_bounds(low, high) > 0) {
        const bound swap = low;
        low = high;
        high = swap;
    }
    const bound min = bound_of(a->min), max = bound_of(a->max);
    low = compare_bounds(low, min) < 0 ? min : low;
    high = compare_bounds(high, max) > 0 ? max : high;
    if (compare_bounds(low, high) > 0) {
        return SL_LINE_LINE_COLLINEAR;
    }
    const bound zero = { 0, fraction_of(0) };
    const bound nearest = compare_bounds(low, zero) > 0    ? low
                          : compare_bounds(high, zero) < 0 ? high
                                                           : zero;
    hit->s[0] = round_bound(low);
    hit->s[1] = round_bound(high);
    hit->t[0] = round_bound(other_parameter(a, low, b));
    hit->t[1] = round_bound(other_parameter(a, high, b));
    round_point(a, nearest.value, hit->point);
    return SL_LINE_LINE_OVERLAP;
}

static float near_zero(const oracle_path *p)
{
    return p->min > 0 ? p->min : p->max < 0 ? p->max : 0.0f;
}

/* One of the two at least is a point. */
static sl_line_line_relation oracle_point(const oracle_path *a, const oracle_path *b,
                                          sl_line_line_hit *hit)
{
    const oracle_path *point = a->moves ? b : a, *other = a->moves ? a : b;
    fraction s = fraction_of(0), place[2];
    at(point, s, place);
    if (other->moves) {
        s = parameter_of(other, place);
    }
    fraction there[2];
    at(other, s, there);
    if (fraction_compare(there[0], place[0]) != 0 || fraction_compare(there[1], place[1]) != 0) {
        return SL_LINE_LINE_PARALLEL;
    }
    if (other->moves && !allows(other, s)) {
        return SL_LINE_LINE_COLLINEAR;
    }
    const float of_point = near_zero(point);
    const float of_other = other->moves ? fraction_round(s) : near_zero(other);
    hit->s[0] = hit->s[1] = point == a ? of_point : of_other;
    hit->t[0] = hit->t[1] = point == a ? of_other : of_point;
    hit->point[0] = fraction_round(place[0]);
    hit->point[1] = fraction_round(place[1]);
    return SL_LINE_LINE_POINT;
}

static sl_line_line_relation oracle(const sl_line *first, const sl_line *second,
                                    sl_line_line_hit *hit)
{
    const oracle_path a = oracle_of(first), b = oracle_of(second);
    oracle_path pa = a, pb = b;
    if (!a.moves || !b.moves) {
        return oracle_point(&a, &b, hit);
    }
    fraction det = cross(pa.dir, pb.dir);
    fraction between[2] = { fraction_sub(b.origin[0], a.origin[0]),
                            fraction_sub(b.origin[1], a.origin[1]) };
    if (fraction_sign(det) == 0) {
        return fraction_sign(cross(between, pa.dir)) != 0 ? SL_LINE_LINE_PARALLEL
                                                          : oracle_overlap(&a, &b, hit);
    }
    fraction s = fraction_div(cross(between, pb.dir), det);
    fraction t = fraction_div(cross(between, pa.dir), det);
    if (!allows(&a, s) || !allows(&b, t)) {
        return SL_LINE_LINE_BEYOND;
    }
    hit->s[0] = hit->s[1] = fraction_round(s);
    hit->t[0] = hit->t[1] = fraction_round(t);
    round_point(&a, s, hit->point);
    return SL_LINE_LINE_POINT;
}

static sl_line random_path(test_random *random, size_t i, const float x[4])
{
    const domain of = (domain)test_random_below(random, DOMAINS);
    if (test_random_below(random, 2) == 0) {
        return line_of(of, x, true, x + 2);
    }
    float limit[2];
    hard_floats(random, i, limit, 2);
    sl_line out = line_of(of, x, false, x + 2);
    out.tmax = of == SEGMENT ? fabsf(limit[0]) : out.tmax;
    if (test_random_below(random, 2) == 0) {
        out.tmin = fminf(limit[0], limit[1]);
        out.tmax = fmaxf(limit[0], limit[1]);
    }
    return out;
}

/* Every third pair is put on one line, where that can be done without rounding. */
static void make_pair(test_random *random, size_t i, sl_line *a, sl_line *b)
{
    float x[8];
    hard_floats(random, i, x, 8);
    *a = random_path(random, i, x);
    *b = random_path(random, i, x + 4);
    if (i % 3 == 0) {
        const float step = (float)test_random_below(random, 7) - 3;
        const float times = (float)test_random_below(random, 5) - 2;
        for (int axis = 0; axis < 2; axis++) {
            const float dir = a->head[axis] - a->tail[axis];
            const float origin = a->origin[axis] + step * dir, along = times * dir;
            if (isfinite(origin) && isfinite(origin + along)) {
                b->tail[axis] = b->tail[axis] == b->origin[axis] ? origin : 0;
                b->origin[axis] = origin;
                b->head[axis] = b->tail[axis] + along;
            }
        }
    }
}

static bool same_hit(const sl_line_line_hit *a, const sl_line_line_hit *b)
{
    return memcmp(a, b, sizeof *a) == 0;
}

TEST(case_35_both_methods_answer_as_fractions_do)
{
    test_random random = { 312 };
    size_t kinds[6] = { 0 };
    const size_t rounds = 200000 * test_scale();
    for (size_t i = 0; i < rounds; i++) {
        sl_line a = { 0 }, b = { 0 };
        make_pair(&random, i, &a, &b);
        sl_line_line_hit right = { .s = { 0 } }, one = { .s = { 0 } }, two = { .s = { 0 } };
        fraction_reset();
        const sl_line_line_relation how = oracle(&a, &b, &right);
        const sl_line_line_relation divided = sl_line_line_2d(a, b, SL_LINE_LINE_DIVIDE, &one);
        const sl_line_line_relation rejected = sl_line_line_2d(a, b, SL_LINE_LINE_REJECT, &two);
        if (divided != how || rejected != how || !same_hit(&one, &right) ||
            !same_hit(&two, &right)) {
            const float *x[2] = { a.origin, b.origin };
            for (int j = 0; j < 2; j++) {
                print_message("from %a %a, %a %a to %a %a, %a .. %a\n", (double)x[j][0],
                              (double)x[j][1], (double)x[j][3], (double)x[j][4], (double)x[j][6],
                              (double)x[j][7], (double)x[j][9], (double)x[j][10]);
            }
            fail_msg("%d, %d; right: %d", (int)divided, (int)rejected, (int)how);
        }
        kinds[how]++;
    }
    print_message(
        "seed 312: %zu pairs: beyond %zu, parallel %zu, collinear %zu, point %zu, overlap "
        "%zu\n",
        rounds, kinds[1], kinds[2], kinds[3], kinds[4], kinds[5]);
    for (int how = 1; how < 6; how++) {
        assert_true(kinds[how] > rounds / 50);
    }
}

TEST(what_is_not_valid_is_said_to_be)
{
    const sl_line good = path(WHOLE, 0, 0, 1, 0);
    static const struct {
        int field;
        float value;
    } how[8] = { { 0, NAN }, { 1, INFINITY }, { 3, -INFINITY }, { 7, NAN },
                 { 9, NAN }, { 10, NAN },     { 9, INFINITY },  { 10, -INFINITY } };
    for (int i = 0; i < 8; i++) {
        float x[11];
        memcpy(x, &good, sizeof x);
        x[how[i].field] = how[i].value;
        sl_line a;
        memcpy(&a, x, sizeof a);
        sl_line_line_hit hit = { .s = { 7, 7 } };
        assert_int_equal(sl_line_line_2d(a, good, SL_LINE_LINE_DIVIDE, &hit), SL_LINE_LINE_INVALID);
        assert_int_equal(sl_line_line_2d(good, a, SL_LINE_LINE_REJECT, &hit), SL_LINE_LINE_INVALID);
        assert_true(hit.s[0] == 7);
    }
    sl_line crossed = good;
    crossed.tmin = 1;
    crossed.tmax = 0;
    assert_int_equal(ask(&crossed, &good, NULL), SL_LINE_LINE_INVALID);
}

/* A point on a line, beside it, beyond its end; two points. */
TEST(a_path_without_length_is_a_point)
{
    const sl_line a = path(SEGMENT, 0, 0, 2, 2);
    const sl_line on = path(SEGMENT, 1, 1, 1, 1), off = path(WHOLE, 1, 2, 1, 2);
    const sl_line after = path(RAY, 3, 3, 3, 3);
    sl_line_line_hit hit = { 0 };
    assert_int_equal(ask(&a, &on, &hit), SL_LINE_LINE_POINT);
    assert_true(hit.s[0] == 0.5f && hit.t[0] == 0 && hit.point[0] == 1);
    assert_int_equal(ask(&on, &a, &hit), SL_LINE_LINE_POINT);
    assert_true(hit.s[0] == 0 && hit.t[0] == 0.5f);
    assert_int_equal(ask(&a, &off, NULL), SL_LINE_LINE_PARALLEL);
    assert_int_equal(ask(&a, &after, NULL), SL_LINE_LINE_COLLINEAR);
    assert_int_equal(ask(&on, &on, NULL), SL_LINE_LINE_POINT);
    assert_int_equal(ask(&on, &off, NULL), SL_LINE_LINE_PARALLEL);
}
