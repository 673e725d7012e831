/* bench/job/rivals.c: times the peer's calls and finds the best of them, for bench. */
#include "tools/bench/job/comparison.h"

#include <math.h>
#include <stdlib.h>

/* A figure of a row: the best of some trees, with or without packing. */
typedef struct group {
    unsigned trees;
    bool packed;
    size_t offset; /* of a bench_beside */
} group;

enum {
    ROBUST_TREES = 1 << PEER_ROBUST_MEDIUM | 1 << PEER_ROBUST_HIGH,
    PLAIN_TREES = 1 << PEER_MEDIUM | 1 << PEER_HIGH
};

static const group groups[] = {
    { PLAIN_TREES, false, offsetof(bench_row, peer) },
    { 1 << PEER_MEDIUM, false, offsetof(bench_row, medium) },
    { 1 << PEER_HIGH, false, offsetof(bench_row, high) },
    { PLAIN_TREES, true, offsetof(bench_row, packed) },
    { ROBUST_TREES, false, offsetof(bench_row, robust) },
};
enum {
    GROUPS = sizeof groups / sizeof groups[0],
    RIVALS_MAX = (int)PEER_TREE_COUNT * (int)PEER_CALL_COUNT
};

/* Point queries use the trees that are not robust. */
bool bench_rivals_make(bench_rivals *rivals, unsigned trees, unsigned calls, bench_query query,
                       bool instances)
{
    *rivals =
        (bench_rivals){ .all = calloc(RIVALS_MAX, sizeof *rivals->all), .now = bench_cpu_seconds };
    const unsigned usable = query == BENCH_NEAREST ? trees & PLAIN_TREES : trees;
    for (int tree = 0; tree < PEER_TREE_COUNT && rivals->all != NULL; tree++) {
        for (int call = 0; call < PEER_CALL_COUNT; call++) {
            if ((usable >> tree & 1) != 0 &&
                bench_peer_has_call((peer_call)call, query, instances) &&
                (calls >> call & 1) != 0) {
                rivals->all[rivals->count++] =
                    (bench_rival){ .tree = (peer_tree)tree, .call = (peer_call)call, .in = true };
            }
        }
    }
    return rivals->all != NULL;
}

void bench_rivals_free(bench_rivals *rivals)
{
    free(rivals->all);
    *rivals = (bench_rivals){ 0 };
}

static void run_rival(bench_clock *now, bench_rival *rival, bench_peer *peer, size_t round)
{
    bench_peer_pack(peer, rival->call);
    const double start = now();
    bench_peer_run(peer, rival->tree, rival->call);
    const double middle = now();
    bench_peer_run_packing(peer, rival->tree, rival->call);
    rival->seconds[round] = middle - start;
    rival->packed[round] = now() - middle;
}

/* The first call to each tree runs once without a clock, as the first of ours does. */
void bench_rivals_run(bench_rivals *rivals, bench_peer *peer, size_t round)
{
    const bench_rival *before = NULL;
    for (size_t i = 0; i < rivals->count; i++) {
        bench_rival *rival = &rivals->all[i];
        if (!rival->in) {
            continue;
        }
        if (before == NULL || before->tree != rival->tree) {
            run_rival(rivals->now, rival, peer, round);
        }
        run_rival(rivals->now, rival, peer, round);
        before = rival;
    }
}

static bool is_in_group(const bench_rival *rival, const group *g)
{
    return rival->in && (g->trees >> rival->tree & 1) != 0;
}

static const double *seconds_in(const bench_rival *rival, const group *g)
{
    return g->packed ? rival->packed : rival->seconds;
}

/* The one of the smallest median.  NULL: none. */
static const bench_rival *best_of(const bench_rivals *rivals, const group *g, size_t rounds)
{
    const bench_rival *best = NULL;
    double best_time = INFINITY;
    for (size_t i = 0; i < rivals->count; i++) {
        const bench_rival *rival = &rivals->all[i];
        if (is_in_group(rival, g)) {
            const double time = bench_spread_of(seconds_in(rival, g), rounds).median;
            if (best == NULL || time < best_time) {
                best = rival;
                best_time = time;
            }
        }
    }
    return best;
}

/* Within a sixth of the best of a group. */
static bool may_be_best(const bench_rivals *rivals, const bench_rival *rival)
{
    for (int i = 0; i < GROUPS; i++) {
        if (is_in_group(rival, &groups[i]) &&
            seconds_in(rival, &groups[i])[0] <=
                seconds_in(best_of(rivals, &groups[i], 1), &groups[i])[0] * 7 / 6) {
            return true;
        }
    }
    return false;
}

/* On other trees a call is only tried where it was within a half of the best one on the MEDIUM
 * tree. */
static bool is_far_behind(const bench_rivals *rivals, const bench_rival *rival)
{
    static const group medium = { .trees = 1 << PEER_MEDIUM },
                       packed = { .trees = 1 << PEER_MEDIUM, .packed = true };
    const bench_rival *same = rivals->all;
    while (same->call != rival->call) { /* MEDIUM comes first and has every call */
        same++;
    }
    return same->seconds[0] > best_of(rivals, &medium, 1)->seconds[0] * 3 / 2 &&
           same->packed[0] > best_of(rivals, &packed, 1)->packed[0] * 3 / 2;
}

void bench_rivals_warm_up(bench_rivals *rivals, bench_peer *peer)
{
    for (size_t i = 0; i < rivals->count; i++) {
        bench_rival *rival = &rivals->all[i];
        rival->in = rival->tree == PEER_MEDIUM || !is_far_behind(rivals, rival);
        if (rival->in) {
            run_rival(rivals->now, rival, peer, 0);
        }
    }
    bool keep[RIVALS_MAX];
    for (size_t i = 0; i < rivals->count; i++) {
        keep[i] = may_be_best(rivals, &rivals->all[i]);
    }
    for (size_t i = 0; i < rivals->count; i++) {
        rivals->all[i].in = keep[i];
    }
}

void bench_rivals_report(const bench_rivals *rivals, const double *ours, size_t rounds,
                         size_t ray_count, bench_row *row)
{
    for (int i = 0; i < GROUPS; i++) {
        const bench_rival *best = best_of(rivals, &groups[i], rounds);
        if (best != NULL) {
            const double *seconds = seconds_in(best, &groups[i]);
            bench_beside *beside = (bench_beside *)((char *)row + groups[i].offset);
            beside->there = true;
            snprintf(beside->call, sizeof beside->call, "%s %s", peer_tree_names[best->tree],
                     peer_call_names[best->call]);
            beside->value = rivals->figure(seconds, rounds, ray_count);
            beside->ratio = bench_ratios(ours, seconds, rounds);
        }
    }
}

const bench_rival *bench_rivals_best(const bench_rivals *rivals, size_t rounds)
{
    return best_of(rivals, &groups[0], rounds);
}
