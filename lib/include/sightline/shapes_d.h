/* shapes_d.h: the shapes of shapes.h in doubles, for worlds of millions of metres.
 *
 * Numbers  as in ray_d.h: each is first taken to the nearest multiple of 2^-149, ties to even, and
 *          one larger than FLT_MAX makes a shape invalid.  So a shape of floats is the same one.
 * Space    closed sets, in the units of your scene; fields are those of the shapes in floats.
 * Callers  scene_volumes.h. */
#ifndef SIGHTLINE_SHAPES_D_H
#define SIGHTLINE_SHAPES_D_H

#include <sightline/ray_d.h>

/* Empty where min > max on any axis.  A bound may be infinite, and is so beyond FLT_MAX. */
typedef struct sl_aabb_d {
    double min[3], max[3];
} sl_aabb_d;

/* Invalid: a negative radius, or a number out of range. */
typedef struct sl_sphere_d {
    double centre[3], radius;
} sl_sphere_d;

/* The same. */
typedef struct sl_capsule_d {
    double p[3], q[3], radius;
} sl_capsule_d;

/* centre + a axis[0] + b axis[1] + c axis[2] with |a| <= half[0] and so on, the axes as given.
 * Invalid: a negative half, or a number out of range. */
typedef struct sl_obb_d {
    double centre[3], axis[3][3], half[3];
} sl_obb_d;

/* The points with normal . x = offset.  Invalid: a zero normal, or a number out of range. */
typedef struct sl_plane_d {
    double normal[3], offset;
} sl_plane_d;

/* What is behind or on each of count planes.  Invalid: more than SL_FRUSTUM_PLANES_MAX planes, or
 * an invalid plane. */
typedef struct sl_frustum_d {
    sl_plane_d plane[SL_FRUSTUM_PLANES_MAX];
    uint32_t count;
} sl_frustum_d;

#endif
