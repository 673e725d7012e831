/* options.c: masks, skips, filters and the like, the same for all items or for each. */
#include "tools/python/core/job.h"

#include <stdlib.h>

static bool keeps(void *user, size_t index, const sl_hit *hit)
{
    (void)index;
    const core_filter *filter = user;
    if (hit->instance >= filter->instance_count || filter->keep[hit->instance] == NULL ||
        hit->prim >= filter->keep_count[hit->instance]) {
        return true;
    }
    return filter->keep[hit->instance][hit->prim] != 0;
}

/* A function of Python's is asked on the thread that called, which takes the lock again. */
static bool asks(const core_filter *filter, size_t index, const sl_hit *hit)
{
    core_wait *wait = filter->wait;
    if (wait->failed) {
        return false;
    }
    PyEval_RestoreThread(wait->saved);
    PyObject *answer =
        PyObject_CallFunction(filter->call, "ndddIII", (Py_ssize_t)index, (double)hit->t,
                              (double)hit->u, (double)hit->v, hit->prim, hit->instance, hit->flags);
    const int truth = answer != NULL ? PyObject_IsTrue(answer) : -1;
    Py_XDECREF(answer);
    wait->failed = truth < 0;
    wait->saved = PyEval_SaveThread();
    return truth > 0;
}

void core_options_free(core_options *options)
{
    while (options->keep_views > 0) {
        PyBuffer_Release(&options->keep_view[--options->keep_views]);
    }
    free(options->keep_view);
    free(options->keep_count);
    free(options->keep);
}

static bool borrow_keep(core_options *o, PyObject *array, size_t i)
{
    if (array == Py_None) {
        return true;
    }
    Py_buffer *view = &o->keep_view[o->keep_views];
    if (PyObject_GetBuffer(array, view, PyBUF_C_CONTIGUOUS) != 0) {
        return false;
    }
    o->keep_views++;
    o->keep[i] = view->buf;
    o->keep_count[i] = (size_t)view->len;
    return true;
}

/* A tuple of arrays of booleans, one for each instance, or a function. */
static bool read_filter(core_job *job, PyObject *given)
{
    core_options *o = &job->options;
    if (given == Py_None) {
        return true;
    }
    o->query.flags |= SL_USE_FILTER;
    o->query.filter_user = &o->filter;
    if (!PyTuple_Check(given)) {
        o->filter.call = given;
        o->filter.wait = &job->wait;
        return true; /* core_query_of sets the rest */
    }
    const size_t count = (size_t)PyTuple_Size(given);
    o->keep = calloc(count + 1, sizeof *o->keep);
    o->keep_count = calloc(count + 1, sizeof *o->keep_count);
    o->keep_view = calloc(count + 1, sizeof *o->keep_view);
    if (o->keep == NULL || o->keep_count == NULL || o->keep_view == NULL) {
        PyErr_NoMemory();
        return false;
    }
    for (size_t i = 0; i < count; i++) {
        if (!borrow_keep(o, PyTuple_GetItem(given, (Py_ssize_t)i), i)) {
            return false;
        }
    }
    o->filter.keep = o->keep;
    o->filter.keep_count = o->keep_count;
    o->filter.instance_count = count;
    o->query.filter = keeps;
    return true;
}

/* One number for all, or a column of them. */
static bool read_mask(core_state *state, core_job *job, PyObject *given)
{
    core_options *o = &job->options;
    if (given == Py_None) {
        return true;
    }
    o->query.flags |= SL_USE_MASK;
    if (!PyLong_Check(given)) {
        return core_borrow(state, &job->loans, given, job->count, 1, 4, &o->mask);
    }
    const unsigned long long mask = PyLong_AsUnsignedLongLong(given);
    o->query.mask = (uint32_t)mask;
    return !PyErr_Occurred();
}

/* Rows of (instance, prim, instance, prim); a stride of 0 is one row for all. */
static bool read_skip(core_state *state, core_job *job, PyObject *given)
{
    core_options *o = &job->options;
    if (given == Py_None) {
        return true;
    }
    o->query.flags |= SL_USE_SKIP;
    if (!core_borrow(state, &job->loans, given, job->count, 4, 4, &o->skip)) {
        return false;
    }
    if (o->skip.stride == 0 && job->count > 0) {
        for (int k = 0; k < 4; k++) {
            memcpy((char *)o->query.skip + 4 * k, o->skip.data + k * o->skip.step, 4);
        }
        o->skip.data = NULL;
    }
    return true;
}

static bool read_ignore(core_job *job, PyObject *given)
{
    core_options *o = &job->options;
    if (given == Py_None) {
        return true;
    }
    const void *ranges;
    size_t size;
    if (!core_borrow_all(&job->loans, given, &ranges, &size)) {
        return false;
    }
    o->query.flags |= SL_USE_IGNORE;
    o->query.ignore = ranges;
    o->query.ignore_count = size / sizeof(sl_instance_range);
    return true;
}

/* None, or (flags, cull, mask, skip, ignore, filter). */
bool core_options_read(core_state *state, core_job *job, PyObject *options)
{
    core_options *o = &job->options;
    if (options == Py_None) {
        return true;
    }
    unsigned flags;
    int cull;
    PyObject *mask, *skip, *ignore, *filter;
    if (!PyArg_ParseTuple(options, "IiOOOO", &flags, &cull, &mask, &skip, &ignore, &filter)) {
        return false;
    }
    o->query.flags = flags & (SL_OPEN_START | SL_OPEN_END | SL_USE_CROSSINGS);
    o->query.cull = (sl_cull)cull;
    if (!read_mask(state, job, mask) || !read_skip(state, job, skip) || !read_ignore(job, ignore) ||
        !read_filter(job, filter)) {
        return false;
    }
    o->varies = o->mask.data != NULL || o->skip.data != NULL;
    return true;
}

/* The mask and the skips of each item of a block. */
static void gather(const core_options *o, size_t first, size_t count, sl_ray_opt *to)
{
    for (size_t i = 0; i < count; i++) {
        const Py_ssize_t item = (Py_ssize_t)(first + i);
        to[i].mask = o->query.mask;
        memcpy(to[i].skip, o->query.skip, sizeof to[i].skip);
        if (o->mask.data != NULL) {
            memcpy(&to[i].mask, o->mask.data + item * o->mask.stride, 4);
        }
        for (int k = 0; k < 4 && o->skip.data != NULL; k++) {
            memcpy((char *)to[i].skip + 4 * k,
                   o->skip.data + item * o->skip.stride + k * o->skip.step, 4);
        }
    }
}

/* The library counts the items of a call from 0, and Python those of the array. */
static bool asks_shifted(void *user, size_t index, const sl_hit *hit)
{
    const core_scratch *block = user;
    return asks(block->filter, block->first + index, hit);
}

const sl_query *core_query_of(const core_job *job, size_t first, size_t count,
                              core_scratch *scratch, sl_query *query)
{
    const core_options *o = &job->options;
    if (!o->varies && o->filter.call == NULL) {
        return o->query.flags != 0 || o->query.cull != SL_CULL_NONE ? &o->query : NULL;
    }
    *query = o->query;
    if (o->varies) {
        gather(o, first, count, scratch->options);
        query->per_ray = scratch->options;
    }
    if (o->filter.call != NULL) {
        scratch->filter = &o->filter;
        scratch->first = first;
        query->filter = asks_shifted;
        query->filter_user = scratch;
    }
    return query;
}

const sl_query *core_query_later(const sl_query *query, size_t items, core_later *later)
{
    if (query == NULL || (query->per_ray == NULL && query->filter != asks_shifted)) {
        return query;
    }
    later->query = *query;
    later->query.per_ray += query->per_ray != NULL ? items : 0;
    if (query->filter == asks_shifted) {
        later->block = *(const core_scratch *)query->filter_user;
        later->block.first += items;
        later->query.filter_user = &later->block;
    }
    return &later->query;
}
