/* bench_duel.h: one set, asked of our tree and of the peer's trees in turn. */
#ifndef TOOLS_BENCH_DUEL_H
#define TOOLS_BENCH_DUEL_H

#include "tools/bench_ours.h"
#include "tools/bench_peer.h"
#include "tools/bench_rounds.h"

/* One line of the report: a figure of ours, and the peer's beside it. */
typedef struct bench_row {
    char scene[64], quality[16], row[24], unit[16];
    uint64_t triangles, count; /* of the mesh; rays, or whatever was counted */
    bench_spread ours;         /* in units */
    bool has_peer;
    char peer_call[32];
    bench_spread peer, ratio; /* ratio: ours over the peer's, round by round */
    bool has_robust;
    char robust_call[32];
    bench_spread robust, robust_ratio;
    double agree; /* share of equal answers; where there is a peer */
} bench_row;

typedef struct bench_duel {
    const sl_bvh *bvh;
    bench_peer *peer; /* NULL: we are alone */
    unsigned trees;   /* bits 1 << peer_tree: those that count */
    size_t rounds;    /* 1 .. BENCH_ROUNDS_MAX */
    float tolerance;  /* t and distances are equal within this and 1e-4 of themselves */
} bench_duel;

/* Fills count and what follows it.  A first round, which does not count, warms up and sends home
 * the calls of the peer that are more than a sixth slower than the best; the rest stay for all
 * rounds.  False: out of memory. */
bool bench_duel_run(const bench_duel *duel, const bench_rays *rays, bench_row *out);

#endif
