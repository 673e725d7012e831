/* Runs the blocks of a build in the library's floating-point environment, for every file of this
 * folder. */
#include "bvh/builder/phase.h"

#include "lib/base/error.h"
#include "lib/base/fpenv.h"
#include "lib/base/thread/task.h"

/* Blocks for each worker between two reports: about 50 ms of work. */
enum { BLOCKS_PER_SLICE = 32 };

typedef struct slice {
    sl_range_fn *fn;
    void *context;
    size_t offset;
} slice;

static void run_block(void *context, size_t begin, size_t end, int worker)
{
    const slice *part = context;
    const sli_fpenv env = sli_fpenv_enter();
    part->fn(part->context, part->offset + begin, part->offset + end, worker);
    sli_fpenv_leave(env);
}

SLI_NOINLINE static float share(size_t done, size_t total)
{
    return (float)((double)done / (double)total);
}

sl_result sli_phase_report(const sli_phase *phase, const char *name, size_t done, size_t total)
{
    const sl_progress *progress = &phase->progress;
    const sli_fpenv env = sli_fpenv_enter();
    const float fraction = share(done, total);
    sli_fpenv_leave(env);
    if (progress->report != NULL && !progress->report(progress->user, name, fraction)) {
        return sli_fail_plain(phase->error, SL_CANCELLED, "the build was cancelled in stage '%s'",
                              name);
    }
    return SL_OK;
}

void sli_phase_blocks(const sli_phase *phase, size_t count, size_t grain, sl_range_fn *fn,
                      void *context)
{
    slice all = { .fn = fn, .context = context };
    sli_parallel_for(phase->tasks, count, grain, run_block, &all);
}

sl_result sli_phase_run(const sli_phase *phase, const char *name, size_t count, size_t grain,
                        sl_range_fn *fn, void *context)
{
    size_t step = count;
    if (phase->progress.report != NULL) {
        step = grain * BLOCKS_PER_SLICE * (size_t)sli_worker_count(phase->tasks);
    }
    for (size_t begin = 0; begin < count; begin += step) {
        const sl_result result = sli_phase_report(phase, name, begin, count);
        if (result != SL_OK) {
            return result;
        }
        slice part = { .fn = fn, .context = context, .offset = begin };
        const size_t left = count - begin;
        sli_parallel_for(phase->tasks, left < step ? left : step, grain, run_block, &part);
    }
    return SL_OK;
}
