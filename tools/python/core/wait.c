/* wait.c: long work without the lock of the interpreter, and errors that come of it. */
#include "tools/python/core/core.h"

#include <stdarg.h>
#include <stdio.h>
#include <time.h>

double core_seconds(void)
{
    struct timespec now;
    timespec_get(&now, TIME_UTC);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* Names of files are bytes that need not be text: those of _arrays.path_of, cut to fit. */
static PyObject *path_text(const char *path)
{
#ifdef MS_WINDOWS
    return PyUnicode_DecodeMBCS(path, (Py_ssize_t)strlen(path), "replace");
#else
    return PyUnicode_DecodeFSDefault(path);
#endif
}

PyObject *core_raise(core_call *call, const sl_error *error)
{
    if (PyErr_Occurred()) {
        return NULL;
    }
    PyObject *file = path_text(error->file);
    PyObject *message = PyUnicode_DecodeUTF8(error->message, (Py_ssize_t)strlen(error->message),
                                             "backslashreplace");
    PyObject *exception =
        file == NULL || message == NULL
            ? NULL
            : PyObject_CallFunction(call->state->raise, "sOOLL", sl_result_name(error->code),
                                    message, file, (long long)error->line, (long long)error->byte);
    if (exception != NULL) {
        PyErr_SetObject((PyObject *)Py_TYPE(exception), exception);
    }
    Py_XDECREF(file);
    Py_XDECREF(message);
    Py_XDECREF(exception);
    return NULL;
}

bool core_refuse(core_call *call, const char *format, ...)
{
    sl_error error = { .code = SL_INVALID_ARGUMENT, .byte = -1 };
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(error.message, sizeof error.message, format, arguments);
    va_end(arguments);
    core_raise(call, &error);
    return false;
}

void core_begin(core_call *call, PyObject *progress)
{
    core_wait *wait = &call->wait;
    /* A progress function hears of the first stretch at once, so that it can cancel short work. */
    *wait = (core_wait){ .progress = progress != Py_None ? progress : NULL };
    wait->next = wait->progress != NULL ? 0 : core_seconds() + 0.05;
    wait->saved = PyEval_SaveThread();
}

bool core_end(core_call *call, sl_result result)
{
    static const sl_error cancelled = { .code = SL_CANCELLED,
                                        .byte = -1,
                                        .message = "progress returned False" };
    const core_wait *wait = &call->wait;
    PyEval_RestoreThread(wait->saved);
    if (wait->cancelled && !wait->failed) {
        core_raise(call, &cancelled);
    } else if (result != SL_OK && !wait->failed) {
        core_raise(call, &call->error);
    }
    return result == SL_OK && !wait->cancelled && !wait->failed;
}

/* With the lock. */
static void wait_look(core_wait *wait, const char *phase, double fraction)
{
    wait->failed = PyErr_CheckSignals() != 0;
    if (wait->failed || wait->progress == NULL) {
        return;
    }
    PyObject *answer = PyObject_CallFunction(wait->progress, "sd", phase, fraction);
    wait->failed = answer == NULL;
    wait->cancelled = answer == Py_False;
    Py_XDECREF(answer);
}

bool core_wait_look(core_wait *wait, const char *phase, double fraction)
{
    if (wait->failed || wait->cancelled) {
        return false;
    }
    if (core_seconds() >= wait->next) {
        PyEval_RestoreThread(wait->saved);
        wait_look(wait, phase, fraction);
        wait->saved = PyEval_SaveThread();
        wait->next = core_seconds() + 0.05;
    }
    return !wait->failed && !wait->cancelled;
}

bool core_wait_look_at(core_call *call, const char *phase, size_t i, size_t count)
{
    return i % 4096 != 0 || core_wait_look(&call->wait, phase, (double)i / (double)count);
}

static bool wait_report(void *user, const char *phase, float fraction)
{
    return core_wait_look(user, phase, (double)fraction);
}

sl_progress core_progress(core_call *call)
{
    return (sl_progress){ .report = wait_report, .user = &call->wait };
}
