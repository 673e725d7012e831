/* timing.h: what measurements share: the clock of this thread, and medians of rounds. */
#ifndef TEST_MEASURE_TIMING_H
#define TEST_MEASURE_TIMING_H

#include <stdlib.h>
#include <time.h>

static inline double timing_seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static inline int timing_compare(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return x < y ? -1 : x > y;
}

static inline double timing_median(double *values, size_t count)
{
    qsort(values, count, sizeof *values, timing_compare);
    return values[count / 2];
}

#endif
