/* filter.h: a volume as a few slabs, which answer in doubles for most boxes and triangles,
 * before the exact tests of overlap.h (for volume_kinds.c and self_overlap.c).  An answer is sure,
 * or none.
 *
 * A slab is where n . x lies between two values.  What lies beyond one slab of the volume does not
 * touch the volume.  For some kinds the volume is the intersection of its slabs: then what lies
 * within every slab lies in the volume.
 * Rounding  limits are moved outwards by more than they may have been rounded, and so is each
 *           answer: every operation is off by at most 2^-53 of its result, no value has more than
 *           ten of them, and 2^-48 of the sum of all sizes is allowed for.
 * Source    separating axes: Gottschalk, Lin and Manocha, OBBTree (1996).
 * Callers   hold the floating-point environment. */
#pragma once

#include "lib/geom/convex/hull.h"
#include "lib/geom/exact/arithmetic/tribool.h"

#include <sightline/volumes.h>

enum { SLI_VOLUME_FILTER_SLABS = 10 };

typedef struct sli_volume_filter {
    bool valid; /* whether the volume is valid; an invalid one touches nothing */
    bool solid; /* what is within all slabs is within the volume */
    int count;
    struct sli_volume_slab {
        double n[3], size[3];   /* size: at least |n|, and of each product that n is made of */
        double low, high;       /* the volume lies between these */
        double in_low, in_high; /* of a solid volume: what is between these is within the slab */
    } slab[SLI_VOLUME_FILTER_SLABS];
    const sl_capsule *capsule; /* a capsule has no slabs: capsule_filter.h; else NULL */
    const sli_hull *hull;      /* of a hull */
} sli_volume_filter;

/* Axis-aligned boxes and spheres get no slabs: their exact tests are fast.  out points into the
 * volume, and to hull, where a hull is made; it may be NULL for other kinds. */
void sli_volume_filter_make(const sl_volume *volume, sli_hull *hull, sli_volume_filter *out);

/* Of a volume that is valid and rounded (doubles.h); all kinds get slabs, and of those of a
 * sphere or a capsule the slabs of their bounds.  It does not point into the volume; to the
 * hull, of one. */
void sli_volume_filter_make_d(const sl_volume_d *volume, const sli_hull *hull,
                              sli_volume_filter *out);

/* True is sure; false may be either. */
bool sli_volume_filter_beside_box(const sli_volume_filter *filter, const sl_aabb *box);
bool sli_volume_filter_contains_box(const sli_volume_filter *filter, const sl_aabb *box);

/* Whether they touch. */
sli_tribool sli_volume_filter_triangle(const sli_volume_filter *filter,
                                       const sl_triangle *triangle);

/* For filters of volumes in doubles. */
sli_tribool sli_volume_filter_triangle_d(const sli_volume_filter *filter,
                                         const sl_triangle_d *triangle);
