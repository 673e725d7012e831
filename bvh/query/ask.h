/* ask.h: one way to put a question: a source of rays, what is asked of each of them, and where the
 * answers go.  ray.c, segment.c, columns.c and from_point.c fill in a question; ask.c puts it. */
#ifndef SLI_QUERY_ASK_H
#define SLI_QUERY_ASK_H

#include "bvh/query/query.h"
#include "bvh/query/source.h"

typedef enum sli_asked {
    SLI_ASKED_CLOSEST, /* hits, or columns */
    SLI_ASKED_ANY,     /* yes, hints */
    SLI_ASKED_ALL,     /* hits, capacity, totals; capacity 0 counts */
    SLI_ASKED_NEXT     /* hits, previous */
} sli_asked;

typedef struct sli_question {
    const sl_bvh *bvh;
    const sl_query *query; /* NULL means everything */
    sli_source source;
    sli_asked asked;
    sl_hit *hits;                  /* all: a row of capacity hits for each ray */
    const sl_hit_columns *columns; /* closest, instead of hits; NULL: none */
    size_t capacity;
    uint64_t *totals;
    const sl_hit *previous;
    uint8_t *yes;
    sl_triangle_ref *hints; /* any, of segments: as in sl_bvh_blocked_many; NULL: none */
    bool together;          /* any, from one point: by the kernel for that */
    bool narrow;            /* as in sli_kernel_batch */
    size_t first;           /* where item 0 stands in the caller's array: for the hit filter */
} sli_question;

/* Prepares item i of an array for a kernel that takes one ray, with its options and hit filter.
 * False: the item is invalid, so a miss. */
bool sli_question_prepare(const sli_question *q, size_t i, sli_kernel_ray *ray);

/* A miss of item i of an array, whose t is the item's limit. */
sl_hit sli_question_miss(const sli_question *q, size_t i);

/* The question about an array as kernels take it. */
sli_kernel_batch sli_question_batch(const sli_question *q);

/* Answers the question for count items, in parallel through the hook. */
void sli_ask(const sli_question *question, size_t count, const sl_tasks *tasks);

#endif
