/* ask.h: the call of a case, in batches and one question at a time. */
#ifndef TEST_CLIFFS_ASK_H
#define TEST_CLIFFS_ASK_H

#include "test/cliffs/scene.h"

/* Where answers go: room for CASE_COUNT of each kind. */
typedef struct cliff_answers {
    sl_hit *hits;
    sl_nearest *nearest;
    uint8_t *any;
} cliff_answers;

bool answers_make(size_t count, cliff_answers *out);
void answers_free(cliff_answers *answers);
/* All bits, except of points, which move with the mesh. */
bool answers_agree(const cliff_answers *a, const cliff_answers *b, size_t count);

typedef struct cliff_question {
    const cliff_case *c;
    const cliff_scene *scene;
    const cliff_rays *rays;
} cliff_question;

/* All rays, CASE_BATCH in a call; stats may be NULL. */
void ask_batches(const cliff_question *q, sl_stats *stats, const cliff_answers *answers);
/* All rays, one in a call of the single function. */
void ask_singly(const cliff_question *q, sl_stats *stats, const cliff_answers *answers);

#endif
