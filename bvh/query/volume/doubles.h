/* doubles.h: volumes in doubles (overlap_d.h): tested against triangles exactly.
 * Callers  hold the floating-point environment. */
#pragma once

#include "bvh/query/volume/filter.h"
#include "lib/geom/overlap/overlap_d.h"

/* A box around a volume that is in that range, rounded outwards; infinite where there is none. */
sl_aabb_d sli_volume_d_bounds(const sl_volume_d *volume);

/* Both are in that range.  The exact answer, by the filter where that is sure. */
bool sli_volume_d_touches(const sl_volume_d *volume, const sli_volume_filter *filter,
                          const sl_triangle_d *triangle);
