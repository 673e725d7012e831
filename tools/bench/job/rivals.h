/* bench/job/rivals.h: the calls of the peer that a comparison times, and the best of them. */
#pragma once

#include "tools/bench/harness/clock.h"
#include "tools/bench/peer/peer.h"
#include "tools/bench/report/row.h"

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
} bench_rivals;

/* trees: bits 1 << peer_tree, among them that of PEER_MEDIUM; 0: none.  instances: of worlds.
 * False: out of memory. */
bool bench_rivals_make(bench_rivals *rivals, unsigned trees, bool single_only, bench_query query,
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
