/* task.h: the library's side of sl_tasks, for everything that is done in parallel.  The calling
 * thread works alone where tasks are NULL, or have no function or no worker. */
#pragma once

#include <sightline/base.h>

/* False for tasks without a function or with a worker_count below 1; NULL is usable. */
bool sli_tasks_are_usable(const sl_tasks *tasks);

/* SL_INVALID_ARGUMENT for tasks that are not, and for half an allocator (memory.h); def:
 * "sl_..._def". */
sl_result sli_check_hooks(const sl_hooks *hooks, const char *def, sl_error *error);

void sli_parallel_for(const sl_tasks *tasks, size_t count, size_t grain, sl_range_fn *fn,
                      void *context);

/* At least 1. */
int sli_worker_count(const sl_tasks *tasks);
