/* ask.c: the queries, and those whose answers have one row for each item. */
#include "tools/python/core/job.h"

#include <math.h>

enum { NEAREST_K_BLOCK = 256 };

static sl_hits hits_at(const core_job *job, void *out)
{
    return job->items.doubles ? sl_hits_of_d(out) : sl_hits_of(out);
}

static sl_nearests nearests_at(const core_job *job, void *out)
{
    return job->items.doubles ? sl_nearests_of(out, SL_DOUBLE) : sl_nearests_of(out, SL_FLOAT);
}

static void ask_closest(const core_job *job, const core_part *part)
{
    sl_bvh_closest_many(job->bvh, core_rays_of(job, part), part->query, hits_at(job, part->out),
                        NULL, NULL);
}

/* What is to be written has the previous hits. */
static void ask_next(const core_job *job, const core_part *part)
{
    sl_bvh_next_many(job->bvh, core_rays_of(job, part), part->query, hits_at(job, part->out), NULL,
                     NULL);
}

static void ask_count(const core_job *job, const core_part *part)
{
    sl_bvh_all_many(job->bvh, core_rays_of(job, part), part->query, sl_hits_of(NULL), 0, part->out,
                    NULL, NULL);
}

static void ask_any(const core_job *job, const core_part *part)
{
    sl_triangle_ref *hints = job->extra;
    sl_bvh_any_many(job->bvh, core_rays_of(job, part), part->query, part->out,
                    hints != NULL ? hints + part->first : NULL, NULL, NULL);
}

static void ask_all(const core_job *job, const core_part *part)
{
    sl_bvh_all_many(job->bvh, core_rays_of(job, part), part->query, hits_at(job, part->out),
                    part->capacity, part->totals, NULL, NULL);
}

static void ask_nearest(const core_job *job, const core_part *part)
{
    sl_bvh_nearest_many(job->bvh, core_points_of(job, part), (float)job->number, part->query,
                        nearests_at(job, part->out), NULL, NULL);
}

/* What follows the last row that was found is filled as what was not found, which has the same
 * bytes in floats as a struct in doubles begins with. */
static void ask_nearest_k(const core_job *job, const core_part *part)
{
    uint64_t found[NEAREST_K_BLOCK];
    const sl_nearest_d none = { .distance = (float)job->number, .prim = SL_NONE };
    const size_t k = part->capacity;
    const size_t size = job->items.doubles ? sizeof(sl_nearest_d) : sizeof(sl_nearest);
    sl_bvh_nearest_k_many(job->bvh, core_points_of(job, part), (float)job->number, part->query,
                          nearests_at(job, part->out), k, found, NULL, NULL);
    for (size_t i = 0; i < part->count; i++) {
        for (size_t row = (size_t)found[i]; row < k; row++) {
            memcpy((char *)part->out + (i * k + row) * size, &none, size);
        }
    }
}

static void ask_within(const core_job *job, const core_part *part)
{
    sl_bvh_within_many(job->bvh, core_points_of(job, part), (float)job->number, part->query,
                       nearests_at(job, part->out), part->capacity, part->totals, NULL, NULL);
}

static void ask_containing(const core_job *job, const core_part *part)
{
    sl_bvh_inside_many(job->bvh, core_points_of(job, part), part->query, part->out, part->capacity,
                       part->totals, NULL, NULL);
}

static void ask_inside(const core_job *job, const core_part *part)
{
    sl_bvh_winding(job->bvh, job->extra, part->items, part->count, part->query, part->out, NULL,
                   NULL);
}

/* As ask_inside, but for the winding numbers. */
static void ask_side(const core_job *job, const core_part *part)
{
    sl_options options = part->query != NULL ? *part->query : (sl_options){ .mask = 0 };
    options.flags |= SL_NO_WINDING;
    sl_bvh_winding(job->bvh, job->extra, part->items, part->count, &options, part->out, NULL, NULL);
}

static void ask_overlaps(const core_job *job, const core_part *part)
{
    sl_bvh_overlap_any_many(job->bvh, core_volumes_of(job, part), part->query, part->out, NULL,
                            NULL);
}

static void ask_overlap(const core_job *job, const core_part *part)
{
    sl_bvh_overlap_all_many(job->bvh, core_volumes_of(job, part), part->query, part->out,
                            part->capacity, part->totals, NULL, NULL);
}

static void ask_sweep(const core_job *job, const core_part *part)
{
    sl_bvh_sweep_many(job->bvh, core_sweeps_of(job, part), part->query, part->out, NULL, NULL);
}

static void ask_sweep_any(const core_job *job, const core_part *part)
{
    sl_bvh_sweep_any_many(job->bvh, core_sweeps_of(job, part), part->query, part->out, NULL, NULL);
}

static void ask_sweep_all(const core_job *job, const core_part *part)
{
    sl_bvh_sweep_all_many(job->bvh, core_sweeps_of(job, part), part->query, part->out,
                          part->capacity, part->totals, NULL, NULL);
}

/* NaN where there is no way out. */
static void ask_push_out(const core_job *job, const core_part *part)
{
    const sl_volume_d *volumes = part->items;
    sl_options options = part->query != NULL ? *part->query : (sl_options){ .mask = 0 };
    double(*out)[3] = part->out;
    for (size_t i = 0; i < part->count; i++) {
        for (int k = 0; k < 3; k++) {
            out[i][k] = NAN;
        }
        (void)sl_bvh_push_out(job->bvh, &volumes[i], job->number, &options, out[i]);
        if (options.items != NULL) {
            options.items++;
        }
    }
}

static void ask_self_pairs(const core_job *job, const core_part *part)
{
    sl_bvh_self_pairs(job->bvh, (uint32_t)part->first, part->count, part->query, part->out,
                      part->capacity, part->totals, NULL, NULL);
}

/* ---- */

static const core_query queries[] = {
    { "closest", ask_closest, CORE_RAYS, sizeof(sl_hit), sizeof(sl_hit_d), CORE_ROWS },
    { "next", ask_next, CORE_RAYS, sizeof(sl_hit), sizeof(sl_hit_d), CORE_ROWS },
    { "count", ask_count, CORE_RAYS, 8, 8, CORE_ROWS },
    { "any", ask_any, CORE_RAYS, 1, 1, CORE_ROWS },
    { "fan", ask_any, CORE_RAYS, 1, 1, CORE_FANS },
    { "hinted", ask_any, CORE_RAYS, 1, 1, CORE_HINTS },
    { "all", ask_all, CORE_RAYS, sizeof(sl_hit), sizeof(sl_hit_d), CORE_LISTS },
    { "nearest", ask_nearest, CORE_POINTS, sizeof(sl_nearest), sizeof(sl_nearest_d), CORE_ROWS },
    { "nearest_k", ask_nearest_k, CORE_POINTS, sizeof(sl_nearest), sizeof(sl_nearest_d),
      CORE_ROWS },
    { "within", ask_within, CORE_POINTS, sizeof(sl_nearest), sizeof(sl_nearest_d), CORE_LISTS },
    { "containing", ask_containing, CORE_POINTS, 4, 4, CORE_LISTS },
    { "inside", ask_inside, CORE_POINTS, sizeof(sl_inside), 0, CORE_BOUNDED },
    { "side", ask_side, CORE_POINTS, sizeof(sl_inside), 0, CORE_BOUNDED },
    { "overlaps", ask_overlaps, CORE_VOLUMES, 1, 1, CORE_ROWS },
    { "overlap", ask_overlap, CORE_VOLUMES, 8, 8, CORE_LISTS },
    { "sweep", ask_sweep, CORE_SWEEPS, sizeof(sl_contact), sizeof(sl_contact), CORE_ROWS },
    { "sweep_any", ask_sweep_any, CORE_SWEEPS, 1, 1, CORE_ROWS },
    { "sweep_all", ask_sweep_all, CORE_SWEEPS, sizeof(sl_contact), sizeof(sl_contact), CORE_LISTS },
    { "push_out", ask_push_out, CORE_VOLUMES, 0, 3 * sizeof(double), CORE_ROWS },
    { "self_pairs", ask_self_pairs, CORE_NUMBERS, 8, 0, CORE_LISTS },
    { "bake", NULL, CORE_POINTS, 4, 4, CORE_BAKE },
};

const core_query *core_query_named(PyObject *name)
{
    const char *text = PyUnicode_AsUTF8AndSize(name, NULL);
    for (size_t i = 0; text != NULL && i < sizeof queries / sizeof *queries; i++) {
        if (strcmp(text, queries[i].name) == 0) {
            return &queries[i];
        }
    }
    if (text != NULL) {
        PyErr_Format(PyExc_ValueError, "no query: %s", text);
    }
    return NULL;
}

static void ask_block(core_job *job, size_t first, size_t count, int worker)
{
    const core_query *q = job->query;
    const size_t row = (job->items.doubles ? q->row_d : q->row) * job->capacity;
    core_part part;
    core_part_open(job, first, count, worker, &part);
    part.out = (char *)job->out + first * row;
    part.capacity = job->capacity;
    q->answer(job, &part);
}

static bool read_extra(core_job *job, PyObject *given)
{
    if (given == Py_None) {
        return true;
    }
    if (job->query->form == CORE_HINTS) {
        return core_borrow_bytes(job->call, given, job->count * sizeof(sl_triangle_ref), true,
                                 "hints", &job->extra);
    }
    if (job->query->form != CORE_BOUNDED) {
        return core_refuse(job->call, "no boundary");
    }
    job->extra = core_held(job->call, given, CORE_BOUNDARY);
    return job->extra != NULL;
}

static bool ask_run(core_job *job, PyObject *const *rest)
{
    const size_t row = job->items.doubles ? job->query->row_d : job->query->row;
    job->block = ask_block;
    if (job->query->answer == ask_nearest_k) {
        job->block_size = NEAREST_K_BLOCK;
    }
    if (job->query->answer == ask_push_out) {
        job->block_size = 1; /* deep in a large mesh a way out takes long to find */
    }
    if (job->query->form >= CORE_LISTS) {
        return core_refuse(job->call, "%s has no rows", job->query->name);
    }
    return core_double(rest[2], &job->number) && core_size(rest[3], &job->capacity) &&
           core_borrow_bytes(job->call, rest[0], job->count * row * job->capacity, true, "out",
                             &job->out) &&
           read_extra(job, rest[1]) && core_job_run(job, rest[4]);
}

/* ask(query, handle, doubles, kind, count, four arrays of items, options, threads, out, extra,
 * number, capacity, progress) */
PyObject *core_ask(core_call *call, PyObject *const *args)
{
    core_job job;
    const bool done = core_job_open(call, &job) && ask_run(&job, args + CORE_JOB_ARGUMENTS);
    core_job_close(&job);
    return core_none(done);
}
