/* module.c: the module itself: its types, its functions, and handles. */
#include "tools/python/core/core.h"

core_state *core_state_of(PyObject *module)
{
    return PyModule_GetState(module);
}

bool core_arguments(const char *name, Py_ssize_t given, Py_ssize_t wanted)
{
    if (given != wanted) {
        PyErr_Format(PyExc_TypeError, "%s takes %zd arguments, not %zd", name, wanted, given);
    }
    return given == wanted;
}

void core_release(PyObject *object)
{
    PyTypeObject *type = Py_TYPE(object);
    freefunc release;
    void *slot = PyType_GetSlot(type, Py_tp_free);
    memcpy(&release, &slot, sizeof release); /* ISO C has no cast for it */
    release(object);
    Py_DECREF(type);
}

static void *handle_of(PyObject *object, PyTypeObject *type, const char *name)
{
    if (!PyObject_TypeCheck(object, type)) {
        PyErr_Format(PyExc_TypeError, "%s is wanted, not %R", name, object);
        return NULL;
    }
    return object;
}

core_mesh *core_mesh_of(core_state *state, PyObject *object)
{
    return handle_of(object, state->mesh, "a mesh");
}

core_bvh *core_bvh_of(core_state *state, PyObject *object)
{
    return handle_of(object, state->bvh, "a tree or a scene");
}

static PyMethodDef *const functions[] = {
    core_memory_functions,  core_mesh_functions,  core_fault_functions,  core_tree_functions,
    core_version_functions, core_scene_functions, core_ask_functions,    core_list_functions,
    core_surface_functions, core_bake_functions,  core_camera_functions, core_gltf_functions,
};

static bool add_types(PyObject *module, core_state *state)
{
    const struct {
        PyTypeObject **type;
        PyType_Spec *spec;
    } rows[] = {
        { &state->memory, &core_memory_spec }, { &state->mesh, &core_mesh_spec },
        { &state->bvh, &core_bvh_spec },       { &state->boundary, &core_boundary_spec },
        { &state->camera, &core_camera_spec },
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        PyObject *type = PyType_FromModuleAndSpec(module, rows[i].spec, NULL);
        if (type == NULL || PyModule_AddType(module, (PyTypeObject *)type) != 0) {
            Py_XDECREF(type);
            return false;
        }
        *rows[i].type = (PyTypeObject *)type;
    }
    return true;
}

static int module_execute(PyObject *module)
{
    core_state *state = core_state_of(module);
    PyObject *errors = PyImport_ImportModule("sightline._errors");
    state->raise = errors != NULL ? PyObject_GetAttrString(errors, "from_library") : NULL;
    Py_XDECREF(errors);
    if (state->raise == NULL || !add_types(module, state)) {
        return -1;
    }
    for (size_t i = 0; i < sizeof functions / sizeof *functions; i++) {
        if (PyModule_AddFunctions(module, functions[i]) != 0) {
            return -1;
        }
    }
#ifdef CORE_IO
    const int io = 1;
#else
    const int io = 0;
#endif
#ifdef Py_GIL_DISABLED
    const int free_threaded = 1;
#else
    const int free_threaded = 0;
#endif
    return PyModule_AddIntConstant(module, "IO", io) != 0 ||
                   PyModule_AddIntConstant(module, "FREE_THREADED", free_threaded) != 0 ||
                   PyModule_AddStringConstant(module, "VERSION", sl_version()) != 0
               ? -1
               : 0;
}

static int module_traverse(PyObject *module, visitproc visit, void *arg)
{
    core_state *state = core_state_of(module);
    Py_VISIT(state->memory);
    Py_VISIT(state->mesh);
    Py_VISIT(state->bvh);
    Py_VISIT(state->boundary);
    Py_VISIT(state->camera);
    Py_VISIT(state->raise);
    return 0;
}

static int module_clear(PyObject *module)
{
    core_state *state = core_state_of(module);
    Py_CLEAR(state->memory);
    Py_CLEAR(state->mesh);
    Py_CLEAR(state->bvh);
    Py_CLEAR(state->boundary);
    Py_CLEAR(state->camera);
    Py_CLEAR(state->raise);
    return 0;
}

static void module_destroy(void *module)
{
    module_clear(module);
}

static PyModuleDef_Slot slots[] = {
    { Py_mod_exec, CORE_SLOT(module_execute) },
#ifdef Py_GIL_DISABLED
    { Py_mod_gil, Py_MOD_GIL_NOT_USED },
#endif
    { 0, NULL },
};

static struct PyModuleDef definition = {
    PyModuleDef_HEAD_INIT,
    .m_name = "sightline._core",
    .m_doc = "What sightline's C library does, over buffers; the package sightline is its caller.",
    .m_size = sizeof(core_state),
    .m_slots = slots,
    .m_traverse = module_traverse,
    .m_clear = module_clear,
    .m_free = module_destroy,
};

PyMODINIT_FUNC PyInit__core(void);
PyMODINIT_FUNC PyInit__core(void)
{
    return PyModuleDef_Init(&definition);
}
