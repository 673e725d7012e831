/* surface.c: where hits lie, and boundaries of meshes. */
#include "tools/python/core/job.h"

/* boundary(vertices f4, faces (T, 3) u4, triangle_count, masks (T,) u4 or None, options): of the
 * triangles that mask and skips leave in */
PyObject *core_boundary(core_call *call, PyObject *const *args)
{
    sl_soup soup = { .xyz = NULL };
    sl_options options = { .flags = 0 };
    sl_triangle_ref skip[2];
    const void *xyz;
    size_t size;
    void *indices, *masks;
    if (!core_size(args[2], &soup.triangle_count) || !core_query_read(args[4], &options, skip) ||
        !core_borrow_all(call, args[0], &xyz, &size) ||
        !core_borrow_bytes(call, args[1], 12 * soup.triangle_count, false, "faces", &indices) ||
        !core_borrow_bytes(call, args[3], 4 * soup.triangle_count, false, "masks", &masks)) {
        return NULL;
    }
    soup.xyz = xyz;
    soup.indices = indices;
    soup.masks = masks;
    const sl_hooks hooks = { .progress = core_progress(call) };
    sl_boundary *edges = NULL;
    core_begin(call, Py_None);
    const sl_result result = sl_boundary_create(&soup, &options, &hooks, &edges, &call->error);
    return core_made(call, result, CORE_BOUNDARY, edges, NULL);
}

/* boundary_odd(boundary): edges that an odd number of triangles use; 0: parity judges */
PyObject *core_boundary_odd(core_call *call, PyObject *const *args)
{
    (void)args;
    return PyLong_FromSize_t(sl_boundary_get_info(call->is).odd_count);
}

/* bvh_surface(handle, doubles, count, hits, out): rows of sl_surface, of floats or doubles; of
 * misses NaN */
PyObject *core_bvh_surface(core_call *call, PyObject *const *args)
{
    enum { NUMBERS = sizeof(sl_surface) / sizeof(double) };
    long long doubles;
    size_t count;
    void *hits, *out;
    if (!core_long(args[1], &doubles) || !core_size(args[2], &count) ||
        !core_borrow_bytes(call, args[3], count * (doubles ? sizeof(sl_hit_d) : sizeof(sl_hit)),
                           false, "hits", &hits) ||
        !core_borrow_bytes(call, args[4],
                           count * NUMBERS * (doubles ? sizeof(double) : sizeof(float)), true,
                           "out", &out)) {
        return NULL;
    }
    core_begin(call, Py_None);
    for (size_t i = 0; i < count && core_wait_look_at(call, "surface", i, count); i++) {
        const sl_hit_d *wide = doubles ? (const sl_hit_d *)hits + i : NULL;
        const sl_hit *hit = doubles ? NULL : (const sl_hit *)hits + i;
        const sl_triangle_ref triangle = { doubles ? wide->instance : hit->instance,
                                           doubles ? wide->prim : hit->prim };
        union {
            sl_surface surface;
            double numbers[NUMBERS];
        } at;
        if (!sl_bvh_surface(call->is, triangle, doubles ? wide->u : hit->u,
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
    return core_none(core_end(call, SL_OK));
}
