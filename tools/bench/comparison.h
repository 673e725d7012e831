/* bench/comparison.h: one set, on our tree and on the peer's trees in turn. */
#ifndef TOOLS_BENCH_COMPARISON_H
#define TOOLS_BENCH_COMPARISON_H

#include "tools/bench/ours.h"
#include "tools/bench/peer/peer.h"
#include "tools/bench/report/row.h"
#include "tools/cli/progress.h"

enum { BENCH_WAYS_MAX = 2 };

typedef struct bench_comparison {
    bench_target target; /* with tasks, both run on as many threads, by the clock on the wall */
    bench_peer *peer;    /* NULL: none */
    unsigned trees;      /* bits 1 << peer_tree: those that count, MEDIUM among them */
    bool single_only;    /* the peer's calls for a single ray alone */
    size_t rounds;       /* 1 .. BENCH_ROUNDS_MAX */
    float tolerance;     /* t and distances are equal within this and 1e-4 of themselves */
    progress *bar;       /* drawn under the name of the row */
} bench_comparison;

/* Fills row->count and what follows it, for each of 1 to BENCH_WAYS_MAX ways to ask our tree:
 * batches[i] is as bench_ours_run has it, and rows[i] is what is filled.  A first round, which does
 * not count, warms up and drops the calls of the peer that are far from its best; the others run in
 * all rounds, and the one with the smallest median is the peer's figure.  False: out of memory. */
bool bench_comparison_run(const bench_comparison *comparison, const bench_rays *rays,
                          const size_t *batches, bench_row *rows, size_t row_count);

#endif
