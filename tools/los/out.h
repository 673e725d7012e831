/* los/out.h: the options of 'los', and the answers to its pairs of points on their way out. */
#ifndef TOOLS_LOS_OUT_H
#define TOOLS_LOS_OUT_H

#include "tools/generate/ray_source.h"
#include "tools/input/mesh.h"
#include "tools/input/proxy.h"
#include "tools/input/query.h"
#include "tools/los/sight.h"
#include "tools/output/npy.h"
#include "tools/output/output.h"
#include "tools/parts/part.h"
#include "tools/verify/ray_batch.h"

enum { LOS_COLUMNS_MAX = 9 };

typedef struct los_options {
    const char *segments, *out;
    bool open_start, open_end, summary, csv, stats, doubles;
    sight_options sight;
    query_options query;
    proxy_options proxy;
    parts_options parts;
    mesh_options mesh;
    common_options common;
} los_options;

/* Answers on their way out, whatever the format. */
typedef struct los_out {
    const mesh_in *in; /* to name parts */
    bool is_npy, only_count, doubles, has_names, has_parts;
    out_column columns[LOS_COLUMNS_MAX];
    npy_out array;
    output text;
    uint64_t pairs, visible; /* so far; pairs: those of other parts, too, that come before */
    part_out part;           /* --part or --resume; else zeroed */
    sl_stats stats;
    double seconds;
} los_out;

int los_out_open(los_out *out, const los_options *o, const mesh_in *in, uint64_t pair_count);

/* A part, or a run that can go on: the next pairs of the source are those that are to be asked,
 * unless part.complete. */
int los_out_begin_part(los_out *out, const invocation *call, ray_source *source, uint64_t hash);

/* False when writing has failed; los_out_close says why. */
bool los_out_write(los_out *out, const los_options *o, const ray_batch *block);
int los_out_close(los_out *out, const los_options *o);
void los_out_discard(los_out *out); /* a zeroed or closed one is fine */

#endif
