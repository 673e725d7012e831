/* box_oracle.h: whether a triangle and a box overlap, by methods that use no separating axes.
 * Threads  one at a time. */
#pragma once

#include <sightline/shapes.h>

/* For any finite floats: clips the triangle to the six half-spaces in turn, in fractions (GMP);
 * they overlap if something is left.
 * Source   Sutherland and Hodgman, Reentrant Polygon Clipping (1974). */
bool oracle_clip(const sl_triangle *triangle, const sl_aabb *box);

/* For integers within +-1000, in 64 bits: an edge of the triangle meets the box, or the
 * box has an edge that pierces the triangle or a corner that lies in it. */
bool oracle_lattice(const sl_triangle *triangle, const sl_aabb *box);

/* For integers within +-1000: project all vertices and all corners onto the axis (box normals
 * 0..2, triangle normal 3, then 4 + 3 * box edge + triangle edge) and compare the intervals. */
bool oracle_separates(const sl_triangle *triangle, const sl_aabb *box, int axis);
