/* scene.c: scenes of instances. */
#include "tools/python/core/core.h"

#include <stdlib.h>

static PyObject *wrap(core_state *state, sl_scene *scene, PyObject *parts)
{
    core_scene *self = (core_scene *)PyType_GenericAlloc(state->scene, 0);
    if (self == NULL) {
        sl_scene_destroy(scene);
        return NULL;
    }
    self->scene = scene;
    self->parts = Py_NewRef(parts);
    return (PyObject *)self;
}

static void deallocate(PyObject *object)
{
    core_scene *self = (core_scene *)object;
    sl_scene_destroy(self->scene);
    Py_CLEAR(self->parts);
    core_release(object);
}

static PyType_Slot slots[] = {
    { Py_tp_dealloc, CORE_SLOT(deallocate) },
    { Py_tp_doc, "An sl_scene, and what is in it." },
    { 0, NULL },
};

PyType_Spec core_scene_spec = {
    .name = "sightline._core.Scene",
    .basicsize = sizeof(core_scene),
    .flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_DISALLOW_INSTANTIATION,
    .slots = slots,
};

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
    memcpy(out->place.m, numbers, sizeof out->place.m);
    out->mask = mask;
    out->id = id;
    out->grid = grid;
    if (what == Py_None) {
        return true;
    }
    if (PyObject_TypeCheck(what, state->tree)) {
        out->bvh = ((core_tree *)what)->bvh;
        return true;
    }
    const core_scene *scene = core_scene_of(state, what);
    out->bvh = scene != NULL ? scene->scene : NULL;
    return scene != NULL;
}

/* scene_build(tuple of rows, places (N, 3, 4) f8, leave_out, quality, previous or None, threads).
 * The handles in the rows live as long as the scene. */
static PyObject *build(PyObject *module, PyObject *const *args, Py_ssize_t given)
{
    core_state *state = core_state_of(module);
    core_loans loans = { .count = 0 };
    sl_scene_def def = sl_default_scene_def();
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
    if (!core_borrow_bytes(state, &loans, args[1], count * sizeof(sl_place), false, "places",
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
        const core_scene *previous = core_scene_of(state, args[4]);
        if (previous == NULL) {
            goto done;
        }
        def.previous = previous->scene;
    }
    def.hooks.tasks = core_tasks(state, (long)threads);
    if (PyErr_Occurred()) {
        goto done;
    }
    sl_scene *scene = NULL;
    sl_error error;
    core_wait wait;
    def.bad = leave_out ? SL_BAD_INSTANCES_LEAVE_OUT : SL_BAD_INSTANCES_REFUSE;
    def.quality = (sl_bvh_quality)quality;
    def.stride = sizeof *instances;
    core_wait_begin(&wait, Py_None);
    const sl_result result = sl_scene_build(instances, count, &def, &scene, &error);
    core_wait_end(&wait);
    made = result == SL_OK ? wrap(state, scene, args[0]) : core_raise(state, &error);
done:
    free(instances);
    core_loans_end(&loans);
    return made;
}

/* scene_info(scene): (instances, holes, left out, triangles, bytes, bounds, kernel) */
static PyObject *info(PyObject *module, PyObject *const *args, Py_ssize_t count)
{
    core_state *state = core_state_of(module);
    const core_scene *self =
        core_arguments("scene_info", count, 1) ? core_scene_of(state, args[0]) : NULL;
    if (self == NULL) {
        return NULL;
    }
    sl_scene_info i;
    sl_scene_get_info(self->scene, &i, sizeof i);
    return Py_BuildValue("nnnKn((ddd)(ddd))s", (Py_ssize_t)i.instance_count,
                         (Py_ssize_t)i.hole_count, (Py_ssize_t)i.left_out_count,
                         (unsigned long long)i.triangle_count, (Py_ssize_t)i.bytes, i.min[0],
                         i.min[1], i.min[2], i.max[0], i.max[1], i.max[2], i.kernel);
}

/* scene_path(scene, instance): a list of (index, id) */
static PyObject *path(PyObject *module, PyObject *const *args, Py_ssize_t count)
{
    core_state *state = core_state_of(module);
    const core_scene *self =
        core_arguments("scene_path", count, 2) ? core_scene_of(state, args[0]) : NULL;
    long long instance;
    if (self == NULL || !core_long(args[1], &instance)) {
        return NULL;
    }
    sl_scene_step steps[32]; /* scenes are 16 deep at most */
    const bool fits = instance >= 0 && instance < SL_NONE;
    const size_t n = fits ? sl_scene_path(self->scene, (uint32_t)instance, steps, 32) : 0;
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

/* scene_triangles(scene, refs (N,) REF, count, out (N, 3, 3) f8): NaN where there is none */
static PyObject *triangles(PyObject *module, PyObject *const *args, Py_ssize_t given)
{
    core_state *state = core_state_of(module);
    core_loans loans = { .count = 0 };
    const core_scene *self =
        core_arguments("scene_triangles", given, 4) ? core_scene_of(state, args[0]) : NULL;
    size_t count;
    void *refs, *out;
    PyObject *done = NULL;
    if (self != NULL && core_size(args[2], &count) &&
        core_borrow_bytes(state, &loans, args[1], count * 8, false, "refs", &refs) &&
        core_borrow_bytes(state, &loans, args[3], count * 72, true, "out", &out)) {
        double *to = out;
        for (size_t i = 0; i < count; i++, to += 9) {
            double corners[3][3];
            if (sl_scene_triangle(self->scene, ((sl_triangle_ref *)refs)[i], corners)) {
                memcpy(to, corners, sizeof corners);
            } else {
                for (int k = 0; k < 9; k++) {
                    to[k] = Py_NAN;
                }
            }
        }
        done = Py_NewRef(Py_None);
    }
    core_loans_end(&loans);
    return done;
}

/* scene_flatten(scene): (mesh, memory of REF for each triangle) */
static PyObject *flatten(PyObject *module, PyObject *const *args, Py_ssize_t count)
{
    core_state *state = core_state_of(module);
    const core_scene *self =
        core_arguments("scene_flatten", count, 1) ? core_scene_of(state, args[0]) : NULL;
    if (self == NULL) {
        return NULL;
    }
    sl_flatten_def def = sl_default_flatten_def();
    sl_scene_info i;
    sl_mesh *mesh = NULL;
    sl_error error;
    core_wait wait;
    sl_scene_get_info(self->scene, &i, sizeof i);
    const size_t size = (size_t)i.triangle_count * sizeof *def.refs;
    def.refs = malloc(size + 1);
    if (def.refs == NULL) {
        return PyErr_NoMemory();
    }
    core_wait_begin(&wait, Py_None);
    const sl_result result = sl_scene_flatten(self->scene, &def, &mesh, NULL, 0, &error);
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
    CORE_FUNCTION("scene_build", build, NULL),
    CORE_FUNCTION("scene_info", info, NULL),
    CORE_FUNCTION("scene_path", path, NULL),
    CORE_FUNCTION("scene_triangles", triangles, NULL),
    CORE_FUNCTION("scene_flatten", flatten, NULL),
    { NULL, NULL, 0, NULL },
};
