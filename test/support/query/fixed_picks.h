/* fixed_picks.h: fixed questions of an editor's mouse, whose answers have a known hash: picks,
 * lists, snaps, marks and selections of one scene.  They are made without functions of libm, so
 * they are the same everywhere. */
#pragma once

#include <sightline/select.h>
#include <sightline/snap.h>

enum {
    FIXED_PICKS_TREES = 3,
    FIXED_PICKS_INSTANCES = 24,
    FIXED_PICKS_MARKS = 200,
    FIXED_PICKS_VIEWS = 12,
    FIXED_PICKS_SELECTIONS = 18 /* each unit in each mode, of the first view */
};

typedef struct fixed_picks {
    sl_bvh *trees[FIXED_PICKS_TREES];
    sl_topology *features[FIXED_PICKS_TREES];
    const sl_topology *topologies[FIXED_PICKS_INSTANCES];
    sl_bvh *scene;
    sl_marks *marks;
    sl_view views[FIXED_PICKS_VIEWS];
    sl_selection *selections[FIXED_PICKS_SELECTIONS];
    int found[5]; /* by the last asking: faces, edges and vertices; snaps, marks */
} fixed_picks;

void fixed_picks_make(fixed_picks *f);
void fixed_picks_free(fixed_picks *f);

/* Hashes of the answers; tasks, of updates of selections, may be NULL. */
uint64_t fixed_picks_run(fixed_picks *f);
uint64_t fixed_picks_select(fixed_picks *f, const sl_tasks *tasks);
