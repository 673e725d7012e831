/* budget.h: an allocator that never holds more than a given number of bytes at once.
 *
 * It asks another one, and refuses what would be too much; it counts what is asked for, not what
 * the other allocator makes of it.  Memory may be given back to the other one, too, when the budget
 * is no longer there.  Threads may share it. */
#pragma once

#include "lib/base/memory.h"

typedef struct sli_budget {
    sli_front front;
    size_t most; /* bytes */
    size_t held;
    size_t refused; /* what would have been held, of the least that was refused; 0: nothing was */
} sli_budget;

/* The allocator refers to the budget. */
sl_allocator sli_budget_start(sli_budget *budget, const sl_allocator *from, size_t most);

/* The budget behind an allocator, or NULL. */
sli_budget *sli_budget_of(const sl_allocator *allocator);

/* Counts bytes that come from elsewhere; false: refused. */
bool sli_budget_take(sli_budget *budget, size_t bytes);
void sli_budget_give(sli_budget *budget, size_t bytes);
