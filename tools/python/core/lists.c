/* lists.c: queries whose answers are lists of different lengths. */
#include "tools/python/core/job.h"

#include <stdlib.h>

/* Items are asked a few thousand at a time: first with room for some answers each, and those that
 * have more a second time, where their answers are to stand. */
enum { STRETCH = 2048, ROOM = 8 };

typedef struct lists {
    core_job job; /* first: a block gets a job, and casts it */
    size_t row;   /* bytes of an answer */
    size_t first; /* item of the stretch at hand */
    char *rows;   /* STRETCH * room answers */
    size_t scratch;
    uint64_t *totals;      /* of the stretch */
    uint64_t *offsets;     /* of the stretch, in answers from the start of it */
    char *values;          /* all that was found */
    size_t used, capacity; /* of values, in answers */
} lists;

static lists *lists_of(core_job *job)
{
    return (lists *)(void *)job;
}

/* Totals, and the first answers of each item. */
static void list_first(core_job *job, size_t first, size_t count, int worker)
{
    const lists *l = lists_of(job);
    const size_t at = first - l->first;
    core_part part;
    core_part_open(job, first, count, worker, &part);
    part.out = l->rows + at * l->scratch * l->row;
    part.capacity = l->scratch;
    part.totals = l->totals + at;
    job->query->answer(job, &part);
}

/* Puts the answers of a block where they are to stay; of an item that has more than were kept, by
 * asking it again. */
static void list_settled(core_job *job, size_t first, size_t count, int worker)
{
    const lists *l = lists_of(job);
    for (size_t i = first; i < first + count; i++) {
        const size_t at = i - l->first, n = (size_t)(l->offsets[at + 1] - l->offsets[at]);
        if (n == 0) {
            continue; /* there may be no values at all */
        }
        char *to = l->values + (l->used + (size_t)l->offsets[at]) * l->row;
        if (n <= l->scratch) {
            memcpy(to, l->rows + at * l->scratch * l->row, n * l->row);
            continue;
        }
        core_part part;
        core_part_open(job, i, 1, worker, &part);
        part.out = to;
        part.capacity = n;
        part.totals = &l->totals[at];
        job->query->answer(job, &part);
    }
}

static bool reserve_values(lists *l, size_t more)
{
    if (l->used + more <= l->capacity) {
        return true;
    }
    const size_t twice = 2 * l->capacity;
    const size_t capacity = l->used + more > twice ? l->used + more : twice;
    char *values = capacity <= PTRDIFF_MAX / l->row ? realloc(l->values, capacity * l->row) : NULL;
    if (values != NULL) {
        l->values = values;
        l->capacity = capacity;
    }
    return values != NULL;
}

/* Asks items first .. first + count - 1.  False: out of memory. */
static bool list_stretch(lists *l, size_t first, size_t count, uint64_t *totals, int64_t *offsets)
{
    core_job *job = &l->job;
    l->first = first;
    job->block = list_first;
    core_job_stretch(job, first, count);
    l->offsets[0] = 0;
    for (size_t i = 0; i < count; i++) {
        const uint64_t total = l->totals[i];
        totals[first + i] = total;
        l->offsets[i + 1] = l->offsets[i] + (total < job->capacity ? total : job->capacity);
        offsets[first + i + 1] = (int64_t)(l->used + l->offsets[i + 1]);
    }
    const size_t more = (size_t)l->offsets[count];
    if (!reserve_values(l, more)) {
        return false;
    }
    job->block = list_settled;
    core_job_stretch(job, first, count);
    l->used += more;
    return true;
}

/* False: out of memory.  Stretches begin short, as a single item may have any number of answers. */
static bool list_all(lists *l, uint64_t *totals, int64_t *offsets)
{
    const size_t count = l->job.count;
    size_t length = 8, first = 0;
    offsets[0] = 0;
    while (first < count) {
        const size_t now = count - first < length ? count - first : length;
        const double started = core_seconds();
        if (!list_stretch(l, first, now, totals, offsets)) {
            return false;
        }
        first += now;
        length *= length < STRETCH && core_seconds() - started < 0.02 ? 2 : 1;
        if (!core_wait_look(&l->job.call->wait, l->job.query->name,
                            (double)first / (double)count)) {
            return true;
        }
    }
    return true;
}

static bool allocate_lists(lists *l)
{
    l->scratch = l->job.capacity < ROOM ? l->job.capacity : ROOM;
    l->rows = malloc(STRETCH * l->scratch * l->row + 1);
    l->totals = malloc(STRETCH * sizeof *l->totals);
    l->offsets = malloc((STRETCH + 1) * sizeof *l->offsets);
    if (l->rows == NULL || l->totals == NULL || l->offsets == NULL) {
        PyErr_NoMemory();
        return false;
    }
    return core_job_prepare(&l->job);
}

static PyObject *run_lists(lists *l, PyObject *progress, void *totals, void *offsets)
{
    core_call *call = l->job.call;
    if (!allocate_lists(l)) {
        return NULL;
    }
    core_begin(call, progress);
    const bool enough = list_all(l, totals, offsets);
    if (!core_end(call, SL_OK)) {
        return NULL;
    }
    if (!enough) {
        return PyErr_NoMemory();
    }
    char *less = l->used > 0 ? realloc(l->values, l->used * l->row) : NULL;
    PyObject *memory = core_memory_take(call, less != NULL ? less : l->values, l->used * l->row);
    l->values = NULL;
    return memory;
}

static PyObject *ask_lists(lists *l, PyObject *const *rest)
{
    core_job *job = &l->job;
    const core_query *q = job->query;
    void *totals, *offsets;
    l->row = job->items.doubles ? q->row_d : q->row;
    job->block_size = 256;
    if (q->form != CORE_LISTS) {
        return core_none(core_refuse(job->call, "%s has no lists", q->name));
    }
    return core_double(rest[2], &job->number) && core_size(rest[3], &job->capacity) &&
                   core_borrow_bytes(job->call, rest[0], 8 * job->count, true, "totals", &totals) &&
                   core_borrow_bytes(job->call, rest[1], 8 * job->count + 8, true, "offsets",
                                     &offsets)
               ? run_lists(l, rest[4], totals, offsets)
               : NULL;
}

/* ask_lists(query, handle, doubles, kind, count, four arrays of items, options, threads,
 * totals (N,) u8, offsets (N + 1,) i8, number, capacity, progress): memory of the values */
PyObject *core_ask_lists(core_call *call, PyObject *const *args)
{
    lists l = { .row = 0 };
    PyObject *made = core_job_open(call, &l.job) ? ask_lists(&l, args + CORE_JOB_ARGUMENTS) : NULL;
    free(l.values);
    free(l.offsets);
    free(l.totals);
    free(l.rows);
    core_job_close(&l.job);
    return made;
}
