/* pick.h: what the parts of `sightline pick` share.
 *
 * Without the options of editors (pick_is_edit) it answers with hits of the camera's ray in floats,
 * as ever; with them it asks sightline/pick.h. */
#pragma once

#include "tools/input/query.h"
#include "tools/output/output.h"
#include "tools/pick/picture.h"
#include "tools/pick/topologies.h"

#include <sightline/marks.h>

typedef struct pick_options {
    float pixel[2], at[2];
    bool all, csv;
    const char *kind, *marks, *after, *picture;
    float radius, budget;
    uint64_t cycle; /* which click at the point it is, from 1 on */
    int unit;       /* PICK_UNIT_AUTO, or 1 + an sl_pick_unit */
    bool hidden, all_vertices, same_part;
    edge_options edges;
    query_options query;
    camera_options camera;
    mesh_options mesh;
    common_options common;
} pick_options;

enum { PICK_UNIT_AUTO = 0 };

/* All that a run owns. */
typedef struct pick_run {
    const invocation *call;
    const pick_options *options;
    mesh_in in;
    sl_triangle_ref skip[2]; /* of query */
    sl_options query;
    camera_in camera;
    sl_view view; /* that camera */
    float x, y;   /* in the picture */
    sl_ray ray;
    sl_hit *hits; /* plain.c */
    size_t hit_count;
    /* edit.c */
    topologies topologies;
    sl_marks *marks; /* NULL: none */
    sl_pick_def def;
    sl_pick *picks;
    size_t pick_count;
    bool cut_short;
} pick_run;

/* Whether one of the options that need sightline/pick.h was given. */
bool pick_is_edit(const invocation *call);

/* Before anything is loaded: EXIT_DONE, or EXIT_USAGE after a report. */
int pick_edit_check(const invocation *call);

/* EXIT_DONE, or the status of a reported error. */
int pick_plain_find(pick_run *run);
int pick_edit_find(pick_run *run);

/* --marks: reads them and makes them ready.  EXIT_DONE, or the status of a reported error. */
int pick_marks_read(pick_run *run);

/* Columns that are one field where there is no table. */
typedef struct pick_vector {
    const char *name;
    size_t at, count;
} pick_vector;

/* How what was found is printed. */
enum { PICK_VECTORS = 2 };
typedef struct pick_form {
    const char *key; /* of the table */
    const out_column *columns;
    size_t names_at; /* how many there are; names and attributes come behind them */
    pick_vector vectors[PICK_VECTORS];
    bool says_cut_short;
    /* Fills a row of nothing, and says where its attributes are: prim SL_NONE for nowhere. */
    sl_hit (*fill)(const pick_run *run, size_t at, out_value *row);
} pick_form;
extern const pick_form pick_plain_form, pick_edit_form;

/* EXIT_DONE, or the status of a reported error. */
int pick_print(const pick_run *run, const pick_form *form, size_t found);

/* --picture: EXIT_DONE, or the status of a reported error. */
int pick_draw(pick_run *run);

/* The names of a part, that of an instance and its number, for a row: PICK_NAMES values, of
 * which a mesh has the first three. */
enum { PICK_NAMES = 5, PICK_NAMES_OF_MESH = 3 };
void pick_names(const pick_run *run, uint32_t instance, uint32_t prim, out_value *face,
                out_value names[PICK_NAMES]);

/* What the mesh has besides, at the hit's weights: columns and values for the end of a row, as many
 * in every row, or fields. */
enum { PICK_ATTRIBUTES = 9 };
size_t pick_attribute_columns(const pick_run *run, out_column to[PICK_ATTRIBUTES]);
void pick_attribute_values(const pick_run *run, const sl_hit *hit, out_value to[PICK_ATTRIBUTES]);
void pick_attribute_fields(const pick_run *run, const sl_hit *hit, output *out);
