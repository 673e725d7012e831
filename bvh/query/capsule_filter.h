/* query/capsule_filter.h: a capsule against boxes and triangles in doubles, with answers that are sure or
 * none.
 *
 * Nearest points of the axis and the other body are found by turns: from a point of one to the
 * nearest of the other and back, a few times.  However good they are, their distance is no less
 * than that of the bodies; and where the plane across them separates the two, they are apart.
 * Source   Cheney and Goldstein, Proximity Maps for Convex Sets (1959); the triangle as in Ericson,
 *          Real-Time Collision Detection (2005), 5.1.5.
 * Callers  hold the floating-point environment; the capsule is valid. */
#ifndef SLI_QUERY_CAPSULE_ROUGH_H
#define SLI_QUERY_CAPSULE_ROUGH_H

#include "lib/geom/exact/tribool.h"

#include <sightline/shapes.h>

/* SLI_NO: they do not touch.  Never SLI_YES. */
sli_tribool sli_capsule_rough_box(const sl_capsule *capsule, const sl_aabb *box);

sli_tribool sli_capsule_rough_triangle(const sl_capsule *capsule, const sl_triangle *triangle);

/* Yes is sure. */
bool sli_capsule_rough_contains(const sl_capsule *capsule, const float point[3]);

#endif
