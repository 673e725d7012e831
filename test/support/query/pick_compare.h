/* pick_compare.h: random questions about what is under a position of a picture, and the answers
 * against looking at everything (test/support/oracle/pick_oracle.h). */
#pragma once

#include "test/support/input/random.h"
#include "test/support/oracle/pick_oracle.h"

enum { PICK_COMPARE_IGNORED = 2 };

/* What the query of a def points to. */
typedef struct pick_compare_room {
    sl_options query;
    sl_triangle_ref skip[2];
    sl_instance_range ignore[PICK_COMPARE_IGNORED];
} pick_compare_room;

/* Radii, kinds, ranks, units, masks, skips, ignored instances and culling. */
sl_pick_def pick_compare_def(test_random *random, const sl_bvh *scene, pick_compare_room *room);

typedef struct pick_tally {
    size_t asked, found[9], lists, units, most, differ;
} pick_tally;

/* sl_pick_at; a difference is printed and counted. */
void pick_compare_at(const sl_bvh *scene, const pick_oracle *oracle, const sl_view *view,
                     const double xy[2], const sl_pick_def *def, pick_tally *n);

/* sl_pick_all, whole and cut short, and what follows one of its units. */
void pick_compare_lists(const sl_bvh *scene, const pick_oracle *oracle, const sl_view *view,
                        const double xy[2], const sl_pick_def *def, test_random *random,
                        pick_tally *n);
