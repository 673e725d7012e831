/* hooks.c: sl_hooks as the caller gave them, made ready for use by everything that makes a
 * thing. */
#include "lib/base/hooks.h"

#include "lib/base/memory.h"

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
