/* overlap.h: shape against shape: yes or no.
 *
 * Exact    touching counts, and the answer is what exact arithmetic on the given floats says, for
 *          every finite float.  Nothing is rounded: axes and normals need not be of unit length,
 *          nor axes at right angles.
 * Flat     what has no volume, area or length is the face, segment or point that it is.
 * Fails    never; what is invalid (shapes.h: a NaN or an infinity, a negative radius or half, a
 *          zero normal) or empty overlaps nothing.  Boxes along the axes may have infinite bounds.
 * Threads  pure functions; any floating-point environment of the caller's is fine. */
#ifndef SIGHTLINE_OVERLAP_H
#define SIGHTLINE_OVERLAP_H

#include <sightline/shapes.h>

SL_API bool sl_aabb_overlaps_aabb(const sl_aabb *a, const sl_aabb *b);

/* By separating axes, 13 of them: the box's 3 face normals, the triangle's normal, and the 9 cross
 * products of their edges.  A triangle of zero area counts as the segment or point that it is.
 * Source   Akenine-Moller, Fast 3D Triangle-Box Overlap Testing (2001); decided exactly. */
SL_API bool sl_triangle_overlaps_aabb(const sl_triangle *triangle, const sl_aabb *box);

/* The axes by name; an edge goes from the first vertex to the second. */
typedef enum sl_sat_axis {
    SL_SAT_OVERLAP = 0, /* none separates: they overlap */
    SL_SAT_BOX_X,
    SL_SAT_BOX_Y,
    SL_SAT_BOX_Z,
    SL_SAT_NORMAL, /* the triangle's */
    SL_SAT_X_EDGE_01,
    SL_SAT_X_EDGE_12,
    SL_SAT_X_EDGE_20,
    SL_SAT_Y_EDGE_01,
    SL_SAT_Y_EDGE_12,
    SL_SAT_Y_EDGE_20,
    SL_SAT_Z_EDGE_01,
    SL_SAT_Z_EDGE_12,
    SL_SAT_Z_EDGE_20,
    SL_SAT_INVALID, /* no overlap: the box is empty, or a coordinate is not usable */
    SL_SAT_AXIS_COUNT
} sl_sat_axis;

/* Which group is asked first.  The answer "overlap or not" is the same either way. */
typedef enum sl_sat_order {
    SL_SAT_ORDER_123 = 0, /* box normals, triangle normal, cross products; the cheap ones first */
    SL_SAT_ORDER_312 = 1  /* cross products, box normals, triangle normal */
} sl_sat_order;

/* The first axis, in the given order, along which the two are strictly apart. */
SL_API sl_sat_axis sl_triangle_aabb_sat_axis(const sl_triangle *triangle, const sl_aabb *box,
                                             sl_sat_order order);

/* Whether one axis separates, of those from SL_SAT_BOX_X to SL_SAT_Z_EDGE_20. */
SL_API bool sl_triangle_aabb_sat_separates(const sl_triangle *triangle, const sl_aabb *box,
                                           sl_sat_axis axis);

/* "box x", "x cross edge 01", ...; "?" for what is not an axis. */
SL_API const char *sl_sat_axis_name(sl_sat_axis axis);

/* Spheres: the distance of the centre against the radius, both squared; no square root is taken.
 * Inside is overlap too: spheres and boxes are solid. */
SL_API bool sl_sphere_overlaps_sphere(const sl_sphere *a, const sl_sphere *b);
SL_API bool sl_sphere_overlaps_aabb(const sl_sphere *sphere, const sl_aabb *box);
SL_API bool sl_sphere_overlaps_obb(const sl_sphere *sphere, const sl_obb *box);
SL_API bool sl_sphere_overlaps_triangle(const sl_sphere *sphere, const sl_triangle *triangle);

/* Capsules: the distance of the segment against the radius, likewise. */
SL_API bool sl_capsule_overlaps_triangle(const sl_capsule *capsule, const sl_triangle *triangle);
SL_API bool sl_capsule_overlaps_aabb(const sl_capsule *capsule, const sl_aabb *box);
SL_API bool sl_capsule_overlaps_obb(const sl_capsule *capsule, const sl_obb *box);
SL_API bool sl_capsule_overlaps_sphere(const sl_capsule *capsule, const sl_sphere *sphere);

/* Boxes of any orientation, by separating axes: 15 for two boxes, 13 for a box and a triangle.
 * Source   Gottschalk, Lin and Manocha, OBBTree (1996); Ericson, Real-Time Collision Detection
 *          (2005), 4.4. */
SL_API bool sl_obb_overlaps_obb(const sl_obb *a, const sl_obb *b);
SL_API bool sl_obb_overlaps_aabb(const sl_obb *obb, const sl_aabb *aabb);
SL_API bool sl_obb_overlaps_triangle(const sl_obb *box, const sl_triangle *triangle);

/* By the sides on which the corners of each lie of the other's plane, edges and crossing; where one
 * has no area, by separating axes.
 * Source   Guigue and Devillers, Fast and Robust Triangle-Triangle Overlap Test Using Orientation
 *          Predicates (2003). */
SL_API bool sl_triangle_overlaps_triangle(const sl_triangle *a, const sl_triangle *b);

/* Against the intersection of the half-spaces, not plane by plane: what lies past an edge or a
 * corner of the frustum, though in front of none of its planes, does not overlap it.
 * Source   Farkas' lemma: Schrijver, Theory of Linear and Integer Programming (1986), 7.3. */
SL_API bool sl_frustum_overlaps_aabb(const sl_frustum *frustum, const sl_aabb *box);
SL_API bool sl_frustum_overlaps_obb(const sl_frustum *frustum, const sl_obb *box);
SL_API bool sl_frustum_overlaps_sphere(const sl_frustum *frustum, const sl_sphere *sphere);
SL_API bool sl_frustum_overlaps_triangle(const sl_frustum *frustum, const sl_triangle *triangle);

/* -1 all behind, 1 all in front, 0 the plane is met (touching included); SL_PLANE_SIDE_NONE where the
 * plane or the shape is invalid or empty.  A box reaches sum half[i] |normal . axis[i]| to either
 * side of its centre; a sphere radius |normal|. */
enum { SL_PLANE_SIDE_NONE = 2 };
SL_API int sl_plane_side_of_aabb(const sl_plane *plane, const sl_aabb *box);
SL_API int sl_plane_side_of_obb(const sl_plane *plane, const sl_obb *box);
SL_API int sl_plane_side_of_sphere(const sl_plane *plane, const sl_sphere *sphere);

#endif
