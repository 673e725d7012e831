/* ask/options.h: the options of the subcommands that put a query to each element of a file, which
 * are cast, los, nearest, within, inside, overlap and sweep.  Each has those that its tables name;
 * the others stay zeroed. */
#pragma once

#include "tools/generate/options.h"
#include "tools/input/proxy.h"
#include "tools/input/query.h"
#include "tools/input/volume_spec.h"
#include "tools/parts/options.h"
#include "tools/verify/options.h"

/* What tells inside from outside; words of --by. */
enum { ASK_BY_AUTO, ASK_BY_PARITY, ASK_BY_WINDING };

typedef struct ask_options {
    const char *rays, *segments, *points, *volumes,
        *sweeps;                       /* files; all NULL: generated, or only one */
    const char *ray, *segment, *point; /* numbers: the only one */
    volume_options volume;
    float dir[3];              /* of a sweep */
    int touching, overlapping; /* an sl_start_contact: of sweeps */
    int grazing;               /* 0 report, 1 ignore */
    generate_options generate; /* kind: of the elements; the last one stands for all kinds */
    uint64_t pairs;
    bool open_start, open_end, crossings, doubles;
    float tmin, tmax;
    float limit;   /* --max-distance or --radius */
    int mode;      /* index into the words of --mode */
    int by;        /* ASK_BY_: of points inside */
    uint64_t keep; /* rows that are kept of each answer */
    uint64_t repeat;
    const char *out;
    bool surface, summary, csv, stats;
    verify_options verify;
    query_options query;
    proxy_options proxy;
    parts_options parts;
    mesh_options mesh;
    common_options common;
} ask_options;

extern const option_row ask_point_rows[]; /* --points, --point and --generate */

/* --segment, of those that have --segments. */
#define ASK_SEGMENT_ROW                                                                            \
    OPTION_ROW(TEXT, "segment", ask_options, segment, "NUMBERS",                                   \
               "the only pair of points, in one word: \"px py pz qx qy qz\"", .main = true,        \
               .once = true)

#define ASK_POINT_GROUPS                                                                           \
    { .title = "Points", .rows = ask_point_rows }, GENERATE_GROUP(ask_options, generate)

#define ASK_WORLD_GROUPS                                                                           \
    SCENE_GROUP(ask_options), MESH_GROUP(ask_options), COMMON_GROUP(ask_options)

/* The file of elements; NULL: there is none. */
const char *ask_options_file(const ask_options *options);
