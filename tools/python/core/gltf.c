/* gltf.c: the nodes of glTF files, each mesh once. */
#include "tools/python/core/core.h"

#ifdef CORE_IO
#include <sightline/io.h>

/* Holds an sl_gltf as long as meshes of it are used. */
static void gltf_destroy(PyObject *capsule)
{
    sl_gltf_destroy(PyCapsule_GetPointer(capsule, NULL));
}

static PyObject *node_row(const sl_gltf_instance *node)
{
    const double *m = &node->transform.m[0][0];
    return Py_BuildValue("I(dddddddddddd)N", node->mesh, m[0], m[1], m[2], m[3], m[4], m[5], m[6],
                         m[7], m[8], m[9], m[10], m[11], core_text(node->name));
}

static PyObject *lists_of(core_call *call, const sl_gltf *gltf, PyObject *owner)
{
    PyObject *meshes = PyList_New(0), *nodes = PyList_New(0);
    const sl_gltf_info info = sl_gltf_get_info(gltf);
    for (size_t i = 0; i < info.mesh_count && meshes != NULL; i++) {
        core_append(&meshes, core_handle_in(call, CORE_MESH, sl_gltf_mesh(gltf, i, NULL), owner));
    }
    for (size_t i = 0; i < info.instance_count && nodes != NULL; i++) {
        core_append(&nodes, node_row(info.instances + i));
    }
    return Py_BuildValue("NN", meshes, nodes);
}

/* gltf_load(path bytes, hidden_nodes, progress): (meshes, nodes: (mesh, twelve numbers of the
 * transform, name)) */
PyObject *core_gltf_load(core_call *call, PyObject *const *args)
{
    const char *path = PyBytes_AsString(args[0]);
    long long hidden;
    if (path == NULL || !core_long(args[1], &hidden)) {
        return NULL;
    }
    sl_mesh_def def = { .hooks = { .progress = core_progress(call) }, .hidden_nodes = hidden != 0 };
    sl_gltf *gltf = NULL;
    core_begin(call, args[2]);
    const sl_result result = sl_gltf_load(path, &def, &gltf, &call->error);
    PyObject *owner = core_end(call, result) ? PyCapsule_New(gltf, NULL, gltf_destroy) : NULL;
    if (owner == NULL) {
        sl_gltf_destroy(gltf);
        return NULL;
    }
    PyObject *both = lists_of(call, gltf, owner);
    Py_DECREF(owner);
    return both;
}
#else
PyObject *core_gltf_load(core_call *call, PyObject *const *args)
{
    (void)args;
    return core_none(core_refuse(call, "glTF is not in this build"));
}
#endif
