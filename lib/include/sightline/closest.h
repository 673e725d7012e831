/* closest.h: closest points and distances, lines with lines, how far boxes reach along an axis,
 * points in shapes, and bounding volumes of points.
 *
 * Space    points are in the coordinates, and distances in the units, of what is passed in.
 * Exact    yes-or-no answers, and which part of a shape is nearest, are those of exact arithmetic
 *          on the given floats; touching counts.  Numbers are the exact values rounded to the
 *          nearest float (ties to even, a zero is +0), except where a comment says otherwise.
 *          Distances are not squared; one beyond the largest float is +inf.
 * Fails    never.  For invalid input (shapes.h; a point with a NaN or an infinity; an empty box) a
 *          function returns false and leaves *out alone, except where a comment says otherwise.
 * Threads  pure functions: safe to call from several threads at once, and in any floating-point
 *          environment.
 * Cost     constant time, except for volumes of points; allocates nothing.
 * Source   Ericson, Real-Time Collision Detection (2005), chapters 4 and 5. */
#ifndef SIGHTLINE_CLOSEST_H
#define SIGHTLINE_CLOSEST_H

#include <sightline/intersect.h>

/* ---- The point of a shape that is closest to a given point ---- */

typedef struct sl_closest {
    float point[3]; /* each coordinate is rounded, so the point may lie just beside the shape */
    float distance; /* from the given point to the exact closest point, before rounding */
    float u, v;     /* segment: u is t; triangle: weights of vertices 1 and 2; otherwise 0 */
} sl_closest;

/* If p == q the segment is a point, and u is 0. */
SL_API bool sl_segment_closest(const sl_segment *segment, const float point[3], sl_closest *out);

/* A triangle of zero area is the segment or point that its vertices make. */
SL_API bool sl_triangle_closest(const sl_triangle *triangle, const float point[3], sl_closest *out);

/* sl_plane_distance is positive in front of the plane and negative behind it; NaN for invalid
 * input. */
SL_API bool sl_plane_closest(const sl_plane *plane, const float point[3], sl_closest *out);
SL_API float sl_plane_distance(const sl_plane *plane, const float point[3]);

/* The box is solid: a point inside is its own closest point.  The closest point is exact, not
 * rounded.  Bounds may be infinite. */
SL_API bool sl_aabb_closest(const sl_aabb *box, const float point[3], sl_closest *out);

/* The closest point of the box's surface: from inside, on the nearest face (of equally near faces
 * the one of the lowest axis, of the two of an axis the one at min).  False also for a box that is
 * unbounded on every side, as it has no face. */
SL_API bool sl_aabb_surface_closest(const sl_aabb *box, const float point[3], sl_closest *out);

/* The box is solid and may have any orientation.  The axes are taken as given, of any length and at
 * any angle: the box is the parallelepiped that they span, flat or sheared.  (If the given sizes
 * differ by more than a factor of 2^200, a distance from a face that is halfway between two floats
 * but for one part in 2^950 may round either way.) */
SL_API bool sl_obb_closest(const sl_obb *box, const float point[3], sl_closest *out);

/* ---- Line with line, in the plane and in space ---- */

/* How two lines (shapes.h: whole ones, rays, segments) in the plane lie to one another.  They have
 * points in common where the answer is SL_LINE_LINE_POINT or SL_LINE_LINE_OVERLAP.  Parallel means
 * that the exact determinant of the directions is 0, which it also is where a line is a point. */
typedef enum sl_line_line_relation {
    SL_LINE_LINE_INVALID = 0,
    SL_LINE_LINE_BEYOND = 1,    /* the lines cross, but beyond a limit of one of the two */
    SL_LINE_LINE_PARALLEL = 2,  /* on two parallel lines; a point beside a line; two points */
    SL_LINE_LINE_COLLINEAR = 3, /* on one line, but apart */
    SL_LINE_LINE_POINT = 4,     /* they cross in one point; a point on the other line */
    SL_LINE_LINE_OVERLAP = 5    /* on one line, sharing s[0] .. s[1], which may be one point */
} sl_line_line_relation;

/* What two lines have in common.  s are parameters of the first line, s[0] <= s[1], equal for a
 * single point; t are the parameters of the second line at s[0] and s[1], so t[0] may be more than
 * t[1].  For a line that is a point, the parameter is the allowed one nearest to 0. */
typedef struct sl_line_line_hit {
    float s[2], t[2];
    float point[2]; /* where they cross; for an overlap, the point where s is nearest to 0 */
} sl_line_line_hit;

/* Two ways to decide, which always give the same answers in about the same time.  DIVIDE computes s
 * = ((p2 - p1) x d2) / (d1 x d2), and t likewise, and compares them with the limits.  REJECT
 * compares the numerators with the limits times the determinant, according to its sign, and divides
 * only where the lines meet. */
typedef enum sl_line_line_method {
    SL_LINE_LINE_DIVIDE = 0,
    SL_LINE_LINE_REJECT = 1
} sl_line_line_method;

/* Of the lines, x and y alone are read; if dir has unit length, s is a distance.  hit may be NULL;
 * it is written only if the lines have points in common. */
SL_API sl_line_line_relation sl_line_line_2d(sl_line a, sl_line b, sl_line_line_method method,
                                             sl_line_line_hit *hit);

typedef struct sl_closest_pair {
    float s, t; /* parameters of the first line and of the second */
    float on_first[3], on_second[3];
    float distance; /* between the exact points */
    bool parallel;  /* the exact cross product of the directions is zero */
} sl_closest_pair;

/* The closest points of two lines in space, which may cross, pass each other or be parallel.  Of
 * equally near pairs (parallel lines have many) it is the one with s nearest to 0, then t.  The
 * distance is a continuous function of all coordinates.  The pair is continuous while parallel
 * lines slide along one another, but cannot be while two lines turn through being parallel.  Their
 * limits are 0 or -inf below and 1 or +inf above, as those of most rays and of segments are; a line
 * with others counts as invalid here.
 * Source   Ericson (2005), 5.1.9. */
SL_API bool sl_line_line(sl_line a, sl_line b, sl_closest_pair *out);

/* ---- Axis-aligned boxes: algebra.  Every empty box counts as sl_aabb_empty(), and an empty result
 * is returned as sl_aabb_empty().  Results are exact unless a comment says otherwise. ---- */

/* xyz holds three floats for each of count points.  A point with a NaN is skipped. */
SL_API sl_aabb sl_aabb_of_points(const float *xyz, size_t count);

/* The smallest box around box and point; box itself if point has a NaN. */
SL_API sl_aabb sl_aabb_grow(const sl_aabb *box, const float point[3]);

/* The smallest box around both. */
SL_API sl_aabb sl_aabb_join(const sl_aabb *a, const sl_aabb *b);

/* The points that both have in common. */
SL_API sl_aabb sl_aabb_intersect(const sl_aabb *a, const sl_aabb *b);

/* All zeros for an empty box. */
typedef struct sl_aabb_measures {
    float centre[3], size[3]; /* size: max - min; rounded to the nearest float, infinite beyond */
    double area;              /* of all six faces, in doubles; infinite for an unbounded box */
    int longest_axis;         /* 0, 1 or 2, compared exactly; of equally long ones the lowest */
} sl_aabb_measures;

SL_API sl_aabb_measures sl_aabb_measure(const sl_aabb *box);

/* ---- How far boxes reach along an axis, and boxes around boxes ---- */

/* The projected radius: how far the box reaches from its centre along n, which may have any length
 * but 0.  It may be +inf for an unbounded box; it is 0 for an empty or invalid box and for an n
 * that is zero or not finite. */
typedef struct sl_radius {
    float radius; /* the sum over |n| */
    float sum;    /* of half[i] |n . axis[i]| */
} sl_radius;

SL_API sl_radius sl_aabb_radius(const sl_aabb *box, const float n[3]);
SL_API sl_radius sl_obb_radius(const sl_obb *box, const float n[3]);

/* The smallest axis-aligned box of floats around the given box; empty for an invalid one. */
SL_API sl_aabb sl_aabb_of_obb(const sl_obb *box);

/* The smallest box of floats around the image of box under the upper three rows of the column-major
 * matrix m, for example the box of an object that was rotated.  Empty for a matrix that is not
 * finite.
 * Source   Arvo, Transforming Axis-Aligned Bounding Boxes (1990). */
SL_API sl_aabb sl_aabb_transform(const sl_aabb *box, const float m[16]);

/* Whether the point is in the volume, as one on its surface is.  False for a NaN or an infinity. */
SL_API bool sl_volume_contains_point(const sl_volume *volume, const float point[3]);

/* ---- Bounding volumes of points ---- */

/* xyz holds three floats for each point, and indices name count of them, SL_NONE none; indices
 * NULL: the first count.  Of a soup (sl_mesh_soup): soup.xyz, soup.indices, 3 *
 * soup.triangle_count; the box of a mesh is in sl_mesh_get_info.  Every point
 * is inside the volume, exactly.  Points with a NaN are skipped.  False if there are no points, if
 * one is infinite, or if the volume would exceed the range of floats.  The same points in the same
 * order give the same bits on every machine. */

/* The smallest sphere, up to the rounding of its centre; the radius is the smallest float that
 * holds every point for that centre.  Cost: about ten passes over the points.
 * Source   Welzl, Smallest Enclosing Disks (1991), with the farthest point first as in Gartner,
 *          Fast and Robust Smallest Enclosing Balls (1999). */
SL_API bool sl_sphere_of_points(const float *xyz, const uint32_t *indices, size_t count,
                                sl_sphere *out);

/* A box along the principal axes of the points, as right-handed unit vectors rounded to float; or
 * along the coordinate axes, if that box has no more surface.  It is tight but not the smallest.
 * The halves are the smallest floats that hold every point for that centre and those axes.  Cost:
 * nine passes over the points.
 * Source   Gottschalk, Lin and Manocha, OBBTree (1996); Jacobi's method for the axes. */
SL_API bool sl_obb_of_points(const float *xyz, const uint32_t *indices, size_t count, sl_obb *out);

#endif
