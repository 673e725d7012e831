/* world_ask.h: the questions of a case to a world: in batches, one by one, and to one tree over the
 * same triangles. */
#ifndef TEST_CLIFFS_WORLD_ASK_H
#define TEST_CLIFFS_WORLD_ASK_H

#include "test/cliffs/worlds.h"

#include <sightline/scene_points.h>
#include <sightline/scene_volumes.h>

/* The questions in floats and in doubles.  They are the same numbers but for far worlds with
 * FORM_DOUBLES, of which floats are the rounded ones. */
typedef struct world_questions {
    cliff_rays floats;
    sl_ray_d *rays;
    sl_segment_d *segments;
    double *points, *dirs, *targets; /* three for each */
    sl_volume *volumes;
    sl_volume_d *volumes_d;
    sl_triangle_ref *hints;
    float radius; /* of WITHIN; INFINITY of the other points */
    size_t room;  /* answers that one question has room for */
} world_questions;

/* How they are asked: at the place of the world or moved back to the origin, shuffled or not. */
bool questions_make(const cliff_case *c, const cliff_world *world, bool back, bool shuffled,
                    world_questions *out);
void questions_free(world_questions *questions);

/* Hints as CASE_HINTS says, from what WORLD_LIST answers. */
void questions_hint(const cliff_case *c, cliff_world *world, world_questions *questions);

/* Where answers go; 48 bytes for each of the CASE_K of a question. */
enum { WORLD_ANSWER = 48 };
typedef struct world_answers {
    char *rows;
    uint64_t *totals;
    uint8_t *any;
    sl_triangle_ref *hints; /* a copy, which answers change */
    uint32_t *instances;    /* of INSIDE */
} world_answers;

bool world_answers_make(const cliff_case *c, world_answers *out);
void world_answers_free(world_answers *answers);
bool world_answers_agree(const cliff_case *c, const world_answers *a, const world_answers *b);

typedef struct world_question {
    const cliff_case *c;
    const sl_scene *scene;
    const sl_bvh *flat; /* of world_ask_flat */
    const world_questions *questions;
    form_kind form;
    bool hinted, selecting;
    sl_instance_range ignored;
} world_question;

/* stats may be NULL. */
void world_ask_batches(const world_question *q, sl_stats *stats, const world_answers *answers);
void world_ask_singly(const world_question *q, sl_stats *stats, const world_answers *answers);
void world_ask_flat(const world_question *q, sl_stats *stats, const world_answers *answers);

/* Whether one tree can be asked that. */
bool world_flat_has(const cliff_case *c);

/* The query of a question: what it selects, and its stats. */
sl_query world_query(const world_question *q, sl_stats *stats);

#endif
