/* split/sah.h: the surface area heuristic, in one place: what the builders minimise.
 *
 * A line that meets a box meets a box inside it with a chance that is the ratio of their surfaces.
 * So the cost of a cut is the surface of each side times the work left to do there, estimated as
 * the least number of leaf blocks that the side's references need.  (Counting references instead
 * costs 20 % more memory, since blocks are then cut without regard to how full they get, and up to
 * 4 % more node steps.)
 * Lanes    cuts are compared three at a time, one on each axis; lane 3 is unused.
 * Users    binned.c and sweep.c; few.c and spatial.h compare the same cost in their own ways.
 * Source   MacDonald and Booth, Heuristics for Ray Tracing Using Space Subdivision (1990). */
#pragma once

#include "bvh/builder/base/box.h"
#include "bvh/tree/tri_pack.h"

#include <stdbool.h>

/* The best cut on each axis so far. */
typedef struct sli_best {
    sli_lanes work;
    sli_lanes_i32 larger; /* of the two sides */
    sli_lanes_i32 where;
} sli_best;

/* Cuts on three axes: references on either side of each, and half surfaces. */
typedef struct sli_cuts {
    sli_lanes_i32 left, right;
    sli_lanes left_area, right_area;
} sli_cuts;

static inline sli_best sli_best_none(void)
{
    return (sli_best){ sli_lanes_all(FLT_MAX), sli_lanes_all_i32(INT32_MAX), sli_lanes_all_i32(0) };
}

_Static_assert(SLI_PACK == 4, "blocks are counted by a shift");

static inline sli_lanes sli_blocks(sli_lanes_i32 references)
{
    return __builtin_convertvector((references + (SLI_PACK - 1)) >> 2, sli_lanes);
}

/* Takes the cuts that are better and leave at most side_max references on either side.  Of equal
 * cuts (equal boxes, boxes without area) the more even one: so copies of one triangle do not make a
 * tree as deep as a list.  A side without references has an empty box, of infinite area, and no
 * blocks: their product is a NaN, which is never better. */
static inline void sli_best_update(sli_best *best, const sli_cuts *cuts, int32_t where,
                                   int32_t side_max)
{
    const sli_lanes work =
        cuts->left_area * sli_blocks(cuts->left) + cuts->right_area * sli_blocks(cuts->right);
    const sli_lanes_i32 larger =
        sli_lanes_pick_i32(cuts->left > cuts->right, cuts->left, cuts->right);
    const sli_lanes_i32 better =
        (larger <= side_max) &
        ((work < best->work) | ((work == best->work) & (larger < best->larger)));
    best->work = sli_lanes_pick(better, work, best->work);
    best->larger = sli_lanes_pick_i32(better, larger, best->larger);
    best->where = sli_lanes_pick_i32(better, sli_lanes_all_i32(where), best->where);
}

/* The axis of the best cut of all, or -1 where there is none. */
static inline int sli_best_axis(const sli_best *best)
{
    int axis = 0;
    for (int a = 1; a < 3; a++) {
        if (best->work[a] < best->work[axis] ||
            (best->work[a] == best->work[axis] && best->larger[a] < best->larger[axis])) {
            axis = a;
        }
    }
    return best->larger[axis] < INT32_MAX ? axis : -1;
}
