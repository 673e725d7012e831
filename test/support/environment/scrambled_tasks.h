/* scrambled_tasks.h: an sl_tasks without threads that does everything that one may do: blocks in a
 * scrambled order, of uneven sizes up to the grain, with rotating worker numbers. */
#pragma once

#include "test/support/input/random.h"

#include <sightline/base.h>

typedef struct scrambled_tasks {
    sl_tasks tasks;
    test_random random;
    int worker;
    bool inside; /* so that a call from within a block is noticed */
    bool nested;
} scrambled_tasks;

/* Valid while *scrambled is. */
const sl_tasks *scrambled_tasks_start(scrambled_tasks *scrambled, int worker_count, uint64_t seed);
