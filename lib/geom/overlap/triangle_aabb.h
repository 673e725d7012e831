/* triangle_aabb.h: the inside of triangle_aabb.c, for whoever tests many, and for tests.
 * Callers  hold the floating-point environment. */
#ifndef SLI_GEOM_OVERLAP_TRIANGLE_AABB_H
#define SLI_GEOM_OVERLAP_TRIANGLE_AABB_H

#include "lib/geom/exact/predicates.h"

#include <sightline/overlap.h>

/* Decisions of the exact stage, by the sign that it found: [0] negative, [1] zero, [2] positive. */
typedef struct sli_sat_trace {
    uint64_t exact[3];
} sli_sat_trace;

/* trace is only added to, and may be NULL. */
sl_sat_axis sli_triangle_aabb(const sl_triangle *triangle, const sl_aabb *box, sl_sat_order order,
                              sli_sat_trace *trace);

#endif
