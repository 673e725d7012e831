/* core.h: what the sources of the extension module sightline_bvh._core share.
 *
 * The module holds objects of the library (meshes, trees over triangles and over instances) and
 * answers queries from arrays into arrays.  It knows pointers and strides; shapes, dtypes and
 * defaults are the business of the Python layer above it, which is its only caller.  It still
 * checks what memory depends on: counts, sizes of items, whether a handle is one.
 * Threads  while the library works the lock of the interpreter is released (core_begin); what
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

/* Types of handles: objects of the library, and memory. */
typedef enum core_type {
    CORE_MEMORY,
    CORE_MESH,
    CORE_BVH, /* a tree over triangles or over instances */
    CORE_BOUNDARY,
    CORE_CAMERA,
    CORE_CLASHES,
    CORE_TYPES /* how many there are; for a function whose first argument is no handle */
} core_type;

typedef struct core_state {
    PyTypeObject *types[CORE_TYPES];
    PyObject *raise; /* sightline_bvh._errors.from_library */
} core_state;

/* ---- Waiting: long work without the lock of the interpreter ---- */

typedef struct core_wait {
    PyThreadState *saved;
    PyObject *progress; /* called with (phase, fraction); NULL: none */
    double next;        /* seconds, of core_seconds: when the lock is taken again */
    bool failed;        /* an exception is set */
    bool cancelled;     /* progress returned False */
} core_wait;

double core_seconds(void);

/* Looks after signals and reports, but not more than twenty times a second.  False: stop. */
bool core_wait_look(core_wait *wait, const char *phase, double fraction);

/* ---- Calls of the module's functions ---- */

enum { CORE_LOANS_MAX = 16 };

/* A call: what it is about, and what ends with it. */
typedef struct core_call {
    core_state *state;
    PyObject *const *args;
    void *is; /* what the first argument holds: an sl_mesh, an sl_bvh, ...; NULL: no handle */
    Py_buffer loans[CORE_LOANS_MAX]; /* arrays that the caller lends */
    int loan_count;
    core_wait wait;
    sl_error error; /* for the library */
} core_call;

/* Returns what Python gets, or NULL with an exception. */
typedef PyObject *core_function(core_call *call, PyObject *const *args);

/* Every function: its name, how many arguments it takes, and the type of the first of them. */
#define CORE_FUNCTIONS(X)                                                                          \
    X(mesh_from_arrays, 8, CORE_TYPES)                                                             \
    X(mesh_load, 9, CORE_TYPES)                                                                    \
    X(mesh_generate, 5, CORE_TYPES)                                                                \
    X(mesh_info, 1, CORE_MESH)                                                                     \
    X(mesh_arrays, 1, CORE_MESH)                                                                   \
    X(mesh_attribute, 2, CORE_MESH)                                                                \
    X(mesh_parts, 1, CORE_MESH)                                                                    \
    X(mesh_notes, 1, CORE_MESH)                                                                    \
    X(mesh_polygons, 2, CORE_MESH)                                                                 \
    X(mesh_hash, 1, CORE_MESH)                                                                     \
    X(mesh_at, 6, CORE_MESH)                                                                       \
    X(mesh_faults, 3, CORE_MESH)                                                                   \
    X(mesh_weld, 5, CORE_MESH)                                                                     \
    X(mesh_save, 7, CORE_MESH)                                                                     \
    X(gltf_load, 3, CORE_TYPES)                                                                    \
    X(tree_build, 8, CORE_MESH)                                                                    \
    X(tree_hash, 1, CORE_BVH)                                                                      \
    X(tree_drift, 1, CORE_BVH)                                                                     \
    X(tree_check, 1, CORE_BVH)                                                                     \
    X(tree_save, 2, CORE_BVH)                                                                      \
    X(tree_bytes, 1, CORE_BVH)                                                                     \
    X(tree_load, 3, CORE_TYPES)                                                                    \
    X(tree_from_bytes, 3, CORE_TYPES)                                                              \
    X(tree_refit, 9, CORE_BVH)                                                                     \
    X(tree_set_masks, 2, CORE_BVH)                                                                 \
    X(bvh_info, 1, CORE_BVH)                                                                       \
    X(bvh_triangles, 6, CORE_BVH)                                                                  \
    X(bvh_surface, 5, CORE_BVH)                                                                    \
    X(scene_build, 7, CORE_TYPES)                                                                  \
    X(scene_left_out, 1, CORE_BVH)                                                                 \
    X(scene_path, 2, CORE_BVH)                                                                     \
    X(scene_flatten, 1, CORE_BVH)                                                                  \
    X(ask, 16, CORE_TYPES)                                                                         \
    X(ask_lists, 16, CORE_TYPES)                                                                   \
    X(bake, 15, CORE_TYPES)                                                                        \
    X(bake_normals, 2, CORE_MESH)                                                                  \
    X(clash, 8, CORE_BVH)                                                                          \
    X(clash_any, 10, CORE_BVH)                                                                     \
    X(distance, 10, CORE_BVH)                                                                      \
    X(clash_curves, 7, CORE_BVH)                                                                   \
    X(solids, 6, CORE_BVH)                                                                         \
    X(clashes_find, 12, CORE_BVH)                                                                  \
    X(clashes_list, 1, CORE_CLASHES)                                                               \
    X(boundary, 5, CORE_TYPES)                                                                     \
    X(boundary_odd, 1, CORE_BOUNDARY)                                                              \
    X(camera_make, 1, CORE_TYPES)                                                                  \
    X(camera_fit, 2, CORE_TYPES)                                                                   \
    X(camera_from_matrices, 4, CORE_TYPES)                                                         \
    X(camera_matrices, 1, CORE_CAMERA)                                                             \
    X(camera_rays, 3, CORE_CAMERA)                                                                 \
    X(camera_project, 4, CORE_CAMERA)

#define CORE_DECLARE(name, wanted, type) core_function core_##name;
CORE_FUNCTIONS(CORE_DECLARE)

/* None where the work is done; NULL, with the exception that is set, where it is not. */
PyObject *core_none(bool done);

/* ---- Work of the library ---- */

/* Before and after work without the lock of the interpreter; progress may be None.  False, with an
 * exception, where progress or a signal ended the work, or result is an error, which call->error
 * describes. */
void core_begin(core_call *call, PyObject *progress);
bool core_end(core_call *call, sl_result result);

/* core_wait_look in a loop over `count` items, of item i. */
bool core_wait_look_at(core_call *call, const char *phase, size_t i, size_t count);

/* The hook for a def: reports to the progress of the call. */
sl_progress core_progress(core_call *call);

/* Ends work that made something: a handle that owns it and keeps owner, which may be NULL. */
PyObject *core_made(core_call *call, sl_result result, core_type type, void *is, PyObject *owner);

/* ---- Errors ---- */

/* Raises what an sl_error says; returns NULL.  Where an exception is set already, as by a progress
 * hook that was interrupted, that one stays. */
PyObject *core_raise(core_call *call, const sl_error *error);

/* Raises InvalidArgument; returns false. */
bool core_refuse(core_call *call, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* ---- Arguments: false with an exception ---- */

bool core_long(PyObject *object, long long *out);
bool core_size(PyObject *object, size_t *out);
bool core_double(PyObject *object, double *out);

/* What a handle holds; NULL with TypeError where it is not of the type. */
void *core_held(core_call *call, PyObject *object, core_type type);

/* A pool of as many workers, which lives as long as the process; one for each number.  NULL for a
 * single worker. */
bool core_tasks(core_call *call, PyObject *workers, const sl_tasks **out);

/* A view of items: the numbers of item i are at data + i * stride, step bytes apart. */
typedef struct core_column {
    const char *data; /* NULL: there is none */
    Py_ssize_t stride, step;
} core_column;

/* Borrows, for the call, an array of `width` numbers of item_size bytes for each of count items:
 * (count, width) or, where width is 1, (count,).  None: out->data is NULL. */
bool core_borrow(core_call *call, PyObject *array, size_t count, int width, size_t item_size,
                 core_column *out);

/* Borrows a contiguous array of exactly size bytes; None: NULL.  `name` is for the message. */
bool core_borrow_bytes(core_call *call, PyObject *array, size_t size, bool writable,
                       const char *name, void **out);

/* Borrows a contiguous array of any size. */
bool core_borrow_all(core_call *call, PyObject *array, const void **out, size_t *size);

/* ---- Handles ---- */

typedef struct core_handle {
    PyObject_HEAD void *is; /* what it holds: an sl_mesh, an sl_bvh, ...; of memory, bytes */
    size_t size;            /* of memory */
    core_type owns;         /* what is destroyed with it; CORE_TYPES: nothing */
    PyObject *owner; /* what it keeps alive: what it is in, memory that it uses, or a tuple of trees
                      * that are in it; NULL: none */
} core_handle;

/* A handle for what owner keeps alive. */
PyObject *core_handle_in(core_call *call, core_type type, const void *is, PyObject *owner);

/* Takes memory of malloc, which may be NULL where size is 0; frees it on failure, too. */
PyObject *core_memory_take(core_call *call, void *bytes, size_t size);

/* Memory of the object that the call is about, read only. */
PyObject *core_memory_of(core_call *call, const void *bytes, size_t size);

/* ---- For answers ---- */

/* Appends a new reference; *list becomes NULL on failure. */
void core_append(PyObject **list, PyObject *item);

/* Text of a file, which need not be UTF-8. */
PyObject *core_text(const char *bytes);
