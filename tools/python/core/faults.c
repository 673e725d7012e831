/* faults.c: the faults of meshes, welded meshes, and meshes in files. */
#include "tools/python/core/core.h"

#include <sightline/mesh_repair.h>

#include <stdlib.h>

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
static PyObject *mesh_faults(PyObject *module, PyObject *const *args, Py_ssize_t count)
{
    core_state *state = core_state_of(module);
    const core_mesh *self =
        core_arguments("mesh_faults", count, 3) ? core_mesh_of(state, args[0]) : NULL;
    long long list;
    if (self == NULL || !core_long(args[1], &list)) {
        return NULL;
    }
    faults f = { .rows = NULL };
    const sl_fault_hook hook = { .found = faults_found, .user = &f };
    sl_mesh_report r;
    sl_error error;
    core_wait wait;
    sl_hooks hooks = { .progress = { .report = core_wait_report, .user = &wait } };
    core_wait_begin(&wait, args[2]);
    const sl_result result = list ? sl_mesh_inspect(self->mesh, &hooks, &hook, &r, &error)
                                  : sl_mesh_inspect(self->mesh, &hooks, NULL, &r, &error);
    const bool waited = core_wait_end(&wait);
    if (!waited || result != SL_OK) {
        free(f.rows);
        return !waited  ? core_wait_raise(state, &wait)
               : f.full ? PyErr_NoMemory()
                        : core_raise(state, &error);
    }
    PyObject *memory =
        list ? core_memory_take(state, f.rows, f.count * sizeof *f.rows) : Py_NewRef(Py_None);
    if (memory == NULL) {
        return NULL;
    }
    return Py_BuildValue("(nnnnnnnnnnO)N", (Py_ssize_t)r.left_out,
                         (Py_ssize_t)r.not_finite_vertices, (Py_ssize_t)r.unused_vertices,
                         (Py_ssize_t)r.distinct_positions, (Py_ssize_t)r.duplicates,
                         (Py_ssize_t)r.zero_area, (Py_ssize_t)r.edges, (Py_ssize_t)r.open_edges,
                         (Py_ssize_t)r.nonmanifold_edges, (Py_ssize_t)r.misoriented_edges,
                         r.closed ? Py_True : Py_False, memory);
}

/* mesh_weld(mesh, drop, triangle_map (T,) u4, vertex_map (V,) u4, progress): (mesh, the numbers of
 * the report) */
static PyObject *faults_weld(PyObject *module, PyObject *const *args, Py_ssize_t count)
{
    core_state *state = core_state_of(module);
    core_loans loans = { .count = 0 };
    const core_mesh *self =
        core_arguments("mesh_weld", count, 5) ? core_mesh_of(state, args[0]) : NULL;
    long long drop;
    void *triangle_map, *vertex_map;
    PyObject *made = NULL;
    if (self == NULL || !core_long(args[1], &drop) ||
        !core_borrow_bytes(state, &loans, args[2], 4 * sl_mesh_soup(self->mesh).triangle_count,
                           true, "triangle_map", &triangle_map) ||
        !core_borrow_bytes(state, &loans, args[3], 4 * sl_mesh_soup(self->mesh).vertex_count, true,
                           "vertex_map", &vertex_map)) {
        core_loans_end(&loans);
        return NULL;
    }
    sl_weld_def def = { 0 };
    sl_weld_report r;
    sl_mesh *mesh = NULL;
    sl_error error;
    core_wait wait;
    def.hooks.progress = (sl_progress){ .report = core_wait_report, .user = &wait };
    def.drop = (uint32_t)drop;
    def.triangle_map = triangle_map;
    def.vertex_map = vertex_map;
    core_wait_begin(&wait, args[4]);
    const sl_result result = sl_mesh_weld(self->mesh, &def, &mesh, &r, &error);
    if (!core_wait_end(&wait)) {
        sl_mesh_destroy(mesh);
        core_wait_raise(state, &wait);
    } else if (result != SL_OK) {
        core_raise(state, &error);
    } else {
        PyObject *handle = core_mesh_wrap(state, mesh);
        if (handle != NULL) {
            made = Py_BuildValue("Nnnnnn", handle, (Py_ssize_t)r.merged_vertices,
                                 (Py_ssize_t)r.unused_vertices, (Py_ssize_t)r.left_out,
                                 (Py_ssize_t)r.zero_area, (Py_ssize_t)r.duplicates);
        }
    }
    core_loans_end(&loans);
    return made;
}

/* mesh_save(mesh, path bytes, quality (V,) f4 or None, rgb (V, 3) u1 or None, alpha (V,) u1 or
 * None): a PLY.  The mesh's own attributes are written as far as they are by vertex. */
static PyObject *faults_save(PyObject *module, PyObject *const *args, Py_ssize_t count)
{
    core_state *state = core_state_of(module);
    core_loans loans = { .count = 0 };
    const core_mesh *self =
        core_arguments("mesh_save", count, 5) ? core_mesh_of(state, args[0]) : NULL;
    const char *path = self != NULL ? PyBytes_AsString(args[1]) : NULL;
    void *quality, *rgb, *alpha;
    PyObject *done = NULL;
    if (path == NULL) {
        return NULL;
    }
    const size_t vertices = sl_mesh_soup(self->mesh).vertex_count;
    if (core_borrow_bytes(state, &loans, args[2], 4 * vertices, false, "quality", &quality) &&
        core_borrow_bytes(state, &loans, args[3], 3 * vertices, false, "colours", &rgb) &&
        core_borrow_bytes(state, &loans, args[4], vertices, false, "alpha", &alpha)) {
        sl_ply ply = { 0 };
        sl_mesh_attribute table;
        sl_error error;
        ply.xyz = sl_mesh_soup(self->mesh).xyz;
        ply.vertex_count = vertices;
        ply.indices = sl_mesh_soup(self->mesh).indices;
        ply.triangle_count = sl_mesh_soup(self->mesh).triangle_count;
        ply.quality = quality;
        ply.rgb = rgb;
        ply.alpha = alpha;
        const struct {
            uint32_t kind;
            const float **to;
        } tables[] = { { SL_MESH_UVS, &ply.uvs },
                       { SL_MESH_NORMALS, &ply.normals },
                       { rgb == NULL ? SL_MESH_COLOURS : 0, &ply.colours } };
        for (int i = 0; i < 3; i++) {
            if (sl_mesh_get_attribute(self->mesh, tables[i].kind, &table) &&
                table.indices == NULL && table.count == vertices) {
                *tables[i].to = table.values;
            }
        }
        core_wait wait;
        core_wait_begin(&wait, Py_None);
        const sl_result result = sl_ply_write(path, &ply, &error);
        core_wait_end(&wait);
        done = result == SL_OK ? Py_NewRef(Py_None) : core_raise(state, &error);
    }
    core_loans_end(&loans);
    return done;
}

PyMethodDef core_fault_functions[] = {
    CORE_FUNCTION("mesh_faults", mesh_faults, NULL),
    CORE_FUNCTION("mesh_weld", faults_weld, NULL),
    CORE_FUNCTION("mesh_save", faults_save, NULL),
    { NULL, NULL, 0, NULL },
};
