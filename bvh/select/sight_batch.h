/* sight_batch.h: whether sides and corners are seen, many at a time: the lines of sight to their
 * samples go to the scene in batches.
 *
 * Rounds   an item puts in one sample, then two, four and so on, once all is known about those
 *          before, until one is seen, or none is left.  Older items go first.  How many it asks
 *          about depends on nothing but what it sees.
 * Own      triangles that have both ends of a side do not block it.  Two of them, its own and the
 *          other one at the edge, are skipped by the query; the other one is learnt from being
 *          blocked where no topology tells it.  What else has both ends, as where more than two
 *          triangles meet or instances lie in one place, is found when it blocks, and the line of
 *          sight asked again alone, with a filter.  At a corner there is nothing to leave out: a
 *          segment that ends at a corner of a triangle meets that triangle there or nowhere.
 * Hints    what blocked the sample before is tried first at the next ones of an item; at its first
 *          one, what blocked the last item of the batch before.  Where that leads to nothing, the
 *          kernel leaves most of it out (bvh/kernel/scene/hints.inl).
 * Callers  hold the floating-point environment. */
#ifndef SLI_SELECT_SIGHT_BATCH_H
#define SLI_SELECT_SIGHT_BATCH_H

#include "bvh/select/samples.h"
#include "bvh/select/state.h"

enum { SLI_SIGHT_BATCH = 512, SLI_SIGHT_BATCHES = 16 };

/* A side, or a corner. */
typedef struct sli_sight_item {
    sli_samples samples;
    sl_triangle_ref own[2];  /* prim SL_NONE: not known */
    sl_triangle_ref blocker; /* of its last line of sight; prim SL_NONE: none yet */
    uint64_t bit;            /* its number among those of all instances */
    uint32_t quota;          /* samples that it puts in at a time */
    uint32_t waiting;        /* lines of sight that are asked again */
    bool whole;              /* all of it lies in the region */
    bool seen;
} sli_sight_item;

/* On the stack this would leave kernels too little of it. */
typedef struct sli_sight_batch {
    sli_sight_item items[SLI_SIGHT_BATCH];
    sl_segment_d sights[SLI_SIGHT_BATCH];
    sl_ray_opt options[SLI_SIGHT_BATCH];
    sl_triangle_ref blockers[SLI_SIGHT_BATCH];
    uint32_t of[SLI_SIGHT_BATCH];    /* the item of each line of sight */
    uint32_t place[SLI_SIGHT_BATCH]; /* scratch: where items move to */
    uint8_t blocked[SLI_SIGHT_BATCH];
    uint32_t count; /* lines of sight */
    uint32_t item_count;
    sl_triangle_ref blocker; /* the last one of all */
    uint64_t asked;          /* lines of sight so far */
} sli_sight_batch;

/* Empties a batch. */
void sli_sight_batch_begin(sli_sight_batch *batch);

/* Leaves so many of the oldest items in it. */
void sli_sight_batch_cut(sli_sight_batch *batch, uint32_t count);

/* One round.  Items that are settled are handed out, and leave. */
typedef void sli_sight_settle(void *context, const sli_sight_item *item);
void sli_sight_batch_ask(const sl_selection *s, sli_sight_batch *batch, sli_sight_settle *settle,
                         void *context);

#endif
