/* bench/harness/rounds.c: times ways to do the same in turn. */
#include "tools/bench/harness/rounds.h"

#include <math.h>

void bench_time_round(const bench_way *ways, size_t count, bench_clock *now, double *seconds)
{
    for (size_t i = 0; i < count; i++) {
        const double start = now();
        ways[i].run(ways[i].context);
        seconds[i] = now() - start;
    }
}

void bench_time_rounds(const bench_way *ways, size_t count, size_t rounds,
                       double (*seconds)[BENCH_ROUNDS_MAX])
{
    for (size_t round = 0; round <= rounds; round++) {
        for (size_t i = 0; i < count; i++) {
            bench_time_round(&ways[i], 1, bench_cpu_seconds,
                             &seconds[i][round > 0 ? round - 1 : 0]);
        }
    }
}

static void run_asking(void *context)
{
    const bench_asking *a = context;
    if (a->batch == BENCH_SINGLY) {
        bench_ask_singly(&a->target, a->rays, a->answers);
    } else if (a->batch == BENCH_CHAINED) {
        bench_ask_chained(&a->target, a->rays, a->answers);
    } else {
        bench_ask_batches(&a->target, a->rays, a->batch, a->answers);
    }
}

bench_way bench_way_of(bench_asking *asking)
{
    return (bench_way){ run_asking, asking };
}

/* Seconds that `runs` runs take. */
static double time_runs(bench_way way, int runs)
{
    const double start = bench_cpu_seconds();
    for (int i = 0; i < runs; i++) {
        way.run(way.context);
    }
    return bench_cpu_seconds() - start;
}

/* Enough runs for a third of a millisecond. */
static int count_runs(bench_way way)
{
    int runs = 1;
    double spent = time_runs(way, 1);
    while (spent < 3e-4 && runs < 1 << 20) {
        runs *= 2;
        spent = time_runs(way, runs);
    }
    return runs;
}

bench_measured bench_time_pairs(bench_way ours, bench_way theirs, size_t questions, int pairs)
{
    const bench_way ways[2] = { ours, theirs };
    const int runs[2] = { count_runs(ours), count_runs(theirs) };
    double ratio[BENCH_ROUNDS_MAX], least[2] = { INFINITY, INFINITY };
    const int rounds = pairs == 0 ? 3 : pairs < BENCH_ROUNDS_MAX ? pairs : BENCH_ROUNDS_MAX;
    for (int i = 0; i < rounds; i++) {
        double spent[2];
        for (int turn = 0; turn < 2; turn++) {
            const int which = (i + turn) % 2;
            spent[which] = time_runs(ways[which], runs[which]) / runs[which];
            least[which] = fmin(least[which], spent[which]);
        }
        ratio[i] = spent[0] / spent[1];
    }
    const double each = 1 / (double)questions;
    return (bench_measured){ pairs == 0 ? least[0] / least[1] : bench_median(ratio, (size_t)rounds),
                             least[0] * each, least[1] * each, true };
}
