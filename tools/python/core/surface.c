/* surface.c: many from one point, where hits lie, and boundaries of meshes. */
#include "tools/python/core/job.h"

static void deallocate(PyObject *object)
{
    core_boundary *self = (core_boundary *)object;
    sl_boundary_destroy(self->boundary);
    core_release(object);
}

static PyType_Slot slots[] = {
    { Py_tp_dealloc, CORE_SLOT(deallocate) },
    { Py_tp_doc, "An sl_boundary." },
    { 0, NULL },
};

PyType_Spec core_boundary_spec = {
    .name = "sightline._core.Boundary",
    .basicsize = sizeof(core_boundary),
    .flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_DISALLOW_INSTANTIATION,
    .slots = slots,
};

/* boundary(vertices f4, faces (T, 3) u4, triangle_count, masks (T,) u4 or None, mask or None, skip
 * (4,) u4 or None): of the triangles that the two leave in */
static PyObject *boundary(PyObject *module, PyObject *const *args, Py_ssize_t given)
{
    core_state *state = core_state_of(module);
    core_loans loans = { .count = 0 };
    sl_soup soup = { .xyz = NULL };
    sl_query query = { .flags = 0 };
    const void *xyz;
    size_t size;
    void *indices, *masks, *skip;
    PyObject *made = NULL;
    if (!core_arguments("boundary", given, 6) || !core_size(args[2], &soup.triangle_count) ||
        !core_borrow_all(&loans, args[0], &xyz, &size) ||
        !core_borrow_bytes(state, &loans, args[1], 12 * soup.triangle_count, false, "faces",
                           &indices) ||
        !core_borrow_bytes(state, &loans, args[3], 4 * soup.triangle_count, false, "masks",
                           &masks) ||
        !core_borrow_bytes(state, &loans, args[5], 16, false, "skip", &skip)) {
        goto done;
    }
    if (args[4] != Py_None) {
        query.mask = (uint32_t)PyLong_AsUnsignedLongLong(args[4]);
        query.flags |= SL_USE_MASK;
        if (PyErr_Occurred()) {
            goto done;
        }
    }
    if (skip != NULL) {
        memcpy(query.skip, skip, 16);
        query.flags |= SL_USE_SKIP;
    }
    soup.xyz = xyz;
    soup.indices = indices;
    soup.masks = masks;
    sl_boundary *edges = NULL;
    sl_error error;
    core_wait wait;
    core_wait_begin(&wait, Py_None);
    const sl_result result = sl_boundary_create(&soup, &query, NULL, &edges, &error);
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
    sl_boundary_info info;
    sl_boundary_get_info(((core_boundary *)args[0])->boundary, &info, sizeof info);
    return PyLong_FromSize_t(info.odd_count);
}

/* ---- Many from one point ---- */

typedef struct fan {
    core_job job; /* of the points that are directions or targets */
    double origin[3], tmax;
    bool targets;
} fan;

static void fan_block(const core_job *job, const void *items, size_t first, size_t count,
                      const sl_query *query)
{
    const fan *f = (const fan *)(uintptr_t)job;
    const float origin[3] = { (float)f->origin[0], (float)f->origin[1], (float)f->origin[2] };
    const float tmax = (float)f->tmax;
    uint8_t *out = (uint8_t *)job->out + first;
    switch (job->target) {
    case CORE_TREE:
        if (f->targets) {
            sl_bvh_blocked_from(job->bvh, origin, items, count, query, out, NULL);
        } else {
            sl_bvh_any_from(job->bvh, origin, items, count, tmax, query, out, NULL);
        }
        break;
    case CORE_SCENE:
        if (f->targets) {
            sl_scene_blocked_from(job->scene, origin, items, count, query, out, NULL);
        } else {
            sl_scene_any_from(job->scene, origin, items, count, tmax, query, out, NULL);
        }
        break;
    case CORE_SCENE_D:
        if (f->targets) {
            sl_scene_blocked_from_d(job->scene, f->origin, items, count, query, out, NULL);
        } else {
            sl_scene_any_from_d(job->scene, f->origin, items, count, f->tmax, query, out, NULL);
        }
        break;
    }
}

/* fan(target, doubles, kind, count, four arrays of items, options, threads, out, origin (a tuple),
 * targets, tmax, progress) */
static PyObject *ask_fan(PyObject *module, PyObject *const *args, Py_ssize_t given)
{
    core_state *state = core_state_of(module);
    fan f = { .tmax = 0 };
    bool done = false;
    if (!core_arguments("fan", given, 15)) {
        return NULL;
    }
    if (core_job_open(state, &f.job, "fan", args)) {
        PyObject *const *rest = args + CORE_JOB_ARGUMENTS;
        long long targets = 0;
        f.job.block = fan_block;
        f.job.block_size = 4096;
        if (f.job.items.kind != CORE_POINTS || f.job.options.varies) {
            core_refuse(state, "a fan has points, and one mask and one skip for all of them");
        } else if (core_borrow_bytes(state, &f.job.loans, rest[0], f.job.count, true, "out",
                                     &f.job.out) &&
                   PyArg_ParseTuple(rest[1], "ddd", &f.origin[0], &f.origin[1], &f.origin[2]) &&
                   core_long(rest[2], &targets) && core_double(rest[3], &f.tmax)) {
            f.targets = targets != 0;
            done = core_job_run(state, &f.job, rest[4]);
        }
    }
    core_job_close(&f.job);
    return done ? Py_NewRef(Py_None) : NULL;
}

/* ---- Where hits lie ---- */

static void set_nan(void *row, size_t numbers, size_t size)
{
    const float narrow = (float)Py_NAN;
    const double wide = Py_NAN;
    for (size_t i = 0; i < numbers; i++) {
        memcpy((char *)row + i * size, size == 4 ? (const void *)&narrow : &wide, size);
    }
}

/* surface(target, doubles, count, hits, out): rows of sl_surface or sl_surface_d */
static PyObject *surface(PyObject *module, PyObject *const *args, Py_ssize_t given)
{
    core_state *state = core_state_of(module);
    core_loans loans = { .count = 0 };
    long long doubles;
    size_t count;
    void *hits, *out;
    PyObject *done = NULL;
    if (!core_arguments("surface", given, 5) || !core_long(args[1], &doubles) ||
        !core_size(args[2], &count)) {
        return NULL;
    }
    const bool tree = PyObject_TypeCheck(args[0], state->tree) && !doubles;
    const sl_bvh *bvh = tree ? ((core_tree *)args[0])->bvh : NULL;
    const core_scene *scene = tree ? NULL : core_scene_of(state, args[0]);
    if ((!tree && scene == NULL) ||
        !core_borrow_bytes(state, &loans, args[3],
                           count * (doubles ? sizeof(sl_hit_d) : sizeof(sl_hit)), false, "hits",
                           &hits) ||
        !core_borrow_bytes(state, &loans, args[4],
                           count * (doubles ? sizeof(sl_surface_d) : sizeof(sl_surface)), true,
                           "out", &out)) {
        goto done;
    }
    core_wait wait;
    core_wait_begin(&wait, Py_None);
    for (size_t i = 0; i < count; i++) {
        if (doubles) {
            sl_surface_d *to = (sl_surface_d *)out + i;
            if (!sl_scene_surface_d(scene->scene, (sl_hit_d *)hits + i, to)) {
                set_nan(to, sizeof *to / sizeof(double), sizeof(double));
            }
            continue;
        }
        sl_surface *to = (sl_surface *)out + i;
        const sl_hit *hit = (sl_hit *)hits + i;
        if (!(tree ? sl_bvh_surface(bvh, hit, to) : sl_scene_surface(scene->scene, hit, to))) {
            set_nan(to, sizeof *to / sizeof(float), sizeof(float));
        }
    }
    core_wait_end(&wait);
    done = Py_NewRef(Py_None);
done:
    core_loans_end(&loans);
    return done;
}

PyMethodDef core_surface_functions[] = {
    CORE_FUNCTION("boundary", boundary, NULL),
    CORE_FUNCTION("boundary_odd", boundary_odd, NULL),
    CORE_FUNCTION("fan", ask_fan, NULL),
    CORE_FUNCTION("surface", surface, NULL),
    { NULL, NULL, 0, NULL },
};
