/* job.h: questions about arrays of items, in blocks over threads: what ask.c and lists.c share. */
#ifndef TOOLS_PYTHON_JOB_H
#define TOOLS_PYTHON_JOB_H

#include "tools/python/core/core.h"

/* Who is asked: a tree in floats, or a scene in floats or in doubles. */
typedef enum core_target { CORE_TREE, CORE_SCENE, CORE_SCENE_D } core_target;

typedef enum core_kind {
    CORE_RAYS,
    CORE_SEGMENTS,
    CORE_POINTS,
    CORE_VOLUMES,
    CORE_NUMBERS /* triangles of the tree, by their numbers: nothing is read */
} core_kind;

/* Where the items of a question come from. */
typedef struct core_items {
    core_kind kind;
    bool doubles;
    size_t size;           /* of an item as the library takes it, in bytes */
    const char *direct;    /* the items themselves, where they lie as the library takes them */
    core_column a, b;      /* rays: origins, directions; segments: ends; points; volumes */
    core_column low, high; /* rays: tmin and tmax; data NULL: the same for all */
    double tmin, tmax;     /* then */
    sl_volume_kind volume; /* volumes */
    int numbers;           /* of a volume */
} core_items;

/* A hit filter: a boolean for each triangle (of each instance), or a function of Python's. */
typedef struct core_filter {
    const uint8_t *const *keep; /* for each instance; one that is NULL has everything */
    const size_t *keep_count;   /* triangles that it speaks of: the others are there */
    size_t instance_count;
    PyObject *call; /* NULL: none */
    core_wait *wait;
} core_filter;

enum { CORE_FILTERS_MAX = 8 };

typedef struct core_options {
    sl_query query;         /* what is the same for all items */
    core_column mask, skip; /* for each item; data NULL: query has it.  skip: four numbers */
    bool varies;            /* whether there is one of the two */
    core_filter filter;     /* used where query.flags has SL_USE_FILTER */
    const uint8_t **keep;   /* own memory of the filter */
    size_t *keep_count;
    Py_buffer *keep_view;
    size_t keep_views;
} core_options;

/* What a worker gathers a block of items into. */
typedef struct core_scratch {
    void *items;
    sl_ray_opt *options;
    /* For a filter of Python's: whose it is, and the block's first item. */
    const core_filter *filter;
    size_t first;
} core_scratch;

typedef struct core_job core_job;

/* Answers `count` items, the first of which is number `first` of the job. */
typedef void core_block_fn(const core_job *job, const void *items, size_t first, size_t count,
                           const sl_query *query);

struct core_job {
    const char *name; /* for progress */
    core_target target;
    const sl_bvh *bvh;
    const sl_scene *scene;
    core_items items;
    core_options options;
    size_t count;
    core_block_fn *block;
    size_t block_size;     /* items that a block has at most */
    const sl_tasks *tasks; /* NULL: the calling thread alone */
    void *out, *extra;     /* what block writes to, and reads besides */
    double number;         /* of a question: a distance, a radius */
    size_t capacity;       /* of a row */
    core_scratch *scratch; /* for each worker */
    int workers;
    core_loans loans; /* arrays that are in use */
    core_wait wait;
};

/* What all questions begin with: handle, kind of items, their number, their arrays (see items.c),
 * options, threads, progress.  False with an exception. */
enum { CORE_JOB_ARGUMENTS = 10 };
bool core_job_open(core_state *state, core_job *job, const char *name, PyObject *const *args);
void core_job_close(core_job *job);

/* Items as Python hands them over. */
bool core_items_read(core_state *state, core_job *job, PyObject *kind, PyObject *const *arrays);

/* The items of a block, gathered into the scratch where they do not lie as they should. */
const void *core_items_of(const core_job *job, size_t first, size_t count, core_scratch *scratch);

bool core_options_read(core_state *state, core_job *job, PyObject *options);
void core_options_free(core_options *options);

/* The query of a block: job's own, or *query. */
const sl_query *core_query_of(const core_job *job, size_t first, size_t count,
                              core_scratch *scratch, sl_query *query);

/* The same query for the items from number `items` of the block on. */
typedef struct core_later {
    sl_query query;
    core_scratch block;
} core_later;
const sl_query *core_query_later(const sl_query *query, size_t items, core_later *later);

/* Allocates what workers gather into.  False: out of memory. */
bool core_job_prepare(core_job *job);

/* Runs the block function over all items.  False with an exception. */
bool core_job_run(core_state *state, core_job *job, PyObject *progress);

/* One stretch of items without the interpreter's lock, which is for lists. */
void core_job_stretch(core_job *job, size_t first, size_t count);

#endif
