/* los/sight.h: --matrix and --viewshed of 'los': who sees whom, and what is seen from a point. */
#ifndef TOOLS_LOS_SIGHT_H
#define TOOLS_LOS_SIGHT_H

#include "tools/input/mesh.h"
#include "tools/parts/options.h"

#include <sightline/ray_query.h>

typedef struct sight_options {
    const char *matrix, *targets;
    float viewshed[3], plane, rise;
    const char *size;
    int up_axis; /* 0: y, 1: z */
} sight_options;

extern const option_row sight_matrix_rows[], sight_view_rows[];

/* What the rest of the options say. */
typedef struct sight_job {
    const invocation *call;
    const sight_options *options;
    const parts_options *parts;
    mesh_in *in;
    const sl_scene *scene; /* the scene, or the mesh alone as one */
    const char *out;
    sl_query query; /* without stats */
    bool doubles, summary, json, quiet, csv;
} sight_job;

/* The rules between these options and others that exclude them.  EXIT_DONE or EXIT_USAGE. */
int sight_check(const invocation *call, const sight_options *options, const parts_options *parts,
                const char *out, bool json);

int sight_matrix(sight_job *job);
int sight_viewshed(sight_job *job);

#endif
