/* scene.c: scenes: trees over instances. */
#include "tools/python/core/core.h"

#include <stdlib.h>

/* One row: (handle or None, mask, id, grid), and its twelve numbers. */
static bool read_instance(core_state *state, PyObject *row, const double *numbers, sl_instance *out)
{
    PyObject *what;
    unsigned mask, id;
    double grid;
    *out = (sl_instance){ .bvh = NULL };
    if (!PyArg_ParseTuple(row, "OIId", &what, &mask, &id, &grid)) {
        return false;
    }
    memcpy(out->transform.m, numbers, sizeof out->transform.m);
    out->mask = mask;
    out->id = id;
    out->grid = grid;
    if (what == Py_None) {
        return true;
    }
    const core_bvh *handle = core_bvh_of(state, what);
    out->bvh = handle != NULL ? handle->bvh : NULL;
    return handle != NULL;
}

/* scene_build(tuple of rows, places (N, 3, 4) f8, leave_out, quality, previous or None, threads).
 * The handles in the rows live as long as the scene. */
static PyObject *scene_build(PyObject *module, PyObject *const *args, Py_ssize_t given)
{
    core_state *state = core_state_of(module);
    core_loans loans = { .count = 0 };
    sl_instances_def def = (sl_instances_def){ 0 };
    long long leave_out, quality, threads;
    sl_instance *instances = NULL;
    PyObject *made = NULL;
    void *places;
    if (!core_arguments("scene_build", given, 6) || !PyTuple_Check(args[0]) ||
        !core_long(args[2], &leave_out) || !core_long(args[3], &quality) ||
        !core_long(args[5], &threads)) {
        return NULL;
    }
    const size_t count = (size_t)PyTuple_Size(args[0]);
    if (!core_borrow_bytes(state, &loans, args[1], count * sizeof(sl_transform), false, "places",
                           &places)) {
        goto done;
    }
    instances = malloc((count + 1) * sizeof *instances);
    if (instances == NULL) {
        PyErr_NoMemory();
        goto done;
    }
    for (size_t i = 0; i < count; i++) {
        if (!read_instance(state, PyTuple_GetItem(args[0], (Py_ssize_t)i),
                           (const double *)places + 12 * i, &instances[i])) {
            goto done;
        }
    }
    if (args[4] != Py_None) {
        const core_bvh *previous = core_bvh_of(state, args[4]);
        if (previous == NULL) {
            goto done;
        }
        def.previous = previous->bvh;
    }
    def.hooks.tasks = core_tasks(state, (long)threads);
    if (PyErr_Occurred()) {
        goto done;
    }
    sl_bvh *scene = NULL;
    sl_error error;
    core_wait wait;
    def.bad = leave_out ? SL_BAD_INSTANCES_LEAVE_OUT : SL_BAD_INSTANCES_REFUSE;
    def.quality = (sl_bvh_quality)quality;
    def.stride = sizeof *instances;
    core_wait_begin(&wait, Py_None);
    const sl_result result = sl_bvh_build_instances(instances, count, &def, &scene, &error);
    core_wait_end(&wait);
    made = result == SL_OK ? core_bvh_wrap(state, scene, args[0]) : core_raise(state, &error);
done:
    free(instances);
    core_loans_end(&loans);
    return made;
}

/* scene_path(scene, instance): a list of (index, id) */
static PyObject *scene_path(PyObject *module, PyObject *const *args, Py_ssize_t count)
{
    core_state *state = core_state_of(module);
    const core_bvh *self =
        core_arguments("scene_path", count, 2) ? core_bvh_of(state, args[0]) : NULL;
    long long instance;
    if (self == NULL || !core_long(args[1], &instance)) {
        return NULL;
    }
    sl_path_step steps[32]; /* scenes are 16 deep at most */
    const bool fits = instance >= 0 && instance < SL_NONE;
    size_t n = 0;
    if (fits) {
        (void)sl_bvh_path(self->bvh, (uint32_t)instance, steps, 32, &n);
    }
    PyObject *list = PyList_New(0);
    for (size_t i = 0; i < n && list != NULL; i++) {
        PyObject *step = Py_BuildValue("II", steps[i].index, steps[i].id);
        if (step == NULL || PyList_Append(list, step) != 0) {
            Py_CLEAR(list);
        }
        Py_XDECREF(step);
    }
    return list;
}

/* scene_flatten(scene): (mesh, memory of REF for each triangle) */
static PyObject *scene_flatten(PyObject *module, PyObject *const *args, Py_ssize_t count)
{
    core_state *state = core_state_of(module);
    const core_bvh *self =
        core_arguments("scene_flatten", count, 1) ? core_bvh_of(state, args[0]) : NULL;
    if (self == NULL) {
        return NULL;
    }
    sl_flatten_def def = { 0 };
    sl_bvh_info i;
    sl_mesh *mesh = NULL;
    sl_error error;
    core_wait wait;
    i = sl_bvh_get_info(self->bvh);
    const size_t size = (size_t)i.triangle_count * sizeof *def.refs;
    def.refs = malloc(size + 1);
    if (def.refs == NULL) {
        return PyErr_NoMemory();
    }
    core_wait_begin(&wait, Py_None);
    const sl_result result = sl_bvh_flatten(self->bvh, &def, &mesh, NULL, &error);
    core_wait_end(&wait);
    if (result != SL_OK) {
        free(def.refs);
        return core_raise(state, &error);
    }
    PyObject *refs = core_memory_take(state, def.refs, size);
    PyObject *made = refs != NULL ? core_mesh_wrap(state, mesh) : NULL;
    if (refs == NULL) {
        sl_mesh_destroy(mesh);
    }
    PyObject *both = made != NULL ? PyTuple_Pack(2, made, refs) : NULL;
    Py_XDECREF(made);
    Py_XDECREF(refs);
    return both;
}

PyMethodDef core_scene_functions[] = {
    CORE_FUNCTION("scene_build", scene_build, NULL),
    CORE_FUNCTION("scene_path", scene_path, NULL),
    CORE_FUNCTION("scene_flatten", scene_flatten, NULL),
    { NULL, NULL, 0, NULL },
};
