/* overlap/triangle_pair.h: whether two triangles of a mesh meet elsewhere than in what they share.
 * Callers  hold the floating-point environment; triangles are finite. */
#ifndef SLI_GEOM_ELSEWHERE_H
#define SLI_GEOM_ELSEWHERE_H

#include <sightline/shapes.h>

/* Corners at the same position are shared; the convex hull of all shared positions (nothing, a
 * point, an edge, or the whole triangle) belongs to both.  True where they have any other point in
 * common, touching included. */
bool sli_meet_elsewhere(const sl_triangle *a, const sl_triangle *b);

#endif
