/* overlap/triangle_pair.h: whether two triangles of a mesh meet elsewhere than in what they share.
 * Callers  hold the floating-point environment; triangles are finite. */
#ifndef SLI_GEOM_OVERLAP_TRIANGLE_PAIR_H
#define SLI_GEOM_OVERLAP_TRIANGLE_PAIR_H

#include <sightline/shapes.h>

/* Corners at the same position are shared; the convex hull of all shared positions (nothing, a
 * point, an edge, or the whole triangle) belongs to both.  True where they have any other point in
 * common, touching included. */
bool sli_triangle_pair_meets(const sl_triangle *a, const sl_triangle *b);

#endif
