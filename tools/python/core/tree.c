/* tree.c: trees: built over triangles, and what is known of either kind. */
#include "tools/python/core/core.h"

/* tree_build(mesh, quality, layout, masks (T,) u4 or None, max_memory, max_tree_size, threads,
 * progress) */
PyObject *core_tree_build(core_call *call, PyObject *const *args)
{
    sl_build_def def = { .hooks = { .progress = core_progress(call) } };
    long long quality, layout;
    void *masks;
    if (!core_long(args[1], &quality) || !core_long(args[2], &layout) ||
        !core_size(args[4], &def.max_memory) || !core_size(args[5], &def.max_tree_size) ||
        !core_tasks(call, args[6], &def.hooks.tasks) ||
        !core_borrow_bytes(call, args[3], 4 * sl_mesh_soup(call->is).triangle_count, false, "masks",
                           &masks)) {
        return NULL;
    }
    sl_bvh *bvh = NULL;
    def.quality = (sl_bvh_quality)quality;
    def.layout = (sl_bvh_layout)layout;
    def.masks = masks;
    core_begin(call, args[7]);
    const sl_result result = sl_bvh_build(call->is, &def, &bvh, &call->error);
    return core_made(call, result, CORE_BVH, bvh, NULL);
}

/* bvh_info(handle): numbers in the order of TreeInfo, the bounds, the number of instances */
PyObject *core_bvh_info(core_call *call, PyObject *const *args)
{
    (void)args;
    const sl_bvh_info i = sl_bvh_get_info(call->is);
    const sl_aabb_d b = sl_bvh_bounds(call->is);
    return Py_BuildValue("nKnnnIdniis((ddd)(ddd))nn", (Py_ssize_t)i.prim_count,
                         (unsigned long long)i.triangle_count, (Py_ssize_t)i.reference_count,
                         (Py_ssize_t)i.node_count, (Py_ssize_t)i.leaf_count, i.depth, i.sah_cost,
                         (Py_ssize_t)i.bytes, (int)i.quality, (int)i.layout, i.kernel, b.min[0],
                         b.min[1], b.min[2], b.max[0], b.max[1], b.max[2],
                         (Py_ssize_t)i.instance_count, (Py_ssize_t)i.static_count);
}

/* tree_hash(tree) */
PyObject *core_tree_hash(core_call *call, PyObject *const *args)
{
    (void)args;
    return PyLong_FromUnsignedLongLong(sl_bvh_mesh_hash(call->is));
}

/* tree_drift(tree) */
PyObject *core_tree_drift(core_call *call, PyObject *const *args)
{
    (void)args;
    return PyFloat_FromDouble(sl_bvh_drift(call->is));
}

/* bvh_triangles(handle, instances (N,) u4 or None: 0, prims (N,) u4, count, doubles,
 * out (N, 3, 3)): NaN where there is none */
PyObject *core_bvh_triangles(core_call *call, PyObject *const *args)
{
    core_column instances, prims;
    long long doubles;
    size_t count;
    void *out;
    if (!core_size(args[3], &count) || !core_long(args[4], &doubles) ||
        !core_borrow(call, args[1], count, 1, 4, &instances) ||
        !core_borrow(call, args[2], count, 1, 4, &prims) ||
        !core_borrow_bytes(call, args[5], count * (doubles ? 72 : 36), true, "out", &out)) {
        return NULL;
    }
    core_begin(call, Py_None);
    for (size_t i = 0; i < count && core_wait_look_at(call, "triangles", i, count); i++) {
        const Py_ssize_t row = (Py_ssize_t)i;
        sl_triangle_ref triangle = { .instance = 0 };
        double corners[3][3];
        if (instances.data != NULL) {
            memcpy(&triangle.instance, instances.data + row * instances.stride, 4);
        }
        memcpy(&triangle.prim, prims.data + row * prims.stride, 4);
        const bool is_there = sl_bvh_triangle(call->is, triangle, corners);
        for (size_t k = 0; k < 9; k++) {
            const double corner = is_there ? corners[k / 3][k % 3] : Py_NAN;
            if (doubles) {
                ((double *)out)[9 * i + k] = corner;
            } else {
                ((float *)out)[9 * i + k] = (float)corner;
            }
        }
    }
    return core_none(core_end(call, SL_OK));
}

/* tree_check(tree): raises BadData with the first fault */
PyObject *core_tree_check(core_call *call, PyObject *const *args)
{
    (void)args;
    call->error = (sl_error){ .code = SL_BAD_DATA, .byte = -1 };
    core_begin(call, Py_None);
    const bool good = sl_bvh_check(call->is, NULL, &call->error);
    return core_none(core_end(call, good ? SL_OK : SL_BAD_DATA));
}
