/* nearest/nearest.h: what 'nearest' and 'within' share: points against a mesh, answered with
 * triangles in the order of their distances. */
#ifndef TOOLS_NEAREST_NEAREST_H
#define TOOLS_NEAREST_NEAREST_H

#include "tools/generate/point_source.h"
#include "tools/input/mesh.h"
#include "tools/input/proxy.h"
#include "tools/input/query.h"
#include "tools/output/npy_list.h"
#include "tools/output/output.h"
#include "tools/parts/part.h"
#include "tools/verify/options.h"

#include <sightline/point_query.h>

typedef struct nearest_options {
    points_options from;
    const char *out;
    float limit;        /* --max-distance or --radius */
    uint64_t max_found; /* --keep: triangles that are kept for each point */
    int mode;           /* a nearest_mode; NEAREST_ALL of 'nearest' */
    bool csv, stats;
    verify_options verify;
    query_options query;
    proxy_options proxy;
    parts_options parts;
    mesh_options mesh;
    common_options common;
} nearest_options;

typedef enum nearest_mode { NEAREST_ALL, NEAREST_COUNT } nearest_mode;

typedef enum nearest_kind { NEAREST_CLOSEST, NEAREST_WITHIN } nearest_kind;

/* How answers are reported. */
extern const option_row nearest_report_rows[];

/* The rest of a subcommand, once its own options have been looked at. */
int nearest_run(const invocation *call, nearest_kind kind);

/* Points that are read, asked and written together. */
typedef struct nearest_block {
    size_t count, capacity, max_found;
    float *points;    /* three for each */
    float *limits;    /* one for each; NULL: that of the options */
    sl_nearest *rows; /* max_found of them for each; unused ones have prim SL_NONE */
    uint64_t *totals; /* nearest: how many were found; within: how many there are */
} nearest_block;

typedef struct nearest_job {
    const nearest_options *options;
    nearest_kind kind;
    bool own_limits; /* each point that is made brings its own */
    mesh_in in;
    uint32_t *masks;
    sl_soup soup;
    sl_query query;
    sl_proxy proxy;
    sl_stats stats;
    double seconds;
} nearest_job;

bool nearest_block_make(nearest_block *block, size_t capacity, size_t max_found, bool limits);
void nearest_block_free(nearest_block *block);

/* From malloc or zero on; *count 0 at the end. */
int nearest_fill(nearest_job *job, point_source *source, nearest_block *block);

/* Limit of one point. */
float nearest_limit(const nearest_job *job, const nearest_block *block, size_t i);

int nearest_verify(nearest_job *job);

/* Answers on their way out, whatever the format. */
typedef struct nearest_out {
    const sl_mesh *mesh;           /* to name faces */
    bool is_npy, only_count, list; /* list: not just the nearest one */
    bool is_packed;                /* an array of lists, of different lengths */
    output text;
    npy_out array;          /* (N,) or, of the K nearest, (N, K) */
    npy_list packed;        /* of 'within' */
    uint64_t points, found; /* so far; found: points with any triangle; points: those of other
                             * parts, too, that come before */
    part_out part;          /* --part or --resume; else zeroed */
} nearest_out;

int nearest_out_open(nearest_out *out, const nearest_options *o, nearest_kind kind,
                     const sl_mesh *mesh, uint64_t point_count);
/* A part, or a run that can go on: of `total` points, whose hash is given, those that are to be
 * asked are part.count - part.done from `points` on, unless part.complete. */
int nearest_out_begin_part(nearest_out *out, const nearest_job *job, const invocation *call,
                           uint64_t total, uint64_t hash);
bool nearest_out_write(nearest_out *out,
                       const nearest_block *block); /* false: nearest_out_end says why */
void nearest_out_end(nearest_out *out);             /* the table; fields may follow in JSON */
int nearest_out_close(nearest_out *out);
void nearest_out_discard(nearest_out *out); /* a zeroed or closed one is fine */

#endif
