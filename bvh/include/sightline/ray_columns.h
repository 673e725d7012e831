/* ray_columns.h: rays, segments and hits in the caller's own layout: in structures of any kind, or
 * one array for each of their numbers.
 *
 * What ray_query.h says holds here too, and the answers have the same bits.  Numbers are gathered
 * into blocks on the stack and answers are scattered from there, which takes a little longer than
 * arrays of sl_ray and sl_hit. */
#ifndef SIGHTLINE_RAY_COLUMNS_H
#define SIGHTLINE_RAY_COLUMNS_H

#include <sightline/ray_query.h>

/* One float of each ray: the float of ray i is i * stride bytes after data, aligned or not.  A
 * stride of 0 is one float for all rays. */
typedef struct sl_strided {
    const void *data;
    size_t stride; /* in bytes */
} sl_strided;

typedef struct sl_ray_columns {
    sl_strided origin[3], dir[3];
    sl_strided tmin, tmax; /* data NULL: 0, infinity */
} sl_ray_columns;

/* Structures of stride bytes: pointers to the numbers of the first one; tmin and tmax may be NULL.
 * For arrays of float[3], stride is 12. */
SL_API sl_ray_columns sl_ray_columns_of_structs(const float origin[3], const float dir[3],
                                                const float *tmin, const float *tmax,
                                                size_t stride);

/* One array for each number: origin[0] has the x of all rays, and so on; tmin and tmax may be
 * NULL. */
SL_API sl_ray_columns sl_ray_columns_of_arrays(const float *const origin[3],
                                               const float *const dir[3], const float *tmin,
                                               const float *tmax);

/* One number of each hit, four bytes at i * stride bytes after data. */
typedef struct sl_strided_out {
    void *data;    /* NULL: not wanted */
    size_t stride; /* in bytes */
} sl_strided_out;

/* As in sl_hit: t, u and v are float, the others uint32_t.  Of a miss, t is tmax, prim is SL_NONE
 * and the others are 0. */
typedef struct sl_hit_columns {
    sl_strided_out t, u, v, prim, instance, flags;
} sl_hit_columns;

SL_API void sl_bvh_closest_columns(const sl_bvh *bvh, const sl_ray_columns *rays, size_t count,
                                   const sl_query *query, const sl_hit_columns *hits,
                                   const sl_tasks *tasks);
SL_API void sl_bvh_any_columns(const sl_bvh *bvh, const sl_ray_columns *rays, size_t count,
                               const sl_query *query, uint8_t *any, const sl_tasks *tasks);

typedef struct sl_segment_columns {
    sl_strided p[3], q[3];
} sl_segment_columns;

/* As for rays.  A stride of 0 for p means one start point for all segments (sl_bvh_blocked_from is
 * faster there). */
SL_API sl_segment_columns sl_segment_columns_of_structs(const float p[3], const float q[3],
                                                        size_t stride);
SL_API sl_segment_columns sl_segment_columns_of_arrays(const float *const p[3],
                                                       const float *const q[3]);

/* hints as in sl_bvh_blocked_many, or NULL. */
SL_API void sl_bvh_blocked_columns(const sl_bvh *bvh, const sl_segment_columns *segments,
                                   size_t count, const sl_query *query, uint8_t *blocked,
                                   sl_triangle_ref *hints, const sl_tasks *tasks);
SL_API void sl_bvh_closest_segment_columns(const sl_bvh *bvh, const sl_segment_columns *segments,
                                           size_t count, const sl_query *query,
                                           const sl_hit_columns *hits, const sl_tasks *tasks);

#endif
