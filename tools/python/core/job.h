/* job.h: queries about arrays of items, in blocks over threads: what ask.c, lists.c and bake.c
 * share. */
#pragma once

#include "tools/python/core/core.h"

typedef enum core_kind {
    CORE_RAYS, /* of a query, segments too */
    CORE_SEGMENTS,
    CORE_POINTS,
    CORE_VOLUMES,
    CORE_SWEEPS,
    CORE_NUMBERS /* triangles of the tree, by their numbers: nothing is read */
} core_kind;

typedef struct core_job core_job;
typedef struct core_part core_part;

/* What is asked, and what it takes. */
typedef struct core_query {
    const char *name;
    void (*answer)(const core_job *job, const core_part *part);
    core_kind kind;
    size_t row, row_d; /* bytes of an answer in floats and in doubles; row_d 0: a query that only
                        * trees over triangles answer, in floats */
    enum {
        CORE_ROWS,
        CORE_FANS,    /* rows; rays from one point are answered together */
        CORE_HINTS,   /* rows, with hints */
        CORE_BOUNDED, /* rows, with a boundary */
        CORE_LISTS,   /* rows of different lengths (lists.c) */
        CORE_BAKE     /* a number for each point (bake.c) */
    } form;
} core_query;

/* NULL with an exception. */
const core_query *core_query_named(PyObject *name);

/* Numbers of each item: where they come from, and where they are in the library's struct. */
typedef struct core_field {
    core_column from;
    int width;
    size_t number; /* bytes of one */
    size_t offset;
} core_field;

/* Where the items of a query come from. */
typedef struct core_items {
    core_kind kind;
    bool doubles;
    size_t size; /* of an item as the library takes it, in bytes */
    core_field fields[7];
    int field_count;
    union {
        float in_floats;
        double in_doubles;
        uint32_t word;
        bool flag;
    } same[5];          /* numbers that all items share */
    const char *direct; /* the items themselves, where they lie as the library takes them */
    bool fan;           /* rays or segments in floats from one point to ends that are packed */
} core_items;

/* A hit filter: a boolean for each triangle (of each instance), or a function of Python's. */
typedef struct core_filter {
    const uint8_t *const *keep; /* for each instance; one that is NULL has everything */
    const size_t *keep_count;   /* triangles that it speaks of: the others are there */
    size_t instance_count;
    PyObject *function; /* NULL: none */
    core_wait *wait;
    size_t first; /* item of the array that is item 0 of the library's call */
} core_filter;

typedef struct core_options {
    sl_options query;
    sl_triangle_ref skip[2]; /* what query.skip is */
    bool given;              /* some option is not as it is by default */
    core_filter filter;      /* used where query.filter is one of ours */
    const uint8_t **keep;    /* own memory of the filter */
    size_t *keep_count;
    Py_buffer *keep_view;
    size_t keep_views;
} core_options;

/* Answers `count` items, the first of which is number `first` of the job. */
typedef void core_block_fn(core_job *job, size_t first, size_t count, int worker);

struct core_job {
    core_call *call;
    const core_query *query;
    const sl_bvh *bvh;
    core_items items;
    core_options options;
    size_t count;
    core_block_fn *block;
    size_t block_size;     /* items that a block has at most */
    const sl_tasks *tasks; /* NULL: the calling thread alone */
    int workers;
    char *scratch;       /* what workers gather items into */
    size_t scratch_size; /* of each, in bytes */
    void *out, *extra;   /* what block writes to, and reads besides */
    double number;       /* of a query: a distance, a radius */
    size_t capacity;     /* of a row */
};

/* Items that one call of the library is about, and where its answers go. */
struct core_part {
    size_t first, count;
    const void *items; /* NULL of a fan, and of numbers */
    const sl_options *query;
    sl_options own;
    void *out;
    size_t capacity;
    uint64_t *totals;
};

/* What all queries begin with: name, handle, whether in doubles, kind of items, their number,
 * their arrays (see items.c), options, threads.  False with an exception. */
enum { CORE_JOB_ARGUMENTS = 11 };
bool core_job_open(core_call *call, core_job *job);
void core_job_close(core_job *job);

/* Allocates what workers gather into.  False with an exception. */
bool core_job_prepare(core_job *job);

/* Runs the block function over all items.  False with an exception. */
bool core_job_run(core_job *job, PyObject *progress);

/* One stretch of items without the interpreter's lock, which is for lists. */
void core_job_stretch(core_job *job, size_t first, size_t count);

/* Items as Python hands them over. */
bool core_items_read(core_job *job, PyObject *kind, PyObject *const *arrays);

/* The part of a block, or of one item of it: gathered where items do not lie as they should. */
void core_part_open(core_job *job, size_t first, size_t count, int worker, core_part *part);

/* The items of a part, as calls take them. */
sl_rays core_rays_of(const core_job *job, const core_part *part);
sl_points core_points_of(const core_job *job, const core_part *part);
sl_volumes core_volumes_of(const core_job *job, const core_part *part);
sl_sweeps core_sweeps_of(const core_job *job, const core_part *part);

/* Options as Python hands them over: None, or (flags, cull, mask, (four numbers of skips), masks
 * and skips of each item or None, ignored ranges or None, filter or None). */
bool core_options_read(core_job *job, PyObject *options);
void core_options_free(core_options *options);

/* Of these, what is the same for all items.  False with an exception. */
bool core_query_read(PyObject *options, sl_options *query, sl_triangle_ref skip[2]);

/* The query of the items from `first` on: job's own, or *own; NULL: everything is as it is by
 * default. */
const sl_options *core_query_of(core_job *job, size_t first, sl_options *own);
