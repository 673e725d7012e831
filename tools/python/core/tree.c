/* tree.c: trees: built over triangles, and what is known of either kind. */
#include "tools/python/core/core.h"

PyObject *core_bvh_wrap(core_state *state, sl_bvh *bvh, PyObject *owner)
{
    core_bvh *self = (core_bvh *)PyType_GenericAlloc(state->bvh, 0);
    if (self == NULL) {
        sl_bvh_destroy(bvh);
        return NULL;
    }
    self->bvh = bvh;
    self->owner = Py_XNewRef(owner);
    return (PyObject *)self;
}

static void destroy_tree(PyObject *object)
{
    core_bvh *self = (core_bvh *)object;
    sl_bvh_destroy(self->bvh);
    Py_CLEAR(self->owner);
    core_release(object);
}

static PyType_Slot slots[] = {
    { Py_tp_dealloc, CORE_SLOT(destroy_tree) },
    { Py_tp_doc, "An sl_bvh." },
    { 0, NULL },
};

PyType_Spec core_bvh_spec = {
    .name = "sightline._core.Bvh",
    .basicsize = sizeof(core_bvh),
    .flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_DISALLOW_INSTANTIATION,
    .slots = slots,
};

/* tree_build(mesh, quality, layout, masks (T,) u4 or None, max_memory, max_tree_size, threads,
 * progress) */
static PyObject *tree_build(PyObject *module, PyObject *const *args, Py_ssize_t count)
{
    core_state *state = core_state_of(module);
    core_loans loans = { .count = 0 };
    const core_mesh *mesh =
        core_arguments("tree_build", count, 8) ? core_mesh_of(state, args[0]) : NULL;
    sl_build_def def = { 0 };
    long long quality, layout, threads;
    void *masks;
    PyObject *made = NULL;
    if (mesh == NULL || !core_long(args[1], &quality) || !core_long(args[2], &layout) ||
        !core_size(args[4], &def.max_memory) || !core_size(args[5], &def.max_tree_size) ||
        !core_long(args[6], &threads) ||
        !core_borrow_bytes(state, &loans, args[3], 4 * sl_mesh_soup(mesh->mesh).triangle_count,
                           false, "masks", &masks)) {
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
        made = result == SL_OK ? core_bvh_wrap(state, bvh, NULL) : core_raise(state, &error);
    }
done:
    core_loans_end(&loans);
    return made;
}

/* bvh_info(handle): numbers in the order of TreeInfo, the bounds, the number of instances */
static PyObject *tree_info(PyObject *module, PyObject *const *args, Py_ssize_t count)
{
    core_state *state = core_state_of(module);
    const core_bvh *self =
        core_arguments("bvh_info", count, 1) ? core_bvh_of(state, args[0]) : NULL;
    if (self == NULL) {
        return NULL;
    }
    const sl_bvh_info i = sl_bvh_get_info(self->bvh);
    const sl_aabb_d b = sl_bvh_bounds(self->bvh);
    return Py_BuildValue(
        "nKnnnIdniis((ddd)(ddd))n", (Py_ssize_t)i.prim_count, (unsigned long long)i.triangle_count,
        (Py_ssize_t)i.reference_count, (Py_ssize_t)i.node_count, (Py_ssize_t)i.leaf_count, i.depth,
        i.sah_cost, (Py_ssize_t)i.bytes, (int)i.quality, (int)i.layout, i.kernel, b.min[0],
        b.min[1], b.min[2], b.max[0], b.max[1], b.max[2], (Py_ssize_t)i.instance_count);
}

/* tree_hash(tree) */
static PyObject *tree_hash(PyObject *module, PyObject *const *args, Py_ssize_t count)
{
    const core_bvh *self =
        core_arguments("tree_hash", count, 1) ? core_bvh_of(core_state_of(module), args[0]) : NULL;
    return self != NULL ? PyLong_FromUnsignedLongLong(sl_bvh_mesh_hash(self->bvh)) : NULL;
}

/* tree_drift(tree) */
static PyObject *tree_drift(PyObject *module, PyObject *const *args, Py_ssize_t count)
{
    const core_bvh *self =
        core_arguments("tree_drift", count, 1) ? core_bvh_of(core_state_of(module), args[0]) : NULL;
    return self != NULL ? PyFloat_FromDouble(sl_bvh_drift(self->bvh)) : NULL;
}

/* bvh_triangles(handle, instances (N,) u4 or None: 0, prims (N,) u4, count, doubles,
 * out (N, 3, 3)): NaN where there is none */
static PyObject *tree_triangles(PyObject *module, PyObject *const *args, Py_ssize_t given)
{
    core_state *state = core_state_of(module);
    core_loans loans = { .count = 0 };
    const core_bvh *self =
        core_arguments("bvh_triangles", given, 6) ? core_bvh_of(state, args[0]) : NULL;
    core_column instances, prims;
    long long doubles;
    size_t count;
    void *out;
    PyObject *done = NULL;
    if (self == NULL || !core_size(args[3], &count) || !core_long(args[4], &doubles) ||
        !core_borrow(state, &loans, args[1], count, 1, 4, &instances) ||
        !core_borrow(state, &loans, args[2], count, 1, 4, &prims) ||
        !core_borrow_bytes(state, &loans, args[5], count * (doubles ? 72 : 36), true, "out",
                           &out)) {
        goto done;
    }
    for (size_t i = 0; i < count; i++) {
        const Py_ssize_t row = (Py_ssize_t)i;
        sl_triangle_ref triangle = { .instance = 0 };
        double corners[3][3];
        if (instances.data != NULL) {
            memcpy(&triangle.instance, instances.data + row * instances.stride, 4);
        }
        memcpy(&triangle.prim, prims.data + row * prims.stride, 4);
        const bool is_there = sl_bvh_triangle(self->bvh, triangle, corners);
        for (size_t k = 0; k < 9; k++) {
            const double corner = is_there ? corners[k / 3][k % 3] : Py_NAN;
            if (doubles) {
                ((double *)out)[9 * i + k] = corner;
            } else {
                ((float *)out)[9 * i + k] = (float)corner;
            }
        }
    }
    done = Py_NewRef(Py_None);
done:
    core_loans_end(&loans);
    return done;
}

/* tree_check(tree): raises BadData with the first fault */
static PyObject *tree_check(PyObject *module, PyObject *const *args, Py_ssize_t count)
{
    core_state *state = core_state_of(module);
    const core_bvh *self =
        core_arguments("tree_check", count, 1) ? core_bvh_of(state, args[0]) : NULL;
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
    CORE_FUNCTION("tree_build", tree_build, NULL),
    CORE_FUNCTION("bvh_info", tree_info, NULL),
    CORE_FUNCTION("tree_hash", tree_hash, NULL),
    CORE_FUNCTION("tree_drift", tree_drift, NULL),
    CORE_FUNCTION("bvh_triangles", tree_triangles, NULL),
    CORE_FUNCTION("tree_check", tree_check, NULL),
    { NULL, NULL, 0, NULL },
};
