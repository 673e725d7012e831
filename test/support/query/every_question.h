/* every_question.h: hard rays, segments and points for a mesh, and the answers of a tree to every
 * kind of question about them, as bytes that can be compared. */
#pragma once

#include "test/support/input/random.h"

#include <sightline/points.h>
#include <sightline/rays.h>

enum { QUERIES = 500, QUERY_ROWS = 4 };

typedef struct queries {
    sl_ray rays[QUERIES]; /* a few are invalid */
    sl_segment segments[QUERIES];
    float points[3 * QUERIES];
} queries;

typedef struct answers {
    sl_hit closest[QUERIES], alone[QUERIES], culled[QUERIES], next[QUERIES];
    sl_hit all[QUERIES * QUERY_ROWS], occluder[QUERIES], occluder_alone[QUERIES];
    uint64_t totals[QUERIES], counts[QUERIES], crossings[QUERIES];
    uint8_t any[QUERIES], any_alone[QUERIES], any_else[QUERIES];
    uint8_t occluded[QUERIES], occluded_open[QUERIES], occluded_alone[QUERIES];
    sl_nearest nearest[QUERIES], nearest_alone[QUERIES];
    sl_nearest list[QUERIES * QUERY_ROWS], within[QUERIES * QUERY_ROWS];
    uint64_t found[QUERIES], within_totals[QUERIES];
    sl_inside inside[QUERIES];
} answers;

void queries_make(const sl_mesh *mesh, test_random *random, queries *q);

/* In bulk and one at a time, with and without options. */
void queries_run(const sl_bvh *bvh, const queries *q, answers *a);

/* The name of the first kind of answer that differs; NULL: none does. */
const char *answers_differ(const answers *a, const answers *b);
