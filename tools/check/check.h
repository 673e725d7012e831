/* check.h: what the parts of `sightline check` share: kinds of faults, rows and the picture. */
#pragma once

#include "tools/output/output.h"
#include "tools/render/marks.h"

#include <sightline/mesh_repair.h>

/* The kinds of the library, and three more: triangles that meet elsewhere than in what they share,
 * a mesh without a single triangle, and notes that triangles may be missing or not as meant. */
enum { CHECK_INTERSECTION = SL_FAULT_KIND_COUNT, CHECK_NO_TRIANGLES, CHECK_NOTE, CHECK_KINDS };

extern const char *const check_words[CHECK_KINDS + 1]; /* by kind; ends with NULL */

/* Rows of single faults, as they are found (check/rows.c). */
typedef struct check_rows {
    output *out;
    const sl_mesh *mesh;
    uint64_t limit; /* rows of each kind */
    uint64_t written[CHECK_KINDS];
    bool begun;
} check_rows;

void check_rows_begin(check_rows *rows, output *out, const sl_mesh *mesh, uint64_t limit);
void check_rows_put(check_rows *rows, int kind, const sl_fault *fault);
void check_rows_end(check_rows *rows);

/* How many more rows of a kind --limit allows. */
uint64_t check_rows_left(const check_rows *rows, int kind);

/* The place of a fault: the middle of its edge, its vertex, or the centroid of its triangle.  False
 * if that is not finite, or if the triangle was left out. */
bool check_place(const sl_mesh *mesh, const sl_fault *fault, double place[3]);

/* Which triangles meet others (check/self_intersections.c).  NULL when out of memory; the mesh and
 * the tree of in must stay. */
typedef struct check_self_intersections check_self_intersections;

check_self_intersections *check_self_intersections_create(const mesh_in *in);
void check_self_intersections_destroy(check_self_intersections *m); /* NULL is fine */

/* Takes one duplicate; all of them come before the first search. */
void check_self_intersections_duplicate(check_self_intersections *m, const sl_fault *duplicate);

/* Searches one block of triangles, from begin up to what it returns; blocks come in rising
 * order. */
size_t check_self_intersections_find(check_self_intersections *m, size_t begin);

/* Whether a triangle of a block that was searched meets another. */
bool check_self_intersections_has(const check_self_intersections *m, size_t prim);

/* The picture (check/picture.c): triangles with faults in their kind's colour, edges and vertices
 * drawn over it. */
void check_picture_add(marks *p, const sl_mesh *mesh, int kind, const sl_fault *fault);
canvas check_picture_finish(marks *p, const uint64_t counts[CHECK_KINDS]);

/* --seams (check/seams.c).  Prints up to limit seams of a scene that is built, and how many there
 * are.  tolerance 0: the library's.  *fine is whether there are none.  EXIT_DONE, or the status of
 * a reported error. */
int check_seams_print(output *out, mesh_in *in, double tolerance, size_t limit, bool *fine);

/* ---- The session: a run of `sightline check`: what command.c opens, and look.c looks at ---- */

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
    marks *picture;                          /* NULL: none is wanted */
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
