/* overlap/triangle_aabb.h: a triangle against an axis-aligned box without the floating-point
 * bracket of the public functions; for queries that test many, and for tests.
 * Callers  hold the floating-point environment. */
#pragma once

#include "lib/geom/exact/predicates.h"

#include <sightline/overlap.h>

/* Counts decisions of the exact stage by the sign found: [0] negative, [1] zero, [2] positive. */
typedef struct sli_sat_trace {
    uint64_t exact[3];
} sli_sat_trace;

/* trace may be NULL; counts are added to it. */
sl_sat_axis sli_triangle_aabb(const sl_triangle *triangle, const sl_aabb *box, sl_sat_order order,
                              sli_sat_trace *trace);
