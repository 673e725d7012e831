/* closest.h: closest points and distances, lines with lines, boxes along an axis, inside or not,
 * and volumes around points.
 *
 * Exact    yes or no, and which part of a shape is nearest, is what exact arithmetic on the given
 *          floats says; touching counts.  Numbers are each the exact value rounded to the nearest
 *          float (ties to even, a zero is +0), but where a comment says otherwise.  Distances are
 *          plain, not squared; one beyond the largest float is +inf.
 * Fails    never.  Whatever is not valid (shapes.h; a point with a NaN or an infinity; an empty
 *          box) gives what a comment says, else false, and *out is left alone.
 * Threads  pure functions; any floating-point environment of the caller's is fine.
 * Source   Ericson, Real-Time Collision Detection (2005), chapters 4 and 5. */
#ifndef SIGHTLINE_CLOSEST_H
#define SIGHTLINE_CLOSEST_H

#include <sightline/intersect.h>
#include <sightline/shapes.h>

/* ---- The point of a shape that is closest to a given point ---- */

typedef struct sl_closest {
    float point[3]; /* each coordinate rounded by itself, so it may lie beside the shape by that */
    float distance; /* from the given point to the exact one, not to the rounded one */
    float u, v;     /* a segment: u is its t; a triangle: weights of vertices 1 and 2; else 0 */
} sl_closest;

/* p == q is a point, with u = 0. */
SL_API bool sl_segment_closest(const sl_segment *segment, const float point[3], sl_closest *out);

/* A triangle of zero area is the segment or point that it is. */
SL_API bool sl_triangle_closest(const sl_triangle *triangle, const float point[3], sl_closest *out);

/* False where the normal is zero.  sl_plane_distance is positive in front of the plane, and NaN
 * instead of false. */
SL_API bool sl_plane_closest(const sl_plane *plane, const float point[3], sl_closest *out);
SL_API float sl_plane_distance(const sl_plane *plane, const float point[3]);

/* A solid box: a point inside is its own closest point.  The point is exact: nothing is rounded.
 * Bounds may be infinite. */
SL_API bool sl_aabb_closest(const sl_aabb *box, const float point[3], sl_closest *out);

/* Only its surface: from inside, the nearest face (of equally near ones that of the lowest axis, of
 * its two that at min).  False too for a box without any face: unbounded on every side. */
SL_API bool sl_aabb_surface_closest(const sl_aabb *box, const float point[3], sl_closest *out);

/* A solid box, oriented any way.  The axes are not assumed to be of unit length or at right angles:
 * they are the floats they are, and the box is the parallelepiped that they span, flat or sheared.
 * (Where sizes given are more than 2^200 apart, a distance from a face that is halfway between two
 * floats but for one part in 2^950 may round either way.) */
SL_API bool sl_obb_closest(const sl_obb *box, const float point[3], sl_closest *out);

/* ---- Line with line, in the plane and in space ---- */

typedef enum sl_domain {
    SL_DOMAIN_LINE = 0,   /* every parameter */
    SL_DOMAIN_RAY = 1,    /* 0 and up */
    SL_DOMAIN_SEGMENT = 2 /* 0 to 1, both included */
} sl_domain;

/* origin + s * (head - tail), the difference taken exactly, smin <= s <= smax, both included.  smin
 * may be -inf, smax +inf.  head == tail: the point origin.  Not valid: origin, tail or head not
 * finite, a NaN limit, smin > smax, smin == +inf, smax == -inf. */
typedef struct sl_path2 {
    float origin[2], tail[2], head[2], smin, smax;
} sl_path2;

/* Through p (s = 0) and q (s = 1). */
SL_API sl_path2 sl_path2_through(sl_domain domain, const float p[2], const float q[2]);

/* From p along dir, which may be of any length: s is in units of it, and a segment ends at s =
 * length.  With dir of unit length, s is the distance from p. */
SL_API sl_path2 sl_path2_along(sl_domain domain, const float p[2], const float dir[2],
                               float length);

/* Two paths have points in common where the answer is SL_LINE_LINE_POINT or SL_LINE_LINE_OVERLAP.  Parallel
 * means that the exact determinant is 0; where a path is a point, so is it. */
typedef enum sl_line_line_relation {
    SL_LINE_LINE_INVALID = 0,
    SL_LINE_LINE_BEYOND = 1,   /* the lines cross, but beyond a limit of one of the paths */
    SL_LINE_LINE_PARALLEL = 2, /* side by side; a point beside the other path's line; two points */
    SL_LINE_LINE_COLLINEAR =
        3,                  /* on one line, one after the other; a point beyond the other's limit */
    SL_LINE_LINE_POINT = 4, /* they cross in one point; a point on the other path */
    SL_LINE_LINE_OVERLAP =
        5 /* on one line, with all from s[0] to s[1] in common: maybe one point */
} sl_line_line_relation;

typedef struct sl_line_line_hit {
    float s[2], t[2]; /* s of the first path and t of the second; s[0] <= s[1] are the same for one
                       * point, and t[0], t[1] belong to them: t may run backwards.  A path that is
                       * a point has of the s allowed the one nearest to 0 */
    float point[2];   /* where they cross; of an overlap, where s is nearest to 0 */
} sl_line_line_hit;

/* Both methods give the same answers, always, in about the same time.  The first divides, s = ((p2 -
 * p1) x d2) / (d1 x d2) and t likewise, and compares with the limits.  The second compares numerators
 * with limits times the determinant, by the sign of that, and divides only where the paths meet. */
typedef enum sl_line_line_method {
    SL_LINE_LINE_DIVIDE = 0,
    SL_LINE_LINE_REJECT = 1
} sl_line_line_method;

/* hit may be NULL; it is left alone unless there are points in common. */
SL_API sl_line_line_relation sl_line_line_2d(const sl_path2 *a, const sl_path2 *b,
                                             sl_line_line_method method, sl_line_line_hit *hit);

/* The same in space, with limits by domain only.  Not valid: anything that is not finite, or a
 * domain that is none of the three. */
typedef struct sl_path3 {
    float origin[3], tail[3], head[3];
    sl_domain domain;
} sl_path3;

SL_API sl_path3 sl_path3_through(sl_domain domain, const float p[3], const float q[3]);
SL_API sl_path3 sl_path3_along(sl_domain domain, const float p[3], const float dir[3]);

typedef struct sl_closest_pair {
    float s, t; /* of the first path and of the second */
    float on_first[3], on_second[3];
    float distance; /* between the exact points */
    bool parallel;  /* the exact cross product of the directions is zero */
} sl_closest_pair;

/* The closest points of two paths, which may cross, pass each other or be parallel.  Of equally near
 * pairs (parallel ones have many) the one with s nearest to 0, then t.  The distance is continuous in
 * all coordinates, at parallel too; the pair is continuous where parallel paths slide along one
 * another, but cannot be where two turn through being parallel.
 * Source   Ericson (2005), 5.1.9. */
SL_API bool sl_line_line(const sl_path3 *a, const sl_path3 *b, sl_closest_pair *out);

/* ---- Boxes along an axis ---- */

/* How far the box reaches from its centre along the axis, which may be of any length but 0:
 * sum of half[i] |n . axis[i]| over |n|.  The second is the sum itself, |n| times as long, without
 * a square root.  An unbounded box may give +inf; 0 for an empty or invalid box and for an axis that
 * is zero or not finite. */
SL_API float sl_aabb_radius(const sl_aabb *box, const float n[3]);
SL_API float sl_aabb_radius_sum(const sl_aabb *box, const float n[3]);
SL_API float sl_obb_radius(const sl_obb *box, const float n[3]);
SL_API float sl_obb_radius_sum(const sl_obb *box, const float n[3]);

/* The smallest box of floats around the given one.  Invalid: empty. */
SL_API sl_aabb sl_aabb_of_obb(const sl_obb *box);

/* The smallest box of floats around the image of a box under the upper three rows of m, column-major:
 * an object's box after the object was rotated, by radius instead of by corners.  m not finite:
 * empty.  Source   Arvo, Transforming Axis-Aligned Bounding Boxes (1990). */
SL_API sl_aabb sl_aabb_transform(const sl_aabb *box, const float m[16]);

/* ---- Inside or not; on the surface is inside.  For a box see sl_aabb_contains_point ---- */

SL_API bool sl_sphere_contains_point(const sl_sphere *sphere, const float point[3]);
SL_API bool sl_capsule_contains_point(const sl_capsule *capsule, const float point[3]);
SL_API bool sl_obb_contains_point(const sl_obb *box, const float point[3]);

/* Behind or on every plane.  No planes: everything is inside.  False where one is not valid, or
 * for a frustum of more than SL_FRUSTUM_PLANES_MAX. */
SL_API bool sl_frustum_contains_point(const sl_frustum *frustum, const float point[3]);
SL_API bool sl_convex_contains_point(const sl_plane *planes, size_t count, const float point[3]);

/* ---- Volumes around points ---- */

/* Every point is inside, exactly.  A point with a NaN adds nothing.  False where there is none, where
 * one is infinite, and where the volume would be beyond the largest float.  Of a soup, the corners of
 * its triangles count (for a mesh: sl_mesh_soup; its box is in sl_mesh_get_info).  Nothing is
 * allocated, and the same points in the same order give the same bits everywhere. */

/* The smallest sphere, but for rounding: Welzl, Smallest Enclosing Disks (1991), with the farthest
 * point first as in Gartner, Fast and Robust Smallest Enclosing Balls (1999).  The radius is the
 * least float that serves for that centre.  Cost: about ten passes over the points. */
SL_API bool sl_sphere_of_points(const float *xyz, size_t count, sl_sphere *out);
SL_API bool sl_sphere_of_soup(const sl_soup *soup, sl_sphere *out);

/* Along the principal axes of the points, as unit vectors rounded to float, right-handed; or along
 * the coordinate axes, where that box has no more surface.  Good, not the smallest.  The halves are
 * the least floats that serve for that centre and those axes.  Cost: four passes.
 * Source   Gottschalk, Lin and Manocha, OBBTree (1996); Jacobi's method for the axes. */
SL_API bool sl_obb_of_points(const float *xyz, size_t count, sl_obb *out);
SL_API bool sl_obb_of_soup(const sl_soup *soup, sl_obb *out);

#endif
