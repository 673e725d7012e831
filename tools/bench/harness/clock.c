/* bench/harness/clock.c: clocks of processors and of the wall, and pinning to a processor. */
#if defined(__linux__)
#define _GNU_SOURCE /* sched_getcpu */
#include <sched.h>
#endif

#include "tools/bench/harness/clock.h"

#include <time.h>

static double seconds_on(clockid_t clock)
{
    struct timespec now;
    clock_gettime(clock, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

double bench_wall_seconds(void)
{
    return seconds_on(CLOCK_MONOTONIC);
}

/* Windows counts the time of threads and processes in ticks of 16 ms; only the clock on the wall is
 * fine enough there. */
#if defined(_WIN32)
enum { THREAD_CLOCK = CLOCK_MONOTONIC, PROGRAM_CLOCK = CLOCK_MONOTONIC };
#else
enum { THREAD_CLOCK = CLOCK_THREAD_CPUTIME_ID, PROGRAM_CLOCK = CLOCK_PROCESS_CPUTIME_ID };
#endif

double bench_cpu_seconds(void)
{
    return seconds_on(THREAD_CLOCK);
}

double bench_program_seconds(void)
{
    return seconds_on(PROGRAM_CLOCK);
}

#if defined(__linux__)
void bench_pin(bool pinned)
{
    static cpu_set_t before;
    static bool is_pinned;
    if (pinned == is_pinned) {
        return;
    }
    if (!pinned) {
        is_pinned = sched_setaffinity(0, sizeof before, &before) != 0;
        return;
    }
    const int processor = sched_getcpu();
    if (processor >= 0 && sched_getaffinity(0, sizeof before, &before) == 0) {
        cpu_set_t one;
        CPU_ZERO(&one);
        CPU_SET((size_t)processor, &one);
        is_pinned = sched_setaffinity(0, sizeof one, &one) == 0;
    }
}
#else
void bench_pin(bool pinned)
{
    (void)pinned;
}
#endif
