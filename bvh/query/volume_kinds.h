/* query/volume_kinds.h: the kinds of volume behind one face.  Adding one costs a row in the table.
 * Callers  hold the floating-point environment. */
#ifndef SLI_QUERY_VOLUME_SHAPE_H
#define SLI_QUERY_VOLUME_SHAPE_H

#include "bvh/query/visit.h"
#include "bvh/query/volume_filter.h"

/* The exact answer of overlap.h; false for a volume that is invalid or of no known kind. */
bool sli_volume_touches_triangle(const sl_volume *volume, const sl_triangle *triangle);

/* The same, quicker where it is plain.  Most triangles that are touched have a corner in the
 * volume: to find that nothing separates the two takes longer.  Of a kind that is known. */
bool sli_volume_sees_triangle(const sl_volume *volume, const sli_rough *rough,
                              const sl_triangle *triangle);

/* May say SLI_VISIT_SOME for any box. */
sli_interest sli_volume_sees_box(const sl_volume *volume, const sli_rough *rough,
                                 const sl_aabb *box);

/* A box around the volume, rounded outwards; infinite where there is none that is finite. */
sl_aabb sli_volume_bounds(const sl_volume *volume);

#endif
