/* intersect.h: where rays, segments and lines (sl_line) meet single shapes; triangles in plain
 * arrays.
 *
 * Space    shapes, rays and results are in one space; t is in units of the direction (shapes.h).
 * Exact    hit or miss is decided as by exact arithmetic on the given floats; t, u, v and
 *          coordinates are each the exact value rounded to the nearest float (ties to even, a zero
 *          is +0).
 * Fails    never; an invalid ray or shape (shapes.h) is a miss, which leaves outputs alone except
 *          where a comment says otherwise.
 * Threads  pure functions: safe to call from several threads at once, and in any floating-point
 *          environment.
 * Cost     constant time for single shapes, in doubles unless they cannot decide; allocates
 *          nothing.
 * Source   Shewchuk, Adaptive Precision Floating-Point Arithmetic and Fast Robust Geometric
 *          Predicates (1997); Barnes, Ray/Bounding Box Intersections (2022); see docs/notes. */
#ifndef SIGHTLINE_INTERSECT_H
#define SIGHTLINE_INTERSECT_H

#include <sightline/options.h>
#include <sightline/shapes.h>

/* One ray, or one segment, against one triangle.  Of the options, flags and cull are used.  hit may
 * be NULL; on a miss its prim is SL_NONE. */
SL_API bool sl_ray_triangle(const sl_ray *ray, const sl_triangle *triangle,
                            const sl_options *options, sl_hit *hit);
SL_API bool sl_segment_triangle(const sl_segment *segment, const sl_triangle *triangle,
                                const sl_options *options, sl_hit *hit);

/* In doubles t is rounded to the nearest double, and one beyond the range of floats is a number as
 * any other. */
SL_API bool sl_ray_d_triangle(const sl_ray_d *ray, const sl_triangle_d *triangle,
                              const sl_options *options, sl_hit_d *hit);
SL_API bool sl_segment_d_triangle(const sl_segment_d *segment, const sl_triangle_d *triangle,
                                  const sl_options *options, sl_hit_d *hit);

/* Which side of the triangle a direction meets: -1 the front, 1 the back, 0 neither (the direction
 * is parallel to the plane, the triangle has no area, or a coordinate is not finite).  It is the
 * exact sign of dir . normal, by which sl_cull decides. */
SL_API int sl_triangle_facing(const sl_triangle *triangle, const float dir[3]);

/* ---- Planes.  Here and below hit may be NULL, and a miss leaves it alone ---- */

/* How a line meets a plane. */
typedef enum sl_plane_meet {
    SL_PLANE_MISS = 0,  /* no common point within the limits, or invalid input */
    SL_PLANE_POINT = 1, /* one common point */
    SL_PLANE_WITHIN = 2 /* parallel to the plane, or of zero length, and all of it in the plane */
} sl_plane_meet;

typedef struct sl_plane_hit {
    float t;        /* for SL_PLANE_WITHIN, the allowed t that is nearest to 0 */
    float point[3]; /* each coordinate rounded, so it may lie just beside the plane; exactly on it
                     * where the normal is along an axis, of length 1 */
} sl_plane_hit;

SL_API sl_plane_meet sl_line_plane(sl_line line, const sl_plane *plane, sl_plane_hit *hit);

/* ---- Axis-aligned boxes ---- */

/* What happens to a line that starts inside a shape, at tmin.  Inside means its interior:
 * one that starts on the surface hits there. */
typedef enum sl_start_inside {
    SL_INSIDE_SOLID = 0,  /* it hits where it starts */
    SL_INSIDE_HOLLOW = 1, /* it hits where it leaves, or misses if it ends before that */
    SL_INSIDE_IGNORE = 2, /* it misses */

    /* It misses, also if it starts on a round surface and leaves at once; boxes: as IGNORE. */
    SL_INSIDE_IGNORE_LEAVING = 3
} sl_start_inside;

/* A face of a box: 2 * axis, plus 1 for the face at max. */
typedef enum sl_box_face {
    SL_BOX_FACE_NONE = -1,
    SL_BOX_FACE_MIN_X = 0,
    SL_BOX_FACE_MAX_X = 1,
    SL_BOX_FACE_MIN_Y = 2,
    SL_BOX_FACE_MAX_Y = 3,
    SL_BOX_FACE_MIN_Z = 4,
    SL_BOX_FACE_MAX_Z = 5
} sl_box_face;

/* The hit on a box.  Where t0 is -inf, t is the t in the span that is nearest to 0. */
typedef struct sl_aabb_hit {
    float t;           /* t0; t1 for one that leaves a hollow box */
    float point[3];    /* at t; each coordinate rounded, on a face exactly the face's */
    sl_box_face face;  /* entry or exit; none if it starts in the box without entering there */
    float normal[3];   /* of face, outwards; zero for none */
    float t0, t1;      /* the span inside the box, whatever sl_start_inside says */
    sl_box_face entry; /* crossed inwards at t0; at edges and corners the one of the lowest axis */
    sl_box_face exit;  /* crossed outwards at t1; none if a limit ends the span before that */
    bool inside;       /* starts in the interior */
} sl_aabb_hit;

/* Touching a face, an edge or a corner counts.  A component of the direction that is 0 only
 * requires the origin to lie between the two faces.  A line of zero length is a point: the span is
 * all t within the limits, or a miss.  An empty box is missed.
 * Source   Kay and Kajiya, Ray Tracing Complex Scenes (1986), for the slabs. */
SL_API bool sl_line_aabb(sl_line line, const sl_aabb *box, sl_start_inside inside,
                         sl_aabb_hit *hit);

/* ---- Spheres and capsules ---- */

/* The hit on a sphere or a capsule.  All fields but the normal are exact values, rounded.  Where t0
 * is -inf, t is the t in the span that is nearest to 0. */
typedef struct sl_round_hit {
    float t;         /* t0; t1 for one that leaves a hollow shape */
    float point[3];  /* at t; each coordinate rounded */
    float normal[3]; /* at point, outwards, of unit length, each component within 2^-24; zero if no
                      * surface is crossed there, and for a radius of 0 */
    float t0, t1;    /* the span inside the shape, clipped to the limits */
    bool entry;      /* the surface is crossed inwards or touched at t0; false: t0 is the limit */
    bool exit;       /* the surface is crossed outwards or touched at t1; false: t1 is the limit */
    bool inside;     /* starts in the interior */
} sl_round_hit;

/* A tangent touches once: t0 == t1.  A line of zero length is a point: the span is all t within the
 * limits.  With z = 0 throughout the sphere is a circle. */
SL_API bool sl_line_sphere(sl_line line, const sl_sphere *sphere, sl_start_inside inside,
                           sl_round_hit *hit);
SL_API bool sl_line_capsule(sl_line line, const sl_capsule *capsule, sl_start_inside inside,
                            sl_round_hit *hit);

/* ---- Boxes of any orientation ---- */

/* As sl_aabb_hit, with faces numbered by the box's own axes.  Normals have unit length, each
 * component within 2^-24; every coordinate of point is rounded.  At edges and corners the face is
 * the one of the lowest axis. */
typedef sl_aabb_hit sl_obb_hit;

/* Against exactly the points that sl_obb defines, for sheared and mirrored boxes too.  A line of
 * zero length is a point.
 * Flat     a half of 0 needs no special rule.  Axes in one plane, usually because one is zero, make
 *          a polygon: its two sides are the faces of the zero axis (or of the last axis that the
 *          other two make superfluous), max being on the side of cross(axis + 1, axis + 2), and its
 *          rim has the faces of the other two axes.  Axes on one line make a segment or a point,
 *          without faces. */
SL_API bool sl_line_obb(sl_line line, const sl_obb *box, sl_start_inside inside, sl_obb_hit *hit);

/* The box that an affine matrix makes of the unit cube -1/2 .. 1/2, without any rounding; a scale
 * of 0 makes it flat.  False, with *out left alone, for a matrix that is not affine: not finite, or
 * with a last row other than exactly 0 0 0 1. */
SL_API bool sl_obb_from_matrix(const float matrix[16], sl_obb *out);

/* The inverse of an affine matrix, each element rounded to the nearest float.  False, with inverse
 * left alone, if the matrix is not affine, is singular (its determinant is exactly 0; use
 * sl_obb_from_matrix), or has an inverse beyond the range of floats.  inverse may be matrix. */
SL_API bool sl_matrix_inverse(const float matrix[16], float inverse[16]);

/* Against the points that the inverse matrix maps into the unit cube, exactly: the line is
 * transformed without rounding, t stays the same, and normals are transformed back by the transpose
 * of the inverse.  As the inverse is rounded, this box and that of sl_obb_from_matrix may differ in
 * the last bits.  A singular inverse means a box that is unbounded in some direction; one that is
 * not affine is missed. */
SL_API bool sl_line_unit_cube(sl_line line, const float inverse[16], sl_start_inside inside,
                              sl_obb_hit *hit);

/* Triangles in plain arrays: a mesh without a tree.  Indices are in range; a triangle with a
 * coordinate that is not finite is never hit. */
typedef struct sl_soup {
    const float *xyz;        /* three for each vertex */
    const uint32_t *indices; /* three for each triangle; three times SL_NONE: left out */
    const uint32_t *masks;   /* one for each triangle, 0 meaning all bits; NULL: all bits */
    size_t triangle_count;
    size_t vertex_count; /* as sl_mesh_soup says it; nothing here reads it */
} sl_soup;

/* One ray against every triangle in turn, without a tree: the oracle that trees are held against.
 * Keeps the capacity nearest hits, sorted by (t, prim), and returns how many there are in all.
 * closest is capacity 1, count capacity 0, any is > 0.  No proxy is read.  Cost: every triangle,
 * every time. */
SL_API size_t sl_soup_all(const sl_soup *soup, const sl_ray *ray, const sl_options *options,
                          sl_hit *hits, size_t capacity);
SL_API size_t sl_soup_all_segment(const sl_soup *soup, const sl_segment *segment,
                                  const sl_options *options, sl_hit *hits, size_t capacity);

#endif
