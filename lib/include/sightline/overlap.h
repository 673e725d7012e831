/* overlap.h: whether two shapes have a point in common, and on which side of a plane a shape lies.
 *
 * Exact    touching counts, and the answer is that of exact arithmetic on the given floats, for
 *          every finite float.  Axes and normals need not have unit length, and axes need not be
 *          perpendicular.
 * Flat     a shape without volume, area or length is the face, segment or point that remains.
 * Solid    spheres, capsules, boxes, frusta and hulls are: a shape inside another overlaps it.
 * Fails    never; an invalid shape (shapes.h: a NaN, an infinity, a negative radius or half, a zero
 *          normal) or an empty one overlaps nothing.  Axis-aligned boxes may have infinite bounds.
 * Threads  pure functions: safe to call from several threads at once, and in any floating-point
 *          environment.
 * Cost     constant time, in doubles for most pairs; pairs that doubles cannot decide take longer,
 *          in expansions.  Allocates nothing. */
#ifndef SIGHTLINE_OVERLAP_H
#define SIGHTLINE_OVERLAP_H

#include <sightline/shapes.h>

/* Whether a volume of any kind has a point in common with the other shape.
 *
 *     const sl_volume ball = { SL_VOLUME_SPHERE, { .sphere = { { 0, 0, 0 }, 1 } } };
 *     if (sl_volume_overlaps_aabb(&ball, &box)) ...
 *
 * Spheres and capsules compare the squared distance from the centre or the segment with the squared
 * radius; boxes are tested by separating axes, 15 for two boxes, 13 for a box and a triangle; two
 * triangles by the side of each plane on which the vertices of the other lie, and the order of
 * edges along the line where the planes cross; frusta against the exact intersection of the
 * half-spaces, not plane by plane: a shape that lies past an edge or corner of the frustum does not
 * overlap it, even if no single plane has all of the shape in front.  A hull is made anew by each
 * call, in up to 0.3 ms for 256 points, and tested by separating axes.
 * Source   Akenine-Moller, Fast 3D Triangle-Box Overlap Testing (2001); Gottschalk, Lin and
 *          Manocha, OBBTree (1996); Guigue and Devillers, Fast and Robust Triangle-Triangle Overlap
 *          Test Using Orientation Predicates (2003); Farkas' lemma: Schrijver, Theory of Linear and
 *          Integer Programming (1986), 7.3. */
SL_API bool sl_volume_overlaps_aabb(const sl_volume *volume, const sl_aabb *box);
SL_API bool sl_volume_overlaps_obb(const sl_volume *volume, const sl_obb *box);
SL_API bool sl_volume_overlaps_sphere(const sl_volume *volume, const sl_sphere *sphere);
SL_API bool sl_volume_overlaps_triangle(const sl_volume *volume, const sl_triangle *triangle);

/* -1 if all of the volume is behind the plane, 1 if all of it is in front, 0 if it meets the plane
 * (touching included), SL_PLANE_SIDE_NONE if the plane or the volume is invalid or empty, or if the
 * volume is a frustum. */
enum { SL_PLANE_SIDE_NONE = 2 };
SL_API int sl_plane_side_of(const sl_plane *plane, const sl_volume *volume);

#endif
