/* los/sight.h: --matrix and --viewshed of 'los': which points see which, and what is seen from a
 * point. */
#pragma once

#include "tools/ask/ask.h"

typedef struct sight_options {
    const char *matrix, *targets;
    float viewshed[3], plane, rise;
    const char *size;
    int up_axis; /* 0: y, 1: z */
} sight_options;

typedef struct los_options {
    ask_options ask; /* comes first */
    sight_options sight;
} los_options;

extern const option_row sight_matrix_rows[], sight_view_rows[];

/* The rules between these options and others that exclude them.  EXIT_DONE or EXIT_USAGE. */
int sight_check(const invocation *call);

/* One of them. */
extern const ask_query ask_query_sight;

int sight_matrix(ask_run *run);
int sight_viewshed(ask_run *run);
