/* inside.h: what the parts of 'inside' share. */
#ifndef TOOLS_INSIDE_INSIDE_H
#define TOOLS_INSIDE_INSIDE_H

#include "tools/generate/point_source.h"
#include "tools/input/mesh.h"
#include "tools/input/proxy.h"
#include "tools/input/query.h"
#include "tools/output/npy.h"
#include "tools/output/output.h"
#include "tools/parts/part.h"
#include "tools/verify/options.h"

#include <sightline/point_query.h>

typedef struct inside_options {
    points_options from;
    const char *out;
    bool summary, csv, stats;
    verify_options verify;
    query_options query;
    proxy_options proxy;
    parts_options parts;
    mesh_options mesh;
    common_options common;
} inside_options;

/* All that a run owns. */
typedef struct inside_job {
    const inside_options *options;
    mesh_in in;
    uint32_t *masks;
    sl_boundary *boundary;
    sl_soup soup;
    sl_query query;
    sl_proxy proxy;
    sl_stats stats;
    double seconds;
} inside_job;

/* Points that are read, asked and written together. */
typedef struct inside_block {
    size_t count, capacity;
    float *points; /* three for each */
    sl_inside *answers;
} inside_block;

bool inside_block_make(inside_block *block, size_t capacity);
void inside_block_free(inside_block *block);

/* The points of a block, by the tree, into its answers; and by every triangle in turn, into the
 * caller's. */
void inside_ask_tree(const inside_job *job, inside_block *block);
void inside_ask_brute(const inside_job *job, const inside_block *block, sl_inside *answers);

int inside_verify(inside_job *job);

typedef struct inside_sums {
    uint64_t points, inside, on_surface, differ;
} inside_sums;

void inside_sums_add(inside_sums *sums, const sl_inside *answers, size_t count);

/* How points are judged, as fields. */
void inside_judged_put(output *out, const sl_boundary *boundary);

/* Answers on their way out, whatever the format. */
typedef struct inside_out {
    const sl_boundary *boundary;
    bool is_npy, only_count;
    output text;
    npy_out array;
    inside_sums sums; /* so far; points: those of other parts, too, that come before */
    part_out part;    /* --part or --resume; else zeroed */
} inside_out;

int inside_out_open(inside_out *out, const inside_options *o, const sl_boundary *boundary,
                    uint64_t point_count);
/* A part, or a run that can go on: of `total` points, whose hash is given, those that are to be
 * asked are part.count - part.done from sums.points on, unless part.complete. */
int inside_out_begin_part(inside_out *out, const inside_job *job, const invocation *call,
                          uint64_t total, uint64_t hash);
bool inside_out_write(inside_out *out, const inside_block *block); /* false: close says why */
void inside_out_end(inside_out *out); /* the table or the sums; records may follow in JSON */
int inside_out_close(inside_out *out);
void inside_out_discard(inside_out *out); /* a zeroed or closed one is fine */

#endif
