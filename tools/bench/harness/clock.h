/* bench/harness/clock.h: clocks, and staying on one processor. */
#pragma once

#include <stdbool.h>

typedef double bench_clock(void);

/* Seconds that this thread has had on a processor, at any rate and however busy the machine. */
double bench_cpu_seconds(void);

/* The same of all threads of the program together. */
double bench_program_seconds(void);

/* Seconds on the wall, for what runs on several threads. */
double bench_wall_seconds(void);

/* Keeps this thread on the processor where it is, until the next call with false.  Threads that are
 * started meanwhile stay there, too.  Does nothing where the system cannot. */
void bench_pin(bool pinned);
