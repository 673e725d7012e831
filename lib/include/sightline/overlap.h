/* overlap.h: shape against shape: yes or no.
 *
 * Exact    touching counts, and the answer is what exact arithmetic on the given floats says.
 * Fails    never; a NaN, or an empty box, overlaps nothing.
 * Threads  pure functions; any floating-point environment of the caller's is fine. */
#ifndef SIGHTLINE_OVERLAP_H
#define SIGHTLINE_OVERLAP_H

#include <sightline/shapes.h>

/* By separating axes, 13 of them: the box's 3 face normals, the triangle's normal, and the 9 cross
 * products of their edges.  A triangle of zero area counts as the segment or point that it is.
 * Source   Akenine-Moller, Fast 3D Triangle-Box Overlap Testing (2001); decided exactly. */
SL_API bool sl_triangle_aabb(const sl_triangle *triangle, const sl_aabb *box);

SL_API bool sl_aabb_aabb(const sl_aabb *a, const sl_aabb *b);

#endif
