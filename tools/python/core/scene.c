/* scene.c: scenes: trees over instances. */
#include "tools/python/core/core.h"

#include <stdlib.h>

/* One row: (handle or None, mask, id, grid), and its twelve numbers. */
static bool read_instance(core_call *call, PyObject *row, const double *numbers, sl_instance *out)
{
    PyObject *what;
    unsigned mask, id;
    double grid;
    if (!PyArg_ParseTuple(row, "OIId", &what, &mask, &id, &grid)) {
        return false;
    }
    *out = (sl_instance){ .mask = mask, .id = id, .grid = grid };
    memcpy(out->transform.m, numbers, sizeof out->transform.m);
    out->bvh = what != Py_None ? core_held(call, what, CORE_BVH) : NULL;
    return what == Py_None || out->bvh != NULL;
}

/* scene_build(tuple of rows, transforms (N, 3, 4) f8, leave_out, quality, previous or None,
 * threads, static_memory).  The handles in the rows live as long as the scene. */
PyObject *core_scene_build(core_call *call, PyObject *const *args)
{
    sl_instances_def def = { .stride = sizeof(sl_instance) };
    long long leave_out, quality;
    void *transforms;
    const size_t count = PyTuple_Check(args[0]) ? (size_t)PyTuple_Size(args[0]) : 0;
    if (!core_long(args[2], &leave_out) || !core_long(args[3], &quality) ||
        !core_tasks(call, args[5], &def.hooks.tasks) || !core_size(args[6], &def.static_memory) ||
        !core_borrow_bytes(call, args[1], count * sizeof(sl_transform), false, "transforms",
                           &transforms)) {
        return NULL;
    }
    if (args[4] != Py_None) {
        def.previous = core_held(call, args[4], CORE_BVH);
        if (def.previous == NULL) {
            return NULL;
        }
    }
    sl_instance *instances = malloc((count + 1) * sizeof *instances);
    bool read = instances != NULL || PyErr_NoMemory() != NULL;
    for (size_t i = 0; i < count && read; i++) {
        read = read_instance(call, PyTuple_GetItem(args[0], (Py_ssize_t)i),
                             (const double *)transforms + 12 * i, &instances[i]);
    }
    PyObject *made = NULL;
    if (read) {
        sl_bvh *scene = NULL;
        def.bad = leave_out ? SL_BAD_INSTANCES_LEAVE_OUT : SL_BAD_INSTANCES_REFUSE;
        def.quality = (sl_bvh_quality)quality;
        core_begin(call, Py_None);
        const sl_result result =
            sl_bvh_build_instances(instances, count, &def, &scene, &call->error);
        made = core_made(call, result, CORE_BVH, scene, args[0]);
    }
    free(instances);
    return made;
}

/* scene_path(scene, instance): a list of (index, id) */
PyObject *core_scene_path(core_call *call, PyObject *const *args)
{
    long long instance;
    if (!core_long(args[1], &instance)) {
        return NULL;
    }
    sl_path_step steps[32]; /* scenes are 16 deep at most */
    size_t n = 0;
    if (instance >= 0 && instance < SL_NONE) {
        (void)sl_bvh_path(call->is, (uint32_t)instance, steps, 32, &n);
    }
    PyObject *list = PyList_New(0);
    for (size_t i = 0; i < n && list != NULL; i++) {
        core_append(&list, Py_BuildValue("II", steps[i].index, steps[i].id));
    }
    return list;
}

/* scene_left_out(scene): {instance: why} */
PyObject *core_scene_left_out(core_call *call, PyObject *const *args)
{
    (void)args;
    const size_t count = sl_bvh_get_info(call->is).instance_count;
    PyObject *found = PyDict_New();
    for (size_t i = 0; i < count && found != NULL; i++) {
        const char *words = sl_bvh_left_out(call->is, (uint32_t)i);
        PyObject *key = words != NULL ? PyLong_FromSize_t(i) : NULL;
        PyObject *why = words != NULL ? PyUnicode_FromString(words) : NULL;
        if (words != NULL && (key == NULL || why == NULL || PyDict_SetItem(found, key, why) != 0)) {
            Py_CLEAR(found);
        }
        Py_XDECREF(key);
        Py_XDECREF(why);
    }
    return found;
}

/* scene_flatten(scene): (mesh, memory of REF for each triangle) */
PyObject *core_scene_flatten(core_call *call, PyObject *const *args)
{
    (void)args;
    sl_flatten_def def = { .hooks = { .progress = core_progress(call) } };
    const size_t size = (size_t)sl_bvh_get_info(call->is).triangle_count * sizeof *def.refs;
    sl_mesh *mesh = NULL;
    def.refs = malloc(size + 1);
    if (def.refs == NULL) {
        return PyErr_NoMemory();
    }
    core_begin(call, Py_None);
    const sl_result result = sl_bvh_flatten(call->is, &def, &mesh, NULL, &call->error);
    PyObject *made = core_made(call, result, CORE_MESH, mesh, NULL);
    if (made == NULL) {
        free(def.refs);
        return NULL;
    }
    return Py_BuildValue("NN", made, core_memory_take(call, def.refs, size));
}
