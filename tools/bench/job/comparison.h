/* bench/job/comparison.h: one set, on our tree and on the peer's trees in turn. */
#pragma once

#include "tools/bench/harness/rounds.h"
#include "tools/bench/job/job.h"

enum { BENCH_WAYS_MAX = 2 };

typedef struct bench_comparison {
    bench_target target;  /* with tasks, both run on as many threads, by the clock on the wall */
    bench_peer *peer;     /* NULL: none */
    unsigned trees;       /* bits 1 << peer_tree: those that count, MEDIUM among them */
    unsigned calls;       /* bits 1 << peer_call: those of the peer's that count */
    bench_figure *figure; /* what rows tell of times */
    size_t rounds;        /* 1 .. BENCH_ROUNDS_MAX */
    float tolerance;      /* t and distances are equal within this and 1e-4 of themselves */
    const char *entered;  /* a row for the instances that a question enters; NULL: none */
    bench_scene *scene;   /* for its sets, and its bar, which is drawn under the name of the row */
} bench_comparison;

/* Of the tree or the world of a scene: all of the peer's calls but the chain, and rates. */
bench_comparison bench_comparison_of(const bench_job *job, bench_scene *s);

/* Fills row->count and what follows it, for each of 1 to BENCH_WAYS_MAX ways to ask ours, and adds
 * the rows: batches[i] questions a call, 0 all in one, 1 by the call for a single one, or
 * BENCH_CHAINED.  A first
 * round, which does not count, warms up and drops the calls of the peer that are far from its best;
 * the others run in all rounds, and the one with the smallest median is the peer's figure.
 * EXIT_DONE or the status of a reported error. */
int bench_comparison_add(const bench_comparison *comparison, const bench_rays *rays,
                         const size_t *batches, bench_row *rows, size_t row_count, bench_job *job);

/* The same of a set, which may have no rays, and then no rows; then the row of what is entered. */
int bench_set_add(const bench_comparison *comparison, bench_set set, const size_t *batches,
                  bench_row *rows, size_t row_count, bench_job *job);

/* ---- rivals.c: the calls of the peer that a comparison times, and the best of them ---- */

/* One call to one tree of the peer's. */
typedef struct bench_rival {
    peer_tree tree;
    peer_call call;
    bool in;
    double seconds[BENCH_ROUNDS_MAX]; /* of the call alone */
    double packed[BENCH_ROUNDS_MAX];  /* packing and unpacking included */
} bench_rival;

typedef struct bench_rivals {
    bench_rival *all;
    size_t count;
    bench_clock *now;
    bench_figure *figure;
} bench_rivals;

/* trees: bits 1 << peer_tree, among them that of PEER_MEDIUM; 0: none.  calls: 1 << peer_call.
 * instances: of worlds.  False: out of memory. */
bool bench_rivals_make(bench_rivals *rivals, unsigned trees, unsigned calls, bench_query query,
                       bool instances);
void bench_rivals_free(bench_rivals *rivals);

/* Runs each call once, into round 0, and keeps those that may be the best. */
void bench_rivals_warm_up(bench_rivals *rivals, bench_peer *peer);

/* Runs those that are in, the first one of each tree twice: its first time is overwritten. */
void bench_rivals_run(bench_rivals *rivals, bench_peer *peer, size_t round);

/* What ours compare with after some rounds: fills the row's figures of the peer's.  ours: the
 * seconds of each round. */
void bench_rivals_report(const bench_rivals *rivals, const double *ours, size_t rounds,
                         size_t ray_count, bench_row *row);

/* The best of all trees but the robust ones; NULL: none. */
const bench_rival *bench_rivals_best(const bench_rivals *rivals, size_t rounds);

/* ---- relative.c: rows of bench that compare one way to ask ours with another ---- */

/* Adds a row of how many times as fast one way is as the other, which asks as many questions; their
 * answers are the row's own.  hits: whether the row has the share that hits.  beside: a name of the
 * other way, where both are told in microseconds a question; NULL: the ratio is the figure.  Where
 * the first has tasks, both are timed on the wall.  EXIT_DONE or the status of a reported error. */
int bench_relative_add(bench_job *job, bench_scene *s, const char *name, bench_asking ways[2],
                       bool hits, const char *beside);
