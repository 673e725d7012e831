/* sah.h: the surface area heuristic, in one place: what the builders minimise.
 *
 * A line that meets a box meets a box inside it with a chance that is the ratio of their surfaces;
 * so a cut is worth the surface of each side times what is left to do there, for which the number
 * of leaf blocks stands that its references need at least.  (Counting references instead costs
 * 20 % more memory, since blocks are then cut without regard to how full they get, and up to 4 %
 * more node steps.)
 * Source   MacDonald and Booth, Heuristics for Ray Tracing Using Space Subdivision (1990). */
#ifndef SLI_BUILD_SAH_H
#define SLI_BUILD_SAH_H

#include "bvh/tree/tri_pack.h"

#include <float.h>
#include <stdbool.h>
#include <stddef.h>

typedef struct sli_cost {
    double work;
    size_t larger; /* of the two sides */
} sli_cost;

static inline double sli_blocks(size_t references)
{
    return (double)((references + SLI_PACK - 1) / SLI_PACK);
}

static inline sli_cost sli_cost_of_cut(double left_area, size_t left, double right_area,
                                       size_t right)
{
    return (sli_cost){ left_area * sli_blocks(left) + right_area * sli_blocks(right),
                       left > right ? left : right };
}

static inline sli_cost sli_cost_none(void)
{
    return (sli_cost){ DBL_MAX, (size_t)-1 };
}

/* Of equal cuts (equal boxes, boxes without area) the more even one: so that a heap of the same
 * triangle makes no list. */
static inline bool sli_cost_less(sli_cost a, sli_cost b)
{
    return a.work < b.work || (a.work == b.work && a.larger < b.larger);
}

#endif
