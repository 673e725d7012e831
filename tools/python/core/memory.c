/* memory.c: arguments: numbers, and arrays that the caller lends. */
#include "tools/python/core/core.h"

static const Py_buffer *memory_borrow(core_call *call, PyObject *array, int flags)
{
    if (call->loan_count == CORE_LOANS_MAX) {
        PyErr_SetString(PyExc_SystemError, "too many arrays");
        return NULL;
    }
    Py_buffer *view = &call->loans[call->loan_count];
    if (PyObject_GetBuffer(array, view, flags) != 0) {
        return NULL;
    }
    call->loan_count++;
    return view;
}

bool core_borrow(core_call *call, PyObject *array, size_t count, int width, size_t item_size,
                 core_column *out)
{
    *out = (core_column){ .data = NULL };
    if (array == Py_None) {
        return true;
    }
    const Py_buffer *view = memory_borrow(call, array, PyBUF_STRIDED_RO);
    if (view == NULL) {
        return false;
    }
    const bool flat = width == 1 && view->ndim == 1;
    if ((!flat && (view->ndim != 2 || view->shape[1] != width)) ||
        (size_t)view->shape[0] != count || (size_t)view->itemsize != item_size) {
        return core_refuse(call, "an array is (%zu, %d) of %zu bytes, and this one is not", count,
                           width, item_size);
    }
    out->data = view->buf;
    out->stride = view->strides[0];
    out->step = flat ? 0 : view->strides[1];
    return true;
}

bool core_borrow_bytes(core_call *call, PyObject *array, size_t size, bool writable,
                       const char *name, void **out)
{
    *out = NULL;
    if (array == Py_None) {
        return true;
    }
    const int flags = PyBUF_C_CONTIGUOUS | (writable ? PyBUF_WRITABLE : 0);
    const Py_buffer *view = memory_borrow(call, array, flags);
    if (view == NULL) {
        return false;
    }
    if ((size_t)view->len != size) {
        return core_refuse(call, "%s has %zd bytes, and %zu are wanted", name, view->len, size);
    }
    *out = view->buf;
    return true;
}

bool core_borrow_all(core_call *call, PyObject *array, const void **out, size_t *size)
{
    const Py_buffer *view = memory_borrow(call, array, PyBUF_C_CONTIGUOUS);
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
