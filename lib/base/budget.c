/* budget.c: an allocator in front of another one, which refuses what would exceed a limit; for
 * sl_build_def.max_memory. */
#include "lib/base/budget.h"

#include "lib/base/atomic.h"

/* The least counts, so it does not matter if several threads are refused at once. */
static void note_refused(sli_budget *budget, size_t wanted)
{
    size_t before = sli_atomic_load_size(&budget->refused);
    while ((before == 0 || wanted < before) &&
           !sli_atomic_swap_size(&budget->refused, &before, wanted)) {
    }
}

bool sli_budget_take(sli_budget *budget, size_t bytes)
{
    size_t held = sli_atomic_load_size(&budget->held);
    do {
        if (bytes > budget->most - held) {
            note_refused(budget, bytes > SIZE_MAX - held ? SIZE_MAX : held + bytes);
            return false;
        }
    } while (!sli_atomic_swap_size(&budget->held, &held, held + bytes));
    return true;
}

void sli_budget_give(sli_budget *budget, size_t bytes)
{
    (void)sli_atomic_fetch_add_size(&budget->held, 0 - bytes);
}

static void *budget_alloc(sli_front *front, size_t size, size_t align)
{
    sli_budget *budget = (sli_budget *)front;
    if (!sli_budget_take(budget, size)) {
        return NULL;
    }
    void *memory = sli_front_behind(front, size, align);
    if (memory == NULL) {
        sli_budget_give(budget, size);
    }
    return memory;
}

static void budget_free(sli_front *front, void *memory, size_t size)
{
    sli_free(&front->from, memory, size);
    sli_budget_give((sli_budget *)front, size);
}

sl_allocator sli_budget_start(sli_budget *budget, const sl_allocator *from, size_t most)
{
    *budget = (sli_budget){ .front = { *from, budget_alloc, budget_free }, .most = most };
    return sli_front_start(&budget->front);
}

sli_budget *sli_budget_of(const sl_allocator *allocator)
{
    sli_front *front = sli_front_of(allocator);
    return front != NULL && front->alloc == budget_alloc ? (sli_budget *)front : NULL;
}
