/* bench/duel.h: one set, asked of our tree and of the peer's trees in turn. */
#ifndef TOOLS_BENCH_DUEL_H
#define TOOLS_BENCH_DUEL_H

#include "tools/bench/ours.h"
#include "tools/bench/peer.h"
#include "tools/bench/row.h"
#include "tools/cli/progress.h"

typedef struct bench_duel {
    const sl_bvh *bvh;
    bench_peer *peer; /* NULL: we are alone */
    unsigned trees;   /* bits 1 << peer_tree: those of the peer's that count */
    bool single;      /* one ray a call, on both sides */
    size_t rounds;    /* 1 .. BENCH_ROUNDS_MAX */
    float tolerance;  /* t and distances are equal within this and 1e-4 of themselves */
    progress *bar;    /* drawn under the name of the row */
} bench_duel;

/* Fills row->count and what follows it.  A first round, which does not count, warms up and sends
 * home the calls of the peer that are more than a sixth slower than the best; the others stay for
 * all rounds, and the one of the smallest median is the peer's figure.  False: out of memory. */
bool bench_duel_run(const bench_duel *duel, const bench_rays *rays, bench_row *row);

#endif
