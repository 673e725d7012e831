/* task.c: a range cut into blocks and given to the caller's parallel_for, or worked off here; for
 * the builder and for queries over arrays. */
#include "lib/base/thread/task.h"

#include "lib/base/error.h"
#include "lib/base/memory.h"

bool sli_tasks_are_usable(const sl_tasks *tasks)
{
    return tasks == NULL || (tasks->parallel_for != NULL && tasks->worker_count >= 1);
}

sl_result sli_check_hooks(const sl_hooks *hooks, const char *def, sl_error *error)
{
    if (!sli_tasks_are_usable(hooks->tasks)) {
        return sli_refuse(error,
                          "%s.hooks.tasks has no function or no worker; NULL is the calling thread "
                          "alone",
                          def);
    }
    return sli_check_allocator(&hooks->allocator, error);
}

void sli_parallel_for(const sl_tasks *tasks, size_t count, size_t grain, sl_range_fn *fn,
                      void *context)
{
    if (count == 0) {
        return;
    }
    if (grain == 0) {
        grain = 1;
    }
    if (tasks != NULL && sli_tasks_are_usable(tasks) && count > grain) {
        tasks->parallel_for(tasks->user, count, grain, fn, context);
        return;
    }
    for (size_t begin = 0; begin < count; begin += grain) {
        fn(context, begin, count - begin < grain ? count : begin + grain, 0);
    }
}

int sli_worker_count(const sl_tasks *tasks)
{
    return tasks != NULL && sli_tasks_are_usable(tasks) ? tasks->worker_count : 1;
}
