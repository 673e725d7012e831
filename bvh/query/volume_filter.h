/* query/volume_filter.h: a volume as a few slabs, for quick answers in doubles that are sure or none.
 *
 * A slab is where n . x lies between two values.  Whatever lies beyond a slab of the volume does
 * not touch it.  For some kinds all slabs together are the volume: what lies within each, lies in
 * it. Rounding  limits are moved by more than they have been rounded, and so is each answer: with
 * every operation off by 2^-53 of its result at most, none has more than ten of them, and 2^-48 of
 * the sum of all sizes is allowed for. Callers  hold the floating-point environment. */
#ifndef SLI_QUERY_VOLUME_ROUGH_H
#define SLI_QUERY_VOLUME_ROUGH_H

#include "lib/geom/exact/tribool.h"

#include <sightline/volume_query.h>

enum { SLI_ROUGH_SLABS = 10 };

typedef struct sli_rough {
    bool valid; /* the volume is; one that is not touches nothing */
    bool solid; /* within all slabs is within the volume */
    int count;
    struct sli_slab {
        double n[3], size[3];   /* size: |n| */
        double low, high;       /* the volume is between these */
        double in_low, in_high; /* what is between these counts as within */
    } slab[SLI_ROUGH_SLABS];
    const sl_capsule *capsule; /* has none: query/capsule_filter.h; or NULL */
} sli_rough;

/* Boxes along the axes and spheres are quick anyhow: they have no slabs.  The volume stays the
 * caller's. */
void sli_rough_make(const sl_volume *volume, sli_rough *out);

/* Yes is sure; no may be either. */
bool sli_rough_beside_box(const sli_rough *rough, const sl_aabb *box);
bool sli_rough_contains_box(const sli_rough *rough, const sl_aabb *box);
bool sli_rough_contains_point(const sli_rough *rough, const float point[3]);

/* Whether they touch. */
sli_tribool sli_rough_triangle(const sli_rough *rough, const sl_triangle *triangle);

#endif
