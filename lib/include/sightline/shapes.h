/* shapes.h: the shapes that queries take and answer about, hits on triangles, and the algebra of
 * boxes along the axes.
 *
 * Space    coordinates are float32 values, taken exactly, in the units of your scene.  Shapes are
 *          closed sets: touching counts.  Vectors are float[3], matrices float[16] in column-major
 *          order, like the arrays of cglm.
 * Fails    never.  A shape can be invalid, as the comment on each type says; an invalid shape meets
 *          nothing, contains nothing and is near nothing.
 * Threads  values and pure functions: safe to call from several threads at once, and in any
 *          floating-point environment.
 * Cost     constant time, except sl_aabb_of_points, which reads every point once; allocates
 *          nothing. */
#ifndef SIGHTLINE_SHAPES_H
#define SIGHTLINE_SHAPES_H

#include <sightline/base.h>

/* The points origin + t * dir for tmin <= t <= tmax, both ends included.  dir need not have unit
 * length; t is in units of dir.  tmax may be +inf, tmin may be -inf.  Invalid, and therefore a
 * miss: a NaN or an infinity in origin or dir, a NaN limit, tmin > tmax; against meshes also a zero
 * dir.  32 bytes. */
typedef struct sl_ray {
    float origin[3], tmin;
    float dir[3], tmax;
} sl_ray;

/* From p to q.  Its direction is the exact difference q - p; t runs from 0 at p to 1 at q.
 * Invalid: a coordinate that is not finite.  24 bytes. */
typedef struct sl_segment {
    float p[3], q[3];
} sl_segment;

/* The points point + t * dir for every t.  Invalid: a coordinate that is not finite. */
typedef struct sl_line {
    float point[3], dir[3];
} sl_line;

/* The front is the side from which v[0], v[1], v[2] run counter-clockwise.  A triangle of zero area
 * is the segment or point that its vertices make; a ray never hits it.  Invalid: a coordinate that
 * is not finite. */
typedef struct sl_triangle {
    float v[3][3];
} sl_triangle;

/* An axis-aligned box: the points x with min <= x <= max on every axis.  Where min > max on any
 * axis the box is empty: it contains no point.  A bound may be infinite: the box is unbounded on
 * that side.  24 bytes. */
typedef struct sl_aabb {
    float min[3], max[3];
} sl_aabb;

/* The points x with normal . x = offset; the front is where normal . x > offset.  normal need not
 * have unit length.  Invalid: a zero normal, or a value that is not finite. */
typedef struct sl_plane {
    float normal[3], offset;
} sl_plane;

/* A solid sphere; with a radius of 0 it is a point.  Invalid: a negative radius, or a value that is
 * not finite. */
typedef struct sl_sphere {
    float centre[3], radius;
} sl_sphere;

/* The points within radius of the segment from p to q.  With p == q it is a sphere, with a radius
 * of 0 a segment.  Invalid: a negative radius, or a value that is not finite. */
typedef struct sl_capsule {
    float p[3], q[3], radius;
} sl_capsule;

/* A box of any orientation: the points centre + a axis[0] + b axis[1] + c axis[2] with |a| <=
 * half[0], |b| <= half[1] and |c| <= half[2].  The axes are taken as given: usually they have unit
 * length and are perpendicular, but nothing depends on that, and a sheared box is a
 * parallelepiped.  A half or an axis of zero makes the box flat.  sl_obb_from_matrix (intersect.h)
 * makes one from a matrix.  Invalid: a negative half, or a value that is not finite. */
typedef struct sl_obb {
    float centre[3], axis[3][3], half[3];
} sl_obb;

/* The points that are behind or on each of count planes, whose normals point outwards.  It may be
 * unbounded, flat or empty; without planes it is all of space.  sl_camera_frustum (camera.h) makes
 * one from a camera.  Invalid: more than SL_FRUSTUM_PLANES_MAX planes, or an invalid plane. */
enum { SL_FRUSTUM_PLANES_MAX = 8 };
typedef struct sl_frustum {
    sl_plane plane[SL_FRUSTUM_PLANES_MAX];
    uint32_t count;
} sl_frustum;

/* ---- Where a ray or a segment hits a triangle ---- */

/* Bits of sl_hit.flags; all exact. */
enum {
    SL_HIT_BACK = 1,   /* the back was hit; clear: the front */
    SL_HIT_EDGE = 2,   /* on an edge of the triangle, vertices included */
    SL_HIT_VERTEX = 4, /* on a vertex */
};

/* u, v are the weights of vertices 1 and 2 (vertex 0 weighs 1 - u - v).  A miss is
 * prim == SL_NONE: t = +inf may be a hit whose t is beyond the float range.  24 bytes. */
typedef struct sl_hit {
    float t, u, v;
    uint32_t prim;     /* index of the triangle in its mesh; 0 from the single-triangle tests */
    uint32_t instance; /* 0 where there are no instances */
    uint32_t flags;    /* SL_HIT_... */
} sl_hit;

/* ---- Makers and checks ---- */

/* A ray with tmin 0 and tmax +inf. */
SL_API sl_ray sl_ray_make(const float origin[3], const float dir[3]);

/* False for what the comments on the types call invalid.  A ray or line with a zero dir is valid:
 * it is a point, except against a mesh. */
SL_API bool sl_ray_is_valid(const sl_ray *ray);
SL_API bool sl_segment_is_valid(const sl_segment *segment);
SL_API bool sl_line_is_valid(const sl_line *line);
SL_API bool sl_triangle_is_valid(const sl_triangle *triangle);
SL_API bool sl_plane_is_valid(const sl_plane *plane);
SL_API bool sl_sphere_is_valid(const sl_sphere *sphere);
SL_API bool sl_capsule_is_valid(const sl_capsule *capsule);
SL_API bool sl_obb_is_valid(const sl_obb *box);
SL_API bool sl_frustum_is_valid(const sl_frustum *frustum);

/* ---- Axis-aligned boxes: makers ---- */

/* The empty box that joining and growing start from: min +inf, max -inf. */
SL_API sl_aabb sl_aabb_empty(void);

/* The box between two opposite corners, given in any order.  A NaN gives the empty box. */
SL_API sl_aabb sl_aabb_from_corners(const float a[3], const float b[3]);

/* centre - size / 2 .. centre + size / 2, each bound rounded to the nearest float (infinite beyond
 * the largest).  The sign of size does not matter, so sizes from mirroring scales work.  A NaN
 * gives the empty box. */
SL_API sl_aabb sl_aabb_from_centre(const float centre[3], const float size[3]);

/* Whether the box contains no finite point; true for a box with a NaN. */
SL_API bool sl_aabb_is_empty(const sl_aabb *box);

/* Whether all six bounds are finite and the box is not empty. */
SL_API bool sl_aabb_is_valid(const sl_aabb *box);

/* ---- Axis-aligned boxes: algebra.  Every empty box counts as sl_aabb_empty(), and an empty result
 * is returned as sl_aabb_empty().  Results are exact unless a comment says otherwise. ---- */

SL_API sl_aabb sl_aabb_of_triangle(const sl_triangle *triangle);

/* xyz holds three floats for each of count points.  A point with a NaN is skipped. */
SL_API sl_aabb sl_aabb_of_points(const float *xyz, size_t count);

/* The smallest box around box and point; box itself if point has a NaN. */
SL_API sl_aabb sl_aabb_grow(const sl_aabb *box, const float point[3]);

/* The smallest box around both. */
SL_API sl_aabb sl_aabb_join(const sl_aabb *a, const sl_aabb *b);

/* The points that both have in common. */
SL_API sl_aabb sl_aabb_intersect(const sl_aabb *a, const sl_aabb *b);

/* False for a point with a NaN or an infinity. */
SL_API bool sl_aabb_contains_point(const sl_aabb *box, const float point[3]);

/* True for an empty inner box. */
SL_API bool sl_aabb_contains_box(const sl_aabb *outer, const sl_aabb *inner);

/* Centre, and size (max - min), each rounded to the nearest float, infinite beyond its range; the
 * area of all six faces, computed in double, infinite for an unbounded box.  Zeros for an empty
 * box. */
SL_API void sl_aabb_centre(const sl_aabb *box, float centre[3]);
SL_API void sl_aabb_size(const sl_aabb *box, float size[3]);
SL_API double sl_aabb_area(const sl_aabb *box);

/* The axis (0, 1 or 2) on which the box is longest, compared exactly; of equally long axes the
 * lowest. */
SL_API int sl_aabb_longest_axis(const sl_aabb *box);

#endif
