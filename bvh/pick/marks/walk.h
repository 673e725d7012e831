/* marks/walk.h: the marks that are near a position of the picture, and whether they are seen. */
#pragma once

#include "bvh/pick/along.h"
#include "bvh/pick/marks/marks.h"
#include "bvh/pick/marks/near.h"

/* A query, made ready. */
typedef struct sli_marks_query {
    const sl_marks *marks;
    const sl_bvh *bvh;  /* or NULL */
    sl_options options; /* with SL_OPEN_END */
    sli_screen screen;
    double xy[2], radius;
    bool hidden;          /* what is not seen counts */
    sl_triangle_ref hint; /* what hid the last mark that was hidden */
    sli_near near;
} sli_marks_query;

/* A mark that is near. */
typedef struct sli_mark_found {
    sli_along shown; /* s: along the mark */
    double distance;
    uint32_t index;
    uint16_t priority;
    bool hidden;
} sli_mark_found;

/* False: the query has no answer. */
bool sli_marks_query_open(const sl_marks *marks, const sl_bvh *bvh, const sl_view *view,
                          const double xy[2], const sl_pick_def *def, sli_marks_query *out);

/* The best one that is seen, or hidden where that counts. */
bool sli_marks_best(sli_marks_query *query, sli_mark_found *out);

/* One of them, where it is near and there is such a mark; seen, or hidden where that counts. */
bool sli_marks_one(sli_marks_query *query, uint32_t index, sli_mark_found *out);

/* Hands out all of them, in any order. */
void sli_marks_all(sli_marks_query *query, void (*take)(void *context, const sli_mark_found *found),
                   void *context);
