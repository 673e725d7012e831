/* mesh.c: meshes: from arrays, files and generators, and what is in them. */
#include "tools/python/core/core.h"

#ifdef CORE_IO
#include <sightline/io.h>
#endif

PyObject *core_mesh_wrap(core_state *state, sl_mesh *mesh)
{
    core_mesh *self = (core_mesh *)PyType_GenericAlloc(state->mesh, 0);
    if (self == NULL) {
        sl_mesh_destroy(mesh);
        return NULL;
    }
    self->mesh = self->own = mesh;
    return (PyObject *)self;
}

static void mesh_deallocate(PyObject *object)
{
    core_mesh *self = (core_mesh *)object;
    sl_mesh_destroy(self->own);
    Py_CLEAR(self->owner);
    core_release(object);
}

static PyType_Slot slots[] = {
    { Py_tp_dealloc, CORE_SLOT(mesh_deallocate) },
    { Py_tp_doc, "An sl_mesh." },
    { 0, NULL },
};

CORE_TYPE(core_mesh, "Mesh", slots);

/* ---- From arrays ---- */

/* An attribute as the Python layer hands it over: None, or (values, columns, indices or None), both
 * arrays contiguous. */
static bool borrow_attribute(core_state *state, core_loans *loans, PyObject *given, size_t corners,
                             sl_mesh_attribute *out)
{
    *out = (sl_mesh_attribute){ .values = NULL };
    if (given == Py_None) {
        return true;
    }
    PyObject *values, *indices;
    int columns;
    const void *bytes;
    size_t size;
    void *rows;
    if (!PyArg_ParseTuple(given, "OiO", &values, &columns, &indices) ||
        !core_borrow_all(loans, values, &bytes, &size) ||
        !core_borrow_bytes(state, loans, indices, corners * sizeof(uint32_t), false,
                           "an attribute's indices", &rows)) {
        return false;
    }
    static const float none[4];
    out->count = size / ((size_t)columns * sizeof(float));
    out->values = out->count > 0 ? bytes : none;
    out->indices = rows;
    return true;
}

/* mesh_from_arrays(vertices (V, 3) f4, vertex_count, faces (T, 3) u4 or None, triangle_count,
 * leave_out, uvs, normals, colours) */
static PyObject *from_arrays(PyObject *module, PyObject *const *args, Py_ssize_t count)
{
    core_state *state = core_state_of(module);
    core_loans loans = { .count = 0 };
    sl_mesh_def def = { 0 };
    size_t vertices, triangles;
    void *xyz, *indices;
    long long leave_out;
    PyObject *made = NULL;
    if (!core_arguments("mesh_from_arrays", count, 8) || !core_size(args[1], &vertices) ||
        !core_size(args[3], &triangles) || !core_long(args[4], &leave_out) ||
        !core_borrow_bytes(state, &loans, args[0], vertices * 12, false, "vertices", &xyz) ||
        !core_borrow_bytes(state, &loans, args[2], triangles * 12, false, "faces", &indices) ||
        !borrow_attribute(state, &loans, args[5], triangles * 3, &def.uvs) ||
        !borrow_attribute(state, &loans, args[6], triangles * 3, &def.normals) ||
        !borrow_attribute(state, &loans, args[7], triangles * 3, &def.colours)) {
        goto done;
    }
    sl_mesh *mesh = NULL;
    sl_error error;
    core_wait wait;
    def.bad = leave_out ? SL_BAD_LEAVE_OUT : SL_BAD_REFUSE;
    core_wait_begin(&wait, Py_None);
    const sl_result result =
        sl_mesh_from_arrays(xyz, vertices, indices, triangles, &def, &mesh, &error);
    core_wait_end(&wait);
    made = result == SL_OK ? core_mesh_wrap(state, mesh) : core_raise(state, &error);
done:
    core_loans_end(&loans);
    return made;
}

/* ---- From files ---- */

typedef struct source {
    const char *path;
    const void *bytes; /* NULL: the file */
    size_t size;
} source;

static sl_result load_from(const source *from, const sl_mesh_def *def, sl_mesh **out,
                           sl_error *error)
{
    return from->bytes == NULL
               ? sl_mesh_load(from->path, def, out, error)
               : sl_mesh_load_memory(from->bytes, from->size, from->path, def, out, error);
}

/* mesh_load(path bytes, buffer or None, leave_out, recentre, keep, max_memory, max_file_size,
 * progress) */
static PyObject *load(PyObject *module, PyObject *const *args, Py_ssize_t count)
{
    core_state *state = core_state_of(module);
    core_loans loans = { .count = 0 };
    sl_mesh_def def = { 0 };
    source from = { .bytes = NULL };
    long long leave_out, recentre, keep;
    PyObject *made = NULL;
    if (!core_arguments("mesh_load", count, 8) || !core_long(args[2], &leave_out) ||
        !core_long(args[3], &recentre) || !core_long(args[4], &keep) ||
        !core_size(args[5], &def.max_memory) || !core_size(args[6], &def.max_file_size)) {
        return NULL;
    }
    from.path = PyBytes_AsString(args[0]);
    if (from.path == NULL ||
        (args[1] != Py_None && !core_borrow_all(&loans, args[1], &from.bytes, &from.size))) {
        goto done;
    }
    sl_mesh *mesh = NULL;
    sl_error error;
    core_wait wait;
    def.bad = leave_out ? SL_BAD_LEAVE_OUT : SL_BAD_REFUSE;
    def.recentre = recentre != 0;
    def.drop = (uint32_t)keep ^ (SL_MESH_UVS | SL_MESH_NORMALS | SL_MESH_COLOURS);
    def.hooks.progress = (sl_progress){ .report = core_wait_report, .user = &wait };
#ifdef CORE_IO
    def.formats = sl_io_formats();
#endif
    core_wait_begin(&wait, args[7]);
    const sl_result result = load_from(&from, &def, &mesh, &error);
    if (!core_wait_end(&wait)) {
        sl_mesh_destroy(mesh);
        made = core_wait_raise(state, &wait);
    } else {
        made = result == SL_OK ? core_mesh_wrap(state, mesh) : core_raise(state, &error);
    }
done:
    core_loans_end(&loans);
    return made;
}

/* ---- Generated ---- */

/* mesh_generate("sphere", n, 0, 0.0, 0.0) and so on: two whole numbers, two others. */
static PyObject *generate(PyObject *module, PyObject *const *args, Py_ssize_t count)
{
    core_state *state = core_state_of(module);
    long long a, b;
    double c, d;
    if (!core_arguments("mesh_generate", count, 5) || !core_long(args[1], &a) ||
        !core_long(args[2], &b) || !core_double(args[3], &c) || !core_double(args[4], &d)) {
        return NULL;
    }
    const char *kind = PyUnicode_AsUTF8AndSize(args[0], NULL);
    if (kind == NULL) {
        return NULL;
    }
    const bool soup = strcmp(kind, "soup") == 0;
    if (a < 0 || b < 0 || (!soup && (a > UINT32_MAX || b > UINT32_MAX))) {
        return core_refuse(state, "%s: a number is below 0 or above %u", kind, UINT32_MAX);
    }
    const uint32_t m = (uint32_t)a, n = (uint32_t)b;
    sl_mesh *mesh = NULL;
    sl_error error;
    sl_result result;
    if (soup) {
        result = sl_mesh_generate(
            &(sl_mesh_shape){ SL_MESH_SOUP, { .soup = { (size_t)a, (float)c, (uint64_t)b } } },
            NULL, &mesh, &error);
    } else if (strcmp(kind, "sphere") == 0) {
        result = sl_mesh_generate(&(sl_mesh_shape){ SL_MESH_SPHERE, { .sphere = { m } } }, NULL,
                                  &mesh, &error);
    } else if (strcmp(kind, "torus") == 0) {
        result = sl_mesh_generate(
            &(sl_mesh_shape){ SL_MESH_TORUS, { .torus = { m, n, (float)c, (float)d } } }, NULL,
            &mesh, &error);
    } else {
        result = sl_mesh_generate(
            &(sl_mesh_shape){ SL_MESH_GRID, { .grid = { m, n, (float)c, (uint32_t)d } } }, NULL,
            &mesh, &error);
    }
    return result == SL_OK ? core_mesh_wrap(state, mesh) : core_raise(state, &error);
}

/* ---- What is in a mesh ---- */

/* mesh_info(mesh): (format, vertices, triangles, faces, left out, origin, rounding, bounds) */
static PyObject *info(PyObject *module, PyObject *const *args, Py_ssize_t count)
{
    core_state *state = core_state_of(module);
    const core_mesh *self =
        core_arguments("mesh_info", count, 1) ? core_mesh_of(state, args[0]) : NULL;
    if (self == NULL) {
        return NULL;
    }
    const sl_mesh_info i = sl_mesh_get_info(self->mesh);
    return Py_BuildValue("snnnn(ddd)d((fff)(fff))", i.format, (Py_ssize_t)i.vertex_count,
                         (Py_ssize_t)i.triangle_count, (Py_ssize_t)i.face_count,
                         (Py_ssize_t)i.left_out, i.origin[0], i.origin[1], i.origin[2], i.rounding,
                         (double)i.bounds.min[0], (double)i.bounds.min[1], (double)i.bounds.min[2],
                         (double)i.bounds.max[0], (double)i.bounds.max[1], (double)i.bounds.max[2]);
}

/* mesh_arrays(mesh): memory of the vertices and of the indices */
static PyObject *arrays(PyObject *module, PyObject *const *args, Py_ssize_t count)
{
    core_state *state = core_state_of(module);
    const core_mesh *self =
        core_arguments("mesh_arrays", count, 1) ? core_mesh_of(state, args[0]) : NULL;
    if (self == NULL) {
        return NULL;
    }
    PyObject *xyz = core_memory_of(state, sl_mesh_soup(self->mesh).xyz,
                                   12 * sl_mesh_soup(self->mesh).vertex_count, args[0]);
    PyObject *indices = core_memory_of(state, sl_mesh_soup(self->mesh).indices,
                                       12 * sl_mesh_soup(self->mesh).triangle_count, args[0]);
    PyObject *both = xyz != NULL && indices != NULL ? PyTuple_Pack(2, xyz, indices) : NULL;
    Py_XDECREF(xyz);
    Py_XDECREF(indices);
    return both;
}

/* mesh_attribute(mesh, kind): None, or memory of the values and of the indices (None: by vertex) */
static PyObject *attribute(PyObject *module, PyObject *const *args, Py_ssize_t count)
{
    core_state *state = core_state_of(module);
    const core_mesh *self =
        core_arguments("mesh_attribute", count, 2) ? core_mesh_of(state, args[0]) : NULL;
    long long kind;
    if (self == NULL || !core_long(args[1], &kind)) {
        return NULL;
    }
    sl_mesh_attribute table;
    if (!sl_mesh_get_attribute(self->mesh, (uint32_t)kind, &table)) {
        return Py_NewRef(Py_None);
    }
    const size_t columns = kind == SL_MESH_UVS ? 2 : kind == SL_MESH_NORMALS ? 3 : 4;
    PyObject *values =
        core_memory_of(state, table.values, table.count * columns * sizeof(float), args[0]);
    PyObject *indices = table.indices == NULL
                            ? Py_NewRef(Py_None)
                            : core_memory_of(state, table.indices,
                                             12 * sl_mesh_soup(self->mesh).triangle_count, args[0]);
    PyObject *both = values != NULL && indices != NULL ? PyTuple_Pack(2, values, indices) : NULL;
    Py_XDECREF(values);
    Py_XDECREF(indices);
    return both;
}

static PyObject *mesh_text(const char *bytes)
{
    return PyUnicode_DecodeUTF8(bytes, (Py_ssize_t)strlen(bytes), "surrogateescape");
}

/* mesh_parts(mesh): a list of (name, material, node, node_index, first, count) */
static PyObject *parts(PyObject *module, PyObject *const *args, Py_ssize_t count)
{
    core_state *state = core_state_of(module);
    const core_mesh *self =
        core_arguments("mesh_parts", count, 1) ? core_mesh_of(state, args[0]) : NULL;
    PyObject *list = self != NULL ? PyList_New(0) : NULL;
    sl_mesh_part part;
    for (size_t i = 0; list != NULL && sl_mesh_get_part(self->mesh, i, &part); i++) {
        PyObject *name = mesh_text(part.name), *material = mesh_text(part.material),
                 *node = mesh_text(part.node);
        PyObject *row = name != NULL && material != NULL && node != NULL
                            ? Py_BuildValue("OOOIII", name, material, node, part.node_index,
                                            part.first, part.count)
                            : NULL;
        Py_XDECREF(name);
        Py_XDECREF(material);
        Py_XDECREF(node);
        if (row == NULL || PyList_Append(list, row) != 0) {
            Py_CLEAR(list);
        }
        Py_XDECREF(row);
    }
    return list;
}

/* mesh_polygons(mesh, out (T,) u4) */
static PyObject *polygons(PyObject *module, PyObject *const *args, Py_ssize_t count)
{
    core_state *state = core_state_of(module);
    core_loans loans = { .count = 0 };
    const core_mesh *self =
        core_arguments("mesh_polygons", count, 2) ? core_mesh_of(state, args[0]) : NULL;
    void *out;
    if (self == NULL ||
        !core_borrow_bytes(state, &loans, args[1], 4 * sl_mesh_soup(self->mesh).triangle_count,
                           true, "out", &out)) {
        core_loans_end(&loans);
        return NULL;
    }
    uint32_t *to = out;
    for (size_t i = 0; i < sl_mesh_soup(self->mesh).triangle_count; i++) {
        to[i] = sl_mesh_face(self->mesh, (uint32_t)i);
    }
    core_loans_end(&loans);
    return Py_NewRef(Py_None);
}

/* mesh_hash(mesh) */
static PyObject *hash(PyObject *module, PyObject *const *args, Py_ssize_t count)
{
    const core_mesh *self =
        core_arguments("mesh_hash", count, 1) ? core_mesh_of(core_state_of(module), args[0]) : NULL;
    return self != NULL ? PyLong_FromUnsignedLongLong(sl_mesh_hash(self->mesh)) : NULL;
}

/* As ATTRIBUTES in the Python layer: sl_mesh_point without what is no number. */
typedef struct point_row {
    uint32_t kept, face, part;
    float uv[2], colour[4], normal[3];
} point_row;

/* mesh_at(mesh, prim, u, v, count, out): columns of the three */
static PyObject *at(PyObject *module, PyObject *const *args, Py_ssize_t given)
{
    core_state *state = core_state_of(module);
    core_loans loans = { .count = 0 };
    const core_mesh *self =
        core_arguments("mesh_at", given, 6) ? core_mesh_of(state, args[0]) : NULL;
    core_column prim, u, v;
    size_t count;
    void *out;
    PyObject *done = NULL;
    if (self == NULL || !core_size(args[4], &count) ||
        !core_borrow(state, &loans, args[1], count, 1, 4, &prim) ||
        !core_borrow(state, &loans, args[2], count, 1, 4, &u) ||
        !core_borrow(state, &loans, args[3], count, 1, 4, &v) ||
        !core_borrow_bytes(state, &loans, args[5], count * sizeof(point_row), true, "out", &out)) {
        goto done;
    }
    point_row *rows = out;
    for (size_t i = 0; i < count; i++) {
        uint32_t number;
        float weight[2];
        const Py_ssize_t item = (Py_ssize_t)i;
        memcpy(&number, prim.data + item * prim.stride, sizeof number);
        memcpy(&weight[0], u.data + item * u.stride, sizeof weight[0]);
        memcpy(&weight[1], v.data + item * v.stride, sizeof weight[1]);
        sl_mesh_point p = { .face = SL_NONE, .part = SL_NONE };
        sl_mesh_at(self->mesh, number, weight[0], weight[1], NULL, &p);
        rows[i] = (point_row){ .kept = p.kept, .face = p.face, .part = p.part };
        memcpy(rows[i].uv, p.uv, sizeof p.uv);
        memcpy(rows[i].colour, p.colour, sizeof p.colour);
        memcpy(rows[i].normal, p.normal, sizeof p.normal);
    }
    done = Py_NewRef(Py_None);
done:
    core_loans_end(&loans);
    return done;
}

PyMethodDef core_mesh_functions[] = {
    CORE_FUNCTION("mesh_from_arrays", from_arrays, NULL),
    CORE_FUNCTION("mesh_load", load, NULL),
    CORE_FUNCTION("mesh_generate", generate, NULL),
    CORE_FUNCTION("mesh_info", info, NULL),
    CORE_FUNCTION("mesh_arrays", arrays, NULL),
    CORE_FUNCTION("mesh_attribute", attribute, NULL),
    CORE_FUNCTION("mesh_parts", parts, NULL),
    CORE_FUNCTION("mesh_polygons", polygons, NULL),
    CORE_FUNCTION("mesh_hash", hash, NULL),
    CORE_FUNCTION("mesh_at", at, NULL),
    { NULL, NULL, 0, NULL },
};
