/* mesh.c: meshes: from arrays, files and generators, and what is in them. */
#include "tools/python/core/core.h"

#ifdef CORE_IO
#include <sightline/io.h>
#endif

/* ---- From arrays ---- */

/* An attribute as the Python layer hands it over: None, or (values, columns, indices or None), both
 * arrays contiguous. */
static bool borrow_attribute(core_call *call, PyObject *given, size_t corners,
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
        !core_borrow_all(call, values, &bytes, &size) ||
        !core_borrow_bytes(call, indices, corners * sizeof(uint32_t), false,
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
PyObject *core_mesh_from_arrays(core_call *call, PyObject *const *args)
{
    sl_mesh_def def = { .hooks = { .progress = core_progress(call) } };
    size_t vertices, triangles;
    void *xyz, *indices;
    long long leave_out;
    if (!core_size(args[1], &vertices) || !core_size(args[3], &triangles) ||
        !core_long(args[4], &leave_out) ||
        !core_borrow_bytes(call, args[0], vertices * 12, false, "vertices", &xyz) ||
        !core_borrow_bytes(call, args[2], triangles * 12, false, "faces", &indices) ||
        !borrow_attribute(call, args[5], triangles * 3, &def.uvs) ||
        !borrow_attribute(call, args[6], triangles * 3, &def.normals) ||
        !borrow_attribute(call, args[7], triangles * 3, &def.colours)) {
        return NULL;
    }
    sl_mesh *mesh = NULL;
    def.bad = leave_out ? SL_BAD_LEAVE_OUT : SL_BAD_REFUSE;
    core_begin(call, Py_None);
    const sl_result result =
        sl_mesh_from_arrays(xyz, vertices, indices, triangles, &def, &mesh, &call->error);
    return core_made(call, result, CORE_MESH, mesh, NULL);
}

/* mesh_load(path bytes, buffer or None: the file, leave_out, recentre, hidden_nodes, keep,
 * max_memory, max_file_size, progress) */
PyObject *core_mesh_load(core_call *call, PyObject *const *args)
{
    sl_mesh_def def = { .hooks = { .progress = core_progress(call) } };
    const char *path = PyBytes_AsString(args[0]);
    const void *bytes = NULL;
    size_t size = 0;
    long long leave_out, recentre, hidden, keep;
    if (path == NULL || !core_long(args[2], &leave_out) || !core_long(args[3], &recentre) ||
        !core_long(args[4], &hidden) || !core_long(args[5], &keep) ||
        !core_size(args[6], &def.max_memory) || !core_size(args[7], &def.max_file_size) ||
        (args[1] != Py_None && !core_borrow_all(call, args[1], &bytes, &size))) {
        return NULL;
    }
    sl_mesh *mesh = NULL;
    def.bad = leave_out ? SL_BAD_LEAVE_OUT : SL_BAD_REFUSE;
    def.recentre = recentre != 0;
    def.hidden_nodes = hidden != 0;
    def.drop = (uint32_t)keep ^ (SL_MESH_UVS | SL_MESH_NORMALS | SL_MESH_COLOURS);
#ifdef CORE_IO
    def.formats = sl_io_formats();
#endif
    core_begin(call, args[8]);
    const sl_result result =
        bytes == NULL ? sl_mesh_load(path, &def, &mesh, &call->error)
                      : sl_mesh_load_memory(bytes, size, path, &def, &mesh, &call->error);
    return core_made(call, result, CORE_MESH, mesh, NULL);
}

/* mesh_generate("sphere", n, 0, 0.0, 0.0) and so on: two whole numbers, two others. */
PyObject *core_mesh_generate(core_call *call, PyObject *const *args)
{
    const char *kind = PyUnicode_AsUTF8AndSize(args[0], NULL);
    long long a, b;
    double c, d;
    if (kind == NULL || !core_long(args[1], &a) || !core_long(args[2], &b) ||
        !core_double(args[3], &c) || !core_double(args[4], &d)) {
        return NULL;
    }
    const bool soup = strcmp(kind, "soup") == 0;
    if (a < 0 || b < 0 || (!soup && (a > UINT32_MAX || b > UINT32_MAX))) {
        return core_none(
            core_refuse(call, "%s: a number is below 0 or above %u", kind, UINT32_MAX));
    }
    const uint32_t m = (uint32_t)a, n = (uint32_t)b;
    const sl_mesh_shape shape =
        soup ? (sl_mesh_shape){ SL_MESH_SOUP, { .soup = { (size_t)a, (float)c, (uint64_t)b } } }
        : strcmp(kind, "sphere") == 0 ? (sl_mesh_shape){ SL_MESH_SPHERE, { .sphere = { m } } }
        : strcmp(kind, "torus") == 0
            ? (sl_mesh_shape){ SL_MESH_TORUS, { .torus = { m, n, (float)c, (float)d } } }
            : (sl_mesh_shape){ SL_MESH_GRID, { .grid = { m, n, (float)c, (uint32_t)d } } };
    sl_mesh *mesh = NULL;
    core_begin(call, Py_None);
    const sl_result result = sl_mesh_generate(&shape, NULL, &mesh, &call->error);
    return core_made(call, result, CORE_MESH, mesh, NULL);
}

/* ---- What is in a mesh ---- */

/* mesh_info(mesh): (format, vertices, triangles, faces, left out, origin, rounding, bounds) */
PyObject *core_mesh_info(core_call *call, PyObject *const *args)
{
    (void)args;
    const sl_mesh_info i = sl_mesh_get_info(call->is);
    return Py_BuildValue("snnnn(ddd)d((fff)(fff))", i.format, (Py_ssize_t)i.vertex_count,
                         (Py_ssize_t)i.triangle_count, (Py_ssize_t)i.face_count,
                         (Py_ssize_t)i.left_out, i.origin[0], i.origin[1], i.origin[2], i.rounding,
                         (double)i.bounds.min[0], (double)i.bounds.min[1], (double)i.bounds.min[2],
                         (double)i.bounds.max[0], (double)i.bounds.max[1], (double)i.bounds.max[2]);
}

/* mesh_arrays(mesh): memory of the vertices and of the indices */
PyObject *core_mesh_arrays(core_call *call, PyObject *const *args)
{
    (void)args;
    const sl_soup soup = sl_mesh_soup(call->is);
    return Py_BuildValue("NN", core_memory_of(call, soup.xyz, 12 * soup.vertex_count),
                         core_memory_of(call, soup.indices, 12 * soup.triangle_count));
}

/* mesh_attribute(mesh, kind): None, or memory of the values and of the indices (None: by vertex) */
PyObject *core_mesh_attribute(core_call *call, PyObject *const *args)
{
    long long kind;
    sl_mesh_attribute table;
    if (!core_long(args[1], &kind)) {
        return NULL;
    }
    if (!sl_mesh_get_attribute(call->is, (uint32_t)kind, &table)) {
        return core_none(true);
    }
    const size_t columns = kind == SL_MESH_UVS ? 2 : kind == SL_MESH_NORMALS ? 3 : 4;
    const size_t triangles = sl_mesh_soup(call->is).triangle_count;
    return Py_BuildValue(
        "NN", core_memory_of(call, table.values, table.count * columns * sizeof(float)),
        table.indices == NULL ? core_none(true)
                              : core_memory_of(call, table.indices, 12 * triangles));
}

/* mesh_parts(mesh): a list of (name, material, node, node_index, first, count) */
PyObject *core_mesh_parts(core_call *call, PyObject *const *args)
{
    (void)args;
    PyObject *list = PyList_New(0);
    sl_mesh_part part;
    for (size_t i = 0; list != NULL && sl_mesh_get_part(call->is, i, &part); i++) {
        core_append(&list,
                    Py_BuildValue("NNNIII", core_text(part.name), core_text(part.material),
                                  core_text(part.node), part.node_index, part.first, part.count));
    }
    return list;
}

/* mesh_notes(mesh): a list of (kind, what, count, line, byte, words) */
PyObject *core_mesh_notes(core_call *call, PyObject *const *args)
{
    (void)args;
    const sl_mesh_info info = sl_mesh_get_info(call->is);
    PyObject *list = PyList_New(0);
    for (size_t i = 0; list != NULL && i < info.note_count; i++) {
        const sl_mesh_note *note = &info.notes[i];
        core_append(&list,
                    Py_BuildValue("isnLLs", (int)note->kind, note->what, (Py_ssize_t)note->count,
                                  (long long)note->line, (long long)note->byte, note->words));
    }
    return list;
}

/* mesh_polygons(mesh, out (T,) u4) */
PyObject *core_mesh_polygons(core_call *call, PyObject *const *args)
{
    const size_t count = sl_mesh_soup(call->is).triangle_count;
    void *out;
    if (!core_borrow_bytes(call, args[1], 4 * count, true, "out", &out)) {
        return NULL;
    }
    for (size_t i = 0; i < count; i++) {
        ((uint32_t *)out)[i] = sl_mesh_face(call->is, (uint32_t)i);
    }
    return core_none(true);
}

/* mesh_hash(mesh) */
PyObject *core_mesh_hash(core_call *call, PyObject *const *args)
{
    (void)args;
    return PyLong_FromUnsignedLongLong(sl_mesh_hash(call->is));
}

/* As ATTRIBUTES in the Python layer: sl_mesh_point without what is no number. */
typedef struct point_row {
    uint32_t kept, face, part;
    float uv[2], colour[4], normal[3];
} point_row;

/* mesh_at(mesh, prim, u, v, count, out): columns of the three */
PyObject *core_mesh_at(core_call *call, PyObject *const *args)
{
    core_column prim, u, v;
    size_t count;
    void *out;
    if (!core_size(args[4], &count) || !core_borrow(call, args[1], count, 1, 4, &prim) ||
        !core_borrow(call, args[2], count, 1, 4, &u) ||
        !core_borrow(call, args[3], count, 1, 4, &v) ||
        !core_borrow_bytes(call, args[5], count * sizeof(point_row), true, "out", &out)) {
        return NULL;
    }
    point_row *rows = out;
    core_begin(call, Py_None);
    for (size_t i = 0; i < count && core_wait_look_at(call, "at", i, count); i++) {
        uint32_t number;
        float weight[2];
        const Py_ssize_t item = (Py_ssize_t)i;
        memcpy(&number, prim.data + item * prim.stride, sizeof number);
        memcpy(&weight[0], u.data + item * u.stride, sizeof weight[0]);
        memcpy(&weight[1], v.data + item * v.stride, sizeof weight[1]);
        sl_mesh_point p = { .face = SL_NONE, .part = SL_NONE };
        sl_mesh_at(call->is, number, weight[0], weight[1], NULL, &p);
        rows[i] = (point_row){ .kept = p.kept, .face = p.face, .part = p.part };
        memcpy(rows[i].uv, p.uv, sizeof p.uv);
        memcpy(rows[i].colour, p.colour, sizeof p.colour);
        memcpy(rows[i].normal, p.normal, sizeof p.normal);
    }
    return core_none(core_end(call, SL_OK));
}
