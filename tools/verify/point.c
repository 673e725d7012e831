/* verify/point.c: nearest, k nearest and within against every triangle in turn, for
 * nearest/verify.c. */
#include "tools/verify/point.h"

#include "tools/cli/common.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* WITHIN and those behind it are not asked of points without limit. */
enum { NEAREST, NEAREST_K, WITHIN, FEW, COUNT, QUESTIONS };

static const char *const words[QUESTIONS] = {
    "nearest", "nearest_k", "within", "within with a capacity of 2", "within with no capacity",
};

enum { FEW_ROWS = 2 };

struct point_answer {
    uint64_t truth, tree[QUESTIONS]; /* how many */
    bool differs[QUESTIONS];
    sl_nearest wrong[QUESTIONS]; /* the tree's first row that differs */
    size_t rank[QUESTIONS];      /* which it is */
    double tree_seconds, brute_seconds;
};

bool point_verifier_make(point_verifier *v, const query_target *target, bool within,
                         size_t max_found, size_t capacity, bool filtered)
{
    const size_t workers = (size_t)target->tasks->worker_count;
    const size_t most = capacity > workers ? capacity : workers;
    *v = (point_verifier){ .target = target, .within = within, .max_found = max_found };
    v->answers = calloc(capacity, sizeof *v->answers);
    v->truth = calloc(capacity, max_found * sizeof *v->truth);
    v->tree = calloc(most, (max_found + FEW_ROWS) * sizeof *v->tree);
    v->totals = calloc(capacity, sizeof *v->totals);
    return (!filtered || box_filter_make(&v->filter, &target->soup, workers)) &&
           v->answers != NULL && v->truth != NULL && v->tree != NULL && v->totals != NULL;
}

void point_verifier_free(point_verifier *v)
{
    box_filter_free(&v->filter);
    free(v->answers);
    free(v->truth);
    free(v->tree);
    free(v->totals);
    v->answers = NULL;
    v->truth = v->tree = NULL;
    v->totals = NULL;
}

static size_t lesser(uint64_t a, size_t b)
{
    return a < b ? (size_t)a : b;
}

/* Whether total and the rows kept are those of the truth; the first row that is not. */
static bool is_same(const sl_nearest *truth, uint64_t truth_total, const sl_nearest *tree,
                    uint64_t tree_total, size_t kept, size_t *rank)
{
    size_t i = 0;
    while (i < kept && memcmp(&truth[i], &tree[i], sizeof *truth) == 0) {
        i++;
    }
    *rank = i;
    return truth_total == tree_total && i == kept;
}

static void compare(point_answer *to, int q, const sl_nearest *truth, uint64_t truth_total,
                    const sl_nearest *tree, size_t kept)
{
    to->differs[q] = !is_same(truth, truth_total, tree, to->tree[q], kept, &to->rank[q]);
    to->wrong[q] = to->rank[q] < kept ? tree[to->rank[q]] : (sl_nearest){ .prim = SL_NONE };
}

static void check_one(const point_verifier *v, const float point[3], float limit,
                      const sl_nearest *truth, sl_nearest *tree, point_answer *to)
{
    const sl_bvh *bvh = v->target->bvh;
    const sl_query *query = &v->target->query;
    const size_t k = v->max_found, some = lesser(to->truth, k), few = lesser(to->truth, FEW_ROWS);
    to->tree[NEAREST] = sl_bvh_nearest(bvh, point, limit, query, tree);
    compare(to, NEAREST, truth, to->truth > 0, tree, lesser(to->truth, 1));
    for (int round = 0; round < (v->within ? 1 : TIME_ROUNDS); round++) {
        const double from = common_seconds();
        to->tree[NEAREST_K] = sl_bvh_nearest_k(bvh, point, limit, query, tree, k);
        to->tree_seconds = time_by_size_best(round, to->tree_seconds, common_seconds() - from);
    }
    compare(to, NEAREST_K, truth, some, tree, some);
    if (!v->within) {
        return;
    }
    for (int round = 0; round < TIME_ROUNDS; round++) {
        const double from = common_seconds();
        to->tree[WITHIN] = sl_bvh_within(bvh, point, limit, query, tree, k);
        to->tree_seconds = time_by_size_best(round, to->tree_seconds, common_seconds() - from);
    }
    compare(to, WITHIN, truth, to->truth, tree, some);
    to->tree[FEW] = sl_bvh_within(bvh, point, limit, query, tree, lesser(k, FEW_ROWS));
    compare(to, FEW, truth, to->truth, tree, lesser(few, k));
    to->tree[COUNT] = sl_bvh_within(bvh, point, limit, query, NULL, 0);
    compare(to, COUNT, truth, to->truth, tree, 0);
}

typedef struct checking {
    point_verifier *v;
    const float *points, *limits;
    float limit;
} checking;

/* How far away a triangle may be and still matter. */
static double reach_of(const point_verifier *v, const float point[3], float limit,
                       sl_nearest *capacity)
{
    if (v->within) {
        return (double)limit;
    }
    const size_t found =
        sl_bvh_nearest_k(v->target->bvh, point, limit, &v->target->query, capacity, v->max_found);
    return found == v->max_found ? (double)capacity[found - 1].distance : (double)limit;
}

static uint64_t ask_in_turn(const point_verifier *v, const float point[3], float limit,
                            sl_nearest *truth, box_filter_part *part)
{
    const query_target *target = v->target;
    if (part == NULL) {
        return sl_soup_within(&target->soup, point, limit, &target->query, truth, v->max_found);
    }
    const sl_aabb at = sl_aabb_from_corners(point, point);
    box_filter_take(&v->filter, &at, reach_of(v, point, limit, truth), part);
    const uint64_t total =
        sl_soup_within(&part->soup, point, limit, &target->query, truth, v->max_found);
    for (size_t i = 0; i < lesser(total, v->max_found); i++) {
        truth[i].prim = part->prims[truth[i].prim];
    }
    return total;
}

static void check_range(void *context, size_t begin, size_t end, int worker)
{
    const checking *job = context;
    point_verifier *v = job->v;
    for (size_t i = begin; i < end; i++) {
        const float *point = job->points + 3 * i;
        const float limit = job->limits != NULL ? job->limits[i] : job->limit;
        sl_nearest *truth = v->truth + i * v->max_found;
        point_answer *to = &v->answers[i];
        *to = (point_answer){ .truth = 0 };
        const double started = common_seconds();
        to->truth = ask_in_turn(v, point, limit, truth,
                                v->filter.parts != NULL ? &v->filter.parts[worker] : NULL);
        to->brute_seconds = common_seconds() - started;
        check_one(v, point, limit, truth, v->tree + (size_t)worker * (v->max_found + FEW_ROWS), to);
    }
}

static void describe(char *to, size_t size, uint64_t total, const sl_nearest *row, size_t rank)
{
    const int used = snprintf(to, size, "%" PRIu64 " triangles", total);
    if (row != NULL && row->prim != SL_NONE && used > 0 && (size_t)used < size) {
        snprintf(to + used, size - (size_t)used, ", number %zu: distance %.9g prim %" PRIu32, rank,
                 (double)row->distance, row->prim);
    }
}

static void note(checking *job, size_t i, const char *kind, uint64_t index, const char *question,
                 uint64_t tree_total, const sl_nearest *tree, uint64_t truth_total, size_t rank)
{
    point_verifier *v = job->v;
    difference *shown = differences_add(&v->found, kind, index, question);
    if (shown != NULL) {
        const float *p = job->points + 3 * i;
        const sl_nearest *truth = rank < lesser(v->answers[i].truth, v->max_found)
                                      ? v->truth + i * v->max_found + rank
                                      : NULL;
        describe(shown->tree, sizeof shown->tree, tree_total, tree, rank);
        describe(shown->brute, sizeof shown->brute, truth_total, truth, rank);
        snprintf(shown->asked, sizeof shown->asked, "%.9g %.9g %.9g, limit %.9g", (double)p[0],
                 (double)p[1], (double)p[2],
                 (double)(job->limits != NULL ? job->limits[i] : job->limit));
    }
}

/* The functions that take arrays; they take one limit for all. */
static void check_batch(checking *job, size_t count, const char *kind, uint64_t first_index)
{
    point_verifier *v = job->v;
    const query_target *t = v->target;
    const size_t k = v->max_found;
    static const char *const names[] = { "nearest_many", "nearest_k_many", "within_many" };
    for (int q = 0; q < (v->within ? 3 : 2); q++) {
        if (q == 0) {
            sl_bvh_nearest_many(t->bvh, job->points, count, job->limit, &t->query, v->tree,
                                t->tasks);
        } else if (q == 1) {
            sl_bvh_nearest_k_many(t->bvh, job->points, count, job->limit, &t->query, v->tree, k,
                                  v->totals, t->tasks);
        } else {
            sl_bvh_within_many(t->bvh, job->points, count, job->limit, &t->query, v->tree, k,
                               v->totals, t->tasks);
        }
        for (size_t i = 0; i < count; i++) {
            const sl_nearest *tree = v->tree + i * (q == 0 ? 1 : k);
            const uint64_t truth = v->answers[i].truth;
            const size_t kept = lesser(truth, q == 0 ? 1 : k);
            const uint64_t expected = q == 2 ? truth : kept;
            const uint64_t total = q == 0 ? tree->prim != SL_NONE : v->totals[i];
            size_t rank;
            if (!is_same(v->truth + i * k, expected, tree, total, kept, &rank)) {
                note(job, i, kind, first_index + i, names[q], total,
                     rank < kept ? tree + rank : NULL, expected, rank);
            }
        }
    }
}

void point_verifier_check(point_verifier *v, const float *points, const float *limits, float limit,
                          size_t count, const char *kind, uint64_t first_index, point_sums *sums)
{
    checking job = { v, points, limits, limit };
    const uint64_t before = v->found.count;
    v->target->tasks->parallel_for(v->target->tasks->user, count, 1, check_range, &job);
    for (size_t i = 0; i < count; i++) {
        const point_answer *a = &v->answers[i];
        const size_t some = lesser(a->truth, v->max_found);
        sums->near += a->truth > 0;
        sums->found += a->truth;
        time_by_size_add(&sums->times, v->within ? a->truth : some, a->tree_seconds,
                         a->brute_seconds);
        for (int q = 0; q < QUESTIONS; q++) {
            if (a->differs[q]) {
                note(&job, i, kind, first_index + i, words[q], a->tree[q], &a->wrong[q],
                     q == NEAREST     ? a->truth > 0
                     : q == NEAREST_K ? some
                                      : a->truth,
                     a->rank[q]);
            }
        }
    }
    if (limits == NULL) {
        check_batch(&job, count, kind, first_index);
    }
    sums->points += count;
    sums->pairs += (uint64_t)count * v->target->soup.triangle_count;
    sums->differences += v->found.count - before;
}
