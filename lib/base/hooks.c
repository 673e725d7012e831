/* hooks.c: sl_hooks as the caller gave them, made ready for use by everything that makes a
 * thing. */
#include "lib/base/hooks.h"

#include "lib/base/error.h"
#include "lib/base/memory.h"
#include "lib/base/thread/task.h"

sl_result sli_check_allocator(const sl_allocator *allocator, sl_error *error)
{
    if (allocator == NULL || (allocator->alloc == NULL) == (allocator->free == NULL)) {
        return SL_OK;
    }
    return sli_refuse(error,
                      "the allocator has no %s; it has alloc and free, or neither for malloc",
                      allocator->alloc == NULL ? "alloc" : "free");
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

sl_hooks sli_hooks(const sl_hooks *hooks)
{
    sl_hooks ready = { .tasks = NULL };
    if (hooks != NULL) {
        ready = *hooks;
    }
    ready.allocator = sli_allocator(&ready.allocator);
    return ready;
}

bool sli_report(const sl_hooks *hooks, const char *phase, float fraction)
{
    return hooks->progress.report == NULL ||
           hooks->progress.report(hooks->progress.user, phase, fraction);
}

bool sli_stage_stops(sli_stage *stage)
{
    if (stage != NULL && !stage->stopped) {
        stage->stopped = !sli_report(stage->hooks, stage->name, stage->done);
    }
    return stage != NULL && stage->stopped;
}

bool sli_stage_reach(sli_stage *stage, float done)
{
    stage->done = done;
    return !sli_stage_stops(stage);
}
