/* verify/ray.c: every ray and segment query against every triangle in turn, for cast/verify.c. */
#include "tools/verify/ray.h"

#include "tools/verify/scene_soup.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Questions for one ray, then those for arrays.  FEW: all, with a capacity below the number of
 * hits. */
typedef enum question {
    CLOSEST,
    ANY,
    COUNT,
    ALL,
    FEW,
    NEXT,
    SINGLE_QUESTIONS,
    CLOSEST_MANY = SINGLE_QUESTIONS,
    ANY_MANY,
    COUNT_MANY,
    ALL_MANY,
    NEXT_MANY,
    QUESTION_COUNT
} question;

enum { FEW_HITS = 2 };

static const char *const ray_words[QUESTION_COUNT] = {
    "closest",   "any",          "count",    "all",        "all with a capacity of 2",
    "next",      "closest_many", "any_many", "count_many", "all_many",
    "next_many",
};
static const char *const segment_words[QUESTION_COUNT] = {
    "blocked (closest)",
    "blocked",
    "count_segment",
    "all_segment",
    "all_segment with a capacity of 2",
    "next_segment",
    "blockers_many",
    "blocked_many",
    "count_many",
    "all_many",
    "next_many",
};

/* Whatever is asked, an answer is how many, and the first of them. */
typedef struct answer {
    uint64_t total;
    size_t kept;
    sl_hit_d hits[RAY_VERIFY_HITS];
} answer;

static size_t lesser(uint64_t a, size_t b)
{
    return a < b ? (size_t)a : b;
}

/* What brute force says to a question. */
static void expect(const ray_batch *block, size_t i, question q, answer *out)
{
    out->total = block->totals[i];
    out->kept = 0;
    size_t first = 0;
    switch (q) {
    case CLOSEST:
    case CLOSEST_MANY:
        out->total = out->kept = lesser(out->total, 1);
        break;
    case ANY:
    case ANY_MANY:
        out->total = lesser(out->total, 1);
        break;
    case ALL:
    case ALL_MANY:
        out->kept = lesser(out->total, RAY_VERIFY_HITS);
        break;
    case FEW:
        out->kept = lesser(out->total, FEW_HITS);
        break;
    case NEXT:
        out->kept = lesser(out->total, RAY_VERIFY_HITS);
        out->total = lesser(out->total, RAY_VERIFY_HITS + 1);
        break;
    case NEXT_MANY:
        first = 1;
        out->total = out->kept = out->total > 1;
        break;
    default:
        break;
    }
    for (size_t k = 0; k < out->kept; k++) {
        out->hits[k] = ray_batch_hit(block, i * RAY_VERIFY_HITS + first + k);
    }
}

/* The chain of next, from the closest hit to the end or to one more than are compared. */
static void ask_chain(const query_target *target, const ray_batch *block, size_t i, answer *out)
{
    const sl_query *query = &target->query;
    sl_hit_d hit;
    out->total = out->kept = 0;
    bool more = ray_batch_closest(target, block, i, query, &hit);
    while (more && out->total <= RAY_VERIFY_HITS) {
        if (out->kept < RAY_VERIFY_HITS) {
            out->hits[out->kept++] = hit;
        }
        out->total++;
        const sl_hit_d previous = hit;
        more = out->total <= RAY_VERIFY_HITS &&
               ray_batch_next(target, block, i, query, &previous, &hit);
    }
}

static void ask_single(const query_target *target, const ray_batch *block, size_t i, question q,
                       answer *out)
{
    const sl_query *query = &target->query;
    out->total = out->kept = 0;
    switch (q) {
    case CLOSEST:
        out->total = out->kept = ray_batch_closest(target, block, i, query, out->hits);
        break;
    case ANY:
        out->total = ray_batch_any(target, block, i, query);
        break;
    case COUNT:
        out->total = ray_batch_count(target, block, i, query);
        break;
    case ALL:
        out->total = ray_batch_all(target, block, i, query, out->hits, RAY_VERIFY_HITS);
        out->kept = lesser(out->total, RAY_VERIFY_HITS);
        break;
    case FEW:
        out->total = ray_batch_all(target, block, i, query, out->hits, FEW_HITS);
        out->kept = lesser(out->total, FEW_HITS);
        break;
    case NEXT:
    default:
        ask_chain(target, block, i, out);
        break;
    }
}

static bool is_same(const answer *a, const answer *b)
{
    return a->total == b->total && a->kept == b->kept &&
           memcmp(a->hits, b->hits, a->kept * sizeof a->hits[0]) == 0;
}

/* The first hit in which two answers differ, or how many there are. */
static void describe(const answer *a, const answer *other, question q, char *to, size_t size)
{
    if (q == ANY || q == ANY_MANY) {
        snprintf(to, size, "%s", a->total > 0 ? "yes" : "no");
        return;
    }
    int used = 0;
    if (q != CLOSEST && q != CLOSEST_MANY && q != NEXT_MANY) {
        used = snprintf(to, size, "%" PRIu64 " hits", a->total);
    } else if (a->kept == 0) {
        used = snprintf(to, size, "no hit");
    }
    size_t k = 0;
    while (k < a->kept && k < other->kept &&
           memcmp(&a->hits[k], &other->hits[k], sizeof a->hits[k]) == 0) {
        k++;
    }
    if (k < a->kept && used >= 0 && (size_t)used < size) {
        const sl_hit_d *hit = &a->hits[k];
        const int digits = (double)(float)hit->t == hit->t ? 9 : 17;
        snprintf(to + used, size - (size_t)used,
                 "%shit %zu: t %.*g u %.9g v %.9g prim %" PRIu32 " flags %" PRIu32,
                 used > 0 ? ", " : "", k, digits, hit->t, (double)hit->u, (double)hit->v, hit->prim,
                 hit->flags);
        used += (int)strlen(to + used);
        if (hit->instance != 0 && (size_t)used < size) {
            snprintf(to + used, size - (size_t)used, " instance %" PRIu32, hit->instance);
        }
    }
}

static void describe_ray(const ray_batch *block, size_t i, char *to, size_t size)
{
    double numbers[8] = { 0 };
    const int count = block->are_segments ? 6 : 8;
    if (block->are_segments) {
        const sl_segment_d segment =
            block->doubles ? block->segments_d[i] : sl_segment_d_from_segment(&block->segments[i]);
        memcpy(numbers, &segment, sizeof segment);
    } else {
        const sl_ray_d ray = block->doubles ? block->rays_d[i] : sl_ray_d_from_ray(&block->rays[i]);
        memcpy(numbers, ray.origin, sizeof ray.origin);
        memcpy(numbers + 3, ray.dir, sizeof ray.dir);
        numbers[6] = ray.tmin;
        numbers[7] = ray.tmax;
    }
    size_t used = 0;
    for (int k = 0; k < count && used < size; k++) {
        used += (size_t)snprintf(to + used, size - used, "%s%.*g", k > 0 ? " " : "",
                                 block->doubles ? 17 : 9, numbers[k]);
    }
}

static void note(ray_verifier *v, const ray_batch *block, size_t i, question q, const answer *tree,
                 const char *kind, uint64_t index, ray_sums *sums)
{
    const char *words = (block->are_segments ? segment_words : ray_words)[q];
    difference *shown = differences_add(&v->found, kind, index, words);
    sums->differences++;
    if (shown == NULL) {
        return;
    }
    answer truth;
    expect(block, i, q, &truth);
    describe(tree, &truth, q, shown->tree, sizeof shown->tree);
    describe(&truth, tree, q, shown->brute, sizeof shown->brute);
    describe_ray(block, i, shown->asked, sizeof shown->asked);
}

typedef struct checking {
    ray_verifier *v;
    ray_batch *block;
} checking;

static void check_range(void *context, size_t begin, size_t end, int worker)
{
    (void)worker;
    const checking *job = context;
    const query_target *target = job->v->target;
    ray_batch *block = job->block;
    for (size_t i = begin; i < end; i++) {
        sl_hit_d hits[RAY_VERIFY_HITS];
        block->totals[i] = ray_batch_brute(target, block, i, &target->query, hits, RAY_VERIFY_HITS);
        for (size_t k = 0; k < lesser(block->totals[i], RAY_VERIFY_HITS); k++) {
            ray_batch_set_hit(block, i * RAY_VERIFY_HITS + k, &hits[k]);
        }
        job->v->wrong[i] = 0;
        for (int q = 0; q < SINGLE_QUESTIONS; q++) {
            answer truth;
            answer tree;
            expect(block, i, (question)q, &truth);
            ask_single(target, block, i, (question)q, &tree);
            job->v->wrong[i] |= is_same(&truth, &tree) ? 0 : 1u << q;
        }
    }
}

/* Answers to a whole block, into v->batch.  False where there is no such function. */
static bool ask_batch(ray_verifier *v, const ray_batch *block, question q, sl_stats *stats)
{
    static const ray_mode modes[] = { RAY_MODE_CLOSEST, RAY_MODE_ANY, RAY_MODE_COUNT,
                                      RAY_MODE_ALL };
    ray_batch *batch = &v->batch;
    if ((block->are_segments || v->target->scene != NULL) && q > ANY_MANY) {
        return false;
    }
    if (q == NEXT_MANY) {
        for (size_t i = 0; i < block->count; i++) {
            batch->hits[i] = block->hits[i * RAY_VERIFY_HITS];
            if (block->totals[i] == 0) {
                batch->hits[i].prim = SL_NONE;
            }
        }
        sl_bvh_next_many(v->target->bvh, block->rays, block->count, &v->target->query, batch->hits,
                         batch->hits, v->target->tasks);
        return true;
    }
    query_target target = *v->target;
    target.query.stats = q == CLOSEST_MANY ? stats : NULL;
    /* The batch borrows the rays. */
    ray_batch asked = *batch;
    asked.rays = block->rays;
    asked.segments = block->segments;
    asked.rays_d = block->rays_d;
    asked.segments_d = block->segments_d;
    asked.count = block->count;
    ray_batch_answer(&target, modes[q - CLOSEST_MANY], false, &asked);
    return true;
}

static void read_batch(const ray_batch *batch, size_t i, question q, answer *out)
{
    out->total = out->kept = 0;
    switch (q) {
    case ANY_MANY:
        out->total = batch->yes[i];
        break;
    case COUNT_MANY:
        out->total = batch->totals[i];
        break;
    case ALL_MANY:
        out->total = batch->totals[i];
        out->kept = lesser(out->total, RAY_VERIFY_HITS);
        for (size_t k = 0; k < out->kept; k++) {
            out->hits[k] = ray_batch_hit(batch, i * RAY_VERIFY_HITS + k);
        }
        break;
    default:
        out->hits[0] = ray_batch_hit(batch, i);
        out->total = out->kept = out->hits[0].prim != SL_NONE;
        break;
    }
}

bool ray_verifier_make(ray_verifier *v, const query_target *target, bool are_segments, bool doubles,
                       size_t capacity)
{
    v->target = target;
    if (target->scene != NULL) {
        v->triangles = target->triangles->count;
    } else {
        sl_bvh_info info;
        sl_bvh_get_info(target->bvh, &info, sizeof info);
        v->triangles = info.triangle_count;
    }
    v->wrong = calloc(capacity, sizeof *v->wrong);
    return ray_batch_make(&v->batch, are_segments, doubles, capacity, RAY_VERIFY_HITS) &&
           v->wrong != NULL;
}

void ray_verifier_free(ray_verifier *v)
{
    ray_batch_free(&v->batch);
    free(v->wrong);
    v->wrong = NULL;
}

void ray_verifier_check(ray_verifier *v, ray_batch *block, const char *kind, uint64_t first_index,
                        ray_sums *sums)
{
    const size_t triangles = v->triangles;
    const size_t grain = triangles > 10000 ? 1 : 64;
    checking job = { v, block };
    v->target->tasks->parallel_for(v->target->tasks->user, block->count, grain, check_range, &job);
    for (size_t i = 0; i < block->count; i++) {
        sums->hits += block->totals[i] > 0;
        for (int q = 0; q < SINGLE_QUESTIONS; q++) {
            if (v->wrong[i] >> q & 1) {
                answer tree;
                ask_single(v->target, block, i, (question)q, &tree);
                note(v, block, i, (question)q, &tree, kind, first_index + i, sums);
            }
        }
    }
    for (int q = SINGLE_QUESTIONS; q < QUESTION_COUNT; q++) {
        if (!ask_batch(v, block, (question)q, &sums->stats)) {
            continue;
        }
        for (size_t i = 0; i < block->count; i++) {
            answer truth;
            answer tree;
            expect(block, i, (question)q, &truth);
            read_batch(&v->batch, i, (question)q, &tree);
            if (!is_same(&truth, &tree)) {
                note(v, block, i, (question)q, &tree, kind, first_index + i, sums);
            }
        }
    }
    sums->rays += block->count;
    sums->pairs += (uint64_t)block->count * triangles;
}
