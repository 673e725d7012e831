#include "test/cliffs/times.h"

#include <math.h>
#include <stdlib.h>
#include <time.h>

static double seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* Seconds of so many runs. */
static double time_of(times_way way, int runs)
{
    const double start = seconds();
    for (int i = 0; i < runs; i++) {
        way.run(way.context);
    }
    return seconds() - start;
}

/* Enough runs for a third of a millisecond. */
static int runs_of(times_way way)
{
    int runs = 1;
    double spent = time_of(way, 1);
    while (spent < 3e-4 && runs < 1 << 20) {
        runs *= 2;
        spent = time_of(way, runs);
    }
    return runs;
}

static int compare_doubles(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

enum { PAIRS_MAX = 101 };

measured times_compare(times_way ours, times_way theirs, size_t questions, int pairs)
{
    const times_way ways[2] = { ours, theirs };
    const int runs[2] = { runs_of(ours), runs_of(theirs) };
    double ratio[PAIRS_MAX], least[2] = { INFINITY, INFINITY };
    const int rounds = pairs == 0 ? 3 : pairs < PAIRS_MAX ? pairs : PAIRS_MAX;
    for (int i = 0; i < rounds; i++) {
        double spent[2];
        for (int turn = 0; turn < 2; turn++) {
            const int which = (i + turn) % 2;
            spent[which] = time_of(ways[which], runs[which]) / runs[which];
            least[which] = fmin(least[which], spent[which]);
        }
        ratio[i] = spent[0] / spent[1];
    }
    qsort(ratio, (size_t)rounds, sizeof ratio[0], compare_doubles);
    const double each = 1 / (double)questions;
    return (measured){ pairs == 0 ? least[0] / least[1] : ratio[rounds / 2], least[0] * each,
                       least[1] * each, true };
}
