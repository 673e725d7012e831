/* faults.c: the faults of meshes, welded meshes, and meshes in files. */
#include "tools/python/core/core.h"

#include <stdlib.h>
#include <string.h>

typedef struct faults {
    sl_fault *rows;
    size_t count, capacity;
    bool full; /* no memory */
} faults;

static bool faults_found(void *user, const sl_fault *fault)
{
    faults *f = user;
    if (f->count == f->capacity) {
        const size_t capacity = f->capacity > 0 ? 2 * f->capacity : 64;
        sl_fault *rows = realloc(f->rows, capacity * sizeof *rows);
        if (rows == NULL) {
            f->full = true;
            return false;
        }
        f->rows = rows;
        f->capacity = capacity;
    }
    f->rows[f->count++] = *fault;
    return true;
}

/* mesh_faults(mesh, list, progress): (numbers of the report, memory of FAULT or None) */
PyObject *core_mesh_faults(core_call *call, PyObject *const *args)
{
    long long list;
    if (!core_long(args[1], &list)) {
        return NULL;
    }
    faults f = { .rows = NULL };
    const sl_fault_hook hook = { .found = faults_found, .user = &f };
    const sl_hooks hooks = { .progress = core_progress(call) };
    sl_mesh_report r;
    core_begin(call, args[2]);
    const sl_result result =
        sl_mesh_inspect(call->is, &hooks, list ? &hook : NULL, &r, &call->error);
    if (!core_end(call, f.full ? SL_OK : result) || f.full) {
        free(f.rows);
        return f.full && !PyErr_Occurred() ? PyErr_NoMemory() : NULL;
    }
    return Py_BuildValue(
        "(nnnnnnnnnnO)N", (Py_ssize_t)r.left_out, (Py_ssize_t)r.not_finite_vertices,
        (Py_ssize_t)r.unused_vertices, (Py_ssize_t)r.distinct_positions, (Py_ssize_t)r.duplicates,
        (Py_ssize_t)r.zero_area, (Py_ssize_t)r.edges, (Py_ssize_t)r.open_edges,
        (Py_ssize_t)r.nonmanifold_edges, (Py_ssize_t)r.misoriented_edges,
        r.closed ? Py_True : Py_False,
        list ? core_memory_take(call, f.rows, f.count * sizeof *f.rows) : core_none(true));
}

/* mesh_weld(mesh, drop, triangle_map (T,) u4, vertex_map (V,) u4, progress): (mesh, the numbers of
 * the report) */
PyObject *core_mesh_weld(core_call *call, PyObject *const *args)
{
    const sl_soup soup = sl_mesh_soup(call->is);
    long long drop;
    void *triangle_map, *vertex_map;
    if (!core_long(args[1], &drop) ||
        !core_borrow_bytes(call, args[2], 4 * soup.triangle_count, true, "triangle_map",
                           &triangle_map) ||
        !core_borrow_bytes(call, args[3], 4 * soup.vertex_count, true, "vertex_map", &vertex_map)) {
        return NULL;
    }
    const sl_weld_def def = { .drop = (uint32_t)drop,
                              .triangle_map = triangle_map,
                              .vertex_map = vertex_map,
                              .hooks = { .progress = core_progress(call) } };
    sl_weld_report r;
    sl_mesh *mesh = NULL;
    core_begin(call, args[4]);
    const sl_result result = sl_mesh_weld(call->is, &def, &mesh, &r, &call->error);
    PyObject *handle = core_made(call, result, CORE_MESH, mesh, NULL);
    return handle == NULL ? NULL
                          : Py_BuildValue("Nnnnnn", handle, (Py_ssize_t)r.merged_vertices,
                                          (Py_ssize_t)r.unused_vertices, (Py_ssize_t)r.left_out,
                                          (Py_ssize_t)r.zero_area, (Py_ssize_t)r.duplicates);
}

/* mesh_save(mesh, path bytes, ending bytes, vertices (V, 3) f4 or None, quality (V,) f4 or None,
 * rgb (V, 3) u1 or None, alpha (V,) u1 or None).  Vertices of a PLY stay: without attributes by
 * corner. */
PyObject *core_mesh_save(core_call *call, PyObject *const *args)
{
    const size_t vertices = sl_mesh_soup(call->is).vertex_count;
    const char *path = PyBytes_AsString(args[1]), *ending = PyBytes_AsString(args[2]);
    void *xyz, *quality, *rgb, *alpha;
    if (path == NULL || ending == NULL ||
        !core_borrow_bytes(call, args[3], 12 * vertices, false, "vertices", &xyz) ||
        !core_borrow_bytes(call, args[4], 4 * vertices, false, "quality", &quality) ||
        !core_borrow_bytes(call, args[5], 3 * vertices, false, "colours", &rgb) ||
        !core_borrow_bytes(call, args[6], vertices, false, "alpha", &alpha)) {
        return NULL;
    }
    sl_save_def def = {
        .xyz = xyz, .ending = ending, .quality = quality, .rgb = rgb, .alpha = alpha
    };
    for (uint32_t kind = SL_MESH_NORMALS; kind <= SL_MESH_COLOURS; kind *= 2) {
        sl_mesh_attribute table;
        const bool by_corner =
            sl_mesh_get_attribute(call->is, kind, &table) && table.indices != NULL;
        def.drop |= by_corner && strcmp(ending, ".ply") == 0 ? kind : 0;
    }
    core_begin(call, Py_None);
    return core_none(core_end(call, sl_mesh_save(call->is, path, &def, NULL, &call->error)));
}
