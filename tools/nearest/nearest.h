/* nearest/nearest.h: what 'nearest' and 'within' share: points against a mesh, answered with triangles in the
 * order of their distances. */
#ifndef TOOLS_NEAR_H
#define TOOLS_NEAR_H

#include "tools/cli/npy.h"
#include "tools/cli/output.h"
#include "tools/generate/point_source.h"
#include "tools/input/mesh.h"
#include "tools/input/proxy.h"
#include "tools/input/query.h"

#include <sightline/point_query.h>

typedef struct near_options {
    points_options from;
    const char *out;
    float limit;       /* --max-distance or --radius */
    uint64_t capacity; /* -k or --max-found: triangles that are kept for each point */
    bool count, csv, brute, verify, sieve, stats;
    query_options query;
    proxy_options proxy;
    mesh_options mesh;
    common_options common;
} near_options;

typedef enum near_kind { NEAR_NEAREST, NEAR_WITHIN } near_kind;

/* How answers are made and reported; --count comes first, for 'nearest' to leave out. */
extern const option_row near_report_rows[];

/* The rest of a subcommand, once its own options have been looked at. */
int near_run(const invocation *call, near_kind kind);

/* Points that are read, asked and written together. */
typedef struct near_block {
    size_t count, room, capacity;
    float *points;    /* three for each */
    float *limits;    /* one for each; NULL: that of the options */
    sl_nearest *rows; /* capacity places for each; unused ones have prim SL_NONE */
    uint64_t *totals; /* nearest: how many were found; within: how many there are */
} near_block;

typedef struct near_job {
    const near_options *options;
    near_kind kind;
    bool own_limits; /* each point that is made brings its own */
    mesh_in in;
    uint32_t *masks;
    sl_soup soup;
    sl_query query;
    sl_proxy proxy;
    sl_stats stats;
    double seconds;
} near_job;

bool near_block_make(near_block *block, size_t room, size_t capacity, bool limits);
void near_block_free(near_block *block);

/* From malloc or zero on; *count 0 at the end. */
int near_fill(near_job *job, point_source *source, near_block *block);

/* Limit of one point. */
float near_limit(const near_job *job, const near_block *block, size_t i);

int near_verify(near_job *job);

/* Answers on their way out, whatever the format. */
typedef struct near_out {
    const sl_mesh *mesh;           /* to name faces */
    bool is_npy, only_count, list; /* list: not just the nearest one */
    output text;
    npy_out array;
    uint64_t points, found; /* so far; found: points with any triangle */
} near_out;

int near_out_open(near_out *out, const near_options *o, near_kind kind, const sl_mesh *mesh,
                  uint64_t point_count);
bool near_out_write(near_out *out, const near_block *block); /* false: near_out_end says why */
void near_out_end(near_out *out); /* the table; fields may follow in JSON */
int near_out_close(near_out *out);
void near_out_discard(near_out *out); /* a zeroed or closed one is fine */

#endif
