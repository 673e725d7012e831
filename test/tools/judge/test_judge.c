/* Verdicts about random answers, held against whole numbers: small meshes on a grid, whose
 * triangles often share edges, planes and places, and rays through them. */
#include "test/support/environment/folder.h"
#include "test/support/test.h"
#include "tools/judge/judge.h"

enum { PRIMS = 14, RAYS = 400, ANSWERS = 6, SIDE = 4 };

typedef struct whole_ray {
    int64_t origin[3], dir[3], tmin, tmax;
} whole_ray;

/* A hit at num / den, den > 0. */
typedef struct whole_hit {
    bool on_line, within;
    int64_t num, den;
} whole_hit;

typedef struct fixture {
    float xyz[3 * PRIMS][3];
    sl_mesh *mesh;
    sl_bvh *bvh;
    whole_ray rays[RAYS];
    whole_hit hits[RAYS][PRIMS];
    uint64_t expected[VERDICT_COUNT];
    judge_mode mode;
    bool segments;
    test_random random;
    FILE *answers;
} fixture;

static int64_t number(fixture *f, int64_t from, int64_t to)
{
    return from + (int64_t)test_random_below(&f->random, (uint32_t)(to - from + 1));
}

static void cross(const int64_t a[3], const int64_t b[3], int64_t out[3])
{
    for (int i = 0; i < 3; i++) {
        out[i] = a[(i + 1) % 3] * b[(i + 2) % 3] - a[(i + 2) % 3] * b[(i + 1) % 3];
    }
}

static int64_t dot(const int64_t a[3], const int64_t b[3])
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

/* Twice the area of a triangle, as a vector. */
static void normal_of(const fixture *f, int prim, int64_t out[3])
{
    int64_t e[2][3];
    for (int i = 0; i < 6; i++) {
        e[i / 3][i % 3] =
            (int64_t)f->xyz[3 * prim + 1 + i / 3][i % 3] - (int64_t)f->xyz[3 * prim][i % 3];
    }
    cross(e[0], e[1], out);
}

/* The direction along the normal; and of what sign that has to be, or 0, for a hit: three sides and
 * two limits, all linear in the ray's origin. */
static int64_t conditions(const fixture *f, const whole_ray *ray, int prim, int64_t to[5])
{
    int64_t v[3][3], normal[3];
    normal_of(f, prim, normal);
    for (int i = 0; i < 9; i++) {
        v[i / 3][i % 3] = (int64_t)f->xyz[3 * prim + i / 3][i % 3] - ray->origin[i % 3];
    }
    const int64_t along = dot(normal, ray->dir);
    for (int i = 0; i < 3; i++) {
        int64_t side[3];
        cross(v[i], v[(i + 1) % 3], side);
        to[i] = dot(side, ray->dir);
    }
    to[3] = dot(normal, v[0]) - ray->tmin * along;
    to[4] = ray->tmax * along - dot(normal, v[0]);
    return along;
}

/* Whether the line passes all edges on one side, by triple products. */
static whole_hit hit_of(const fixture *f, const whole_ray *ray, int prim)
{
    int64_t at[5];
    const int64_t along = conditions(f, ray, prim, at), sign = along < 0 ? -1 : 1;
    whole_hit hit = { .on_line = along != 0,
                      .den = sign * along,
                      .num = sign * (at[3] + ray->tmin * along) };
    for (int i = 0; i < 3; i++) {
        hit.on_line = hit.on_line && sign * at[i] >= 0;
    }
    hit.within = hit.on_line && sign * at[3] >= 0 && sign * at[4] >= 0;
    return hit;
}

/* Whether the ray crosses a triangle once its origin is moved by e along one axis, then by e * e
 * along the next, and so on: signs of polynomials in an infinitely small e. */
static bool crosses(const fixture *f, const whole_ray *ray, int prim, int first, int signs)
{
    int64_t at[5], moved[3][5];
    const int64_t along = conditions(f, ray, prim, at);
    for (int k = 0; k < 3; k++) {
        whole_ray other = *ray;
        other.origin[(first + k) % 3] += (signs >> k & 1) != 0 ? -1 : 1;
        (void)conditions(f, &other, prim, moved[k]);
    }
    bool all = along != 0;
    for (int i = 0; i < 5; i++) {
        int64_t first_that_is_not_0 = at[i];
        for (int k = 0; k < 3 && first_that_is_not_0 == 0; k++) {
            first_that_is_not_0 = moved[k][i] - at[i];
        }
        all = all && (along < 0 ? -first_that_is_not_0 : first_that_is_not_0) > 0;
    }
    return all;
}

static bool has_way_past(const fixture *f, const whole_ray *ray)
{
    bool found = false;
    for (int turn = 0; turn < 24; turn++) {
        bool any = false;
        for (int prim = 0; prim < PRIMS; prim++) {
            any = any || crosses(f, ray, prim, turn % 3, turn / 3);
        }
        found = found || !any;
    }
    return found;
}

/* Whether the ray, which may be a point, lies in the plane of a triangle and meets it: what its
 * sides leave of it, as seen along the normal, is low / low_by .. high / high_by. */
static bool lies_on(const fixture *f, const whole_ray *ray, int prim)
{
    int64_t normal[3], from[3], low = ray->tmin, low_by = 1, high = ray->tmax, high_by = 1;
    normal_of(f, prim, normal);
    for (int axis = 0; axis < 3; axis++) {
        from[axis] = ray->origin[axis] - (int64_t)f->xyz[3 * prim][axis];
    }
    bool meets = dot(normal, ray->dir) == 0 && dot(normal, from) == 0;
    for (int i = 0; i < 3; i++) {
        int64_t side[3], out[3];
        for (int axis = 0; axis < 3; axis++) {
            const float *corner = f->xyz[3 * prim + i];
            from[axis] = ray->origin[axis] - (int64_t)corner[axis];
            side[axis] = (int64_t)f->xyz[3 * prim + (i + 1) % 3][axis] - (int64_t)corner[axis];
        }
        cross(normal, side, out); /* inwards */
        const int64_t at = dot(out, from), step = dot(out, ray->dir);
        if (step == 0) {
            meets = meets && at >= 0;
        } else if (step > 0 && -at * low_by > low * step) {
            low = -at;
            low_by = step;
        } else if (step < 0 && at * high_by < high * -step) {
            high = at;
            high_by = -step;
        }
    }
    return meets && low * high_by <= high * low_by;
}

static verdict occluded_verdict_of(const fixture *f, int ray, bool blocked, bool said)
{
    bool touches = false;
    for (int prim = 0; prim < PRIMS; prim++) {
        touches = touches || lies_on(f, &f->rays[ray], prim);
    }
    return said == blocked ? (blocked ? VERDICT_HIT : VERDICT_MISS)
           : blocked       ? (has_way_past(f, &f->rays[ray]) ? VERDICT_TOUCH : VERDICT_LEAK)
           : touches       ? VERDICT_TOUCH
                           : VERDICT_PHANTOM;
}

/* -1, 0, 1: as t of a are below those of b. */
static int compare(const whole_hit *a, const whole_hit *b)
{
    const int64_t x = a->num * b->den, y = b->num * a->den;
    return (x > y) - (x < y);
}

/* The closest one; -1: there is none. */
static int closest_of(const whole_hit hits[PRIMS])
{
    int best = -1;
    for (int i = 0; i < PRIMS; i++) {
        if (hits[i].within && (best < 0 || compare(&hits[i], &hits[best]) < 0)) {
            best = i;
        }
    }
    return best;
}

static verdict verdict_of(const fixture *f, const whole_hit hits[PRIMS], int prim, bool off)
{
    const int best = closest_of(hits);
    if (prim < 0) {
        return best < 0 ? VERDICT_MISS : VERDICT_LEAK;
    }
    if (prim >= PRIMS) {
        return VERDICT_NO_TRIANGLE;
    }
    if (!hits[prim].within) {
        return hits[prim].on_line ? VERDICT_LIMITS : best < 0 ? VERDICT_PHANTOM : VERDICT_BESIDE;
    }
    if (f->mode == JUDGE_CLOSEST && compare(&hits[prim], &hits[best]) > 0) {
        return VERDICT_BEHIND;
    }
    return off ? VERDICT_T : f->mode == JUDGE_CLOSEST && prim != best ? VERDICT_TIE : VERDICT_HIT;
}

/* Writes one row, and expects its verdict; whether it named a hit. */
static bool put_answer(fixture *f, int ray, int prim, bool again)
{
    const whole_hit *hits = f->hits[ray];
    const bool off = number(f, 0, 5) == 0, known = prim >= 0 && prim < PRIMS;
    const double t =
        known && hits[prim].on_line ? (double)hits[prim].num / (double)hits[prim].den : 1;
    fprintf(f->answers, "%d,%.17g,%d\n", ray, t + off, prim);
    verdict is = verdict_of(f, hits, prim, off);
    is = again && known && hits[prim].within ? VERDICT_REPEATED : is;
    f->expected[is] += f->mode != JUDGE_ALL || prim >= 0;
    return known && hits[prim].within;
}

static void put_lists(fixture *f, int ray)
{
    bool named[PRIMS] = { false };
    const int64_t count = number(f, 0, ANSWERS);
    int said = 0;
    for (int i = 0; i < count; i++) {
        const int prim = (int)number(f, -1, PRIMS);
        said += prim >= 0;
        if (put_answer(f, ray, prim, prim >= 0 && prim < PRIMS && named[prim])) {
            named[prim] = true;
        }
    }
    bool any = false;
    for (int i = 0; i < PRIMS; i++) {
        any = any || f->hits[ray][i].within;
        f->expected[VERDICT_LEAK] += f->hits[ray][i].within && !named[i];
    }
    f->expected[VERDICT_MISS] += !any && said == 0;
}

/* Often the closest one, or the last of those at the same t. */
static void put_one(fixture *f, int ray)
{
    const int best = closest_of(f->hits[ray]);
    const int64_t which = number(f, 0, 3);
    int prim = which == 0 ? best : which == 1 ? -1 : (int)number(f, 0, PRIMS);
    for (int i = 0; which == 2 && best >= 0 && i < PRIMS; i++) {
        prim = compare(&f->hits[ray][i], &f->hits[ray][best]) == 0 && f->hits[ray][i].within ? i
                                                                                             : prim;
    }
    if (number(f, 0, 9) == 0) {
        f->expected[verdict_of(f, f->hits[ray], -1, false)]++; /* no row */
    } else {
        (void)put_answer(f, ray, prim, false);
    }
}

static void put_occluded(fixture *f, int ray)
{
    const bool said = number(f, 0, 1) == 1, row = said || number(f, 0, 2) > 0;
    f->expected[occluded_verdict_of(f, ray, closest_of(f->hits[ray]) >= 0, said)]++;
    if (row) {
        fprintf(f->answers, "%d,%s\n", ray, said ? "True" : "0");
    }
}

/* None is without area in mode occluded: lies_on would take it for all of space. */
static void make_triangle(fixture *f, int prim)
{
    int64_t normal[3];
    do {
        for (int i = 0; i < 9; i++) {
            f->xyz[3 * prim + i / 3][i % 3] = (float)number(f, 0, SIDE);
        }
        normal_of(f, prim, normal);
    } while (f->mode == JUDGE_OCCLUDED && dot(normal, normal) == 0);
}

static void make_ray(fixture *f, whole_ray *ray, FILE *rays)
{
    for (int axis = 0; axis < 3; axis++) {
        ray->origin[axis] = number(f, -1, SIDE + 1);
        ray->dir[axis] = number(f, -2, 2);
    }
    ray->tmin = f->segments ? 0 : number(f, -2, 1);
    ray->tmax = f->segments ? 1 : ray->tmin + number(f, 0, 3);
    for (int axis = 0; axis < 6; axis++) {
        const int64_t from = f->segments && axis >= 3 ? ray->origin[axis - 3] : 0;
        fprintf(rays, "%d ", (int)(from + (axis < 3 ? ray->origin : ray->dir)[axis % 3]));
    }
    if (!f->segments) {
        fprintf(rays, "%d %d", (int)ray->tmin, (int)ray->tmax);
    }
    fputs("\n", rays);
}

static void make(fixture *f, judge_mode mode, bool segments, uint64_t seed)
{
    static void (*const put[])(fixture *f, int ray) = { put_one, put_one, put_lists, put_occluded };
    *f = (fixture){ .mode = mode, .segments = segments, .random = { test_seed(seed) } };
    for (int prim = 0; prim < PRIMS; prim++) {
        make_triangle(f, prim);
    }
    f->mesh = made_mesh(f->xyz[0], 3 * PRIMS, NULL, PRIMS, NULL);
    f->bvh = made_bvh(f->mesh, NULL);
    FILE *rays = fopen(in_folder("rays.txt"), "w");
    f->answers = fopen(in_folder("answers.csv"), "w");
    assert_true(rays != NULL && f->answers != NULL);
    fputs(mode == JUDGE_OCCLUDED ? "ray,blocked\n" : "ray,t,prim\n", f->answers);
    for (int i = 0; i < RAYS; i++) {
        make_ray(f, &f->rays[i], rays);
        for (int prim = 0; prim < PRIMS; prim++) {
            f->hits[i][prim] = hit_of(f, &f->rays[i], prim);
        }
        put[mode](f, i);
    }
    assert_int_equal(fclose(rays), 0);
    assert_int_equal(fclose(f->answers), 0);
}

static void count_error(void *user, const judgement *what)
{
    uint64_t *errors = user;
    errors[what->is]++;
}

static void judge_random(judge_mode mode, bool segments, bool doubles)
{
    static fixture f;
    uint64_t all[VERDICT_COUNT] = { 0 };
    for (uint64_t seed = 0; seed < 12 + test_count(10); seed++) {
        uint64_t errors[VERDICT_COUNT] = { 0 };
        make(&f, mode, segments, seed);
        const mesh_in in = { .mesh = f.mesh, .bvh = f.bvh };
        answers_in answers;
        judge j = { .in = &in,
                    .mode = mode,
                    .segments = segments,
                    .doubles = doubles,
                    .steps = 1024,
                    .take = count_error,
                    .user = errors };
        const answers_def def = { .path = in_folder("answers.csv"),
                                  .rays = in_folder("rays.txt"),
                                  .segments = segments,
                                  .occluded = mode == JUDGE_OCCLUDED,
                                  .doubles = doubles,
                                  .tmax = INFINITY };
        assert_int_equal(answers_open(&answers, &def), 0);
        assert_int_equal(judge_run(&j, &answers), 0);
        for (int i = 0; i < VERDICT_COUNT; i++) {
            assert_int_equal(j.sums.verdicts[i], f.expected[i]);
            assert_int_equal(errors[i], verdict_is_error((verdict)i) ? f.expected[i] : 0);
            all[i] += f.expected[i];
        }
        answers_close(&answers);
        judge_free(&j);
        unmake_bvh(f.bvh, f.mesh);
    }
    for (int i = 0; i < VERDICT_NOT_A_NUMBER; i++) {
        const bool possible = mode == JUDGE_OCCLUDED  ? i <= VERDICT_PHANTOM && i != VERDICT_TIE
                              : i == VERDICT_TOUCH    ? false
                              : i == VERDICT_REPEATED ? mode == JUDGE_ALL
                              : i == VERDICT_TIE || i == VERDICT_BEHIND ? mode == JUDGE_CLOSEST
                                                                        : true;
        assert_int_equal(all[i] > 0, possible);
    }
}

TEST_ONCE(folder_enter, folder_leave);

TEST(answers_for_the_closest_hit_are_judged_exactly)
{
    judge_random(JUDGE_CLOSEST, false, false);
    judge_random(JUDGE_CLOSEST, false, true);
}

TEST(answers_for_any_hit_are_judged_exactly)
{
    judge_random(JUDGE_ANY, false, false);
}

TEST(lists_of_hits_are_judged_exactly)
{
    judge_random(JUDGE_ALL, false, false);
    judge_random(JUDGE_ALL, false, true);
}

TEST(what_is_only_said_to_be_blocked_is_judged_exactly)
{
    judge_random(JUDGE_OCCLUDED, false, false);
    judge_random(JUDGE_OCCLUDED, false, true);
    judge_random(JUDGE_OCCLUDED, true, false);
    judge_random(JUDGE_OCCLUDED, true, true);
}
