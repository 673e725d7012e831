/* surface.c: where hits lie, and boundaries of meshes. */
#include "tools/python/core/job.h"

#include <sightline/mesh_repair.h>

static void destroy_boundary(PyObject *object)
{
    core_boundary *self = (core_boundary *)object;
    sl_boundary_destroy(self->boundary);
    core_release(object);
}

static PyType_Slot slots[] = {
    { Py_tp_dealloc, CORE_SLOT(destroy_boundary) },
    { Py_tp_doc, "An sl_boundary." },
    { 0, NULL },
};

PyType_Spec core_boundary_spec = {
    .name = "sightline._core.Boundary",
    .basicsize = sizeof(core_boundary),
    .flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_DISALLOW_INSTANTIATION,
    .slots = slots,
};

/* boundary(vertices f4, faces (T, 3) u4, triangle_count, masks (T,) u4 or None, options): of the
 * triangles that mask and skips leave in */
static PyObject *surface_boundary(PyObject *module, PyObject *const *args, Py_ssize_t given)
{
    core_state *state = core_state_of(module);
    core_loans loans = { .count = 0 };
    sl_soup soup = { .xyz = NULL };
    sl_options options = { .flags = 0 };
    sl_triangle_ref skip[2];
    const void *xyz;
    size_t size;
    void *indices, *masks;
    PyObject *made = NULL;
    if (!core_arguments("boundary", given, 5) || !core_size(args[2], &soup.triangle_count) ||
        !core_query_read(args[4], &options, skip) ||
        !core_borrow_all(&loans, args[0], &xyz, &size) ||
        !core_borrow_bytes(state, &loans, args[1], 12 * soup.triangle_count, false, "faces",
                           &indices) ||
        !core_borrow_bytes(state, &loans, args[3], 4 * soup.triangle_count, false, "masks",
                           &masks)) {
        goto done;
    }
    soup.xyz = xyz;
    soup.indices = indices;
    soup.masks = masks;
    sl_boundary *edges = NULL;
    sl_error error;
    core_wait wait;
    core_wait_begin(&wait, Py_None);
    const sl_result result = sl_boundary_create(&soup, &options, NULL, &edges, &error);
    core_wait_end(&wait);
    if (result != SL_OK) {
        core_raise(state, &error);
        goto done;
    }
    core_boundary *self = (core_boundary *)PyType_GenericAlloc(state->boundary, 0);
    if (self == NULL) {
        sl_boundary_destroy(edges);
    } else {
        self->boundary = edges;
    }
    made = (PyObject *)self;
done:
    core_loans_end(&loans);
    return made;
}

/* boundary_odd(boundary): edges that an odd number of triangles use; 0: parity judges */
static PyObject *boundary_odd(PyObject *module, PyObject *const *args, Py_ssize_t given)
{
    const core_state *state = core_state_of(module);
    if (!core_arguments("boundary_odd", given, 1)) {
        return NULL;
    }
    if (!PyObject_TypeCheck(args[0], state->boundary)) {
        PyErr_Format(PyExc_TypeError, "a boundary is wanted, not %R", args[0]);
        return NULL;
    }
    const sl_boundary_info info = sl_boundary_get_info(((core_boundary *)args[0])->boundary);
    return PyLong_FromSize_t(info.odd_count);
}

/* ---- Where hits lie ---- */

/* bvh_surface(handle, doubles, count, hits, out): rows of sl_surface, of floats or doubles; of
 * misses NaN */
static PyObject *bvh_surface(PyObject *module, PyObject *const *args, Py_ssize_t given)
{
    enum { NUMBERS = sizeof(sl_surface) / sizeof(double) };
    core_state *state = core_state_of(module);
    core_loans loans = { .count = 0 };
    const core_bvh *self =
        core_arguments("bvh_surface", given, 5) ? core_bvh_of(state, args[0]) : NULL;
    long long doubles;
    size_t count;
    void *hits, *out;
    PyObject *done = NULL;
    if (self == NULL || !core_long(args[1], &doubles) || !core_size(args[2], &count) ||
        !core_borrow_bytes(state, &loans, args[3],
                           count * (doubles ? sizeof(sl_hit_d) : sizeof(sl_hit)), false, "hits",
                           &hits) ||
        !core_borrow_bytes(state, &loans, args[4],
                           count * NUMBERS * (doubles ? sizeof(double) : sizeof(float)), true,
                           "out", &out)) {
        goto done;
    }
    core_wait wait;
    core_wait_begin(&wait, Py_None);
    for (size_t i = 0; i < count; i++) {
        const sl_hit_d *wide = doubles ? (const sl_hit_d *)hits + i : NULL;
        const sl_hit *hit = doubles ? NULL : (const sl_hit *)hits + i;
        const sl_triangle_ref triangle = { doubles ? wide->instance : hit->instance,
                                           doubles ? wide->prim : hit->prim };
        union {
            sl_surface surface;
            double numbers[NUMBERS];
        } at;
        if (!sl_bvh_surface(self->bvh, triangle, doubles ? wide->u : hit->u,
                            doubles ? wide->v : hit->v, doubles ? SL_DOUBLE : SL_FLOAT,
                            &at.surface)) {
            for (int k = 0; k < NUMBERS; k++) {
                at.numbers[k] = Py_NAN;
            }
        }
        if (doubles) {
            ((sl_surface *)out)[i] = at.surface;
            continue;
        }
        at.surface.error *= 1 + 0x1p-22; /* rounding to a float does not make it less */
        for (int k = 0; k < NUMBERS; k++) {
            ((float *)out)[i * NUMBERS + (size_t)k] = (float)at.numbers[k];
        }
    }
    core_wait_end(&wait);
    done = Py_NewRef(Py_None);
done:
    core_loans_end(&loans);
    return done;
}

PyMethodDef core_surface_functions[] = {
    CORE_FUNCTION("boundary", surface_boundary, NULL),
    CORE_FUNCTION("boundary_odd", boundary_odd, NULL),
    CORE_FUNCTION("bvh_surface", bvh_surface, NULL),
    { NULL, NULL, 0, NULL },
};
