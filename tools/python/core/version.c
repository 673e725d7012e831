/* version.c: trees in files and in memory, and the next versions of trees. */
#include "tools/python/core/core.h"

/* tree_save(tree, path bytes) */
PyObject *core_tree_save(core_call *call, PyObject *const *args)
{
    const char *path = PyBytes_AsString(args[1]);
    if (path == NULL) {
        return NULL;
    }
    core_begin(call, Py_None);
    return core_none(core_end(call, sl_bvh_save(call->is, path, &call->error)));
}

/* tree_bytes(tree): the bytes of its file */
PyObject *core_tree_bytes(core_call *call, PyObject *const *args)
{
    (void)args;
    PyObject *made =
        PyBytes_FromStringAndSize(NULL, (Py_ssize_t)sl_bvh_save_memory(call->is, NULL));
    if (made != NULL) {
        char *to = PyBytes_AsString(made);
        core_begin(call, Py_None);
        sl_bvh_save_memory(call->is, to);
        core_end(call, SL_OK);
    }
    return made;
}

/* tree_load(path bytes, map, trusted) */
PyObject *core_tree_load(core_call *call, PyObject *const *args)
{
    const char *path = PyBytes_AsString(args[0]);
    long long map, trusted;
    if (path == NULL || !core_long(args[1], &map) || !core_long(args[2], &trusted)) {
        return NULL;
    }
    const sl_bvh_load_def def = { .flags = trusted ? SL_LOAD_TRUSTED : 0 };
    sl_bvh *bvh = NULL;
    core_begin(call, Py_None);
    const sl_result result = map ? sl_bvh_map(path, &def, &bvh, &call->error)
                                 : sl_bvh_load(path, &def, &bvh, &call->error);
    return core_made(call, result, CORE_BVH, bvh, NULL);
}

/* tree_from_bytes(buffer, trusted, in_place): in place, the memory of the buffer is lent for as
 * long as the tree lives, by a view of it that the Python layer hands over as the owner. */
PyObject *core_tree_from_bytes(core_call *call, PyObject *const *args)
{
    long long trusted, in_place;
    const void *data;
    size_t size;
    if (!core_long(args[1], &trusted) || !core_long(args[2], &in_place) ||
        !core_borrow_all(call, args[0], &data, &size)) {
        return NULL;
    }
    const sl_bvh_load_def def = { .flags = (trusted ? SL_LOAD_TRUSTED : 0) |
                                           (in_place ? SL_LOAD_IN_PLACE : 0) };
    sl_bvh *bvh = NULL;
    core_begin(call, Py_None);
    const sl_result result = sl_bvh_load_memory(data, size, &def, &bvh, &call->error);
    return core_made(call, result, CORE_BVH, bvh, in_place ? args[0] : NULL);
}

/* tree_refit(tree, vertices (V, 3) f4, vertex_count, faces (T, 3) u4, triangle_count,
 * rebuild_share, threads, leave_out, masks (T,) u4 or None: as they are) */
PyObject *core_tree_refit(core_call *call, PyObject *const *args)
{
    sl_refit_def def = { 0 };
    size_t vertices, triangles;
    double share;
    long long leave_out;
    void *xyz, *indices, *masks;
    if (!core_size(args[2], &vertices) || !core_size(args[4], &triangles) ||
        !core_double(args[5], &share) || !core_tasks(call, args[6], &def.hooks.tasks) ||
        !core_borrow_bytes(call, args[1], 12 * vertices, false, "vertices", &xyz) ||
        !core_long(args[7], &leave_out) ||
        !core_borrow_bytes(call, args[3], 12 * triangles, false, "faces", &indices) ||
        !core_borrow_bytes(call, args[8], 4 * triangles, false, "masks", &masks)) {
        return NULL;
    }
    sl_bvh *bvh = NULL;
    def.rebuild_share = (float)share;
    def.bad = leave_out ? SL_BAD_LEAVE_OUT : SL_BAD_REFUSE;
    def.masks = masks;
    core_begin(call, Py_None);
    const sl_result result =
        sl_bvh_refit(call->is, xyz, vertices, indices, triangles, &def, &bvh, &call->error);
    return core_made(call, result, CORE_BVH, bvh, NULL);
}

/* tree_set_masks(tree, masks (T,) u4 or None) */
PyObject *core_tree_set_masks(core_call *call, PyObject *const *args)
{
    const size_t count = sl_bvh_get_info(call->is).prim_count;
    void *masks;
    if (!core_borrow_bytes(call, args[1], 4 * count, false, "masks", &masks)) {
        return NULL;
    }
    const sl_refit_def def = { .masks = masks };
    sl_bvh *bvh = NULL;
    core_begin(call, Py_None);
    const sl_result result = sl_bvh_set_masks(call->is, count, &def, &bvh, &call->error);
    return core_made(call, result, CORE_BVH, bvh, NULL);
}
