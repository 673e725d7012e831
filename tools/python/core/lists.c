/* lists.c: questions whose answers are lists of different lengths. */
#include "tools/python/core/ways.h"

#include <stdlib.h>

/* Items are asked a few thousand at a time: first with room for some answers each, and those that
 * have more a second time, where their answers are to stand. */
enum { STRETCH = 2048, ROOM = 8 };

typedef struct lists {
    core_job job; /* first: a block gets a job, and casts it */
    size_t row;   /* bytes of an answer */
    size_t first; /* item of the stretch at hand */
    char *rows;   /* STRETCH * room answers */
    size_t room;
    uint64_t *totals;      /* of the stretch */
    uint64_t *offsets;     /* of the stretch, in answers from the start of it */
    char *values;          /* all that was found */
    size_t used, capacity; /* of values, in answers */
    const struct question *question;
} lists;

/* ---- Blocks: totals, and the first answers of each item ---- */

static lists *lists_of(const core_job *job)
{
    return (lists *)(uintptr_t)job;
}

#define ROOM_OF(type)                                                                              \
    const lists *l = lists_of(job);                                                                \
    uint64_t *totals = l->totals + (first - l->first);                                             \
    type *out = (type *)(void *)(l->rows + (first - l->first) * l->room * l->row);                 \
    const size_t room = l->room

static void all(const core_job *job, const void *items, size_t first, size_t count,
                const sl_query *query)
{
    ROOM_OF(void);
    CORE_ASK_PATHS(all, out, room, totals)
}

static void within(const core_job *job, const void *items, size_t first, size_t count,
                   const sl_query *query)
{
    ROOM_OF(void);
    const float radius = (float)job->number;
    switch (job->target) {
    case CORE_TREE:
        sl_bvh_within_many(job->bvh, items, count, radius, query, out, room, totals, NULL);
        break;
    case CORE_SCENE:
        sl_scene_within_many(job->scene, items, count, radius, query, out, room, totals, NULL);
        break;
    case CORE_SCENE_D:
        sl_scene_within_d_many(job->scene, items, count, radius, query, out, room, totals, NULL);
        break;
    }
}

static void overlap(const core_job *job, const void *items, size_t first, size_t count,
                    const sl_query *query)
{
    ROOM_OF(sl_triangle_ref);
    switch (job->target) {
    case CORE_TREE:
        sl_bvh_overlap_all_many(job->bvh, items, count, query, out, room, totals, NULL);
        break;
    case CORE_SCENE:
        sl_scene_overlap_all_many(job->scene, items, count, query, out, room, totals, NULL);
        break;
    case CORE_SCENE_D:
        sl_scene_overlap_all_d_many(job->scene, items, count, query, out, room, totals, NULL);
        break;
    }
}

static void containing(const core_job *job, const void *items, size_t first, size_t count,
                       const sl_query *query)
{
    ROOM_OF(uint32_t);
    if (job->target == CORE_SCENE) {
        sl_scene_inside_many(job->scene, items, count, query, out, room, totals, NULL);
    } else {
        sl_scene_inside_d_many(job->scene, items, count, query, out, room, totals, NULL);
    }
}

static void self_pairs(const core_job *job, const void *items, size_t first, size_t count,
                       const sl_query *query)
{
    ROOM_OF(sl_triangle_ref);
    (void)items;
    sl_bvh_self_pairs_many(job->bvh, (uint32_t)first, count, query, out, room, totals, NULL);
}

/* ---- One item, with as much room as it needs ---- */

static void all_of(const core_job *job, const void *item, size_t number, const sl_query *query,
                   void *out, size_t n)
{
    (void)number;
    const bool rays = job->items.kind == CORE_RAYS;
    switch (job->target) {
    case CORE_TREE:
        (void)(rays ? sl_bvh_all(job->bvh, item, query, out, n)
                    : sl_bvh_all_segment(job->bvh, item, query, out, n));
        break;
    case CORE_SCENE:
        (void)(rays ? sl_scene_all(job->scene, item, query, out, n)
                    : sl_scene_all_segment(job->scene, item, query, out, n));
        break;
    case CORE_SCENE_D:
        (void)(rays ? sl_scene_all_d(job->scene, item, query, out, n)
                    : sl_scene_all_segment_d(job->scene, item, query, out, n));
        break;
    }
}

static void within_of(const core_job *job, const void *item, size_t number, const sl_query *query,
                      void *out, size_t n)
{
    (void)number;
    const float radius = (float)job->number;
    switch (job->target) {
    case CORE_TREE:
        sl_bvh_within(job->bvh, item, radius, query, out, n);
        break;
    case CORE_SCENE:
        sl_scene_within(job->scene, item, radius, query, out, n);
        break;
    case CORE_SCENE_D:
        sl_scene_within_d(job->scene, item, radius, query, out, n);
        break;
    }
}

static void overlap_of(const core_job *job, const void *item, size_t number, const sl_query *query,
                       void *out, size_t n)
{
    (void)number;
    switch (job->target) {
    case CORE_TREE:
        sl_bvh_overlap_all(job->bvh, item, query, out, n);
        break;
    case CORE_SCENE:
        sl_scene_overlap_all(job->scene, item, query, out, n);
        break;
    case CORE_SCENE_D:
        sl_scene_overlap_all_d(job->scene, item, query, out, n);
        break;
    }
}

static void containing_of(const core_job *job, const void *item, size_t number,
                          const sl_query *query, void *out, size_t n)
{
    (void)number;
    if (job->target == CORE_SCENE) {
        sl_scene_inside(job->scene, item, query, out, n);
    } else {
        sl_scene_inside_d(job->scene, item, query, out, n);
    }
}

static void self_pairs_of(const core_job *job, const void *item, size_t number,
                          const sl_query *query, void *out, size_t n)
{
    (void)item;
    sl_bvh_self_pairs(job->bvh, (uint32_t)number, query, out, n);
}

/* ---- Both passes ---- */

typedef void single_fn(const core_job *job, const void *item, size_t number, const sl_query *query,
                       void *out, size_t n);

typedef struct question {
    const char *name;
    core_block_fn *block;
    single_fn *single;
    core_kind kind;    /* of its items; rays stand for segments, too */
    size_t row, row_d; /* bytes of an answer */
} question;

static const question questions[] = {
    { "all", all, all_of, CORE_RAYS, sizeof(sl_hit), sizeof(sl_hit_d) },
    { "within", within, within_of, CORE_POINTS, sizeof(sl_nearest), sizeof(sl_nearest_d) },
    { "overlap", overlap, overlap_of, CORE_VOLUMES, sizeof(sl_triangle_ref),
      sizeof(sl_triangle_ref) },
    { "containing", containing, containing_of, CORE_POINTS, sizeof(uint32_t), sizeof(uint32_t) },
    { "self_pairs", self_pairs, self_pairs_of, CORE_NUMBERS, sizeof(sl_triangle_ref), 0 },
};

/* Puts the answers of a block where they are to stay. */
static void settle(const core_job *job, const void *items, size_t first, size_t count,
                   const sl_query *query)
{
    const lists *l = lists_of(job);
    for (size_t i = 0; i < count; i++) {
        const size_t at = first - l->first + i;
        const size_t n = (size_t)(l->offsets[at + 1] - l->offsets[at]);
        if (n == 0) {
            continue; /* there may be no values at all */
        }
        char *to = l->values + (l->used + (size_t)l->offsets[at]) * l->row;
        if (n <= l->room) {
            memcpy(to, l->rows + at * l->room * l->row, n * l->row);
            continue;
        }
        core_later later;
        l->question->single(job, (const char *)items + i * job->items.size, first + i,
                            core_query_later(query, i, &later), to, n);
    }
}

static bool make_room(lists *l, size_t more)
{
    if (l->used + more <= l->capacity) {
        return true;
    }
    const size_t twice = 2 * l->capacity;
    const size_t capacity = l->used + more > twice ? l->used + more : twice;
    char *values = capacity <= PTRDIFF_MAX / l->row ? realloc(l->values, capacity * l->row) : NULL;
    if (values != NULL) {
        l->values = values;
        l->capacity = capacity;
    }
    return values != NULL;
}

/* Asks items first .. first + count - 1.  False: out of memory. */
static bool ask_stretch(lists *l, size_t first, size_t count, uint64_t *totals, int64_t *offsets)
{
    core_job *job = &l->job;
    l->first = first;
    job->block = l->question->block;
    core_job_stretch(job, first, count);
    l->offsets[0] = 0;
    for (size_t i = 0; i < count; i++) {
        const uint64_t total = l->totals[i];
        totals[first + i] = total;
        l->offsets[i + 1] = l->offsets[i] + (total < job->capacity ? total : job->capacity);
        offsets[first + i + 1] = (int64_t)(l->used + l->offsets[i + 1]);
    }
    const size_t more = (size_t)l->offsets[count];
    if (!make_room(l, more)) {
        return false;
    }
    job->block = settle;
    core_job_stretch(job, first, count);
    l->used += more;
    return true;
}

/* False: out of memory.  Stretches begin short, as a single item may have any number of answers. */
static bool ask_all(lists *l, uint64_t *totals, int64_t *offsets)
{
    const size_t count = l->job.count;
    size_t length = 8, first = 0;
    offsets[0] = 0;
    while (first < count) {
        const size_t now = count - first < length ? count - first : length;
        const double started = core_seconds();
        if (!ask_stretch(l, first, now, totals, offsets)) {
            return false;
        }
        first += now;
        length *= length < STRETCH && core_seconds() - started < 0.02 ? 2 : 1;
        if (!core_wait_look(&l->job.wait, l->job.name, (double)first / (double)count, false)) {
            return true;
        }
    }
    return true;
}

static bool allocate(lists *l)
{
    l->room = l->job.capacity < ROOM ? l->job.capacity : ROOM;
    l->rows = malloc(STRETCH * l->room * l->row + 1);
    l->totals = malloc(STRETCH * sizeof *l->totals);
    l->offsets = malloc((STRETCH + 1) * sizeof *l->offsets);
    return l->rows != NULL && l->totals != NULL && l->offsets != NULL && core_job_prepare(&l->job);
}

static PyObject *run(core_state *state, lists *l, PyObject *progress, void *totals, void *offsets)
{
    if (!allocate(l)) {
        return PyErr_NoMemory();
    }
    core_wait_begin(&l->job.wait, progress);
    const bool enough = ask_all(l, totals, offsets);
    if (!core_wait_end(&l->job.wait)) {
        return core_wait_raise(state, &l->job.wait);
    }
    if (!enough) {
        return PyErr_NoMemory();
    }
    char *less = l->used > 0 ? realloc(l->values, l->used * l->row) : NULL;
    PyObject *memory = core_memory_take(state, less != NULL ? less : l->values, l->used * l->row);
    l->values = NULL;
    return memory;
}

static bool suits(const core_job *job, const question *q)
{
    const core_kind kind = job->items.kind;
    const bool scene = job->target != CORE_TREE;
    return (kind == q->kind || (q->kind == CORE_RAYS && kind == CORE_SEGMENTS)) &&
           !(q->kind == CORE_NUMBERS && scene) && !(q->block == containing && !scene);
}

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

/* ask_lists(question, target, doubles, kind, count, four arrays of items, options, threads,
 * totals (N,) u8, offsets (N + 1,) i8, number, capacity, progress): memory of the values */
static PyObject *ask_lists(PyObject *module, PyObject *const *args, Py_ssize_t given)
{
    core_state *state = core_state_of(module);
    const question *q = core_arguments("ask_lists", given, 16) ? find(args[0]) : NULL;
    lists l = { .question = q };
    PyObject *made = NULL;
    if (q == NULL) {
        return NULL;
    }
    if (core_job_open(state, &l.job, q->name, args + 1)) {
        PyObject *const *rest = args + 1 + CORE_JOB_ARGUMENTS;
        void *totals, *offsets;
        l.row = l.job.items.doubles ? q->row_d : q->row;
        l.job.block_size = 256;
        if (!suits(&l.job, q)) {
            core_refuse(state, "%s is not a question about these", q->name);
        } else if (core_double(rest[2], &l.job.number) && core_size(rest[3], &l.job.capacity) &&
                   core_borrow_bytes(state, &l.job.loans, rest[0], 8 * l.job.count, true, "totals",
                                     &totals) &&
                   core_borrow_bytes(state, &l.job.loans, rest[1], 8 * l.job.count + 8, true,
                                     "offsets", &offsets)) {
            made = run(state, &l, rest[4], totals, offsets);
        }
    }
    free(l.values);
    free(l.offsets);
    free(l.totals);
    free(l.rows);
    core_job_close(&l.job);
    return made;
}

PyMethodDef core_list_functions[] = {
    CORE_FUNCTION("ask_lists", ask_lists, NULL),
    { NULL, NULL, 0, NULL },
};
