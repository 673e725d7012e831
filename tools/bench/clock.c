/* bench/clock.c: processor clocks, and pinning to a processor. */
#if defined(__linux__)
#define _GNU_SOURCE /* sched_getcpu */
#include <sched.h>
#endif

#include "tools/bench/clock.h"

#include "tools/cli/common.h"

#include <time.h>

#if defined(_WIN32)

/* It counts the time of threads and processes in ticks of 16 ms; only the clock is fine enough. */
double bench_cpu_seconds(void)
{
    return common_seconds();
}

double bench_program_seconds(void)
{
    return common_seconds();
}

#else

static double seconds_on(clockid_t clock)
{
    struct timespec now;
    clock_gettime(clock, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

double bench_cpu_seconds(void)
{
    return seconds_on(CLOCK_THREAD_CPUTIME_ID);
}

double bench_program_seconds(void)
{
    return seconds_on(CLOCK_PROCESS_CPUTIME_ID);
}

#endif

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
