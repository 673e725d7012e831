/* gltf.c: the nodes of glTF files, each mesh once. */
#include "tools/python/core/core.h"

#ifdef CORE_IO
#include <sightline/io.h>

/* Holds an sl_gltf as long as meshes of it are used. */
static void gltf_destroy(PyObject *capsule)
{
    sl_gltf_destroy(PyCapsule_GetPointer(capsule, NULL));
}

static PyObject *mesh_handle(core_state *state, const sl_gltf *gltf, size_t i, PyObject *owner)
{
    core_mesh *self = (core_mesh *)PyType_GenericAlloc(state->mesh, 0);
    if (self != NULL) {
        self->mesh = sl_gltf_mesh(gltf, i, NULL);
        self->owner = Py_NewRef(owner);
    }
    return (PyObject *)self;
}

static PyObject *node_row(const sl_gltf_instance *node)
{
    const double *m = &node->transform.m[0][0];
    PyObject *name =
        PyUnicode_DecodeUTF8(node->name, (Py_ssize_t)strlen(node->name), "surrogateescape");
    if (name == NULL) {
        return NULL;
    }
    return Py_BuildValue("I(dddddddddddd)N", node->mesh, m[0], m[1], m[2], m[3], m[4], m[5], m[6],
                         m[7], m[8], m[9], m[10], m[11], name);
}

static bool gltf_append(PyObject *list, PyObject *item)
{
    const bool done = item != NULL && PyList_Append(list, item) == 0;
    Py_XDECREF(item);
    return done;
}

static PyObject *lists_of(core_state *state, const sl_gltf *gltf, PyObject *owner)
{
    PyObject *meshes = PyList_New(0), *nodes = PyList_New(0);
    const sl_gltf_info info = sl_gltf_get_info(gltf);
    bool good = meshes != NULL && nodes != NULL;
    for (size_t i = 0; i < info.mesh_count && good; i++) {
        good = gltf_append(meshes, mesh_handle(state, gltf, i, owner));
    }
    for (size_t i = 0; i < info.instance_count && good; i++) {
        good = gltf_append(nodes, node_row(info.instances + i));
    }
    PyObject *both = good ? PyTuple_Pack(2, meshes, nodes) : NULL;
    Py_XDECREF(meshes);
    Py_XDECREF(nodes);
    return both;
}

/* gltf_load(path bytes, progress): (meshes, nodes: (mesh, twelve numbers of the place, name)) */
static PyObject *load(PyObject *module, PyObject *const *args, Py_ssize_t count)
{
    core_state *state = core_state_of(module);
    const char *path = core_arguments("gltf_load", count, 2) ? PyBytes_AsString(args[0]) : NULL;
    if (path == NULL) {
        return NULL;
    }
    sl_mesh_def def = { 0 };
    sl_gltf *gltf = NULL;
    sl_error error;
    core_wait wait;
    def.hooks.progress = (sl_progress){ .report = core_wait_report, .user = &wait };
    core_wait_begin(&wait, args[1]);
    const sl_result result = sl_gltf_load(path, &def, &gltf, &error);
    if (!core_wait_end(&wait)) {
        sl_gltf_destroy(gltf);
        return core_wait_raise(state, &wait);
    }
    if (result != SL_OK) {
        return core_raise(state, &error);
    }
    PyObject *owner = PyCapsule_New(gltf, NULL, gltf_destroy);
    if (owner == NULL) {
        sl_gltf_destroy(gltf);
        return NULL;
    }
    PyObject *both = lists_of(state, gltf, owner);
    Py_DECREF(owner);
    return both;
}

PyMethodDef core_gltf_functions[] = {
    CORE_FUNCTION("gltf_load", load, NULL),
    { NULL, NULL, 0, NULL },
};
#else
PyMethodDef core_gltf_functions[] = { { NULL, NULL, 0, NULL } };
#endif
