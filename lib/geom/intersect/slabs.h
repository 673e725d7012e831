/* intersect/slabs.h: a path against a box that is given as slabs |at + t along| <= reach: for boxes
 * of any orientation.
 * Degrees  at or reach of one slab and along of another have degree 7 at most in sum (number.h).
 * Callers  hold the floating-point environment. */
#pragma once

#include "lib/geom/exact/path.h"

#include <sightline/intersect.h>

typedef struct sli_slab {
    sli_number at, along, reach;
    sli_number normal[3]; /* of any length; outwards at +reach */
    int axis;             /* its faces are 2 axis and 2 axis + 1 of the box; -1: no faces */
} sli_slab;

/* An unbounded box has fewer than 3, a flat one up to 4.  Where faces meet, the slab that comes
 * first wins. */
enum { SLI_SLABS_MAX = 4 };
typedef struct sli_slabs {
    int count;
    sli_slab slab[SLI_SLABS_MAX];
} sli_slabs;

/* The hit, by the policy for starting inside; false for a miss.  hit may be NULL. */
bool sli_path_slabs(const sli_path *path, const sli_slabs *slabs, sl_start_inside inside,
                    sl_obb_hit *hit, bool *unsure);
