/* overlap/triangle_pair.h: whether two triangles of a mesh have a point in common beyond what they
 * share; for the self-overlap of meshes.
 * Callers  hold the floating-point environment; triangles are finite. */
#pragma once

#include <sightline/shapes.h>

/* Vertices at the same position are shared, and with them the convex hull of all shared positions:
 * nothing, a point, an edge, or the triangle.  True if the triangles have any other point in
 * common, touching included. */
bool sli_triangle_pair_meets(const sl_triangle *a, const sl_triangle *b);
