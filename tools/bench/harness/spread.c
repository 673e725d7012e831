/* bench/harness/spread.c: the median, smallest and largest of several rounds. */
#include "tools/bench/harness/spread.h"

#include <stdlib.h>
#include <string.h>

static int by_value(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

double bench_median(double *values, size_t count)
{
    qsort(values, count, sizeof *values, by_value);
    return values[count / 2];
}

bench_spread bench_spread_of(const double *values, size_t count)
{
    double sorted[BENCH_ROUNDS_MAX];
    memcpy(sorted, values, count * sizeof *values);
    (void)bench_median(sorted, count);
    return (bench_spread){ sorted[(count - 1) / 2], sorted[0], sorted[count - 1] };
}

bench_spread bench_rates(const double *seconds, size_t rounds, size_t count)
{
    double rate[BENCH_ROUNDS_MAX];
    for (size_t round = 0; round < rounds; round++) {
        rate[round] = 1e-6 * (double)count / seconds[round];
    }
    return bench_spread_of(rate, rounds);
}

bench_spread bench_microseconds(const double *seconds, size_t rounds, size_t count)
{
    const bench_spread s = bench_spread_of(seconds, rounds);
    const double each = 1e6 / (double)count;
    return (bench_spread){ s.median * each, s.min * each, s.max * each };
}

bench_spread bench_ratios(const double *one, const double *other, size_t rounds)
{
    double ratio[BENCH_ROUNDS_MAX];
    for (size_t round = 0; round < rounds; round++) {
        ratio[round] = other[round] / one[round];
    }
    return bench_spread_of(ratio, rounds);
}
