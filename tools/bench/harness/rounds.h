/* bench/harness/rounds.h: ways to do the same, timed in turn. */
#pragma once

#include "tools/bench/harness/ask.h"
#include "tools/bench/harness/clock.h"
#include "tools/bench/harness/spread.h"

typedef struct bench_way {
    void (*run)(void *context);
    void *context;
} bench_way;

/* Runs each way once and keeps its seconds. */
void bench_time_round(const bench_way *ways, size_t count, bench_clock *now, double *seconds);

/* Runs each way once without a clock, then in `rounds` rounds (at most BENCH_ROUNDS_MAX), by the
 * clock of this thread. */
void bench_time_rounds(const bench_way *ways, size_t count, size_t rounds,
                       double (*seconds)[BENCH_ROUNDS_MAX]);

/* A way that queries; batch: as bench_ask_batches has it, BENCH_SINGLY or BENCH_CHAINED. */
#define BENCH_SINGLY  SIZE_MAX
#define BENCH_CHAINED (SIZE_MAX - 1)
typedef struct bench_asking {
    bench_target target;
    const bench_rays *rays;
    size_t batch;
    const bench_answers *answers;
} bench_asking;

bench_way bench_way_of(bench_asking *asking);

/* Of one question, or whatever is counted: triangles, work or seconds. */
typedef struct bench_measured {
    double ratio, ours, theirs;
    bool applies; /* otherwise all are 0 */
} bench_measured;

/* The least of three each (pairs is 0), or the median of `pairs` pairs taken in turn; each is long
 * enough to be timed.  Seconds are those of one query, of which each run has `questions`. */
bench_measured bench_time_pairs(bench_way ours, bench_way theirs, size_t questions, int pairs);
