/* task.h: the library's side of sl_tasks: NULL means the calling thread alone. */
#ifndef SLI_BASE_TASK_H
#define SLI_BASE_TASK_H

#include <sightline/task.h>

void sli_parallel_for(const sl_tasks *tasks, size_t count, size_t grain, sl_range_fn *fn,
                      void *context);

/* At least 1. */
int sli_worker_count(const sl_tasks *tasks);

#endif
