/* run.c: a query over an array: in blocks, over threads, without the interpreter's lock, with a
 * look at signals every twentieth of a second. */
#include "tools/python/core/job.h"

#include <stdlib.h>

/* Whether the query is one about such items, of such a tree. */
static bool run_suits(const core_job *job, bool over_instances)
{
    const core_query *q = job->query;
    const core_kind kind = job->items.kind;
    return (kind == q->kind || (q->kind == CORE_RAYS && kind == CORE_SEGMENTS)) &&
           (q->row_d != 0 || (!job->items.doubles && !over_instances));
}

bool core_job_open(core_call *call, core_job *job)
{
    PyObject *const *args = call->args;
    *job = (core_job){ .call = call, .query = core_query_named(args[0]) };
    job->bvh = job->query != NULL ? core_held(call, args[1], CORE_BVH) : NULL;
    long long doubles;
    if (job->bvh == NULL || !core_long(args[2], &doubles) || !core_size(args[4], &job->count)) {
        return false;
    }
    core_items *it = &job->items;
    it->doubles = doubles != 0;
    if (!core_items_read(job, args[3], args + 5) || !core_options_read(job, args[9]) ||
        !core_tasks(call, args[10], &job->tasks)) {
        return false;
    }
    const sl_bvh_info info = sl_bvh_get_info(job->bvh);
    if (!run_suits(job, info.over_instances)) {
        return core_refuse(call, "%s is not a query about these", job->query->name);
    }
    const sl_options *options = &job->options.query;
    it->fan = it->fan && job->query->form == CORE_FANS && !info.over_instances &&
              options->items == NULL && options->filter == NULL;
    if (job->options.filter.function != NULL) {
        job->tasks = NULL;
    }
    job->workers = job->tasks != NULL ? job->tasks->worker_count : 1;
    const bool gathers = it->direct == NULL && !it->fan;
    job->block_size = doubles || info.over_instances ? 1024 : 4096;
    if (job->tasks == NULL && !gathers) {
        job->block_size = 65536; /* the library cuts it into blocks itself */
    }
    return true;
}

void core_job_close(core_job *job)
{
    free(job->scratch);
    core_options_free(&job->options);
}

bool core_job_prepare(core_job *job)
{
    if (job->items.direct != NULL || job->items.fan) {
        return true;
    }
    const size_t count = job->count < job->block_size ? job->count : job->block_size;
    job->scratch_size = count * job->items.size;
    job->scratch = malloc((size_t)job->workers * job->scratch_size + 1);
    if (job->scratch == NULL) {
        PyErr_NoMemory();
    }
    return job->scratch != NULL;
}

/* A stretch of a job that goes on from item `first`. */
typedef struct stretch {
    core_job *job;
    size_t first;
} stretch;

static void run_block(void *context, size_t begin, size_t end, int worker)
{
    const stretch *s = context;
    s->job->block(s->job, s->first + begin, end - begin, worker);
}

void core_job_stretch(core_job *job, size_t first, size_t count)
{
    stretch s = { .job = job, .first = first };
    if (job->tasks != NULL && count > job->block_size) {
        job->tasks->parallel_for(job->tasks->user, count, job->block_size, run_block, &s);
        return;
    }
    for (size_t begin = 0; begin < count; begin += job->block_size) {
        const size_t left = count - begin;
        run_block(&s, begin, begin + (left < job->block_size ? left : job->block_size), 0);
    }
}

/* How long the next stretch is, after one of `now` items: it shall take some hundredths of a
 * second.  Items that take long each are handed out in small blocks, so that all workers, of
 * several, have some; what else kept the last stretch counts for the next one only. */
static size_t next_length(core_job *job, size_t block_most, size_t length, size_t now,
                          double seconds)
{
    const double block_seconds = 0.005 * (double)now;
    job->block_size = block_most;
    while (job->workers > 1 && job->block_size > 1 &&
           seconds * (double)job->block_size > block_seconds) {
        job->block_size /= 2;
    }
    if (seconds > 0.1) {
        return length > 1 ? length / 2 : 1;
    }
    return seconds < 0.005 ? 8 * length : seconds < 0.02 ? 2 * length : length;
}

/* Signals are looked at between stretches.  The first ones are short: a point in an open mesh of
 * many triangles, and one that is baked, takes milliseconds. */
static bool run_all(core_job *job)
{
    const size_t block_most = job->block_size, most = block_most * (size_t)job->workers;
    const bool slow = job->query->form == CORE_BOUNDED || job->query->form == CORE_BAKE;
    const size_t least = slow ? 8 : 256;
    size_t length = most < least ? most : least, first = 0;
    while (first < job->count) {
        const size_t left = job->count - first, now = length < left ? length : left;
        const double started = core_seconds();
        core_job_stretch(job, first, now);
        first += now;
        length = next_length(job, block_most, length, now, core_seconds() - started);
        if (!core_wait_look(&job->call->wait, job->query->name,
                            (double)first / (double)job->count)) {
            return false;
        }
    }
    return true;
}

bool core_job_run(core_job *job, PyObject *progress)
{
    if (!core_job_prepare(job)) {
        return false;
    }
    core_begin(job->call, progress);
    run_all(job);
    return core_end(job->call, SL_OK);
}
