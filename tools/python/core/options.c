/* options.c: masks, skips, filters and the like, the same for all items or for each. */
#include "tools/python/core/job.h"

#include <stdlib.h>

static bool filter_keeps(void *user, size_t index, const sl_hit *hit)
{
    (void)index;
    const core_filter *filter = user;
    if (hit->instance >= filter->instance_count || filter->keep[hit->instance] == NULL ||
        hit->prim >= filter->keep_count[hit->instance]) {
        return true;
    }
    return filter->keep[hit->instance][hit->prim] != 0;
}

/* A function of Python's is asked on the thread that called, which takes the lock again.  The
 * library counts the items of a call from 0, and Python those of the array. */
static bool filter_asks(void *user, size_t index, const sl_hit *hit)
{
    const core_filter *filter = user;
    core_wait *wait = filter->wait;
    if (wait->failed) {
        return false;
    }
    PyEval_RestoreThread(wait->saved);
    PyObject *answer = PyObject_CallFunction(
        filter->call, "ndddIII", (Py_ssize_t)(filter->first + index), (double)hit->t,
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
        o->query.filter = filter_asks;
        return true;
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
    o->query.filter = filter_keeps;
    return true;
}

bool core_query_read(PyObject *options, sl_query *query)
{
    unsigned flags, mask, skip[4];
    int cull;
    PyObject *rest[3];
    if (options == Py_None) {
        return true;
    }
    if (!PyArg_ParseTuple(options, "IiI(IIII)OOO", &flags, &cull, &mask, &skip[0], &skip[1],
                          &skip[2], &skip[3], &rest[0], &rest[1], &rest[2])) {
        return false;
    }
    query->flags =
        flags & (SL_USE_MASK | SL_USE_SKIP | SL_OPEN_START | SL_OPEN_END | SL_USE_CROSSINGS);
    query->cull = (sl_cull)cull;
    query->mask = mask;
    memcpy(query->skip, skip, sizeof query->skip);
    return true;
}

bool core_options_read(core_state *state, core_job *job, PyObject *options)
{
    sl_query *query = &job->options.query;
    if (options == Py_None) {
        return true;
    }
    if (!core_query_read(options, query)) {
        return false;
    }
    PyObject *each = PyTuple_GetItem(options, 4), *ignore = PyTuple_GetItem(options, 5);
    const void *ranges;
    void *rows;
    size_t size;
    if (!core_borrow_bytes(state, &job->loans, each, job->count * sizeof *query->per_ray, false,
                           "masks and skips", &rows)) {
        return false;
    }
    query->per_ray = rows;
    if (ignore != Py_None) {
        if (!core_borrow_all(&job->loans, ignore, &ranges, &size)) {
            return false;
        }
        query->flags |= SL_USE_IGNORE;
        query->ignore = ranges;
        query->ignore_count = size / sizeof(sl_instance_range);
    }
    return read_filter(job, PyTuple_GetItem(options, 6));
}

const sl_query *core_query_of(core_job *job, size_t first, sl_query *own)
{
    core_options *o = &job->options;
    if (o->filter.call != NULL) {
        o->filter.first = first; /* there is one thread */
    }
    if (o->query.per_ray != NULL) {
        *own = o->query;
        own->per_ray += first;
        return own;
    }
    return o->query.flags != 0 || o->query.cull != SL_CULL_NONE ? &o->query : NULL;
}
