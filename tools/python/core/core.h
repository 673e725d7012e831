/* core.h: what the sources of the extension module sightline._core share.
 *
 * The module holds objects of the library (meshes, trees over triangles and over instances) and
 * answers questions from arrays into arrays.  It knows pointers and strides; shapes, dtypes and
 * defaults are the business of the Python layer above it, which is its only caller.  It still
 * checks what memory depends on: counts, sizes of items, whether a handle is one.
 * Threads  while the library works the lock of the interpreter is released (core_wait_begin); what
 *          is asked about never changes, so nothing else is needed.
 * API      the limited API of CPython 3.11, so that one file serves all later versions; a
 *          free-threaded CPython has no such API, and gets a file for its version. */
#pragma once

#include <pyconfig.h> /* Py_GIL_DISABLED */
#if !defined Py_LIMITED_API && !defined Py_GIL_DISABLED
#define Py_LIMITED_API 0x030b0000
#endif
#define PY_SSIZE_T_CLEAN
#include <Python.h>

#include <sightline/sightline.h>

#include <string.h>

/* ---- The module ---- */

typedef struct core_state {
    PyTypeObject *memory, *mesh, *bvh, *boundary, *camera;
    PyObject *raise; /* sightline._errors.from_library */
} core_state;

core_state *core_state_of(PyObject *module);

/* Functions of one source; PyModule_AddFunctions takes them. */
extern PyMethodDef core_memory_functions[], core_mesh_functions[], core_fault_functions[],
    core_tree_functions[], core_version_functions[], core_scene_functions[], core_ask_functions[],
    core_list_functions[], core_surface_functions[], core_bake_functions[], core_camera_functions[],
    core_gltf_functions[];

#define CORE_FUNCTION(name, function, doc)                                                         \
    { name, (PyCFunction)(void (*)(void))(function), METH_FASTCALL, doc }

/* False, with TypeError, unless there are exactly that many arguments. */
bool core_arguments(const char *name, Py_ssize_t given, Py_ssize_t wanted);

/* ---- Errors ---- */

/* Raises what an sl_error says; returns NULL.  Where an exception is set already, as by a progress
 * hook that was interrupted, that one stays. */
PyObject *core_raise(core_state *state, const sl_error *error);

/* Raises InvalidArgument; returns NULL. */
PyObject *core_refuse(core_state *state, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* ---- Waiting: long work without the lock of the interpreter ---- */

typedef struct core_wait {
    PyThreadState *saved;
    PyObject *progress; /* called with (phase, fraction); NULL: none */
    double next;        /* seconds, of core_seconds: when the lock is taken again */
    bool failed;        /* an exception is set */
    bool cancelled;     /* progress returned False */
} core_wait;

double core_seconds(void);

/* progress may be None. */
void core_wait_begin(core_wait *wait, PyObject *progress);

/* False where an exception is set or progress cancelled the work: then core_wait_raise. */
bool core_wait_end(core_wait *wait);

/* Looks after signals and reports, but not more than twenty times a second unless `now`.  False:
 * stop. */
bool core_wait_look(core_wait *wait, const char *phase, double fraction, bool now);

/* The library's own reports come here: user is a core_wait. */
bool core_wait_report(void *user, const char *phase, float fraction);

/* Raises what ended the wait; returns NULL. */
PyObject *core_wait_raise(core_state *state, const core_wait *wait);

/* ---- Threads ---- */

/* A pool of `workers` workers, which lives as long as the process; one for each number.  NULL with
 * an exception, and NULL without one for a single worker. */
const sl_tasks *core_tasks(core_state *state, long workers);

/* ---- Memory that arrays view ---- */

/* Takes memory of malloc, which may be NULL where size is 0; frees it on failure, too. */
PyObject *core_memory_take(core_state *state, void *bytes, size_t size);

/* Memory of an object, read only; the object is kept alive. */
PyObject *core_memory_of(core_state *state, const void *bytes, size_t size, PyObject *owner);

/* ---- Arrays that the caller lends ---- */

/* A view of items: the numbers of item i are at data + i * stride, step bytes apart. */
typedef struct core_column {
    const char *data; /* NULL: there is none */
    Py_ssize_t stride, step;
} core_column;

/* A set of buffers that are given back together. */
enum { CORE_LOANS_MAX = 16 };
typedef struct core_loans {
    Py_buffer view[CORE_LOANS_MAX];
    int count;
} core_loans;

void core_loans_end(core_loans *loans);

/* Borrows an array of `width` numbers of item_size bytes for each of count items: (count, width)
 * or, where width is 1, (count,).  None: out->data is NULL.  False with an exception. */
bool core_borrow(core_state *state, core_loans *loans, PyObject *array, size_t count, int width,
                 size_t item_size, core_column *out);

/* Borrows a contiguous array of exactly size bytes; None: NULL.  `name` is for the message. */
bool core_borrow_bytes(core_state *state, core_loans *loans, PyObject *array, size_t size,
                       bool writable, const char *name, void **out);

/* Borrows a contiguous array of any size. */
bool core_borrow_all(core_loans *loans, PyObject *array, const void **out, size_t *size);

/* Numbers from Python objects; false with an exception. */
bool core_long(PyObject *object, long long *out);
bool core_size(PyObject *object, size_t *out);
bool core_double(PyObject *object, double *out);

/* ---- Handles ---- */

typedef struct core_mesh {
    PyObject_HEAD const sl_mesh *mesh;
    sl_mesh *own;    /* NULL: it is the owner's */
    PyObject *owner; /* NULL: none */
} core_mesh;

/* A tree over triangles or over instances. */
typedef struct core_bvh {
    PyObject_HEAD sl_bvh *bvh;
    PyObject *owner; /* bytes that it uses in place, or a tuple with the trees that are in it; NULL:
                      * none */
} core_bvh;

typedef struct core_boundary {
    PyObject_HEAD sl_boundary *boundary;
} core_boundary;

typedef struct core_camera {
    PyObject_HEAD sl_camera camera;
} core_camera;

/* The end of a tp_dealloc: the object's own memory, and its hold on its type. */
void core_release(PyObject *object);

/* What an object holds; NULL with TypeError where it is no such handle. */
core_mesh *core_mesh_of(core_state *state, PyObject *object);
core_bvh *core_bvh_of(core_state *state, PyObject *object);

/* New handles, which own what they are given; it is destroyed on failure. */
PyObject *core_mesh_wrap(core_state *state, sl_mesh *mesh);
PyObject *core_bvh_wrap(core_state *state, sl_bvh *bvh, PyObject *owner);

extern PyType_Spec core_memory_spec, core_mesh_spec, core_bvh_spec, core_boundary_spec,
    core_camera_spec;

/* What a type is to Python, by the struct of its handles. */
#define CORE_TYPE(type, name_, slots_)                                                             \
    PyType_Spec type##_spec = { .name = "sightline._core." name_,                                  \
                                .basicsize = sizeof(type),                                         \
                                .flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_DISALLOW_INSTANTIATION,   \
                                .slots = slots_ }

/* Slots take functions as pointers to objects, which ISO C has no word for. */
#define CORE_SLOT(function) (__extension__(void *)(function))
