/* every_question.h: hard rays, segments and points for a mesh, and the answers of a tree to every
 * kind of question about them, as bytes that can be compared. */
#pragma once

#include "test/support/input/random.h"

#include <sightline/points.h>
#include <sightline/rays.h>

enum { QUESTIONS = 500, QUESTION_ROWS = 4 };

typedef struct questions {
    sl_ray rays[QUESTIONS]; /* a few are invalid */
    sl_segment segments[QUESTIONS];
    float points[3 * QUESTIONS];
} questions;

typedef struct answers {
    sl_hit closest[QUESTIONS], alone[QUESTIONS], culled[QUESTIONS], next[QUESTIONS];
    sl_hit all[QUESTIONS * QUESTION_ROWS], occluder[QUESTIONS], occluder_alone[QUESTIONS];
    uint64_t totals[QUESTIONS], counts[QUESTIONS], crossings[QUESTIONS];
    uint8_t any[QUESTIONS], any_alone[QUESTIONS], any_else[QUESTIONS];
    uint8_t occluded[QUESTIONS], occluded_open[QUESTIONS], occluded_alone[QUESTIONS];
    sl_nearest nearest[QUESTIONS], nearest_alone[QUESTIONS];
    sl_nearest list[QUESTIONS * QUESTION_ROWS], within[QUESTIONS * QUESTION_ROWS];
    uint64_t found[QUESTIONS], within_totals[QUESTIONS];
    sl_inside inside[QUESTIONS];
} answers;

void questions_make(const sl_mesh *mesh, test_random *random, questions *q);

/* In bulk and one at a time, with and without options. */
void questions_ask(const sl_bvh *bvh, const questions *q, answers *a);

/* The name of the first kind of answer that differs; NULL: none does. */
const char *answers_differ(const answers *a, const answers *b);
