/* slabs.h: a path against a box that is given as slabs, |at + t along| <= reach: for the boxes of
 * any orientation. Degrees  of at or reach and of any slab's along, together: at most 7 (number.h).
 * Callers  hold the floating-point environment. */
#ifndef SLI_GEOM_INTERSECT_SLABS_H
#define SLI_GEOM_INTERSECT_SLABS_H

#include "lib/geom/exact/number.h"
#include "lib/geom/exact/path.h"

#include <sightline/intersect.h>

typedef struct sli_slab {
    sli_number at, along, reach;
    sli_number normal[3]; /* of any length; outwards at +reach */
    int axis;             /* the faces are the box's 2 axis, 2 axis + 1; -1: they are none */
} sli_slab;

/* A box without end has fewer, a flat one up to 4.  Those that go first win where faces meet. */
enum { SLI_SLABS_MAX = 4 };
typedef struct sli_slabs {
    int count;
    sli_slab slab[SLI_SLABS_MAX];
} sli_slabs;

/* The hit that the policy makes of it; false for none.  hit may be NULL. */
bool sli_path_slabs(const sli_path *path, const sli_slabs *slabs, sl_start_inside inside,
                    sl_obb_hit *hit, bool *unsure);

#endif
