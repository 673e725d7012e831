/* test_ray_triangle_d.c: rays and segments in doubles against triangles of doubles: every decision,
 * and t, u, v to the bit, against integers of any length.  SIGHTLINE_TEST_SCALE=50 tries some five
 * million pairs. */
#include "lib/geom/exact/arithmetic/grid.h"
#include "lib/geom/exact/predicates.h"
#include "lib/geom/exact/valid.h"
#include "test/support/hard/pairs.h"
#include "test/support/oracle/brute_force.h"
#include "test/support/test.h"

enum { BASE_PAIRS = 60000, MAX_PRINTED = 3, STAGES = 2, SIGNS = 3 };

static const uint64_t seed = 20260115;

typedef struct pair_d {
    sl_triangle_d triangle;
    bool is_segment;
    sl_ray_d ray;
    sl_segment_d segment;
    uint32_t flags;
    sl_cull cull;
} pair_d;

typedef struct tally {
    size_t pairs, hits, on_edges, on_vertices, at_limits, failures;
    size_t weights[STAGES][SIGNS], limits[STAGES][SIGNS];
    size_t stages[STAGES]; /* of yes or no */
} tally;

static void print_tally(const char *name, const tally *n)
{
    printf(
        "%s: seed %llu, %zu pairs, %zu hits (%zu on edges, %zu on vertices), %zu at limits; yes or "
        "no in doubles %zu, exactly %zu\n",
        name, (unsigned long long)seed, n->pairs, n->hits, n->on_edges, n->on_vertices,
        n->at_limits, n->stages[0], n->stages[1]);
    for (int stage = 0; stage < STAGES; stage++) {
        printf("    %s: weights - 0 + %zu %zu %zu, limits %zu %zu %zu\n",
               stage == 0 ? "doubles" : "exactly", n->weights[stage][0], n->weights[stage][1],
               n->weights[stage][2], n->limits[stage][0], n->limits[stage][1], n->limits[stage][2]);
    }
}

static void print_point(const char *name, const double x[3])
{
    printf("    .%s = { %a, %a, %a },\n", name, x[0], x[1], x[2]);
}

static void complain(tally *n, const pair_d *pair, const oracle_answer *answer, const char *what)
{
    if (n->failures++ >= MAX_PRINTED) {
        return;
    }
    printf("%s differs; expected hit %d, t %a, u %a, v %a, flags %u of {\n", what, answer->hit,
           answer->wide_t, (double)answer->u, (double)answer->v, (unsigned)answer->flags);
    for (int i = 0; i < 3; i++) {
        print_point("triangle.v", pair->triangle.v[i]);
    }
    print_point("origin", pair->is_segment ? pair->segment.p : pair->ray.origin);
    print_point("dir or q", pair->is_segment ? pair->segment.q : pair->ray.dir);
    printf("    .tmin = %a, .tmax = %a, segment %d, flags %u, cull %d }\n", pair->ray.tmin,
           pair->ray.tmax, pair->is_segment, (unsigned)pair->flags, (int)pair->cull);
}

/* ---- Oracle ---- */

static bool take(const double given[3], double out[3])
{
    for (int i = 0; i < 3; i++) {
        if (!isfinite(given[i]) || fabs(given[i]) > (double)FLT_MAX) {
            return false;
        }
        /* To a multiple of 2^-149: scaled so that rint does it. */
        out[i] = fabs(given[i]) < 1 ? ldexp(rint(ldexp(given[i], 149)), -149) : given[i];
    }
    return true;
}

static oracle_line line_of(const pair_d *pair)
{
    oracle_line line = { .tmin = 0, .tmax = 1, .segment = pair->is_segment };
    line.crossings = (pair->flags & SL_CROSSINGS) != 0;
    if (pair->is_segment) {
        line.valid = take(pair->segment.p, line.origin) && take(pair->segment.q, line.end);
        line.open_start = (pair->flags & SL_OPEN_START) != 0;
        line.open_end = (pair->flags & SL_OPEN_END) != 0;
    } else {
        line.valid = take(pair->ray.origin, line.origin) && take(pair->ray.dir, line.dir) &&
                     pair->ray.tmin <= pair->ray.tmax;
        line.tmin = pair->ray.tmin;
        line.tmax = pair->ray.tmax;
    }
    return line;
}

static oracle_answer query_oracle(const pair_d *pair)
{
    const oracle_line line = line_of(pair);
    double corners[3][3];
    for (int i = 0; i < 3; i++) {
        if (!take(pair->triangle.v[i], corners[i])) {
            return (oracle_answer){ .hit = false };
        }
    }
    return oracle_corners(&line, (const double(*)[3])corners, pair->cull);
}

/* ---- Comparison ---- */

static bool same(const oracle_answer *answer, double t, float u, float v, uint32_t flags)
{
    return memcmp(&answer->wide_t, &t, sizeof t) == 0 && memcmp(&answer->u, &u, sizeof u) == 0 &&
           memcmp(&answer->v, &v, sizeof v) == 0 && answer->flags == flags;
}

static void check_public(tally *n, const pair_d *pair, const oracle_answer *answer)
{
    const sl_options options = { .flags = pair->flags, .cull = pair->cull };
    sl_hit_d hit;
    memset(&hit, 77, sizeof hit);
    const bool found = pair->is_segment
                           ? sl_segment_d_triangle(&pair->segment, &pair->triangle, &options, &hit)
                           : sl_ray_d_triangle(&pair->ray, &pair->triangle, &options, &hit);
    if (found != answer->hit || hit.prim != (found ? 0 : SL_NONE) || hit.reserved != 0) {
        complain(n, pair, answer, "hit or miss");
    } else if (found && !same(answer, hit.t, hit.u, hit.v, hit.flags)) {
        complain(n, pair, answer, "t, u, v or flags");
    }
}

static void check_signs(tally *n, const pair_d *pair, const sli_exact_ray *ray,
                        const double v[3][3], const oracle_answer *answer)
{
    sli_decision_stage stage;
    for (int i = 0; i < 3; i++) {
        const int sign = sli_exact_weight_sign_d(ray, v[0], v[1], v[2], i, &stage);
        n->weights[stage][sign + 1]++;
        if (sign != answer->weights[i] * (answer->determinant < 0 ? 1 : -1)) {
            complain(n, pair, answer, "the sign of a weight");
        }
    }
    const double limits[2] = { ray->tmin, ray->tmax };
    const int expected[2] = { answer->from_min, -answer->to_max };
    for (int i = 0; i < 2 && answer->determinant != 0; i++) {
        int sign;
        if (isfinite(limits[i]) &&
            sli_exact_compare_t_d(ray, v[0], v[1], v[2], limits[i], &sign, &stage)) {
            n->limits[stage][sign + 1]++;
            n->at_limits += sign == 0;
            if (sign != expected[i]) {
                complain(n, pair, answer, "the comparison with a limit");
            }
        }
    }
}

static void check_inside(tally *n, const pair_d *pair, const oracle_answer *answer)
{
    sli_exact_ray ray;
    double v[3][3];
    if (!sli_exact_corners(&pair->triangle, v) ||
        !(pair->is_segment ? sli_exact_ray_from_segment_d(&pair->segment, pair->flags, &ray)
                           : sli_exact_ray_from_ray_d(&pair->ray, pair->flags, &ray))) {
        return;
    }
    const int cull = (int)pair->cull;
    sli_decision_stage stage;
    if (sli_exact_ray_hits_d(&ray, v[0], v[1], v[2], cull, &stage) != answer->hit) {
        complain(n, pair, answer, "sli_exact_ray_hits_d");
    }
    n->stages[stage]++;
    sli_exact_hit hit;
    if (sli_exact_ray_hit_d_float(&ray, v[0], v[1], v[2], cull, INFINITY, &hit) != answer->hit ||
        (answer->hit && (memcmp(&hit.t, &answer->t, sizeof hit.t) != 0 || hit.u != answer->u ||
                         hit.v != answer->v || hit.flags != answer->flags))) {
        complain(n, pair, answer, "sli_exact_ray_hit_d_float");
    }
    sli_exact_hit_d wide;
    /* A bound that the rounded t does not exceed must not lose the hit. */
    if (answer->hit &&
        (!sli_exact_ray_hit_d_float(&ray, v[0], v[1], v[2], cull, answer->t, &hit) ||
         !sli_exact_ray_hit_d(&ray, v[0], v[1], v[2], cull, answer->wide_t, &wide))) {
        complain(n, pair, answer, "the hit within the bound");
    }
    check_signs(n, pair, &ray, (const double(*)[3])v, answer);
}

/* t itself, doubles beside it, something far from it, or any double there is. */
static double limit_near(double t, test_random *random)
{
    switch (test_random_below(random, 8)) {
    case 0:
        return nextafter(t, INFINITY);
    case 1:
        return nextafter(t, -INFINITY);
    case 2:
        return (double)test_random_in(random, -2, 2) * t;
    case 3:
        return ldexp((double)test_random_in(random, -1, 1),
                     (int)test_random_below(random, 2100) - 1074);
    case 4:
        return test_random_below(random, 2) == 0 ? (t < 0 ? -DBL_MAX : DBL_MAX)
                                                 : (t < 0 ? -0x1p-1074 : 0x1p-1074);
    default:
        return t;
    }
}

static void try_pair(tally *n, pair_d *pair, test_random *random)
{
    oracle_answer answer = query_oracle(pair);
    if (!pair->is_segment && answer.hit) {
        const uint32_t which = test_random_below(random, 4);
        pair->ray.tmin = (which & 1) != 0 ? limit_near(answer.wide_t, random) : -INFINITY;
        pair->ray.tmax = (which & 2) != 0 ? limit_near(answer.wide_t, random) : INFINITY;
        answer = query_oracle(pair);
    }
    n->pairs++;
    n->hits += answer.hit;
    n->on_edges += answer.hit && (answer.flags & SL_HIT_EDGE) != 0;
    n->on_vertices += answer.hit && (answer.flags & SL_HIT_VERTEX) != 0;
    check_public(n, pair, &answer);
    check_inside(n, pair, &answer);
}

/* ---- Pairs ---- */

static pair_d widen(const hard_pair *from)
{
    pair_d pair = { .is_segment = from->is_segment, .flags = from->flags, .cull = from->cull };
    for (int i = 0; i < 9; i++) {
        pair.triangle.v[i / 3][i % 3] = (double)from->triangle.v[i / 3][i % 3];
    }
    pair.ray = sl_ray_d_from_ray(&from->ray);
    pair.segment = sl_segment_d_from_segment(&from->segment);
    return pair;
}

/* The coordinates that take part, the direction of a ray last. */
static void list_numbers(pair_d *pair, double *list[15])
{
    for (int i = 0; i < 3; i++) {
        for (int corner = 0; corner < 3; corner++) {
            list[3 * corner + i] = &pair->triangle.v[corner][i];
        }
        list[9 + i] = pair->is_segment ? &pair->segment.p[i] : &pair->ray.origin[i];
        list[12 + i] = pair->is_segment ? &pair->segment.q[i] : &pair->ray.dir[i];
    }
}

/* Numbers with the digits of doubles: one double further, or a tiny amount more, now and then
 * something below 2^-149 that has to be rounded away. */
static void disturb(pair_d *pair, test_random *random)
{
    double *list[15];
    list_numbers(pair, list);
    for (uint32_t times = test_random_below(random, 4); times > 0; times--) {
        double *x = list[test_random_below(random, 15)];
        switch (test_random_below(random, 4)) {
        case 0:
            *x = nextafter(*x, INFINITY);
            break;
        case 1:
            *x = nextafter(*x, -INFINITY);
            break;
        case 2:
            *x *= 1 + (double)test_random_unit(random) * 0x1p-30;
            break;
        default:
            *x += ldexp((double)test_random_in(random, -1, 1),
                        -149 - (int)test_random_below(random, 6));
            break;
        }
    }
}

/* A small triangle far away, moved there from close by, so that its corners have the digits of
 * doubles, and a path aimed at a vertex, an edge, the inside, or beside it. */
static pair_d make_far(double size, double far, bool near_eye, test_random *random)
{
    pair_d pair = { .is_segment = test_random_below(random, 2) == 0 };
    double target[3] = { 0, 0, 0 }, eye[3], weights[3];
    for (int i = 0; i < 3; i++) {
        weights[i] = test_random_in_d(random, 0, 1);
    }
    const uint32_t where = test_random_below(random, 8);
    if (where < 4) {
        weights[where % 3] = 0;
        weights[(where + 1) % 3] = where < 3 ? 0 : weights[(where + 1) % 3];
    }
    const double sum = weights[0] + weights[1] + weights[2];
    for (int axis = 0; axis < 3; axis++) {
        const double at = test_random_in_d(random, -far, far);
        for (int i = 0; i < 3; i++) {
            pair.triangle.v[i][axis] = at + test_random_in_d(random, -size, size);
        }
        for (int i = 0; i < 3; i++) {
            target[axis] += weights[i] / sum * pair.triangle.v[i][axis];
        }
        if (where == 1) {
            target[axis] = pair.triangle.v[0][axis]; /* exactly */
        }
        eye[axis] = near_eye ? target[axis] + test_random_in_d(random, -100, 100) * size
                             : test_random_in_d(random, -far, far);
        if (where == 7) {
            target[axis] += test_random_in_d(random, -2, 2) * size;
        }
    }
    memcpy(pair.ray.origin, eye, sizeof eye);
    memcpy(pair.segment.p, eye, sizeof eye);
    for (int axis = 0; axis < 3; axis++) {
        pair.ray.dir[axis] = target[axis] - eye[axis];
        pair.segment.q[axis] = target[axis];
    }
    pair.ray.tmin = -INFINITY;
    pair.ray.tmax = INFINITY;
    return pair;
}

/* On a lattice of many digits: halves and quarters are exact, so that vertices, edges and limits
 * are met exactly. */
static pair_d make_lattice(test_random *random)
{
    pair_d pair = { .is_segment = test_random_below(random, 2) == 0 };
    const uint32_t bits = 3 + test_random_below(random, 46);
    /* 2^-147 .. 2^127: corners are multiples of 4 * 2^power, and sums of two fit in. */
    const int room = 274 - (int)bits - 3,
              power = (int)test_random_below(random, (uint32_t)room) - 149;
    double target[3], from[3];
    const uint32_t where = test_random_below(random, 5), i = test_random_below(random, 3);
    for (int axis = 0; axis < 3; axis++) {
        double at[4];
        for (int k = 0; k < 4; k++) {
            const uint64_t number = test_random_u64(random) >> (64 - bits);
            at[k] = ((double)number - ldexp(1, (int)bits - 1)) * 4;
        }
        const double a = at[i], b = at[(i + 1) % 3], c = at[(i + 2) % 3];
        target[axis] = where == 0   ? a
                       : where == 1 ? a / 2 + b / 2
                       : where == 2 ? a / 4 + b / 4 + c / 2
                       : where == 3 ? a / 4 * 3 + b / 4
                                    : a / 2 + b - c / 2;
        from[axis] = at[3];
        for (int k = 0; k < 3; k++) {
            pair.triangle.v[k][axis] = ldexp(at[k], power);
        }
    }
    const int way = (int)test_random_below(random, 4);
    const uint32_t along = test_random_below(random, 6);
    for (int axis = 0; axis < 3; axis++) {
        if (along < 3 && axis != (int)along) {
            from[axis] = target[axis];
        }
        const double dir = target[axis] - from[axis];
        pair.ray.origin[axis] = ldexp(from[axis], power);
        pair.ray.dir[axis] = ldexp(dir, power > 0 || power < -100 ? power : power - way);
        pair.segment.p[axis] = ldexp(way == 1 ? target[axis] : from[axis], power);
        pair.segment.q[axis] = ldexp(way == 0   ? target[axis]
                                     : way == 1 ? from[axis]
                                                : target[axis] + dir / (way == 2 ? 1 : 4),
                                     power);
    }
    pair.ray.tmin = -INFINITY;
    pair.ray.tmax = INFINITY;
    return pair;
}

/* Every size there is, in one pair: t from 2^-277 to 2^277, and products of all sizes. */
static pair_d make_extreme(test_random *random)
{
    pair_d pair = { .is_segment = test_random_below(random, 2) == 0 };
    double *list[15];
    list_numbers(&pair, list);
    for (int i = 0; i < 15; i++) {
        const uint32_t what = test_random_below(random, 10);
        const int power = (int)test_random_below(random, 277) - 149;
        *list[i] = what == 0   ? 0
                   : what == 1 ? (double)FLT_MAX
                   : what == 2 ? -(double)FLT_MAX
                   : what == 3 ? ldexp(1, -149)
                               : test_random_in_d(random, -1, 1) * ldexp(1, power);
    }
    if (test_random_below(random, 2) == 0) { /* around the ray's origin, mostly met */
        for (int i = 0; i < 9; i++) {
            const double sign = (i / 3 + i % 3) % 2 == 0 ? 1 : -1;
            pair.triangle.v[i / 3][i % 3] = sign * fabs(pair.triangle.v[i / 3][i % 3]);
        }
    }
    pair.ray.tmin = -INFINITY;
    pair.ray.tmax = INFINITY;
    return pair;
}

/* The plane x + y + z = 0 met at t = -(sum of the origin's coordinates): a number of 54 bits, which
 * is a double or the middle between two, or that and a tiny amount more or less. */
static pair_d make_t_boundary(test_random *random)
{
    const double far = 0x1p60;
    const uint64_t number = (uint64_t)1 << 53 | test_random_u64(random) >> 11;
    pair_d pair = {
        .triangle = { { { far, far, -2 * far }, { -2 * far, far, far }, { far, -2 * far, far } } }
    };
    static const double dirs[3][3] = { { 1, 0, 0 }, { 0.5, 0.25, 0.25 }, { -1, 1.5, 0.5 } };
    memcpy(pair.ray.dir, dirs[test_random_below(random, 3)], sizeof pair.ray.dir);
    pair.ray.origin[0] = -(double)(number & ~(uint64_t)1);
    pair.ray.origin[1] = -(double)(number & 1);
    const uint32_t beside = test_random_below(random, 3);
    pair.ray.origin[2] = beside == 0 ? 0 : beside == 1 ? 0x1p-149 : -0x1p-149;
    /* The direction's size gives t another one. */
    const int size = (int)test_random_below(random, 200) - 130;
    for (int axis = 0; axis < 3; axis++) {
        pair.ray.dir[axis] = ldexp(pair.ray.dir[axis], size);
    }
    pair.ray.tmin = -INFINITY;
    pair.ray.tmax = INFINITY;
    return pair;
}

static void draw_options(pair_d *pair, test_random *random)
{
    if (test_random_below(random, 3) == 0) {
        pair->flags = test_random_below(random, 4) * SL_OPEN_START;
        pair->flags |= test_random_below(random, 2) * SL_CROSSINGS;
    }
    if (test_random_below(random, 4) == 0) {
        pair->cull = (sl_cull)test_random_below(random, 3);
    }
}

/* ---- Tests ---- */

TEST(floats_in_doubles_are_as_before)
{
    test_random random = { seed };
    for (size_t i = 0; i < BASE_PAIRS; i++) {
        const hard_pair from = hard_pair_make((hard_pair_kind)(i % PAIR_KINDS), &random);
        const pair_d pair = widen(&from);
        const sl_options options = { .flags = from.flags, .cull = from.cull };
        sl_hit hit;
        sl_hit_d wide;
        const bool met = from.is_segment
                             ? sl_segment_triangle(&from.segment, &from.triangle, &options, &hit)
                             : sl_ray_triangle(&from.ray, &from.triangle, &options, &hit);
        assert_int_equal(from.is_segment
                             ? sl_segment_d_triangle(&pair.segment, &pair.triangle, &options, &wide)
                             : sl_ray_d_triangle(&pair.ray, &pair.triangle, &options, &wide),
                         met);
        assert_true(hit.u == wide.u && hit.v == wide.v && hit.flags == wide.flags);
        assert_true(hit.t == (float)wide.t || isinf(hit.t) || fabsf(hit.t) < 0x1p-126f ||
                    fabs(wide.t - (double)hit.t) <= 0x1p-24 * fabs(wide.t));
    }
}

static pair_d make_disturbed(test_random *random, size_t i)
{
    const hard_pair from = hard_pair_make((hard_pair_kind)(i % PAIR_KINDS), random);
    pair_d pair = widen(&from);
    disturb(&pair, random);
    return pair;
}

TEST(pairs_of_every_kind_are_exact)
{
    static const char *const kinds[] = { "hard pairs of floats, disturbed", "lattices",
                                         "extremes" };
    const size_t count = test_count(BASE_PAIRS);
    for (uint64_t kind = 0; kind < 3; kind++) {
        test_random random = { seed + 1 + kind };
        tally sum = { 0 };
        for (size_t i = 0; i < count; i++) {
            pair_d pair = kind == 0    ? make_disturbed(&random, i)
                          : kind == 1  ? make_lattice(&random)
                          : i % 4 == 0 ? make_t_boundary(&random)
                                       : make_extreme(&random);
            draw_options(&pair, &random);
            try_pair(&sum, &pair, &random);
        }
        print_tally(kinds[kind], &sum);
        assert_int_equal(sum.failures, 0);
        assert_true(sum.hits >= count / 10);
        assert_true(kind != 1 || (sum.on_edges >= count / 20 && sum.on_vertices >= count / 50 &&
                                  sum.at_limits >= count / 20));
        assert_true(kind != 2 ||
                    (sum.limits[SLI_STAGE_EXACT][0] > 0 && sum.limits[SLI_STAGE_EXACT][2] > 0));
    }
}

TEST(far_and_tiny_is_exact_and_mostly_in_doubles)
{
    test_random random = { seed + 4 };
    const size_t count = test_count(BASE_PAIRS);
    for (int near_eye = 0; near_eye < 2; near_eye++) {
        tally sum = { 0 };
        for (size_t i = 0; i < count / 2; i++) {
            pair_d pair = make_far(1e-3, 1e7, near_eye != 0, &random);
            draw_options(&pair, &random);
            try_pair(&sum, &pair, &random);
        }
        print_tally(near_eye != 0 ? "1 mm at 1e7, from close by" : "1 mm at 1e7, from 1e7 away",
                    &sum);
        assert_int_equal(sum.failures, 0);
        assert_true(sum.hits >= count / 50);
    }
    /* Aimed at the inside or beside it: what the sides are for. */
    size_t unsure = 0, all = 0, hits = 0, by_expansions = 0;
    for (size_t i = 0; i < 20000; i++) {
        pair_d pair = make_far(1e-3, 1e7, false, &random);
        sli_exact_ray ray;
        double v[3][3];
        for (int axis = 0; axis < 3; axis++) {
            pair.ray.dir[axis] += test_random_in_d(&random, -1e-3, 1e-3);
        }
        assert_true(sli_exact_corners(&pair.triangle, v));
        assert_true(sli_exact_ray_from_ray_d(&pair.ray, 0, &ray));
        sli_decision_stage stage;
        sli_exact_ray_hits_d(&ray, v[0], v[1], v[2], 0, &stage);
        unsure += stage == SLI_STAGE_EXACT;
        all++;
        sli_exact_hit_d hit;
        if (sli_exact_ray_hit_d(&ray, v[0], v[1], v[2], 0, INFINITY, &hit)) {
            hits++;
            by_expansions += hit.stage == SLI_STAGE_EXACT;
        }
    }
    print_message("%zu of %zu not decided in doubles; %zu of %zu hits made by expansions\n", unsure,
                  all, by_expansions, hits);
    assert_true(unsure <= all / 100);
    assert_true(hits > all / 20 && by_expansions <= hits / 100);
}

TEST(bad_input_is_a_miss)
{
    const sl_triangle_d triangle = { { { -1, -1, 0 }, { 2, -1, 0 }, { -1, 2, 0 } } };
    const double origin[3] = { 0, 0, 1 }, down[3] = { 0, 0, -1 };
    const sl_ray_d good = sl_ray_d_make(origin, down);
    sl_hit_d hit;
    assert_true(sl_ray_d_triangle(&good, &triangle, NULL, &hit));
    assert_true(hit.t == 1 && hit.prim == 0 && sli_ray_d_is_valid(&good));
    static const double bad[5] = { NAN, INFINITY, -INFINITY, 0x1p128, 0x1.fffffe0000001p127 };
    for (int i = 0; i < 5; i++) {
        for (int axis = 0; axis < 3; axis++) {
            sl_ray_d ray = good;
            ray.origin[axis] = bad[i];
            assert_false(sl_ray_d_triangle(&ray, &triangle, NULL, &hit));
            assert_true(hit.prim == SL_NONE && !sli_ray_d_is_valid(&ray));
            ray = good;
            ray.dir[axis] = bad[i];
            assert_false(sl_ray_d_triangle(&ray, &triangle, NULL, &hit));
            assert_false(sli_ray_d_is_valid(&ray));
            sl_triangle_d wrong = triangle;
            wrong.v[axis][(axis + i) % 3] = bad[i];
            assert_false(sl_ray_d_triangle(&good, &wrong, NULL, &hit));
            sl_segment_d segment = { { 0, 0, 1 }, { 0, 0, -1 } };
            assert_true(sl_segment_d_triangle(&segment, &triangle, NULL, NULL));
            segment.q[axis] = bad[i];
            assert_false(sl_segment_d_triangle(&segment, &triangle, NULL, NULL));
        }
    }
    sl_ray_d ray = good;
    ray.tmin = NAN;
    assert_false(sl_ray_d_triangle(&ray, &triangle, NULL, &hit));
    assert_false(sli_ray_d_is_valid(&ray));
    ray.tmin = 2;
    ray.tmax = 1;
    assert_false(sl_ray_d_triangle(&ray, &triangle, NULL, &hit));
    /* A direction that is rounded to zero; one that is rounded up to 2^-149. */
    ray = good;
    ray.dir[2] = -0x1p-150;
    assert_false(sl_ray_d_triangle(&ray, &triangle, NULL, &hit));
    ray.dir[2] = -0x1.0000000000001p-150;
    assert_true(sl_ray_d_triangle(&ray, &triangle, NULL, &hit));
    assert_true(hit.t == 0x1p149);
    const sl_segment_d point = { { 0, 0, 0 }, { 0, 0, 0x1p-151 } };
    assert_false(sl_segment_d_triangle(&point, &triangle, NULL, NULL));
}
