/* bench/harness/spread.h: what several rounds of a measurement come to. */
#pragma once

#include <stddef.h>

enum { BENCH_ROUNDS_MAX = 99 };

typedef struct bench_spread {
    double median, min, max;
} bench_spread;

/* Of count values, 1 to BENCH_ROUNDS_MAX; the lower median of an even number. */
bench_spread bench_spread_of(const double *values, size_t count);

/* Of count items, each round taking its seconds: millions a second, or microseconds each.  Of two
 * ways to do them: how many times as fast one is as the other. */
typedef bench_spread bench_figure(const double *seconds, size_t rounds, size_t count);
bench_figure bench_rates, bench_microseconds;
bench_spread bench_ratios(const double *one, const double *other, size_t rounds);

/* Sorts values, however many, and returns their median, the upper one of an even number. */
double bench_median(double *values, size_t count);
