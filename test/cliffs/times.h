/* times.h: two ways to do the same, timed in turn. */
#ifndef TEST_CLIFFS_TIMES_H
#define TEST_CLIFFS_TIMES_H

#include <stdbool.h>
#include <stddef.h>

/* Of one ray, or whatever is counted: triangles, work or seconds. */
typedef struct measured {
    double ratio, ours, theirs;
    bool applies; /* otherwise all are 0 */
} measured;

typedef void times_run(void *context);

typedef struct times_way {
    times_run *run;
    void *context;
} times_way;

/* The least of three each (pairs is 0), or the median of so many pairs taken in turn; each is long
 * enough to be timed.  Seconds are those of one of `questions`. */
measured times_compare(times_way ours, times_way theirs, size_t questions, int pairs);

#endif
