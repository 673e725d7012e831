/* bake.c: ambient occlusion and thickness, by what the command has for them. */
#include "tools/bake/bake.h"
#include "tools/python/core/job.h"

#include <stdlib.h>

typedef struct baking {
    core_job job;
    bake_job bake;
    size_t failed; /* blocks that found no memory; only ever set */
} baking;

static void bake_block(core_job *job, size_t first, size_t count, int worker)
{
    baking *b = (baking *)(void *)job;
    bake_job bake = b->bake;
    bake_scratch scratch;
    core_part part;
    float *out = (float *)job->out + first;
    core_part_open(job, first, count, worker, &part);
    bake.points = part.items;
    bake.normals += 3 * first;
    bake.first += first;
    bake.query = part.query;
    if (bake_scratch_make(&scratch, &bake)) {
        for (size_t i = 0; i < count; i++) {
            out[i] = bake_point(&bake, i, &scratch);
        }
    } else {
        __atomic_store_n(&b->failed, 1, __ATOMIC_RELAXED);
    }
    bake_scratch_free(&scratch);
}

/* How many points a block has: few enough that a block of them ends within a fraction of a tenth of
 * a second, since Ctrl-C and progress are looked at between blocks. */
static size_t block_of(uint32_t rays)
{
    const size_t points = (size_t)65536 / (rays > 0 ? rays : 1);
    return points > 64 ? 64 : points < 1 ? 1 : points;
}

/* bake("bake", tree, doubles, kind, count, four arrays of items, options, threads,
 * normals (N, 3) f4, out (N,) f4, (thickness, rays, distance, lift, spread, least, first),
 * progress) */
static PyObject *bake(PyObject *module, PyObject *const *args, Py_ssize_t given)
{
    core_state *state = core_state_of(module);
    baking b = { .failed = 0 };
    bool done = false;
    if (!core_arguments("bake", given, 15)) {
        return NULL;
    }
    if (core_job_open(state, &b.job, args)) {
        PyObject *const *rest = args + CORE_JOB_ARGUMENTS;
        int thickness, least;
        unsigned long long first;
        void *normals;
        b.job.block = bake_block;
        if (b.job.question->form != CORE_BAKE || b.job.options.query.items != NULL) {
            core_refuse(state, "points are baked, with one mask for all");
        } else if (core_borrow_bytes(state, &b.job.loans, rest[0], 12 * b.job.count, false,
                                     "normals", &normals) &&
                   core_borrow_bytes(state, &b.job.loans, rest[1], 4 * b.job.count, true, "out",
                                     &b.job.out) &&
                   PyArg_ParseTuple(rest[2], "pIfffpK", &thickness, &b.bake.rays, &b.bake.distance,
                                    &b.bake.lift, &b.bake.spread, &least, &first)) {
            b.bake.kind = thickness ? BAKE_THICKNESS : BAKE_AO;
            b.bake.bvh = b.job.bvh;
            b.bake.least = least != 0;
            b.bake.first = first;
            b.bake.normals = normals;
            b.job.block_size = block_of(b.bake.rays);
            done = core_job_run(state, &b.job, rest[3]);
            if (done && b.failed) {
                PyErr_NoMemory();
                done = false;
            }
        }
    }
    core_job_close(&b.job);
    return done ? Py_NewRef(Py_None) : NULL;
}

/* bake_normals(mesh, out (V, 3) f4) */
static PyObject *normals(PyObject *module, PyObject *const *args, Py_ssize_t given)
{
    core_state *state = core_state_of(module);
    core_loans loans = { .count = 0 };
    const core_mesh *mesh =
        core_arguments("bake_normals", given, 2) ? core_mesh_of(state, args[0]) : NULL;
    void *out;
    PyObject *done = NULL;
    if (mesh != NULL) {
        const size_t size = 12 * sl_mesh_soup(mesh->mesh).vertex_count;
        if (core_borrow_bytes(state, &loans, args[1], size, true, "out", &out)) {
            float *made = bake_normals(mesh->mesh);
            if (made != NULL) {
                memcpy(out, made, size);
            }
            done = made != NULL ? Py_NewRef(Py_None) : PyErr_NoMemory();
            free(made);
        }
    }
    core_loans_end(&loans);
    return done;
}

PyMethodDef core_bake_functions[] = {
    CORE_FUNCTION("bake", bake, NULL),
    CORE_FUNCTION("bake_normals", normals, NULL),
    { NULL, NULL, 0, NULL },
};
