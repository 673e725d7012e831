/* timing.h: what measurements share: the clocks of this thread and of the wall, and medians of
 * rounds. */
#ifndef TEST_MEASURE_TIMING_H
#define TEST_MEASURE_TIMING_H

#include <stdlib.h>
#include <time.h>

static inline double timing_seconds_on(clockid_t clock)
{
    struct timespec now;
    clock_gettime(clock, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static inline double timing_seconds(void)
{
    return timing_seconds_on(CLOCK_THREAD_CPUTIME_ID);
}

/* For what runs on several threads. */
static inline double timing_wall_seconds(void)
{
    return timing_seconds_on(CLOCK_MONOTONIC);
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
