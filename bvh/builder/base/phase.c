/* Runs the blocks of a build in the library's floating-point environment, for every file of this
 * folder; in slices of time where that is asked for. */
#include "bvh/builder/base/phase.h"

#include "lib/base/error.h"
#include "lib/base/fpenv.h"
#include "lib/base/thread/task.h"

/* Blocks for each worker between two reports: about 50 ms of work. */
enum { BLOCKS_PER_SLICE = 32 };

/* Of a build in slices, what is handed over at once: as many blocks as take about this long. */
static const uint64_t portion_min_ns = 60000, portion_max_ns = 200000;

typedef struct slice {
    sl_range_fn *fn;
    void *context;
    size_t offset;
    const sli_phase *phase;
} slice;

static void run_block(void *context, size_t begin, size_t end, int worker)
{
    const slice *part = context;
    SLI_DO_IN_FPENV(part->fn(part->context, part->offset + begin, part->offset + end, worker));
    sli_phase_pause(part->phase);
}

/* Blocks that the thread which steps gives to the workers, a portion at a time. */
typedef struct portions {
    slice all;
    size_t done, count, grain;
    size_t blocks; /* of the next portion */
} portions;

static bool run_portion(void *context)
{
    portions *job = context;
    const sl_tasks *tasks = job->all.phase->tasks;
    const size_t left = job->count - job->done, most = job->blocks * job->grain;
    const size_t count = left < most ? left : most;
    slice part = job->all;
    part.offset += job->done;
    const uint64_t start = sli_clock_ns();
    sli_parallel_for(tasks, count, job->grain, run_block, &part);
    const uint64_t time = sli_clock_ns() - start;
    const size_t workers = (size_t)sli_worker_count(tasks);
    if (time < portion_min_ns) {
        job->blocks *= 2;
    } else if (time > portion_max_ns && job->blocks >= 2 * workers) {
        job->blocks /= 2;
    }
    job->done += count;
    return job->done == job->count;
}

/* Blocks of a build, or of a part of one, on whichever threads. */
static void run_blocks(const slice *all, size_t count, size_t grain)
{
    const sli_phase *phase = all->phase;
    slice part = *all;
    if (phase->slices == NULL || phase->tasks == NULL || count <= grain) {
        sli_parallel_for(phase->tasks, count, grain, run_block, &part);
        return;
    }
    portions job = { .all = part,
                     .count = count,
                     .grain = grain,
                     .blocks = (size_t)sli_worker_count(phase->tasks) };
    sli_slices_hand_over(phase->slices, run_portion, &job);
}

SLI_NOINLINE static float share(size_t done, size_t total)
{
    return (float)((double)done / (double)total);
}

typedef struct report {
    const sl_progress *progress;
    const char *name;
    float fraction;
    bool go_on;
} report;

static bool call_hook(void *context)
{
    report *at = context;
    at->go_on = at->progress->report(at->progress->user, at->name, at->fraction);
    return true;
}

sl_result sli_phase_report(const sli_phase *phase, const char *name, size_t done, size_t total)
{
    if (phase->progress.report == NULL) {
        return SL_OK;
    }
    report at = { .progress = &phase->progress, .name = name };
    at.fraction = SLI_IN_FPENV(share(done, total));
    if (phase->slices != NULL) {
        sli_slices_hand_over(phase->slices, call_hook, &at);
    } else {
        (void)call_hook(&at);
    }
    if (!at.go_on) {
        return sli_fail_plain(phase->error, SL_CANCELLED, "the build was cancelled in stage '%s'",
                              name);
    }
    return SL_OK;
}

void sli_phase_blocks(const sli_phase *phase, size_t count, size_t grain, sl_range_fn *fn,
                      void *context)
{
    const slice all = { .fn = fn, .context = context, .phase = phase };
    run_blocks(&all, count, grain);
}

sl_result sli_phase_run(const sli_phase *phase, const char *name, size_t count, size_t grain,
                        sl_range_fn *fn, void *context)
{
    size_t step = count;
    if (phase->progress.report != NULL) {
        step = grain * BLOCKS_PER_SLICE * (size_t)sli_worker_count(phase->tasks);
    }
    for (size_t begin = 0; begin < count; begin += step) {
        SLI_TRY(sli_phase_report(phase, name, begin, count));
        const slice part = { .fn = fn, .context = context, .offset = begin, .phase = phase };
        const size_t left = count - begin;
        run_blocks(&part, left < step ? left : step, grain);
    }
    return SL_OK;
}

typedef struct each {
    sli_index_fn *fn;
    void *context;
} each;

static void call_each(void *context, size_t begin, size_t end, int worker)
{
    (void)worker;
    const each *job = context;
    for (size_t i = begin; i < end; i++) {
        job->fn(job->context, i);
    }
}

void sli_phase_each(const sli_phase *phase, size_t count, size_t grain, sli_index_fn *fn,
                    void *context)
{
    each job = { fn, context };
    sli_phase_blocks(phase, count, grain, call_each, &job);
}

sl_result sli_phase_run_each(const sli_phase *phase, const char *name, size_t count, size_t grain,
                             sli_index_fn *fn, void *context)
{
    each job = { fn, context };
    return sli_phase_run(phase, name, count, grain, call_each, &job);
}

typedef struct single {
    void (*fn)(void *context);
    void *context;
} single;

static void call_single(void *context, size_t begin, size_t end, int worker)
{
    (void)begin, (void)end, (void)worker;
    const single *job = context;
    job->fn(job->context);
}

void sli_phase_once(const sli_phase *phase, void (*fn)(void *context), void *context)
{
    single job = { fn, context };
    sli_phase_blocks(phase, 1, 1, call_single, &job);
}
