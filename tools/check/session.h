/* check/session.h: a run of `sightline check`: what command.c opens, and look.c looks at. */
#pragma once

#include "tools/check/check.h"

typedef struct check_options {
    bool csv, no_intersections, seams;
    float tolerance; /* of seams; 0: the default */
    uint64_t limit, samples;
    const char *allow, *out, *picture, *repair;
    camera_options camera;
    mesh_options mesh;
    common_options common;
} check_options;

/* All that a run owns. */
typedef struct check_session {
    const check_options *options;
    mesh_in in;
    camera_in camera;
    check_picture *picture;                  /* NULL: none is wanted */
    check_self_intersections *intersections; /* NULL: not looked for */
    output out;
    check_rows rows;
    sl_mesh_report report;
    uint64_t counts[CHECK_KINDS];
    bool allowed[CHECK_KINDS];
} check_session;

/* Everything between opening the report and closing it: EXIT_DONE, or the status of a reported
 * error. */
int check_look(check_session *s);

/* Whether nothing was found but what --allow names. */
bool check_is_fine(const check_session *s);
