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

static bool bake_run(baking *b, PyObject *const *rest)
{
    core_job *job = &b->job;
    int thickness, least;
    unsigned long long first;
    void *normals;
    job->block = bake_block;
    if (job->query->form != CORE_BAKE || job->options.query.items != NULL || job->items.doubles) {
        return core_refuse(job->call, "points in floats are baked, with one mask for all");
    }
    if (!core_borrow_bytes(job->call, rest[0], 12 * job->count, false, "normals", &normals) ||
        !core_borrow_bytes(job->call, rest[1], 4 * job->count, true, "out", &job->out) ||
        !PyArg_ParseTuple(rest[2], "pIfffpK", &thickness, &b->bake.rays, &b->bake.distance,
                          &b->bake.lift, &b->bake.spread, &least, &first)) {
        return false;
    }
    b->bake.kind = thickness ? BAKE_THICKNESS : BAKE_AO;
    b->bake.bvh = job->bvh;
    b->bake.least = least != 0;
    b->bake.first = first;
    b->bake.normals = normals;
    job->block_size = block_of(b->bake.rays);
    return core_job_run(job, rest[3]) && (!b->failed || PyErr_NoMemory() != NULL);
}

/* bake("bake", tree, doubles, kind, count, four arrays of items, options, threads,
 * normals (N, 3) f4, out (N,) f4, (thickness, rays, distance, lift, spread, least, first),
 * progress) */
PyObject *core_bake(core_call *call, PyObject *const *args)
{
    baking b = { .failed = 0 };
    const bool done = core_job_open(call, &b.job) && bake_run(&b, args + CORE_JOB_ARGUMENTS);
    core_job_close(&b.job);
    return core_none(done);
}

/* bake_normals(mesh, out (V, 3) f4) */
PyObject *core_bake_normals(core_call *call, PyObject *const *args)
{
    const size_t size = 12 * sl_mesh_soup(call->is).vertex_count;
    void *out;
    if (!core_borrow_bytes(call, args[1], size, true, "out", &out)) {
        return NULL;
    }
    float *made = bake_normals(call->is);
    if (made == NULL) {
        return PyErr_NoMemory();
    }
    memcpy(out, made, size);
    free(made);
    return core_none(true);
}
