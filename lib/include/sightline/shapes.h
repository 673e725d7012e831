/* shapes.h: the shapes that everything else speaks of.
 *
 * Space    all coordinates are float32 values taken exactly; shapes are closed sets, so touching
 *          counts.  Vectors are float[3], matrices float[16] column-major, as cglm has them.
 * Threads  values and pure functions. */
#ifndef SIGHTLINE_SHAPES_H
#define SIGHTLINE_SHAPES_H

#include <sightline/base.h>

/* origin + t * dir for tmin <= t <= tmax, both ends included.  dir need not be of unit length; t is
 * in units of dir.  tmax may be +inf, tmin -inf.  Invalid, and so a miss everywhere: a NaN or
 * infinity in origin or dir, a NaN limit, tmin > tmax, and against meshes a zero dir.  32 bytes. */
typedef struct sl_ray {
    float origin[3], tmin;
    float dir[3], tmax;
} sl_ray;

/* p to q; its direction is q - p taken exactly, t runs from 0 at p to 1 at q.  24 bytes. */
typedef struct sl_segment {
    float p[3], q[3];
} sl_segment;

/* point + t * dir for every t. */
typedef struct sl_line {
    float point[3], dir[3];
} sl_line;

/* Seen from the front, v[0], v[1], v[2] run counter-clockwise. */
typedef struct sl_triangle {
    float v[3][3];
} sl_triangle;

/* The closed box min .. max.  It holds no point, is empty, where min > max on some axis; the makers
 * below never give a partly inverted box.  A bound may be infinite: no limit on that side.
 * 24 bytes. */
typedef struct sl_aabb {
    float min[3], max[3];
} sl_aabb;

/* The points x with normal . x = offset; in front of it, normal . x > offset.  normal need not be of
 * unit length.  Invalid: a zero normal, or anything that is not finite. */
typedef struct sl_plane {
    float normal[3], offset;
} sl_plane;

/* Invalid, and so met by nothing: a negative radius, or anything that is not finite.  A radius of 0 is a point. */
typedef struct sl_sphere {
    float centre[3], radius;
} sl_sphere;

/* Every point within radius of the segment p, q; invalid as a sphere is. */
typedef struct sl_capsule {
    float p[3], q[3], radius;
} sl_capsule;

/* The points centre + a axis[0] + b axis[1] + c axis[2] with |a| <= half[0], |b| <= half[1],
 * |c| <= half[2].  The axes are taken as the floats they are: usually of unit length and at right
 * angles, but nothing depends on it (a sheared box is a parallelepiped); a zero half, or a zero
 * axis, is a flat box.  Of a matrix: sl_obb_from_matrix (intersect.h).  Invalid: a negative half, or
 * anything that is not finite. */
typedef struct sl_obb {
    float centre[3], axis[3][3], half[3];
} sl_obb;

/* What lies behind or on every one of count planes (their normals point outwards).  At most 8.  It
 * may be unbounded, flat, or hold no point; without planes it is all of space.  Of a camera:
 * sl_camera_frustum (camera.h).  Invalid: more than 8 planes, or one of them invalid. */
enum { SL_FRUSTUM_PLANES_MAX = 8 };
typedef struct sl_frustum {
    sl_plane plane[SL_FRUSTUM_PLANES_MAX];
    uint32_t count;
} sl_frustum;

SL_API sl_ray sl_ray_make(const float origin[3], const float dir[3]); /* tmin 0, tmax +inf */

/* Valid as the comment on sl_ray says, zero dir allowed (a point) unless against a mesh. */
SL_API bool sl_ray_is_valid(const sl_ray *ray);
SL_API bool sl_segment_is_valid(const sl_segment *segment); /* all six finite */
SL_API bool sl_line_is_valid(const sl_line *line);          /* all six finite; zero dir: a point */
SL_API bool sl_triangle_is_valid(const sl_triangle *triangle); /* all nine finite */
SL_API bool sl_plane_is_valid(const sl_plane *plane);
SL_API bool sl_sphere_is_valid(const sl_sphere *sphere);
SL_API bool sl_capsule_is_valid(const sl_capsule *capsule);
SL_API bool sl_obb_is_valid(const sl_obb *box);
SL_API bool sl_frustum_is_valid(const sl_frustum *frustum);

/* Boxes, whichever form they come in.  A NaN gives the empty box. */
SL_API sl_aabb sl_aabb_empty(void); /* min +inf, max -inf: what join and grow start from */
SL_API sl_aabb sl_aabb_from_corners(const float a[3], const float b[3]); /* in any order */

/* centre - size/2 .. centre + size/2, each bound rounded to the nearest float (and infinite beyond
 * the largest).  A negative size, as mirroring scales give, means the same as a positive one. */
SL_API sl_aabb sl_aabb_from_centre(const float centre[3], const float size[3]);

SL_API bool sl_aabb_is_empty(const sl_aabb *box); /* holds no (finite) point; so does a NaN box */
SL_API bool sl_aabb_is_valid(const sl_aabb *box); /* all six finite, and not empty */

/* Algebra.  Every empty box, whatever its bounds, is treated as the one of sl_aabb_empty, which is
 * also what comes back.  Results are exact unless said otherwise. */
SL_API sl_aabb sl_aabb_of_triangle(const sl_triangle *triangle);
SL_API sl_aabb sl_aabb_of_points(const float *xyz, size_t count);      /* three each */
SL_API sl_aabb sl_aabb_grow(const sl_aabb *box, const float point[3]); /* NaN: as it is */
SL_API sl_aabb sl_aabb_join(const sl_aabb *a, const sl_aabb *b); /* the smallest box around both */
SL_API sl_aabb sl_aabb_intersect(const sl_aabb *a, const sl_aabb *b); /* what both share */
SL_API bool sl_aabb_contains_point(const sl_aabb *box, const float point[3]);
SL_API bool sl_aabb_contains_box(const sl_aabb *outer, const sl_aabb *inner); /* empty inner: yes */

/* The next three give zeros for an empty box; a number beyond the float range is infinite. */
SL_API void sl_aabb_centre(const sl_aabb *box, float centre[3]); /* rounded to nearest */
SL_API void sl_aabb_size(const sl_aabb *box, float size[3]);     /* max - min, rounded to nearest */
SL_API double sl_aabb_area(const sl_aabb *box);                  /* of all six faces, in double */

/* 0, 1 or 2: where the box is longest, by exact comparison; of equal axes the lowest. */
SL_API int sl_aabb_longest_axis(const sl_aabb *box);

#endif
