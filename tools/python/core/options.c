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
        filter->function, "ndddIII", (Py_ssize_t)(filter->first + index), (double)hit->t,
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
    o->query.filter_user = &o->filter;
    if (!PyTuple_Check(given)) {
        o->filter.function = given;
        o->filter.wait = &job->call->wait;
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

bool core_query_read(PyObject *options, sl_options *query, sl_triangle_ref skip[2])
{
    int cull;
    PyObject *rest[4];
    if (options == Py_None) {
        return true;
    }
    if (!PyArg_ParseTuple(options, "IiI(IIII)OOOO", &query->flags, &cull, &query->mask,
                          &skip[0].instance, &skip[0].prim, &skip[1].instance, &skip[1].prim,
                          &rest[0], &rest[1], &rest[2], &rest[3])) {
        return false;
    }
    query->cull = (sl_cull)cull;
    query->skip = skip;
    query->skip_count = skip[0].prim == SL_NONE && skip[1].prim == SL_NONE ? 0 : 2;
    return true;
}

bool core_options_read(core_job *job, PyObject *options)
{
    sl_options *query = &job->options.query;
    if (options == Py_None) {
        return true;
    }
    job->options.given = true;
    if (!core_query_read(options, query, job->options.skip)) {
        return false;
    }
    PyObject *each = PyTuple_GetItem(options, 4), *ignore = PyTuple_GetItem(options, 5);
    const void *ranges;
    void *rows;
    size_t size;
    if (!core_borrow_bytes(job->call, each, job->count * sizeof *query->items, false,
                           "masks and skips", &rows)) {
        return false;
    }
    query->items = rows;
    if (ignore != Py_None) {
        if (!core_borrow_all(job->call, ignore, &ranges, &size)) {
            return false;
        }
        query->ignore = ranges;
        query->ignore_count = size / sizeof(sl_instance_range);
    }
    return read_filter(job, PyTuple_GetItem(options, 6));
}

const sl_options *core_query_of(core_job *job, size_t first, sl_options *own)
{
    core_options *o = &job->options;
    if (o->filter.function != NULL) {
        o->filter.first = first; /* there is one thread */
    }
    if (o->query.items != NULL) {
        *own = o->query;
        own->items += first;
        return own;
    }
    return o->given ? &o->query : NULL;
}
