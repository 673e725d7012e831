/* ask.c: questions whose answers have one row for each item. */
#include "tools/python/core/ways.h"

static char *row(const core_job *job, size_t first, size_t size)
{
    return (char *)job->out + first * size;
}

static size_t hit_size(const core_job *job)
{
    return job->items.doubles ? sizeof(sl_hit_d) : sizeof(sl_hit);
}

static size_t nearest_size(const core_job *job)
{
    return job->items.doubles ? sizeof(sl_nearest_d) : sizeof(sl_nearest);
}

static void closest(const core_job *job, const void *items, size_t first, size_t count,
                    const sl_query *query)
{
    void *out = row(job, first, hit_size(job));
    CORE_ASK_PATHS(closest, out)
}

static void next(const core_job *job, const void *items, size_t first, size_t count,
                 const sl_query *query)
{
    void *out = row(job, first, hit_size(job));
    const void *previous = (const char *)job->extra + first * hit_size(job);
    CORE_ASK_PATHS(next, previous, out)
}

static void count_hits(const core_job *job, const void *items, size_t first, size_t count,
                       const sl_query *query)
{
    uint64_t *out = (uint64_t *)job->out + first;
    CORE_ASK_PATHS(count, out)
}

/* Of rays, whether there is a hit; of segments, whether they are blocked, with hints. */
static void any(const core_job *job, const void *items, size_t first, size_t count,
                const sl_query *query)
{
    uint8_t *out = (uint8_t *)job->out + first;
    sl_triangle_ref *hints = job->extra != NULL ? (sl_triangle_ref *)job->extra + first : NULL;
    const bool rays = job->items.kind == CORE_RAYS;
    switch (job->target) {
    case CORE_TREE:
        if (rays) {
            sl_bvh_any_many(job->bvh, items, count, query, out, NULL);
        } else {
            sl_bvh_blocked_many(job->bvh, items, count, query, out, hints, NULL);
        }
        break;
    case CORE_SCENE:
        if (rays) {
            sl_scene_any_many(job->scene, items, count, query, out, NULL);
        } else {
            sl_scene_blocked_many(job->scene, items, count, query, out, hints, NULL);
        }
        break;
    case CORE_SCENE_D:
        if (rays) {
            sl_scene_any_d_many(job->scene, items, count, query, out, NULL);
        } else {
            sl_scene_blocked_d_many(job->scene, items, count, query, out, hints, NULL);
        }
        break;
    }
}

static void nearest(const core_job *job, const void *items, size_t first, size_t count,
                    const sl_query *query)
{
    void *out = row(job, first, nearest_size(job));
    const float limit = (float)job->number;
    switch (job->target) {
    case CORE_TREE:
        sl_bvh_nearest_many(job->bvh, items, count, limit, query, out, NULL);
        break;
    case CORE_SCENE:
        sl_scene_nearest_many(job->scene, items, count, limit, query, out, NULL);
        break;
    case CORE_SCENE_D:
        sl_scene_nearest_d_many(job->scene, items, count, limit, query, out, NULL);
        break;
    }
}

/* What follows the last row that was found is filled as what was not found. */
static void fill(const core_job *job, size_t first, size_t count, const uint64_t *found)
{
    const size_t size = nearest_size(job);
    for (size_t i = 0; i < count; i++) {
        for (size_t k = (size_t)found[i]; k < job->capacity; k++) {
            char *at = row(job, (first + i) * job->capacity + k, size);
            if (job->items.doubles) {
                *(sl_nearest_d *)(void *)at =
                    (sl_nearest_d){ .distance = (float)job->number, .prim = SL_NONE };
            } else {
                *(sl_nearest *)(void *)at =
                    (sl_nearest){ .distance = (float)job->number, .prim = SL_NONE };
            }
        }
    }
}

static void nearest_k(const core_job *job, const void *items, size_t first, size_t count,
                      const sl_query *query)
{
    enum { AT_ONCE = 64 };
    uint64_t found[AT_ONCE];
    const char *item = items;
    core_later later;
    for (size_t i = 0; i < count; i += AT_ONCE) {
        const size_t n = count - i < AT_ONCE ? count - i : AT_ONCE, k = job->capacity;
        void *out = row(job, (first + i) * k, nearest_size(job));
        const void *points = item + i * job->items.size;
        const float limit = (float)job->number;
        const sl_query *part = core_query_later(query, i, &later);
        switch (job->target) {
        case CORE_TREE:
            sl_bvh_nearest_k_many(job->bvh, points, n, limit, part, out, k, found, NULL);
            break;
        case CORE_SCENE:
            sl_scene_nearest_k_many(job->scene, points, n, limit, part, out, k, found, NULL);
            break;
        case CORE_SCENE_D:
            sl_scene_nearest_k_d_many(job->scene, points, n, limit, part, out, k, found, NULL);
            break;
        }
        fill(job, first + i, n, found);
    }
}

static void overlaps(const core_job *job, const void *items, size_t first, size_t count,
                     const sl_query *query)
{
    uint8_t *out = (uint8_t *)job->out + first;
    switch (job->target) {
    case CORE_TREE:
        sl_bvh_overlap_any_many(job->bvh, items, count, query, out, NULL);
        break;
    case CORE_SCENE:
        sl_scene_overlap_any_many(job->scene, items, count, query, out, NULL);
        break;
    case CORE_SCENE_D:
        sl_scene_overlap_any_d_many(job->scene, items, count, query, out, NULL);
        break;
    }
}

/* Of trees alone; extra is a boundary. */
static void inside(const core_job *job, const void *items, size_t first, size_t count,
                   const sl_query *query)
{
    sl_inside *out = (sl_inside *)job->out + first;
    sl_bvh_inside_many(job->bvh, job->extra, items, count, query, out, NULL);
}

/* ---- */

typedef enum extra_kind { NO_EXTRA, PREVIOUS, HINTS, BOUNDARY } extra_kind;

typedef struct question {
    const char *name;
    core_block_fn *block;
    size_t row, row_d; /* bytes of an answer; 0: a question that only trees answer, in floats */
    extra_kind extra;
    bool paths; /* about rays and segments */
} question;

static const question questions[] = {
    { "closest", closest, sizeof(sl_hit), sizeof(sl_hit_d), NO_EXTRA, true },
    { "next", next, sizeof(sl_hit), sizeof(sl_hit_d), PREVIOUS, true },
    { "count", count_hits, 8, 8, NO_EXTRA, true },
    { "any", any, 1, 1, HINTS, true },
    { "nearest", nearest, sizeof(sl_nearest), sizeof(sl_nearest_d), NO_EXTRA, false },
    { "nearest_k", nearest_k, sizeof(sl_nearest), sizeof(sl_nearest_d), NO_EXTRA, false },
    { "overlaps", overlaps, 1, 1, NO_EXTRA, false },
    { "inside", inside, sizeof(sl_inside), 0, BOUNDARY, false },
};

static const question *find(PyObject *name)
{
    const char *text = PyUnicode_AsUTF8AndSize(name, NULL);
    for (size_t i = 0; text != NULL && i < sizeof questions / sizeof *questions; i++) {
        if (strcmp(text, questions[i].name) == 0) {
            return &questions[i];
        }
    }
    if (text != NULL) {
        PyErr_Format(PyExc_ValueError, "no question: %s", text);
    }
    return NULL;
}

/* Whether the items are of the kind that is asked about. */
static bool suits(const core_job *job, const question *q)
{
    const core_kind kind = job->items.kind;
    if (q->paths) {
        return kind == CORE_RAYS || kind == CORE_SEGMENTS;
    }
    if (q->row_d == 0 && job->target != CORE_TREE) {
        return false;
    }
    return kind == (q->block == overlaps ? CORE_VOLUMES : CORE_POINTS);
}

static bool read_extra(core_state *state, core_job *job, const question *q, size_t row_size,
                       PyObject *given)
{
    if (given == Py_None) {
        return q->extra != PREVIOUS || core_refuse(state, "next has no previous hits") != NULL;
    }
    if (q->extra == BOUNDARY) {
        if (!PyObject_TypeCheck(given, state->boundary)) {
            return core_refuse(state, "no boundary") != NULL;
        }
        job->extra = ((core_boundary *)given)->boundary;
        return true;
    }
    const size_t size = q->extra == PREVIOUS ? row_size : sizeof(sl_triangle_ref);
    return core_borrow_bytes(state, &job->loans, given, job->count * size, q->extra == HINTS,
                             "an array", &job->extra);
}

/* ask(question, target, doubles, kind, count, four arrays of items, options, threads, out, extra,
 * number, capacity, progress) */
static PyObject *ask(PyObject *module, PyObject *const *args, Py_ssize_t given)
{
    core_state *state = core_state_of(module);
    const question *q = core_arguments("ask", given, 16) ? find(args[0]) : NULL;
    core_job job;
    bool done = false;
    if (q == NULL) {
        return NULL;
    }
    if (core_job_open(state, &job, q->name, args + 1)) {
        PyObject *const *rest = args + 1 + CORE_JOB_ARGUMENTS;
        const size_t size = job.items.doubles ? q->row_d : q->row;
        job.block = q->block;
        if (!suits(&job, q)) {
            core_refuse(state, "%s is not a question about these", q->name);
        } else if (core_double(rest[2], &job.number) && core_size(rest[3], &job.capacity) &&
                   core_borrow_bytes(state, &job.loans, rest[0], job.count * size * job.capacity,
                                     true, "out", &job.out) &&
                   read_extra(state, &job, q, size, rest[1])) {
            done = core_job_run(state, &job, rest[4]);
        }
    }
    core_job_close(&job);
    return done ? Py_NewRef(Py_None) : NULL;
}

PyMethodDef core_ask_functions[] = {
    CORE_FUNCTION("ask", ask, NULL),
    { NULL, NULL, 0, NULL },
};
