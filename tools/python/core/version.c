/* version.c: trees in files and in memory, and the next versions of trees. */
#include "tools/python/core/core.h"

#include <stdlib.h>

/* tree_save(tree, path bytes) */
static PyObject *tree_save(PyObject *module, PyObject *const *args, Py_ssize_t count)
{
    core_state *state = core_state_of(module);
    const core_bvh *self =
        core_arguments("tree_save", count, 2) ? core_bvh_of(state, args[0]) : NULL;
    const char *path = self != NULL ? PyBytes_AsString(args[1]) : NULL;
    if (path == NULL) {
        return NULL;
    }
    sl_error error;
    core_wait wait;
    core_wait_begin(&wait, Py_None);
    const sl_result result = sl_bvh_save(self->bvh, path, &error);
    core_wait_end(&wait);
    return result == SL_OK ? Py_NewRef(Py_None) : core_raise(state, &error);
}

/* tree_bytes(tree): the bytes of its file */
static PyObject *tree_bytes(PyObject *module, PyObject *const *args, Py_ssize_t count)
{
    const core_bvh *self =
        core_arguments("tree_bytes", count, 1) ? core_bvh_of(core_state_of(module), args[0]) : NULL;
    if (self == NULL) {
        return NULL;
    }
    PyObject *made =
        PyBytes_FromStringAndSize(NULL, (Py_ssize_t)sl_bvh_save_memory(self->bvh, NULL));
    if (made != NULL) {
        char *to = PyBytes_AsString(made);
        core_wait wait;
        core_wait_begin(&wait, Py_None);
        sl_bvh_save_memory(self->bvh, to);
        core_wait_end(&wait);
    }
    return made;
}

/* tree_load(path bytes, map, trusted) */
static PyObject *tree_load(PyObject *module, PyObject *const *args, Py_ssize_t count)
{
    core_state *state = core_state_of(module);
    long long map, trusted;
    if (!core_arguments("tree_load", count, 3) || !core_long(args[1], &map) ||
        !core_long(args[2], &trusted)) {
        return NULL;
    }
    const char *path = PyBytes_AsString(args[0]);
    if (path == NULL) {
        return NULL;
    }
    sl_bvh_load_def def = { 0 };
    sl_bvh *bvh = NULL;
    sl_error error;
    core_wait wait;
    def.flags = trusted ? SL_LOAD_TRUSTED : 0;
    core_wait_begin(&wait, Py_None);
    const sl_result result =
        map ? sl_bvh_map(path, &def, &bvh, &error) : sl_bvh_load(path, &def, &bvh, &error);
    core_wait_end(&wait);
    return result == SL_OK ? core_bvh_wrap(state, bvh, NULL) : core_raise(state, &error);
}

/* tree_from_bytes(buffer, trusted, in_place): in place, the memory of the buffer is lent for as
 * long as the tree lives, by a view of it that the Python layer hands over as the owner. */
static PyObject *tree_from_bytes(PyObject *module, PyObject *const *args, Py_ssize_t count)
{
    core_state *state = core_state_of(module);
    core_loans loans = { .count = 0 };
    long long trusted, in_place;
    const void *data;
    size_t size;
    if (!core_arguments("tree_from_bytes", count, 3) || !core_long(args[1], &trusted) ||
        !core_long(args[2], &in_place) || !core_borrow_all(&loans, args[0], &data, &size)) {
        return NULL;
    }
    sl_bvh_load_def def = { 0 };
    sl_bvh *bvh = NULL;
    sl_error error;
    core_wait wait;
    def.flags = (trusted ? SL_LOAD_TRUSTED : 0) | (in_place ? SL_LOAD_IN_PLACE : 0);
    core_wait_begin(&wait, Py_None);
    const sl_result result = sl_bvh_load_memory(data, size, &def, &bvh, &error);
    core_wait_end(&wait);
    core_loans_end(&loans);
    return result == SL_OK ? core_bvh_wrap(state, bvh, in_place ? args[0] : NULL)
                           : core_raise(state, &error);
}

/* tree_refit(tree, vertices (V, 3) f4, vertex_count, faces (T, 3) u4, triangle_count,
 * rebuild_share, threads) */
static PyObject *tree_refit(PyObject *module, PyObject *const *args, Py_ssize_t count)
{
    core_state *state = core_state_of(module);
    core_loans loans = { .count = 0 };
    const core_bvh *self =
        core_arguments("tree_refit", count, 7) ? core_bvh_of(state, args[0]) : NULL;
    sl_refit_def def = { 0 };
    size_t vertices, triangles;
    long long threads;
    double share;
    void *xyz, *indices;
    PyObject *made = NULL;
    if (self == NULL || !core_size(args[2], &vertices) || !core_size(args[4], &triangles) ||
        !core_double(args[5], &share) || !core_long(args[6], &threads) ||
        !core_borrow_bytes(state, &loans, args[1], 12 * vertices, false, "vertices", &xyz) ||
        !core_borrow_bytes(state, &loans, args[3], 12 * triangles, false, "faces", &indices)) {
        goto done;
    }
    def.rebuild_share = (float)share;
    def.hooks.tasks = core_tasks(state, (long)threads);
    if (PyErr_Occurred()) {
        goto done;
    }
    sl_bvh *bvh = NULL;
    sl_error error;
    core_wait wait;
    core_wait_begin(&wait, Py_None);
    const sl_result result =
        sl_bvh_refit(self->bvh, xyz, vertices, indices, triangles, &def, &bvh, &error);
    core_wait_end(&wait);
    made = result == SL_OK ? core_bvh_wrap(state, bvh, NULL) : core_raise(state, &error);
done:
    core_loans_end(&loans);
    return made;
}

/* tree_set_masks(tree, masks (T,) u4 or None) */
static PyObject *tree_set_masks(PyObject *module, PyObject *const *args, Py_ssize_t count)
{
    core_state *state = core_state_of(module);
    core_loans loans = { .count = 0 };
    const core_bvh *self =
        core_arguments("tree_set_masks", count, 2) ? core_bvh_of(state, args[0]) : NULL;
    if (self == NULL) {
        return NULL;
    }
    sl_refit_def def = { 0 };
    sl_bvh_info i;
    void *masks;
    PyObject *made = NULL;
    i = sl_bvh_get_info(self->bvh);
    if (core_borrow_bytes(state, &loans, args[1], 4 * i.prim_count, false, "masks", &masks)) {
        sl_bvh *bvh = NULL;
        sl_error error;
        core_wait wait;
        def.masks = masks;
        core_wait_begin(&wait, Py_None);
        const sl_result result = sl_bvh_set_masks(self->bvh, i.prim_count, &def, &bvh, &error);
        core_wait_end(&wait);
        made = result == SL_OK ? core_bvh_wrap(state, bvh, NULL) : core_raise(state, &error);
    }
    core_loans_end(&loans);
    return made;
}

PyMethodDef core_version_functions[] = {
    CORE_FUNCTION("tree_save", tree_save, NULL),
    CORE_FUNCTION("tree_bytes", tree_bytes, NULL),
    CORE_FUNCTION("tree_load", tree_load, NULL),
    CORE_FUNCTION("tree_from_bytes", tree_from_bytes, NULL),
    CORE_FUNCTION("tree_refit", tree_refit, NULL),
    CORE_FUNCTION("tree_set_masks", tree_set_masks, NULL),
    { NULL, NULL, 0, NULL },
};
