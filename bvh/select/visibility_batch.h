/* visibility_batch.h: whether sides and corners are seen, many at a time: the lines of sight to
 * their samples go to the scene in batches.
 *
 * Rounds   a target puts in one sample, then two, four and so on, once all is known about those
 *          before, until one is seen, or none is left.  Older targets go first.  How many it traces
 *          depends on nothing but what it sees.
 * Own      triangles that have both ends of a side do not occlude it.  Two of them, its own and the
 *          other one at the edge, are skipped by the query; the other one is learnt from being
 *          occluded where no topology tells it.  What else has both ends, as where more than two
 *          triangles meet or instances lie on one another, is found when it occludes, and the line
 *          of sight traced again alone, with a filter.  At a corner there is nothing to leave out:
 *          a segment that ends at a corner of a triangle meets that triangle there or nowhere.
 * Hints    what occluded the sample before is tried first at the next ones of a target; at its
 *          first one, what occluded the last target of the batch before.  Where that leads to
 *          nothing, the kernel leaves most of it out (bvh/kernel/instance/hints.inl).
 * Callers  hold the floating-point environment. */
#pragma once

#include "bvh/select/samples.h"
#include "bvh/select/state.h"

enum { SLI_VISIBILITY_BATCH = 512, SLI_VISIBILITY_BATCHES = 16 };

/* A side, or a corner. */
typedef struct sli_visibility_target {
    sli_samples samples;
    sl_triangle_ref own[2];   /* prim SL_NONE: not known */
    sl_triangle_ref occluder; /* of its last line of sight; prim SL_NONE: none yet */
    uint64_t bit;             /* its number among those of all instances */
    uint32_t quota;           /* samples that it puts in at a time */
    uint32_t waiting;         /* lines of sight that are traced again */
    bool whole;               /* all of it lies in the region */
    bool seen;
} sli_visibility_target;

/* On the stack this would leave kernels too little of it. */
typedef struct sli_visibility_batch {
    sli_visibility_target targets[SLI_VISIBILITY_BATCH];
    sl_segment_d sights[SLI_VISIBILITY_BATCH];
    sl_item_options options[SLI_VISIBILITY_BATCH];
    sl_triangle_ref occluders[SLI_VISIBILITY_BATCH];
    uint32_t of[SLI_VISIBILITY_BATCH];   /* the target of each line of sight */
    uint32_t slot[SLI_VISIBILITY_BATCH]; /* scratch: where targets move to */
    uint8_t occluded[SLI_VISIBILITY_BATCH];
    uint32_t count; /* lines of sight */
    uint32_t target_count;
    sl_triangle_ref occluder; /* the last one of all */
    uint64_t traced;          /* lines of sight so far */
} sli_visibility_batch;

/* Empties a batch. */
void sli_visibility_batch_begin(sli_visibility_batch *batch);

/* Leaves the `count` oldest targets in it. */
void sli_visibility_batch_cut(sli_visibility_batch *batch, uint32_t count);

/* One round.  Items that are settled are handed out, and leave. */
typedef void sli_visibility_settle(void *context, const sli_visibility_target *target);
void sli_visibility_batch_trace(const sl_selection *s, sli_visibility_batch *batch,
                                sli_visibility_settle *settle, void *context);
