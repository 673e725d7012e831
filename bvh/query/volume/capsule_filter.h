/* capsule_filter.h: a capsule against boxes and triangles in doubles, for filter.c.  An
 * answer is sure, or none.
 *
 * Nearest points of the axis and of the other body are found by alternating projections: from a
 * point of one body to the nearest point of the other and back, a few times.  The distance of the
 * two points is never less than the distance of the bodies; and where the plane across the line
 * between them separates the bodies, they do not touch.
 * Source   Cheney and Goldstein, Proximity Maps for Convex Sets (1959); the triangle as in Ericson,
 *          Real-Time Collision Detection (2005), 5.1.5.
 * Callers  hold the floating-point environment; the capsule is valid. */
#pragma once

#include "lib/geom/exact/arithmetic/tribool.h"

#include <sightline/shapes.h>

/* SLI_NO: they do not touch.  Never SLI_YES. */
sli_tribool sli_capsule_filter_box(const sl_capsule *capsule, const sl_aabb *box);

sli_tribool sli_capsule_filter_triangle(const sl_capsule *capsule, const sl_triangle *triangle);

/* True is sure. */
bool sli_capsule_filter_contains(const sl_capsule *capsule, const float point[3]);
