/* kinds.h: every kind of volume behind one interface, for tree.c and brute_force.c.  A new
 * kind costs a row in the table.
 * Callers  hold the floating-point environment. */
#pragma once

#include "bvh/query/visit.h"
#include "bvh/query/volume/filter.h"

/* What sli_volume_triangle answers, by the filter where that is sure.  Most
 * triangles that touch the volume have a
 * corner in it, which is faster to see than that no axis separates the two.  The volume is
 * valid. */
bool sli_volume_sees_triangle(const sl_volume *volume, const sli_volume_filter *filter,
                              const sl_triangle *triangle);

/* Conservative: SLI_VISIT_SOME is right for any box. */
sli_interest sli_volume_sees_box(const sl_volume *volume, const sli_volume_filter *filter,
                                 const sl_aabb *box);

/* A box around the volume, rounded outwards; infinite where there is none that is finite. */
sl_aabb sli_volume_bounds(const sl_volume *volume);
