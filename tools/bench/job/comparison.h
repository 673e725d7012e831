/* bench/job/comparison.h: one set, on our tree and on the peer's trees in turn. */
#pragma once

#include "tools/bench/job/job.h"

enum { BENCH_WAYS_MAX = 2 };

typedef struct bench_comparison {
    bench_target target; /* with tasks, both run on as many threads, by the clock on the wall */
    bench_peer *peer;    /* NULL: none */
    unsigned trees;      /* bits 1 << peer_tree: those that count, MEDIUM among them */
    bool single_only;    /* the peer's calls for a single ray alone */
    size_t rounds;       /* 1 .. BENCH_ROUNDS_MAX */
    float tolerance;     /* t and distances are equal within this and 1e-4 of themselves */
    const char *entered; /* a row for the instances that a question enters; NULL: none */
    bench_scene *scene;  /* for its sets, and its bar, which is drawn under the name of the row */
} bench_comparison;

/* Of the tree or the world of a scene. */
bench_comparison bench_comparison_of(const bench_job *job, bench_scene *s);

/* Fills row->count and what follows it, for each of 1 to BENCH_WAYS_MAX ways to ask ours, and adds
 * the rows: batches[i] questions a call, 0 all in one, 1 by the call for a single one.  A first
 * round, which does not count, warms up and drops the calls of the peer that are far from its best;
 * the others run in all rounds, and the one with the smallest median is the peer's figure.
 * EXIT_DONE or the status of a reported error. */
int bench_comparison_add(const bench_comparison *comparison, const bench_rays *rays,
                         const size_t *batches, bench_row *rows, size_t row_count, bench_job *job);

/* The same of a set, which may have no rays, and then no rows; then the row of what is entered. */
int bench_set_add(const bench_comparison *comparison, bench_set set, const size_t *batches,
                  bench_row *rows, size_t row_count, bench_job *job);
