/* judge/judge.c: holds the answers of another tracer against the exact ones. */
#include "tools/judge/judge.h"

#include "tools/cli/report.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { BLOCK = 4096 };

bool verdict_is_error(verdict is)
{
    return is >= VERDICT_LEAK;
}

/* Hits have float t where the question is one of floats.  The tree writes them to the same place,
 * packed, since it finds hits for any other layout a block at a time, with a walk for each. */
static sl_hits hits_of(const judge *j, sl_hit_d *hits)
{
    return j->doubles ? sl_hits_of_d(hits) : sl_hits_of((sl_hit *)(void *)hits);
}

/* From the last to the first: a wider hit only covers hits that have been widened already. */
static void widen(const judge *j, sl_hit_d *hits, size_t count)
{
    for (size_t i = count; !j->doubles && i-- > 0;) {
        sl_hit hit;
        memcpy(&hit, (const char *)hits + i * sizeof hit, sizeof hit);
        hits[i] = (sl_hit_d){ .t = (double)hit.t,
                              .u = hit.u,
                              .v = hit.v,
                              .prim = hit.prim,
                              .instance = hit.instance,
                              .flags = hit.flags };
    }
}

sl_rays judge_rays(const judge *j, const sl_ray_d *rays, size_t count)
{
    sl_rays all = sl_rays_of_d(rays, count);
    all.segments = j->segments;
    all.tmin = j->segments ? NULL : all.tmin;
    all.tmax = j->segments ? NULL : all.tmax;
    return all;
}

static int compare_triangles(const void *a, const void *b)
{
    const sl_hit_d *x = a, *y = b;
    return x->instance != y->instance ? (x->instance > y->instance) - (x->instance < y->instance)
                                      : (x->prim > y->prim) - (x->prim < y->prim);
}

/* Every hit of a ray, by its triangle. */
static int find_all(const judge *j, const sl_ray_d *ray, judge_hits *to)
{
    const sl_rays one = judge_rays(j, ray, 1);
    uint64_t total = 0;
    sl_bvh_all_many(j->in->bvh, one, j->options, sl_hits_of(NULL), 0, &total, NULL, NULL);
    to->count = (size_t)total;
    if (to->count > to->capacity) {
        to->capacity = 2 * to->count;
        free(to->hits);
        free(to->named);
        to->hits = malloc(to->capacity * sizeof *to->hits);
        to->named = malloc(to->capacity * sizeof *to->named);
    }
    if (to->capacity > 0 && (to->hits == NULL || to->named == NULL)) {
        return report_memory();
    }
    if (to->count > 0) {
        sl_bvh_all_many(j->in->bvh, one, j->options, hits_of(j, to->hits), to->count, &total, NULL,
                        NULL);
        widen(j, to->hits, to->count);
        qsort(to->hits, to->count, sizeof *to->hits, compare_triangles);
        memset(to->named, 0, to->count * sizeof *to->named);
    }
    return EXIT_DONE;
}

static size_t find_hit(const judge_hits *in, sl_triangle_ref is)
{
    const sl_hit_d key = { .prim = is.prim, .instance = is.instance };
    const sl_hit_d *found =
        in->count > 0 ? bsearch(&key, in->hits, in->count, sizeof key, compare_triangles) : NULL;
    return found != NULL ? (size_t)(found - in->hits) : in->count;
}

/* Numbers in the order of the reals, one after the other. */
static int64_t order_of(double t, bool doubles)
{
    const float t_float = (float)t;
    uint32_t bits;
    uint64_t bits_d;
    memcpy(&bits, &t_float, sizeof bits);
    memcpy(&bits_d, &t, sizeof bits_d);
    const int64_t size = doubles ? (int64_t)(bits_d & INT64_MAX) : (int64_t)(bits & INT32_MAX);
    return signbit(t) ? -size : size;
}

/* How many numbers lie from one t to the other. */
static uint64_t steps_between(double a, double b, bool doubles)
{
    const uint64_t x = (uint64_t)order_of(a, doubles), y = (uint64_t)order_of(b, doubles);
    return order_of(a, doubles) > order_of(b, doubles) ? x - y : y - x;
}

static int bin_of(uint64_t steps)
{
    int bin = 0;
    for (uint64_t most = 0; steps > most && bin + 1 < JUDGE_STEPS; bin++) {
        most = most == 0 ? 1 : 2 * most;
    }
    return bin;
}

/* Whether the t of an answer is as near as it should be. */
static bool is_near(judge *j, const answer *said, double t)
{
    if (!said->has_t) {
        return true;
    }
    const uint64_t steps = steps_between(said->t, t, j->doubles);
    j->sums.steps[bin_of(steps)]++;
    if (t != 0 && isfinite(t) && isfinite(said->t)) {
        j->sums.relative_error = fmax(j->sums.relative_error, fabs((said->t - t) / t));
    }
    return steps <= j->steps;
}

static void say(judge *j, verdict is, const answer *said, const sl_hit_d *exact,
                const sl_hit_d *named)
{
    const double u = (double)exact->u, v = (double)exact->v;
    judge_sums *s = &j->sums;
    s->verdicts[is]++;
    if (exact->prim != SL_NONE) {
        const bool vertex = (exact->flags & SL_HIT_VERTEX) != 0;
        const bool edge = !vertex && (exact->flags & SL_HIT_EDGE) != 0;
        s->on_vertex[is] += vertex;
        s->on_edge[is] += edge;
        s->near_edge[is] += !vertex && !edge && fmin(fmin(u, v), 1 - u - v) < 0x1p-16;
    }
    if (verdict_is_error(is)) {
        const judgement what = { is, j->index, &j->ray, said, exact, named };
        j->take(j->user, &what);
    }
}

/* Whether it says that nothing is hit: by its triangle, or by an infinite t, unless the hit that is
 * named is beyond the range of t. */
static bool says_miss(const judge *j, const answer *a)
{
    const bool beyond = isinf(j->closest.t) && j->closest.prim != SL_NONE;
    return !a->has_prim || a->prim == -1 || a->prim == (double)SL_NONE ||
           (a->has_t && a->t == (double)INFINITY && !beyond);
}

/* Whether there is such a triangle. */
static bool triangle_of(const judge *j, const answer *a, sl_triangle_ref *to)
{
    const double numbers[2] = { a->instance, a->prim };
    for (int i = 0; i < 2; i++) {
        if (!(numbers[i] >= 0 && numbers[i] < (double)SL_NONE) || numbers[i] != floor(numbers[i])) {
            return false;
        }
    }
    *to = (sl_triangle_ref){ .prim = (uint32_t)a->prim, .instance = (uint32_t)a->instance };
    return to->instance < mesh_in_instances(j->in) && to->prim < mesh_in_prims(j->in, to->instance);
}

/* Of a triangle that is not hit: whether its hit is outside of the limits, something else is hit,
 * or nothing at all. */
static int judge_not_hit(judge *j, const answer *a, sl_triangle_ref is)
{
    const verdict found = j->closest.prim != SL_NONE ? VERDICT_BESIDE : VERDICT_PHANTOM;
    sl_ray_d line = j->ray;
    line.tmin = -(double)INFINITY;
    line.tmax = (double)INFINITY;
    const bool limits = j->ray.tmin > line.tmin || j->ray.tmax < line.tmax;
    const bool invalid = isnan(j->ray.tmin) || isnan(j->ray.tmax) || j->ray.tmin > j->ray.tmax;
    if (!limits || invalid) {
        say(j, found, a, &j->closest, NULL);
        return EXIT_DONE;
    }
    const int status = find_all(j, &line, &j->of_line);
    if (status == EXIT_DONE) {
        const size_t at = find_hit(&j->of_line, is);
        const bool met = at < j->of_line.count;
        say(j, met ? VERDICT_LIMITS : found, a, &j->closest, met ? &j->of_line.hits[at] : NULL);
    }
    return status;
}

static int judge_triangle(judge *j, const answer *a, sl_triangle_ref is)
{
    const sl_hit_d *closest = &j->closest;
    if (j->mode != JUDGE_ALL && closest->prim == is.prim && closest->instance == is.instance) {
        say(j, is_near(j, a, closest->t) ? VERDICT_HIT : VERDICT_T, a, closest, closest);
        return EXIT_DONE;
    }
    const int status = j->has_all ? EXIT_DONE : find_all(j, &j->ray, &j->of_ray);
    if (status != EXIT_DONE) {
        return status;
    }
    const size_t at = find_hit(&j->of_ray, is);
    j->has_all = true;
    if (at == j->of_ray.count) {
        return judge_not_hit(j, a, is);
    }
    const sl_hit_d *hit = &j->of_ray.hits[at];
    bool *named = &j->of_ray.named[at];
    if (j->mode == JUDGE_CLOSEST && hit->t > closest->t) {
        say(j, VERDICT_BEHIND, a, closest, hit);
    } else if (j->mode == JUDGE_ALL && *named) {
        say(j, VERDICT_REPEATED, a, hit, hit);
    } else {
        const verdict fine = j->mode == JUDGE_CLOSEST ? VERDICT_TIE : VERDICT_HIT;
        *named = true;
        say(j, is_near(j, a, hit->t) ? fine : VERDICT_T, a, hit, hit);
    }
    return EXIT_DONE;
}

static int judge_occluded(judge *j, const answer *a)
{
    const bool blocked = j->closest.prim != SL_NONE;
    bool touches = false;
    const int status = a->has_prim == blocked ? EXIT_DONE : judge_touch(j, &touches);
    if (status != EXIT_DONE) {
        return status;
    }
    j->sums.answers += a->has_prim;
    say(j,
        touches                  ? VERDICT_TOUCH
        : a->has_prim == blocked ? (blocked ? VERDICT_HIT : VERDICT_MISS)
                                 : (blocked ? VERDICT_LEAK : VERDICT_PHANTOM),
        a, &j->closest, NULL);
    return EXIT_DONE;
}

static int judge_answer(judge *j, const answer *a)
{
    sl_triangle_ref is;
    if (j->mode == JUDGE_OCCLUDED) {
        return judge_occluded(j, a);
    }
    if (says_miss(j, a)) {
        if (j->mode != JUDGE_ALL) {
            say(j, j->closest.prim == SL_NONE ? VERDICT_MISS : VERDICT_LEAK, a, &j->closest, NULL);
        }
        return EXIT_DONE;
    }
    j->sums.answers++;
    if (isnan(a->prim) || isnan(a->instance) || (a->has_t && isnan(a->t))) {
        say(j, VERDICT_NOT_A_NUMBER, a, &j->closest, NULL);
        return EXIT_DONE;
    }
    if (!triangle_of(j, a, &is)) {
        say(j, VERDICT_NO_TRIANGLE, a, &j->closest, NULL);
        return EXIT_DONE;
    }
    return judge_triangle(j, a, is);
}

/* What a list of hits has not named. */
static void judge_rest(judge *j, bool has_answers)
{
    const judge_hits *all = &j->of_ray;
    for (size_t i = 0; i < all->count; i++) {
        if (!all->named[i]) {
            say(j, VERDICT_LEAK, NULL, &all->hits[i], NULL);
        }
    }
    j->sums.hits += all->count;
    j->sums.verdicts[VERDICT_MISS] += all->count == 0 && !has_answers;
}

static int judge_ray(judge *j, answers_in *answers)
{
    const answer nothing = { .has_prim = false };
    const uint64_t before = j->sums.answers;
    answer said;
    bool found = false, any = false;
    int status = j->has_all ? find_all(j, &j->ray, &j->of_ray) : EXIT_DONE;
    while (status == EXIT_DONE &&
           (status = answers_next(answers, j->index, &said, &found)) == EXIT_DONE && found) {
        if (any && j->mode != JUDGE_ALL) {
            return report_input(
                answers->text.name, 0, "ray %" PRIu64 ", counted from 0, has several answers; %s",
                j->index,
                j->mode == JUDGE_OCCLUDED ? "keep one" : "for lists of hits there is --mode all");
        }
        any = true;
        status = judge_answer(j, &said);
        if (!answers->names_rays) {
            break;
        }
    }
    if (status == EXIT_DONE && j->mode == JUDGE_ALL) {
        judge_rest(j, j->sums.answers > before);
    } else if (status == EXIT_DONE) {
        j->sums.hits += j->closest.prim != SL_NONE;
        status = any ? EXIT_DONE : judge_answer(j, &nothing);
    }
    return status;
}

typedef struct judge_block {
    union {
        float floats[8 * BLOCK];
        double doubles[8 * BLOCK];
    } read; /* sl_ray or sl_segment, or their like in doubles */
    sl_ray_d rays[BLOCK];
    sl_hit_d closest[BLOCK];
} judge_block;

static int fill(const judge *j, answers_in *answers, judge_block *block, size_t *count)
{
    const size_t size = j->segments ? 6 : 8, half = size / 2;
    const int status = rays_in_fill(&answers->rays, &block->read, BLOCK, count);
    for (size_t i = 0; i < *count; i++) {
        double n[8];
        for (size_t k = 0; k < size; k++) {
            n[k] = j->doubles ? block->read.doubles[size * i + k]
                              : (double)block->read.floats[size * i + k];
        }
        block->rays[i] =
            (sl_ray_d){ .tmin = j->segments ? 0 : n[3], .tmax = j->segments ? 1 : n[7] };
        memcpy(block->rays[i].origin, n, 3 * sizeof *n);
        memcpy(block->rays[i].dir, n + half, 3 * sizeof *n);
    }
    return status;
}

static int judge_block_of(judge *j, answers_in *answers, judge_block *block, size_t count)
{
    int status = EXIT_DONE;
    sl_bvh_closest_many(j->in->bvh, judge_rays(j, block->rays, count), j->options,
                        hits_of(j, block->closest), j->in->tasks, NULL);
    widen(j, block->closest, count);
    for (size_t i = 0; i < count && status == EXIT_DONE; i++) {
        j->ray = block->rays[i];
        j->closest = block->closest[i];
        j->has_all = j->mode == JUDGE_ALL;
        j->index = j->sums.rays++;
        status = judge_ray(j, answers);
    }
    return status;
}

int judge_run(judge *j, answers_in *answers)
{
    judge_block *block = malloc(sizeof *block);
    int status = block == NULL ? report_memory() : EXIT_DONE;
    for (size_t count = 1; status == EXIT_DONE && count > 0;) {
        status = fill(j, answers, block, &count);
        status = status == EXIT_DONE ? judge_block_of(j, answers, block, count) : status;
    }
    free(block);
    return status == EXIT_DONE ? answers_end(answers, j->sums.rays) : status;
}

void judge_free(judge *j)
{
    judge_hits *const lists[] = { &j->of_ray, &j->of_line };
    for (int i = 0; i < 2; i++) {
        free(lists[i]->hits);
        free(lists[i]->named);
    }
    for (int i = 0; i < JUDGE_TURNS; i++) {
        sl_bvh_destroy(j->turned[i]);
    }
}
