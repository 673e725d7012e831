/* memory.c: memory that arrays view, and arrays that the caller lends. */
#include "tools/python/core/core.h"

#include <stdlib.h>

typedef struct core_memory {
    PyObject_HEAD void *bytes;
    Py_ssize_t size;
    PyObject *owner; /* NULL: bytes are from malloc, and this object's own */
} core_memory;

static PyObject *memory_make(core_state *state, void *bytes, size_t size, PyObject *owner)
{
    core_memory *self = (core_memory *)PyType_GenericAlloc(state->memory, 0);
    if (self == NULL) {
        if (owner == NULL) {
            free(bytes);
        }
        return NULL;
    }
    self->bytes = bytes;
    self->size = (Py_ssize_t)size;
    self->owner = Py_XNewRef(owner);
    return (PyObject *)self;
}

PyObject *core_memory_take(core_state *state, void *bytes, size_t size)
{
    return memory_make(state, bytes, size, NULL);
}

PyObject *core_memory_of(core_state *state, const void *bytes, size_t size, PyObject *owner)
{
    return memory_make(state, (void *)(uintptr_t)bytes, size, owner);
}

static void memory_deallocate(PyObject *object)
{
    core_memory *self = (core_memory *)object;
    if (self->owner == NULL) {
        free(self->bytes);
    }
    Py_CLEAR(self->owner);
    core_release(object);
}

static int get_buffer(PyObject *object, Py_buffer *view, int flags)
{
    static char nothing;
    core_memory *self = (core_memory *)object;
    void *bytes = self->bytes != NULL ? self->bytes : &nothing;
    return PyBuffer_FillInfo(view, object, bytes, self->size, self->owner != NULL, flags);
}

static PyType_Slot slots[] = {
    { Py_tp_dealloc, CORE_SLOT(memory_deallocate) },
    { Py_bf_getbuffer, CORE_SLOT(get_buffer) },
    { Py_tp_doc, "Memory of the library, which arrays view." },
    { 0, NULL },
};

CORE_TYPE(core_memory, "Memory", slots);

PyMethodDef core_memory_functions[] = { { NULL, NULL, 0, NULL } };

/* ---- Arrays that the caller lends ---- */

void core_loans_end(core_loans *loans)
{
    while (loans->count > 0) {
        PyBuffer_Release(&loans->view[--loans->count]);
    }
}

static Py_buffer *memory_borrow(core_loans *loans, PyObject *array, int flags)
{
    if (loans->count == CORE_LOANS_MAX) {
        PyErr_SetString(PyExc_SystemError, "too many arrays");
        return NULL;
    }
    Py_buffer *view = &loans->view[loans->count];
    if (PyObject_GetBuffer(array, view, flags) != 0) {
        return NULL;
    }
    loans->count++;
    return view;
}

bool core_borrow(core_state *state, core_loans *loans, PyObject *array, size_t count, int width,
                 size_t item_size, core_column *out)
{
    *out = (core_column){ .data = NULL };
    if (array == Py_None) {
        return true;
    }
    const Py_buffer *view = memory_borrow(loans, array, PyBUF_STRIDED_RO);
    if (view == NULL) {
        return false;
    }
    const bool flat = width == 1 && view->ndim == 1;
    if ((!flat && (view->ndim != 2 || view->shape[1] != width)) ||
        (size_t)view->shape[0] != count || (size_t)view->itemsize != item_size) {
        core_refuse(state, "an array is (%zu, %d) of %zu bytes, and this one is not", count, width,
                    item_size);
        return false;
    }
    out->data = view->buf;
    out->stride = view->strides[0];
    out->step = flat ? 0 : view->strides[1];
    return true;
}

bool core_borrow_bytes(core_state *state, core_loans *loans, PyObject *array, size_t size,
                       bool writable, const char *name, void **out)
{
    *out = NULL;
    if (array == Py_None) {
        return true;
    }
    const int flags = PyBUF_C_CONTIGUOUS | (writable ? PyBUF_WRITABLE : 0);
    const Py_buffer *view = memory_borrow(loans, array, flags);
    if (view == NULL) {
        return false;
    }
    if ((size_t)view->len != size) {
        core_refuse(state, "%s has %zd bytes, and %zu are wanted", name, view->len, size);
        return false;
    }
    *out = view->buf;
    return true;
}

bool core_borrow_all(core_loans *loans, PyObject *array, const void **out, size_t *size)
{
    const Py_buffer *view = memory_borrow(loans, array, PyBUF_C_CONTIGUOUS);
    if (view == NULL) {
        return false;
    }
    *out = view->buf;
    *size = (size_t)view->len;
    return true;
}

bool core_long(PyObject *object, long long *out)
{
    *out = PyLong_AsLongLong(object);
    return *out != -1 || !PyErr_Occurred();
}

bool core_size(PyObject *object, size_t *out)
{
    *out = PyLong_AsSize_t(object);
    return *out != (size_t)-1 || !PyErr_Occurred();
}

bool core_double(PyObject *object, double *out)
{
    *out = PyFloat_AsDouble(object);
    return !PyErr_Occurred();
}
