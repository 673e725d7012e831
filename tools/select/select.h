/* select.h: what the parts of `sightline select` share. */
#pragma once

#include "tools/input/query.h"
#include "tools/output/output.h"
#include "tools/pick/picture.h"
#include "tools/pick/topologies.h"

#include <sightline/select.h>

typedef struct select_options {
    const char *rect, *lasso, *brush, *out, *picture;
    int mode;      /* an sl_select_mode */
    int of;        /* of select_units; select_unit is the library's */
    int connected; /* CONNECTED_... */
    int edges;     /* SELECT_EDGES_... */
    float crease;  /* degrees */
    float budget;  /* milliseconds; 0: none */
    uint64_t grow, shrink;
    bool count, csv;
    query_options query;
    camera_options camera;
    mesh_options mesh;
    common_options common;
} select_options;

enum { SELECT_EDGES_ALL, SELECT_EDGES_FEATURES, SELECT_EDGES_FACES };
enum { CONNECTED_NOT, CONNECTED_ALL, CONNECTED_FEATURES };

extern const char *const select_modes[], *const select_units[]; /* as typed; end with NULL */

static inline sl_select_unit select_unit(const select_options *options)
{
    return (sl_select_unit)(SL_SELECT_INSTANCES + options->of);
}

/* All that a run owns. */
typedef struct select_run {
    const invocation *call;
    const select_options *options;
    sl_region region;
    double *corners; /* of a lasso */
    mesh_in in;
    sl_triangle_ref skip[2]; /* of query */
    sl_options query;
    camera_in camera;
    size_t instance_count;
    sl_view view;
    topologies topologies;
    sl_selection *selection;
    uint64_t pending;  /* what a budget left out */
    uint64_t **sets;   /* sets.c: of each instance, instead of what the selection has; NULL: none */
    uint64_t selected; /* elements */
} select_run;

/* What the options say; needs no mesh.  EXIT_DONE, or the status of a reported error; free corners
 * either way. */
int select_region(select_run *run);

/* What is selected, once sets are changed: bits as sl_selection_of has them; NULL: none. */
const uint64_t *select_words(const select_run *run, uint32_t instance);
bool select_has(const select_run *run, uint32_t instance, uint32_t element);

/* Each of them, sorted by (instance, element); returns how many.  fn may be NULL. */
typedef void select_fn(void *context, sl_selected selected);
uint64_t select_each(const select_run *run, select_fn *fn, void *context);

/* --edges, --connected, --grow, --shrink: whether one is there, and what they do, in this order. */
bool select_is_changed(const select_options *options);
int select_change(select_run *run);
void select_free_sets(select_run *run);

/* The list or the counts, and --picture.  EXIT_DONE, or the status of a reported error. */
int select_print(const select_run *run);
int select_draw(select_run *run);

/* The topology of an instance; NULL where it has none. */
const sl_topology *select_topology(const select_run *run, uint32_t instance);

/* A triangle that has an element, and the element's side or corner there; SL_NONE where there is
 * none.  For faces and parts use the other way: select_element_of. */
uint32_t select_triangle_of(const select_run *run, sl_selected selected, uint32_t *side);

/* The element of the unit that a triangle belongs to: of instances, parts, faces and triangles. */
uint32_t select_element_of(const select_run *run, uint32_t instance, uint32_t prim);
