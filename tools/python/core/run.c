/* run.c: a question over an array: in blocks, over threads, without the interpreter's lock, with a
 * look at signals every twentieth of a second. */
#include "tools/python/core/job.h"

#include <stdlib.h>

/* Args: target, doubles, kind, count, four arrays of items, options, threads. */
bool core_job_open(core_state *state, core_job *job, const char *name, PyObject *const *args)
{
    *job = (core_job){ .name = name, .block_size = 4096 };
    job->options.query.skip[0].prim = job->options.query.skip[1].prim = SL_NONE;
    long long doubles, threads;
    if (!core_long(args[1], &doubles) || !core_size(args[3], &job->count) ||
        !core_long(args[9], &threads)) {
        return false;
    }
    job->items.doubles = doubles != 0;
    if (PyObject_TypeCheck(args[0], state->tree) && !doubles) {
        job->target = CORE_TREE;
        job->bvh = ((core_tree *)args[0])->bvh;
    } else {
        const core_scene *scene = core_scene_of(state, args[0]);
        if (scene == NULL) {
            return false;
        }
        job->target = doubles ? CORE_SCENE_D : CORE_SCENE;
        job->scene = scene->scene;
        job->block_size = 1024;
    }
    if (!core_items_read(state, job, args[2], args + 4) ||
        !core_options_read(state, job, args[8])) {
        return false;
    }
    job->tasks = core_tasks(state, job->options.filter.call != NULL ? 1 : (long)threads);
    job->workers = job->tasks != NULL ? job->tasks->worker_count : 1;
    if (job->tasks == NULL && job->items.direct != NULL && !job->options.varies) {
        job->block_size = 65536; /* nothing is gathered: the library cuts it into blocks itself */
    }
    return !PyErr_Occurred();
}

void core_job_close(core_job *job)
{
    for (int i = 0; i < job->workers && job->scratch != NULL; i++) {
        free(job->scratch[i].items);
        free(job->scratch[i].options);
    }
    free(job->scratch);
    core_options_free(&job->options);
    core_loans_end(&job->loans);
}

bool core_job_prepare(core_job *job)
{
    const size_t count = job->count < job->block_size ? job->count : job->block_size;
    job->scratch = calloc((size_t)job->workers, sizeof *job->scratch);
    bool made = job->scratch != NULL;
    for (int i = 0; i < job->workers && made; i++) {
        core_scratch *s = &job->scratch[i];
        if (job->items.direct == NULL) {
            s->items = malloc(count * job->items.size + 1);
            made = s->items != NULL;
        }
        if (job->options.varies && made) {
            s->options = malloc(count * sizeof *s->options + 1);
            made = s->options != NULL;
        }
    }
    return made;
}

/* A stretch of a job that goes on from item `first`. */
typedef struct stretch {
    const core_job *job;
    size_t first;
} stretch;

static void run_block(void *context, size_t begin, size_t end, int worker)
{
    const stretch *s = context;
    const core_job *job = s->job;
    core_scratch *scratch = &job->scratch[worker];
    const size_t first = s->first + begin, count = end - begin;
    sl_query query;
    const sl_query *used = core_query_of(job, first, count, scratch, &query);
    job->block(job, core_items_of(job, first, count, scratch), first, count, used);
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
 * many triangles takes a millisecond and more. */
static bool run_all(core_job *job)
{
    const size_t block_most = job->block_size, most = block_most * (size_t)job->workers;
    size_t length = most < 256 ? most : 256, first = 0;
    while (first < job->count) {
        const size_t left = job->count - first, now = length < left ? length : left;
        const double started = core_seconds();
        core_job_stretch(job, first, now);
        first += now;
        length = next_length(job, block_most, length, now, core_seconds() - started);
        if (!core_wait_look(&job->wait, job->name, (double)first / (double)job->count, false)) {
            return false;
        }
    }
    return true;
}

bool core_job_run(core_state *state, core_job *job, PyObject *progress)
{
    if (!core_job_prepare(job)) {
        PyErr_NoMemory();
        return false;
    }
    core_wait_begin(&job->wait, progress);
    run_all(job);
    if (!core_wait_end(&job->wait)) {
        core_wait_raise(state, &job->wait);
        return false;
    }
    return true;
}
