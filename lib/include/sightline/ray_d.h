/* ray_d.h: rays, segments, triangles and hits in doubles, for worlds of millions of metres.
 *
 * Numbers  each coordinate is first taken to the nearest multiple of 2^-149, ties to even, and
 *          what is larger than FLT_MAX is invalid: they have the range of floats and the digits
 *          of doubles.  Limits are any doubles, and are compared with the exact t.
 * Exact    hit or miss is decided as by exact arithmetic on these numbers; t is the exact value
 *          rounded to the nearest double, u and v to the nearest float (ties to even, a zero is
 *          +0).  A t beyond the range of floats is a number as any other.
 * Fails    never; an invalid ray, segment or triangle is a miss.
 * Threads  pure functions: safe to call from several threads at once, and in any floating-point
 *          environment.
 * Cost     constant time, in doubles unless they cannot decide; allocates nothing. */
#ifndef SIGHTLINE_RAY_D_H
#define SIGHTLINE_RAY_D_H

#include <sightline/intersect.h>

/* As sl_ray: the points origin + t * dir for tmin <= t <= tmax.  Invalid, and therefore a miss:
 * a coordinate that is not finite or larger than FLT_MAX, a NaN limit, tmin > tmax, a dir that
 * is zero (once its numbers are taken to multiples of 2^-149).  64 bytes. */
typedef struct sl_ray_d {
    double origin[3], tmin;
    double dir[3], tmax;
} sl_ray_d;

/* As sl_segment: from p to q, t from 0 to 1; the direction is the exact difference.  48 bytes. */
typedef struct sl_segment_d {
    double p[3], q[3];
} sl_segment_d;

/* As sl_triangle: a triangle of the world, as sl_place_corner makes them.  72 bytes. */
typedef struct sl_triangle_d {
    double v[3][3];
} sl_triangle_d;

/* As sl_hit, with t as a double.  32 bytes. */
typedef struct sl_hit_d {
    double t;
    float u, v;
    uint32_t prim;
    uint32_t instance;
    uint32_t flags;    /* SL_HIT_... */
    uint32_t reserved; /* 0: what a struct that holds a double has to have here anyway */
} sl_hit_d;

/* A ray with tmin 0 and tmax +inf. */
SL_API sl_ray_d sl_ray_d_make(const double origin[3], const double dir[3]);

/* The same ray or segment in doubles: nothing is rounded. */
SL_API sl_ray_d sl_ray_d_from_ray(const sl_ray *ray);
SL_API sl_segment_d sl_segment_d_from_segment(const sl_segment *segment);

/* False for a coordinate that is not finite or larger than FLT_MAX, and for limits as above.  A ray
 * with a zero dir is valid: it is a point, except against a mesh. */
SL_API bool sl_ray_d_is_valid(const sl_ray_d *ray);
SL_API bool sl_segment_d_is_valid(const sl_segment_d *segment);
SL_API bool sl_triangle_d_is_valid(const sl_triangle_d *triangle);

/* One ray, or one segment, against one triangle.  Of the options, flags and cull are used.  hit may
 * be NULL; on a miss its prim is SL_NONE. */
SL_API bool sl_ray_d_triangle(const sl_ray_d *ray, const sl_triangle_d *triangle,
                              const sl_options *options, sl_hit_d *hit);
SL_API bool sl_segment_d_triangle(const sl_segment_d *segment, const sl_triangle_d *triangle,
                                  const sl_options *options, sl_hit_d *hit);

#endif
