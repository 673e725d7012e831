/* test_ray_triangle_exact.c: rays and segments against triangles: every decision, and t, u, v to
 * the bit, against integers of any length.  SIGHTLINE_TEST_SCALE=8 tries 1.6 million pairs. */
#include "lib/geom/exact/predicates.h"
#include "test/support/hard/pairs.h"
#include "test/support/oracle/brute_force.h"
#include "test/support/test.h"

enum { BASE_PAIRS = 200000, MAX_PRINTED = 5, STAGES = 2, SIGNS = 3 };

static const uint64_t seed = 20240607;

/* What was tried, and which stage of the library decided it. */
typedef struct tally {
    size_t pairs, hits, on_edges, on_vertices, infinite_t, denormal_t, failures;
    size_t weights[STAGES][SIGNS], limits[STAGES][SIGNS];
    size_t hits_at[STAGES];
} tally;

static void print_tally(const char *name, const tally *n)
{
    printf("%s: seed %llu, %zu pairs, %zu hits (%zu on edges, %zu on vertices), %zu of infinite t, "
           "%zu of denormal t\n",
           name, (unsigned long long)seed, n->pairs, n->hits, n->on_edges, n->on_vertices,
           n->infinite_t, n->denormal_t);
    printf("    %-24s%12s%12s%12s\n", "decided", "-", "0", "+");
    for (int stage = 0; stage < STAGES; stage++) {
        const char *const names[2] = { "doubles", "exactly" };
        printf("    weights, in %-12s%12zu%12zu%12zu\n", names[stage], n->weights[stage][0],
               n->weights[stage][1], n->weights[stage][2]);
        printf("    limits, in %-13s%12zu%12zu%12zu\n", names[stage], n->limits[stage][0],
               n->limits[stage][1], n->limits[stage][2]);
        printf("    hits, in %-15s%12zu\n", names[stage], n->hits_at[stage]);
    }
}

static void add_answer(tally *n, const oracle_answer *answer)
{
    n->hits += answer->hit;
    n->on_edges += answer->hit && (answer->flags & SL_HIT_EDGE) != 0;
    n->on_vertices += answer->hit && (answer->flags & SL_HIT_VERTEX) != 0;
    n->infinite_t += answer->hit && isinf(answer->t);
    n->denormal_t += answer->hit && answer->t != 0 && fabsf(answer->t) < 0x1p-126f;
}

static bool same_bits(const oracle_answer *answer, float t, float u, float v, uint32_t flags)
{
    const float expected[3] = { answer->t, answer->u, answer->v }, found[3] = { t, u, v };
    return memcmp(expected, found, sizeof expected) == 0 && flags == answer->flags;
}

static void complain(tally *n, const hard_pair *pair, const oracle_answer *answer, const char *what)
{
    n->failures++;
    if (n->failures <= MAX_PRINTED) {
        printf("%s differs; expected hit %d, t %a, u %a, v %a, flags %lu of\n", what, answer->hit,
               (double)answer->t, (double)answer->u, (double)answer->v,
               (unsigned long)answer->flags);
        hard_pair_print(pair);
    }
}

static void check_public(tally *n, const hard_pair *pair, const oracle_answer *answer)
{
    const sl_options options = { .flags = pair->flags, .cull = pair->cull };
    sl_hit hit = { .prim = 77 };
    const bool found = pair->is_segment
                           ? sl_segment_triangle(&pair->segment, &pair->triangle, &options, &hit)
                           : sl_ray_triangle(&pair->ray, &pair->triangle, &options, &hit);
    if (found != answer->hit || hit.prim != (found ? 0 : SL_NONE)) {
        complain(n, pair, answer, "hit or miss");
    } else if (found && !same_bits(answer, hit.t, hit.u, hit.v, hit.flags)) {
        complain(n, pair, answer, "t, u, v or flags");
        if (n->failures <= MAX_PRINTED) {
            printf("but got t %a, u %a, v %a, flags %lu\n", (double)hit.t, (double)hit.u,
                   (double)hit.v, (unsigned long)hit.flags);
        }
    }
}

/* Each decision on its own, and the other ways in; counts which stage decided. */
static void check_inside(tally *n, const hard_pair *pair, const sli_exact_ray *ray,
                         const oracle_line *line, const oracle_answer *answer)
{
    const float(*const v)[3] = pair->triangle.v;
    const int cull = (int)pair->cull;
    sli_decision_stage stage;
    if (sli_exact_ray_hits(ray, v[0], v[1], v[2], cull, &stage) != answer->hit) {
        complain(n, pair, answer, "sli_exact_ray_hits");
    }
    sli_exact_hit hit;
    if (sli_exact_ray_hit(ray, v[0], v[1], v[2], cull, INFINITY, &hit) != answer->hit ||
        (answer->hit && !same_bits(answer, hit.t, hit.u, hit.v, hit.flags))) {
        complain(n, pair, answer, "sli_exact_ray_hit");
    }
    n->hits_at[hit.stage] += answer->hit;
    /* A bound that the rounded t does not exceed must not lose the hit. */
    if (answer->hit && !sli_exact_ray_hit(ray, v[0], v[1], v[2], cull, answer->t, &hit)) {
        complain(n, pair, answer, "the hit within the bound");
    }
    for (int i = 0; i < 3; i++) {
        const int sign = sli_exact_weight_sign(ray, v[0], v[1], v[2], i, &stage);
        n->weights[stage][sign + 1]++;
        if (sign != answer->weights[i] * (answer->determinant < 0 ? 1 : -1)) {
            complain(n, pair, answer, "the sign of a weight");
        }
    }
    const double limits[2] = { line->tmin, line->tmax };
    const int expected[2] = { answer->from_min, -answer->to_max };
    for (int i = 0; i < 2 && answer->determinant != 0; i++) {
        int sign;
        if (isfinite(limits[i]) &&
            sli_exact_compare_t(ray, v[0], v[1], v[2], limits[i], &sign, &stage)) {
            n->limits[stage][sign + 1]++;
            if (sign != expected[i]) {
                complain(n, pair, answer, "the comparison with a limit");
            }
        }
    }
}

/* t itself, the floats beside it, or something far from it. */
static float limit_near(float t, test_random *random)
{
    switch (test_random_below(random, 5)) {
    case 0:
        return nextafterf(t, INFINITY);
    case 1:
        return nextafterf(t, -INFINITY);
    case 2:
        return test_random_in(random, -2, 2) * t;
    default:
        return t;
    }
}

static void limit_ray(sl_ray *ray, float t, test_random *random)
{
    const uint32_t which = test_random_below(random, 4);
    if ((which & 1) != 0) {
        ray->tmin = limit_near(t, random);
    }
    if ((which & 2) != 0) {
        ray->tmax = limit_near(t, random);
    }
}

static oracle_line line_of(const hard_pair *pair)
{
    return pair->is_segment ? oracle_segment(&pair->segment, pair->flags) : oracle_ray(&pair->ray);
}

static void try_pair(tally *n, hard_pair *pair, test_random *random)
{
    oracle_line line = line_of(pair);
    oracle_answer answer = oracle_triangle(&line, &pair->triangle, pair->cull);
    if (!pair->is_segment && answer.hit && isfinite(answer.t)) {
        limit_ray(&pair->ray, answer.t, random);
        line = line_of(pair);
        answer = oracle_triangle(&line, &pair->triangle, pair->cull);
    }
    n->pairs++;
    add_answer(n, &answer);
    check_public(n, pair, &answer);
    sli_exact_ray ray;
    const bool valid = pair->is_segment
                           ? sli_exact_ray_from_segment(&pair->segment, pair->flags, &ray)
                           : sli_exact_ray_from_ray(&pair->ray, 0, &ray);
    if (valid) {
        check_inside(n, pair, &ray, &line, &answer);
    } else if (line.valid && answer.determinant != 0) {
        complain(n, pair, &answer, "validity");
    }
}

/* Of 16 pairs, so many of each kind. */
static hard_pair_kind draw_kind(test_random *random)
{
    static const uint32_t shares[PAIR_KINDS] = { [PAIR_AIMED] = 5,
                                                 [PAIR_UNIMODULAR] = 6,
                                                 [PAIR_T_BOUNDARY] = 3,
                                                 [PAIR_U_BOUNDARY] = 1,
                                                 [PAIR_T_RANGE] = 1 };
    uint32_t draw = test_random_below(random, 16);
    for (int kind = 0; kind < PAIR_KINDS; kind++) {
        if (draw < shares[kind]) {
            return (hard_pair_kind)kind;
        }
        draw -= shares[kind];
    }
    return PAIR_AIMED;
}

TEST(answers_are_exact)
{
    test_random random = { seed };
    tally sum = { 0 };
    const size_t count = test_count(BASE_PAIRS);
    for (size_t i = 0; i < count; i++) {
        hard_pair pair = hard_pair_make(draw_kind(&random), &random);
        try_pair(&sum, &pair, &random);
    }
    print_tally("floats", &sum);
    assert_int_equal(sum.failures, 0);
    /* The test tests something only if every case is there in numbers. */
    for (int sign = 0; sign < SIGNS; sign++) {
        assert_true(sum.weights[SLI_STAGE_EXACT][sign] >= count / 20);
        assert_true(sum.limits[SLI_STAGE_EXACT][sign] >= count / 1000);
    }
    assert_true(sum.hits >= count / 4 && sum.on_edges >= count / 20);
    assert_true(sum.on_vertices >= count / 100 && sum.infinite_t >= count / 1000);
    assert_true(sum.denormal_t >= count / 1000);
}

/* A number that a double holds and a float does not, from a float: beside it by one double's step,
 * by some of them, or by more than a float's step. */
static double widen(float x, test_random *random)
{
    const double wide = (double)x;
    switch (test_random_below(random, 9)) {
    case 0:
        return nextafter(wide, test_random_below(random, 2) == 0 ? INFINITY : -INFINITY);
    case 1:
        return wide * (1 + (double)test_random_unit(random) * 0x1p-30);
    default:
        return wide;
    }
}

/* Zero, or within the range that exact/predicates.h speaks of. */
static bool in_range(const double x[3])
{
    for (int i = 0; i < 3; i++) {
        if (x[i] != 0 && !(fabs(x[i]) >= 0x1p-149 && fabs(x[i]) <= 0x1p128)) {
            return false;
        }
    }
    return true;
}

TEST(rays_of_doubles_are_exact_too)
{
    test_random random = { seed + 1 };
    tally sum = { 0 };
    const size_t count = test_count(BASE_PAIRS / 4);
    for (size_t i = 0; i < count; i++) {
        hard_pair pair = hard_pair_make(draw_kind(&random), &random);
        pair.is_segment = false;
        sli_exact_ray ray;
        if (!sli_exact_ray_from_ray(&pair.ray, 0, &ray)) {
            continue;
        }
        for (int axis = 0; axis < 3; axis++) {
            ray.origin[axis] = widen(pair.ray.origin[axis], &random);
            ray.dir[axis] = widen(pair.ray.dir[axis], &random);
        }
        if (!in_range(ray.origin) || !in_range(ray.dir)) {
            continue;
        }
        oracle_line line = oracle_ray(&pair.ray);
        memcpy(line.origin, ray.origin, sizeof line.origin);
        memcpy(line.dir, ray.dir, sizeof line.dir);
        oracle_answer answer = oracle_triangle(&line, &pair.triangle, pair.cull);
        if (answer.hit && isfinite(answer.t)) {
            limit_ray(&pair.ray, answer.t, &random);
            ray.tmin = line.tmin = (double)pair.ray.tmin;
            ray.tmax = line.tmax = (double)pair.ray.tmax;
            answer = oracle_triangle(&line, &pair.triangle, pair.cull);
            answer.hit = answer.hit && ray.tmin <= ray.tmax;
        }
        sum.pairs++;
        add_answer(&sum, &answer);
        check_inside(&sum, &pair, &ray, &line, &answer);
    }
    print_tally("doubles", &sum);
    assert_int_equal(sum.failures, 0);
    assert_true(sum.pairs >= count / 2 && sum.hits >= count / 10);
    /* What is widened is beside an edge by as much as two doubles hold, which then decide it. */
    for (int sign = 0; sign < SIGNS; sign++) {
        assert_true(sum.weights[SLI_STAGE_EXACT][sign] >= count / 125);
    }
}
