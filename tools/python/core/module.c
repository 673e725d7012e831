/* module.c: the module itself: its functions, its types, and handles. */
#include "tools/python/core/core.h"

#include <stdlib.h>

/* ---- Handles ---- */

static void handle_destroy(core_type type, void *is)
{
    switch (type) {
    case CORE_MESH:
        sl_mesh_destroy(is);
        break;
    case CORE_BVH:
        sl_bvh_destroy(is);
        break;
    case CORE_BOUNDARY:
        sl_boundary_destroy(is);
        break;
    case CORE_CLASHES:
        sl_clashes_destroy(is);
        break;
    case CORE_MEMORY:
    case CORE_CAMERA:
        free(is);
        break;
    case CORE_TYPES:
        break;
    }
}

static void handle_deallocate(PyObject *object)
{
    core_handle *self = (core_handle *)object;
    PyTypeObject *type = Py_TYPE(object);
    freefunc release;
    void *slot = PyType_GetSlot(type, Py_tp_free);
    memcpy(&release, &slot, sizeof release); /* ISO C has no cast for it */
    handle_destroy(self->owns, self->is);
    Py_CLEAR(self->owner);
    release(object);
    Py_DECREF(type);
}

static int get_buffer(PyObject *object, Py_buffer *view, int flags)
{
    static char nothing;
    core_handle *self = (core_handle *)object;
    void *bytes = self->is != NULL ? self->is : &nothing;
    return PyBuffer_FillInfo(view, object, bytes, (Py_ssize_t)self->size, self->owner != NULL,
                             flags);
}

/* Name and description for Python, and what is wanted where something else is given. */
static const char *const types[CORE_TYPES][3] = {
    [CORE_MEMORY] = { "sightline_bvh._core.Memory", "Memory of the library for arrays.", "" },
    [CORE_MESH] = { "sightline_bvh._core.Mesh", "An sl_mesh.", "a mesh" },
    [CORE_BVH] = { "sightline_bvh._core.Bvh", "An sl_bvh.", "a tree or a scene" },
    [CORE_BOUNDARY] = { "sightline_bvh._core.Boundary", "An sl_boundary.", "a boundary" },
    [CORE_CLASHES] = { "sightline_bvh._core.Clashes", "An sl_clashes.", "a report of clashes" },
    [CORE_CAMERA] = { "sightline_bvh._core.Camera", "An sl_camera.", "a camera" },
};

/* Slots take functions as pointers to objects, which ISO C has no word for. */
#define SLOT(function) (__extension__(void *)(function))

static bool add_type(PyObject *module, core_type number, PyTypeObject **out)
{
    PyType_Slot slots[] = {
        { Py_tp_dealloc, SLOT(handle_deallocate) },
        { Py_tp_doc, (void *)(uintptr_t)types[number][1] },
        { number == CORE_MEMORY ? Py_bf_getbuffer : 0, SLOT(get_buffer) },
        { 0, NULL },
    };
    PyType_Spec spec = { .name = types[number][0],
                         .basicsize = sizeof(core_handle),
                         .flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_DISALLOW_INSTANTIATION,
                         .slots = slots };
    *out = (PyTypeObject *)PyType_FromModuleAndSpec(module, &spec, NULL);
    return *out != NULL && PyModule_AddType(module, *out) == 0;
}

void *core_held(core_call *call, PyObject *object, core_type type)
{
    if (!PyObject_TypeCheck(object, call->state->types[type])) {
        PyErr_Format(PyExc_TypeError, "%s is wanted, not %R", types[type][2], object);
        return NULL;
    }
    return ((core_handle *)object)->is;
}

/* owns: CORE_TYPES where what it holds is the owner's. */
static core_handle *handle_make(core_call *call, core_type type, void *is, core_type owns,
                                PyObject *owner)
{
    core_handle *self = (core_handle *)PyType_GenericAlloc(call->state->types[type], 0);
    if (self == NULL) {
        handle_destroy(owns, is);
        return NULL;
    }
    self->is = is;
    self->owns = owns;
    self->owner = Py_XNewRef(owner);
    return self;
}

PyObject *core_handle_in(core_call *call, core_type type, const void *is, PyObject *owner)
{
    return (PyObject *)handle_make(call, type, (void *)(uintptr_t)is, CORE_TYPES, owner);
}

PyObject *core_made(core_call *call, sl_result result, core_type type, void *is, PyObject *owner)
{
    if (!core_end(call, result)) {
        handle_destroy(type, is);
        return NULL;
    }
    return (PyObject *)handle_make(call, type, is, type, owner);
}

static PyObject *memory_sized(core_handle *self, size_t size)
{
    if (self != NULL) {
        self->size = size;
    }
    return (PyObject *)self;
}

PyObject *core_memory_take(core_call *call, void *bytes, size_t size)
{
    return memory_sized(handle_make(call, CORE_MEMORY, bytes, CORE_MEMORY, NULL), size);
}

PyObject *core_memory_of(core_call *call, const void *bytes, size_t size)
{
    return memory_sized((core_handle *)core_handle_in(call, CORE_MEMORY, bytes, call->args[0]),
                        size);
}

/* ---- Functions ---- */

static PyObject *module_call(PyObject *module, PyObject *const *args, Py_ssize_t given,
                             const char *name, Py_ssize_t wanted, core_type type,
                             core_function *function)
{
    core_call call = { .state = PyModule_GetState(module), .args = args };
    if (given != wanted) {
        PyErr_Format(PyExc_TypeError, "%s takes %zd arguments, not %zd", name, wanted, given);
        return NULL;
    }
    if (type != CORE_TYPES && (call.is = core_held(&call, args[0], type)) == NULL) {
        return NULL;
    }
    PyObject *answer = function(&call, args);
    while (call.loan_count > 0) {
        PyBuffer_Release(&call.loans[--call.loan_count]);
    }
    return answer;
}

#define DEFINE(name, wanted, type)                                                                 \
    static PyObject *name(PyObject *module, PyObject *const *args, Py_ssize_t given)               \
    {                                                                                              \
        return module_call(module, args, given, #name, wanted, type, core_##name);                 \
    }
CORE_FUNCTIONS(DEFINE)

#define ROW(name, wanted, type) { #name, (PyCFunction)(void (*)(void))(name), METH_FASTCALL, NULL },
static PyMethodDef functions[] = { CORE_FUNCTIONS(ROW){ NULL, NULL, 0, NULL } };

PyObject *core_none(bool done)
{
    return done ? Py_NewRef(Py_None) : NULL;
}

void core_append(PyObject **list, PyObject *item)
{
    if (*list != NULL && (item == NULL || PyList_Append(*list, item) != 0)) {
        Py_CLEAR(*list);
    }
    Py_XDECREF(item);
}

PyObject *core_text(const char *bytes)
{
    return PyUnicode_DecodeUTF8(bytes, (Py_ssize_t)strlen(bytes), "surrogateescape");
}

/* ---- The module ---- */

static int module_execute(PyObject *module)
{
    core_state *state = PyModule_GetState(module);
    PyObject *errors = PyImport_ImportModule("sightline_bvh._errors");
    state->raise = errors != NULL ? PyObject_GetAttrString(errors, "from_library") : NULL;
    Py_XDECREF(errors);
    if (state->raise == NULL) {
        return -1;
    }
    for (int i = 0; i < CORE_TYPES; i++) {
        if (!add_type(module, (core_type)i, &state->types[i])) {
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
    core_state *state = PyModule_GetState(module);
    for (int i = 0; i < CORE_TYPES; i++) {
        Py_VISIT(state->types[i]);
    }
    Py_VISIT(state->raise);
    return 0;
}

static int module_clear(PyObject *module)
{
    core_state *state = PyModule_GetState(module);
    for (int i = 0; i < CORE_TYPES; i++) {
        Py_CLEAR(state->types[i]);
    }
    Py_CLEAR(state->raise);
    return 0;
}

static void module_destroy(void *module)
{
    module_clear(module);
}

static PyModuleDef_Slot slots[] = {
    { Py_mod_exec, SLOT(module_execute) },
#ifdef Py_GIL_DISABLED
    { Py_mod_gil, Py_MOD_GIL_NOT_USED },
#endif
    { 0, NULL },
};

static struct PyModuleDef definition = {
    PyModuleDef_HEAD_INIT,
    .m_name = "sightline_bvh._core",
    .m_doc = "What sightline's C library does, over buffers, for the package sightline_bvh.",
    .m_size = sizeof(core_state),
    .m_methods = functions,
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
