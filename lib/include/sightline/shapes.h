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

/* The closed box min .. max.  Empty when min > max on some axis; the makers below never give a
 * partly inverted box.  24 bytes. */
typedef struct sl_aabb {
    float min[3], max[3];
} sl_aabb;

SL_API sl_ray sl_ray_make(const float origin[3], const float dir[3]); /* tmin 0, tmax +inf */

/* Valid as the comment on sl_ray says, zero dir allowed (a point) unless against a mesh. */
SL_API bool sl_ray_is_valid(const sl_ray *ray);
SL_API bool sl_segment_is_valid(const sl_segment *segment); /* all six finite */

#endif
