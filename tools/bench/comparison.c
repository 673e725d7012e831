/* bench/comparison.c: times one set on our tree and on the peer's trees in alternating rounds,
 * for bench. */
#include "tools/bench/comparison.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/* One call to one tree of the peer's. */
typedef struct rival {
    peer_tree tree;
    peer_call call;
    bool in;
    double seconds[BENCH_ROUNDS_MAX];
} rival;

enum { RIVALS = (int)PEER_TREE_COUNT * (int)PEER_CALL_COUNT };

static const unsigned robust_trees = 1u << PEER_ROBUST_MEDIUM | 1u << PEER_ROBUST_HIGH;

static double time_ours(const bench_comparison *comparison, const bench_rays *rays,
                        const bench_answers *answers)
{
    const double start = bench_cpu_seconds();
    if (comparison->single) {
        bench_ours_run_single(comparison->bvh, rays, answers);
    } else {
        bench_ours_run(comparison->bvh, rays, NULL, answers, NULL);
    }
    return bench_cpu_seconds() - start;
}

static double time_rival(const bench_comparison *comparison, const rival *r)
{
    bench_peer_prepare(comparison->peer, r->call);
    const double start = bench_cpu_seconds();
    bench_peer_run(comparison->peer, r->tree, r->call);
    return bench_cpu_seconds() - start;
}

/* Point queries use the trees that are not robust, one point a call. */
static bool is_wanted(const bench_comparison *comparison, const bench_rays *rays, int tree,
                      int call)
{
    const bool robust = (robust_trees >> tree & 1) != 0;
    return (comparison->trees >> tree & 1) != 0 &&
           bench_peer_has_call((peer_call)call, rays->query) &&
           !(robust && rays->query == BENCH_NEAREST) && !(comparison->single && call != PEER_1);
}

static size_t list_rivals(const bench_comparison *comparison, const bench_rays *rays, rival *rivals)
{
    size_t count = 0;
    for (int tree = 0; tree < PEER_TREE_COUNT && comparison->peer != NULL; tree++) {
        for (int call = 0; call < PEER_CALL_COUNT; call++) {
            if (is_wanted(comparison, rays, tree, call)) {
                rivals[count++] =
                    (rival){ .tree = (peer_tree)tree, .call = (peer_call)call, .in = true };
            }
        }
    }
    return count;
}

/* Of those that are in and stand in the trees: the one of the smallest median.  NULL: none. */
static rival *best_of(rival *rivals, size_t count, size_t rounds, unsigned trees)
{
    rival *best = NULL;
    double best_time = INFINITY;
    for (size_t i = 0; i < count; i++) {
        if (rivals[i].in && (trees >> rivals[i].tree & 1) != 0) {
            const double time = bench_spread_of(rivals[i].seconds, rounds).median;
            if (best == NULL || time < best_time) {
                best = &rivals[i];
                best_time = time;
            }
        }
    }
    return best;
}

/* Runs every call once, and drops those that are far slower than the best. */
static void warm_up(const bench_comparison *comparison, const bench_rays *rays,
                    const bench_answers *answers, rival *rivals, size_t count)
{
    time_ours(comparison, rays, answers);
    for (size_t i = 0; i < count; i++) {
        rivals[i].seconds[0] = time_rival(comparison, &rivals[i]);
    }
    const unsigned groups[] = { ~robust_trees, robust_trees };
    for (int group = 0; group < 2; group++) {
        const rival *best = best_of(rivals, count, 1, groups[group]);
        const double limit = best != NULL ? best->seconds[0] * 7 / 6 : 0;
        for (size_t i = 0; i < count; i++) {
            if ((groups[group] >> rivals[i].tree & 1) != 0) {
                rivals[i].in = rivals[i].seconds[0] <= limit;
            }
        }
    }
}

static bench_spread rates(const double *seconds, size_t rounds, size_t count)
{
    double rate[BENCH_ROUNDS_MAX];
    for (size_t round = 0; round < rounds; round++) {
        rate[round] = 1e-6 * (double)count / seconds[round];
    }
    return bench_spread_of(rate, rounds);
}

static bench_spread ratios(const double *ours, const double *theirs, size_t rounds)
{
    double ratio[BENCH_ROUNDS_MAX];
    for (size_t round = 0; round < rounds; round++) {
        ratio[round] = theirs[round] / ours[round];
    }
    return bench_spread_of(ratio, rounds);
}

static void name_call(const rival *r, char name[32])
{
    snprintf(name, 32, "%s %s", peer_tree_names[r->tree], peer_call_names[r->call]);
}

/* Share of answers that are the same; runs the rival once more.  Below 0: out of memory. */
static double agreement(const bench_comparison *comparison, const bench_rays *rays,
                        const bench_answers *answers, const rival *r)
{
    float *theirs = malloc(rays->count * sizeof *theirs);
    if (theirs == NULL) {
        return -1;
    }
    time_rival(comparison, r);
    bench_peer_answers(comparison->peer, r->call, theirs);
    size_t same = 0;
    for (size_t i = 0; i < rays->count; i++) {
        const float ours = bench_ours_t(answers, rays, i);
        same += ours == theirs[i] ||
                fabsf(ours - theirs[i]) <= comparison->tolerance + 1e-4f * fabsf(ours);
    }
    free(theirs);
    return (double)same / (double)rays->count;
}

static bool report(const bench_comparison *comparison, const bench_rays *rays,
                   const bench_answers *answers, const double *ours, rival *rivals, size_t count,
                   bench_row *row)
{
    row->count = rays->count;
    row->hits = bench_ours_hits(answers, rays);
    row->ours = rates(ours, comparison->rounds, rays->count);
    const rival *best = best_of(rivals, count, comparison->rounds, ~robust_trees);
    row->has_peer = best != NULL;
    if (best != NULL) {
        name_call(best, row->peer_call);
        row->peer = rates(best->seconds, comparison->rounds, rays->count);
        row->ratio = ratios(ours, best->seconds, comparison->rounds);
        row->agree = agreement(comparison, rays, answers, best);
    }
    const rival *robust = best_of(rivals, count, comparison->rounds, robust_trees);
    row->has_robust = robust != NULL;
    if (robust != NULL) {
        name_call(robust, row->robust_call);
        row->robust = rates(robust->seconds, comparison->rounds, rays->count);
        row->robust_ratio = ratios(ours, robust->seconds, comparison->rounds);
    }
    return best == NULL || row->agree >= 0;
}

bool bench_comparison_run(const bench_comparison *comparison, const bench_rays *rays,
                          bench_row *row)
{
    double ours[BENCH_ROUNDS_MAX];
    bench_answers answers = { 0 };
    progress_show(comparison->bar, row->row, -1);
    rival *rivals = calloc(RIVALS, sizeof *rivals);
    bool done = rivals != NULL && bench_answers_make(&answers, rays) &&
                (comparison->peer == NULL || bench_peer_set(comparison->peer, rays));
    if (done) {
        const size_t count = list_rivals(comparison, rays, rivals);
        bench_pin(true);
        warm_up(comparison, rays, &answers, rivals, count);
        for (size_t round = 0; round < comparison->rounds; round++) {
            progress_show(comparison->bar, row->row, (double)round / (double)comparison->rounds);
            ours[round] = time_ours(comparison, rays, &answers);
            for (size_t i = 0; i < count; i++) {
                if (rivals[i].in) {
                    rivals[i].seconds[round] = time_rival(comparison, &rivals[i]);
                }
            }
        }
        done = report(comparison, rays, &answers, ours, rivals, count, row);
        bench_pin(false);
    }
    free(rivals);
    bench_answers_free(&answers);
    return done;
}
