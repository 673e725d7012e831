/* tree.c: trees: built, and what is known of them. */
#include "tools/python/core/core.h"

PyObject *core_tree_wrap(core_state *state, sl_bvh *bvh, PyObject *owner)
{
    core_tree *self = (core_tree *)PyType_GenericAlloc(state->tree, 0);
    if (self == NULL) {
        sl_bvh_destroy(bvh);
        return NULL;
    }
    self->bvh = bvh;
    self->owner = Py_XNewRef(owner);
    return (PyObject *)self;
}

static void deallocate(PyObject *object)
{
    core_tree *self = (core_tree *)object;
    sl_bvh_destroy(self->bvh);
    Py_CLEAR(self->owner);
    core_release(object);
}

static PyType_Slot slots[] = {
    { Py_tp_dealloc, CORE_SLOT(deallocate) },
    { Py_tp_doc, "An sl_bvh." },
    { 0, NULL },
};

PyType_Spec core_tree_spec = {
    .name = "sightline._core.Tree",
    .basicsize = sizeof(core_tree),
    .flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_DISALLOW_INSTANTIATION,
    .slots = slots,
};

/* tree_build(mesh, quality, layout, masks (T,) u4 or None, max_memory, max_tree_size, threads,
 * progress) */
static PyObject *build(PyObject *module, PyObject *const *args, Py_ssize_t count)
{
    core_state *state = core_state_of(module);
    core_loans loans = { .count = 0 };
    const core_mesh *mesh =
        core_arguments("tree_build", count, 8) ? core_mesh_of(state, args[0]) : NULL;
    sl_build_def def = sl_default_build_def();
    long long quality, layout, threads;
    void *masks;
    PyObject *made = NULL;
    if (mesh == NULL || !core_long(args[1], &quality) || !core_long(args[2], &layout) ||
        !core_size(args[4], &def.max_memory) || !core_size(args[5], &def.max_tree_size) ||
        !core_long(args[6], &threads) ||
        !core_borrow_bytes(state, &loans, args[3], 4 * sl_mesh_triangle_count(mesh->mesh), false,
                           "masks", &masks)) {
        goto done;
    }
    def.hooks.tasks = core_tasks(state, (long)threads);
    if (PyErr_Occurred()) {
        goto done;
    }
    sl_bvh *bvh = NULL;
    sl_error error;
    core_wait wait;
    def.quality = (sl_bvh_quality)quality;
    def.layout = (sl_bvh_layout)layout;
    def.masks = masks;
    def.hooks.progress = (sl_progress){ .report = core_wait_report, .user = &wait };
    core_wait_begin(&wait, args[7]);
    const sl_result result = sl_bvh_build(mesh->mesh, &def, &bvh, &error);
    if (!core_wait_end(&wait)) {
        sl_bvh_destroy(bvh);
        made = core_wait_raise(state, &wait);
    } else {
        made = result == SL_OK ? core_tree_wrap(state, bvh, NULL) : core_raise(state, &error);
    }
done:
    core_loans_end(&loans);
    return made;
}

/* tree_info(tree): numbers in the order of sl_bvh_info, with bounds, drift and hash behind them */
static PyObject *info(PyObject *module, PyObject *const *args, Py_ssize_t count)
{
    core_state *state = core_state_of(module);
    const core_tree *self =
        core_arguments("tree_info", count, 1) ? core_tree_of(state, args[0]) : NULL;
    if (self == NULL) {
        return NULL;
    }
    sl_bvh_info i;
    sl_bvh_get_info(self->bvh, &i, sizeof i);
    const sl_aabb b = sl_bvh_bounds(self->bvh);
    return Py_BuildValue(
        "nnnnnIdniis((fff)(fff))", (Py_ssize_t)i.prim_count, (Py_ssize_t)i.triangle_count,
        (Py_ssize_t)i.reference_count, (Py_ssize_t)i.node_count, (Py_ssize_t)i.leaf_count, i.depth,
        i.sah_cost, (Py_ssize_t)i.bytes, (int)i.quality, (int)i.layout, i.kernel, (double)b.min[0],
        (double)b.min[1], (double)b.min[2], (double)b.max[0], (double)b.max[1], (double)b.max[2]);
}

/* tree_hash(tree) */
static PyObject *hash(PyObject *module, PyObject *const *args, Py_ssize_t count)
{
    const core_tree *self =
        core_arguments("tree_hash", count, 1) ? core_tree_of(core_state_of(module), args[0]) : NULL;
    return self != NULL ? PyLong_FromUnsignedLongLong(sl_bvh_mesh_hash(self->bvh)) : NULL;
}

/* tree_drift(tree) */
static PyObject *drift(PyObject *module, PyObject *const *args, Py_ssize_t count)
{
    const core_tree *self = core_arguments("tree_drift", count, 1)
                                ? core_tree_of(core_state_of(module), args[0])
                                : NULL;
    return self != NULL ? PyFloat_FromDouble(sl_bvh_drift(self->bvh)) : NULL;
}

/* tree_triangles(tree, prims (N,) u4, count, out (N, 3, 3) f4): NaN where there is none */
static PyObject *triangles(PyObject *module, PyObject *const *args, Py_ssize_t given)
{
    core_state *state = core_state_of(module);
    core_loans loans = { .count = 0 };
    const core_tree *self =
        core_arguments("tree_triangles", given, 4) ? core_tree_of(state, args[0]) : NULL;
    core_column prims;
    size_t count;
    void *out;
    PyObject *done = NULL;
    if (self != NULL && core_size(args[2], &count) &&
        core_borrow(state, &loans, args[1], count, 1, 4, &prims) &&
        core_borrow_bytes(state, &loans, args[3], count * sizeof(sl_triangle), true, "out", &out)) {
        sl_triangle *to = out;
        for (size_t i = 0; i < count; i++) {
            uint32_t prim;
            memcpy(&prim, prims.data + (Py_ssize_t)i * prims.stride, sizeof prim);
            if (!sl_bvh_triangle(self->bvh, prim, &to[i])) {
                for (size_t k = 0; k < 9; k++) {
                    to[i].v[k / 3][k % 3] = (float)Py_NAN;
                }
            }
        }
        done = Py_NewRef(Py_None);
    }
    core_loans_end(&loans);
    return done;
}

/* tree_check(tree): raises BadData with the first fault */
static PyObject *check(PyObject *module, PyObject *const *args, Py_ssize_t count)
{
    core_state *state = core_state_of(module);
    const core_tree *self =
        core_arguments("tree_check", count, 1) ? core_tree_of(state, args[0]) : NULL;
    if (self == NULL) {
        return NULL;
    }
    sl_error error = { .code = SL_BAD_DATA, .byte = -1 };
    core_wait wait;
    core_wait_begin(&wait, Py_None);
    const bool good = sl_bvh_check(self->bvh, NULL, &error);
    core_wait_end(&wait);
    return good ? Py_NewRef(Py_None) : core_raise(state, &error);
}

PyMethodDef core_tree_functions[] = {
    CORE_FUNCTION("tree_build", build, NULL),
    CORE_FUNCTION("tree_info", info, NULL),
    CORE_FUNCTION("tree_hash", hash, NULL),
    CORE_FUNCTION("tree_drift", drift, NULL),
    CORE_FUNCTION("tree_triangles", triangles, NULL),
    CORE_FUNCTION("tree_check", check, NULL),
    { NULL, NULL, 0, NULL },
};
