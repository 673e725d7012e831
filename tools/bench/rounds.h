/* bench/rounds.h: time on one processor, and what several rounds of it come to. */
#ifndef TOOLS_BENCH_ROUNDS_H
#define TOOLS_BENCH_ROUNDS_H

#include <stdbool.h>
#include <stddef.h>

enum { BENCH_ROUNDS_MAX = 99 };

/* Seconds that this thread has had on a processor, at any rate and however busy the machine. */
double bench_cpu_seconds(void);

/* The same of all threads of the program together. */
double bench_program_seconds(void);

/* Keeps this thread on the processor where it is, until the next call with false.  Threads that are
 * started meanwhile stay there, too.  Does nothing where the system cannot. */
void bench_pin(bool pinned);

typedef struct bench_spread {
    double median, min, max;
} bench_spread;

/* Of count values, 1 to BENCH_ROUNDS_MAX; the lower median of an even number. */
bench_spread bench_spread_of(const double *values, size_t count);

/* Of count things done in so many seconds: millions a second.  Of two ways to do them: how many
 * times as fast one is as the other. */
bench_spread bench_rates(const double *seconds, size_t rounds, size_t count);
bench_spread bench_ratios(const double *one, const double *other, size_t rounds);

#endif
