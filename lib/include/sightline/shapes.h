/* shapes.h: the shapes that queries take and answer about.
 *
 * Space    coordinates are float32 values, taken exactly, in the units of your scene.  Shapes are
 *          closed sets: touching counts.  Vectors are float[3], matrices float[16] in column-major
 *          order, like the arrays of cglm.
 * Fails    never.  A shape can be invalid, as the comment on each type says; an invalid shape meets
 *          nothing, contains nothing and is near nothing.
 * Threads  pure functions: safe from several threads at once, in any floating-point environment.
 * Cost     constant time; allocates nothing. */
#ifndef SIGHTLINE_SHAPES_H
#define SIGHTLINE_SHAPES_H

#include <sightline/base.h>

/* The points origin + t * dir for tmin <= t <= tmax, both ends included; t is in units of dir, of
 * any length.  tmax may be +inf, tmin -inf.  Invalid, and therefore a miss: a NaN or an infinity in
 * origin or dir, a NaN limit, tmin > tmax; against meshes also a zero dir.  32 bytes. */
typedef struct sl_ray {
    float origin[3], tmin;
    float dir[3], tmax;
} sl_ray;

/* From p to q.  Its direction is the exact difference q - p; t runs from 0 at p to 1 at q.
 * Invalid: a coordinate that is not finite.  24 bytes. */
typedef struct sl_segment {
    float p[3], q[3];
} sl_segment;

/* A straight line, or a part of one: the points origin + t * (head - tail), the difference taken
 * exactly, for tmin <= t <= tmax, both ends included: what rays, segments and whole lines (tmin
 * -inf, tmax +inf) have in common for tests against single shapes (intersect.h) and with one
 * another (closest.h).  Where head == tail it is the point origin.  Invalid: a coordinate that is
 * not finite, a NaN limit, tmin > tmax, tmin == +inf, tmax == -inf. */
typedef struct sl_line {
    float origin[3], tail[3], head[3], tmin, tmax;
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
 * half[0], |b| <= half[1] and |c| <= half[2].  Axes are usually perpendicular and of unit length,
 * but nothing depends on that, and a sheared box is a parallelepiped.  A half or an axis of zero
 * makes it flat.  sl_obb_from_matrix (intersect.h) makes one from a matrix.  Invalid: a negative
 * half, or a value that is not finite. */
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

/* A shape of any of these kinds; it is solid. */
typedef enum sl_volume_kind {
    SL_VOLUME_AABB = 0,
    SL_VOLUME_SPHERE,
    SL_VOLUME_OBB,
    SL_VOLUME_CAPSULE,
    SL_VOLUME_FRUSTUM,
    SL_VOLUME_TRIANGLE,
    SL_VOLUME_HULL
} sl_volume_kind;

/* The convex hull of count points in the caller's memory, three numbers for each; it may be flat.
 * Invalid: no points, more than SL_HULL_POINTS_MAX, or a coordinate that is not finite. */
enum { SL_HULL_POINTS_MAX = 256 };
typedef struct sl_hull {
    const float *xyz;
    uint32_t count;
} sl_hull;

typedef struct sl_volume {
    sl_volume_kind kind;
    union {
        sl_aabb aabb;
        sl_sphere sphere;
        sl_obb obb;
        sl_capsule capsule;
        sl_frustum frustum;
        sl_triangle triangle;
        sl_hull hull;
    } shape;
} sl_volume;

/* ---- The same in doubles, for worlds of millions of metres.  Each number but a ray's limits is
 * first taken to the nearest multiple of 2^-149, ties to even; one larger than FLT_MAX makes a
 * shape invalid, but a bound of a box infinite.  So shapes have the range of floats and the digits
 * of doubles, and a shape of floats is the same one ---- */

typedef struct sl_ray_d {
    double origin[3], tmin; /* limits are any doubles, and are compared with the exact t */
    double dir[3], tmax;
} sl_ray_d;
typedef struct sl_segment_d {
    double p[3], q[3];
} sl_segment_d;
typedef struct sl_triangle_d {
    double v[3][3];
} sl_triangle_d;
typedef struct sl_aabb_d {
    double min[3], max[3];
} sl_aabb_d;
typedef struct sl_sphere_d {
    double centre[3], radius;
} sl_sphere_d;
typedef struct sl_capsule_d {
    double p[3], q[3], radius;
} sl_capsule_d;
typedef struct sl_obb_d {
    double centre[3], axis[3][3], half[3];
} sl_obb_d;
typedef struct sl_plane_d {
    double normal[3], offset;
} sl_plane_d;
typedef struct sl_frustum_d {
    sl_plane_d plane[SL_FRUSTUM_PLANES_MAX];
    uint32_t count;
} sl_frustum_d;
typedef struct sl_hull_d {
    const double *xyz;
    uint32_t count;
} sl_hull_d;

typedef struct sl_volume_d {
    sl_volume_kind kind;
    union {
        sl_aabb_d aabb;
        sl_sphere_d sphere;
        sl_obb_d obb;
        sl_capsule_d capsule;
        sl_frustum_d frustum;
        sl_triangle_d triangle;
        sl_hull_d hull;
    } shape;
} sl_volume_d;

/* ---- Makers, and what is valid ---- */

/* A ray with tmin 0 and tmax +inf. */
SL_API sl_ray sl_ray_make(const float origin[3], const float dir[3]);
SL_API sl_ray_d sl_ray_d_make(const double origin[3], const double dir[3]);
/* The same ray or segment in doubles: nothing is rounded. */
SL_API sl_ray_d sl_ray_d_from_ray(const sl_ray *ray);
SL_API sl_segment_d sl_segment_d_from_segment(const sl_segment *segment);
/* The points of a ray or a segment, with the same t. */
SL_API sl_line sl_line_of_ray(const sl_ray *ray);
SL_API sl_line sl_line_of_segment(const sl_segment *segment);

/* False for what the comments on the types call invalid, and for an empty box. */
SL_API bool sl_volume_is_valid(const sl_volume *volume);

/* The empty box that joining and growing start from: min +inf, max -inf. */
SL_API sl_aabb sl_aabb_empty(void);

/* The box between two opposite corners, given in any order.  A NaN gives the empty box. */
SL_API sl_aabb sl_aabb_from_corners(const float a[3], const float b[3]);

/* centre - |size| / 2 .. centre + |size| / 2 (so mirroring scales work), each bound rounded to the
 * nearest float, infinite beyond the largest.  A NaN gives the empty box. */
SL_API sl_aabb sl_aabb_from_centre(const float centre[3], const float size[3]);

/* Whether the box contains no finite point; true for a box with a NaN. */
SL_API bool sl_aabb_is_empty(const sl_aabb *box);

#endif
