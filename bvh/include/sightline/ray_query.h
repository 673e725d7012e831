/* ray_query.h: what a ray or a segment meets: closest, any, all, next, count; one or an array.
 *
 * Exact    hit or miss is what exact arithmetic on the given floats says; t, u and v are the exact
 *          values rounded to the nearest float.  Closest means the smallest t, of equal ones the
 *          lowest prim; lists are sorted by (t, prim).  Closed meshes do not leak.
 * Fails    never; an invalid ray (shapes.h) is a miss, and so is a ray of zero length.
 * Threads  any number may query one tree at once; the arrays of one call must not be written by
 *          anybody else meanwhile.  Nothing is allocated; of the stack 48 KiB are taken at most,
 *          by the _from calls 60.  Any floating-point environment of the caller's is fine.
 * Options  query may be NULL: everything counts (intersect.h).
 * Batches  _many answers exactly what single calls would, in the order of the input; tasks may be
 *          NULL.
 * Cost     sl_stats says what a query took; all and count grow with the number of hits. */
#ifndef SIGHTLINE_RAY_QUERY_H
#define SIGHTLINE_RAY_QUERY_H

#include <sightline/bvh.h>
#include <sightline/intersect.h>

/* The closest hit.  hit may be NULL; on a miss hit->prim is SL_NONE and t is tmax. */
SL_API bool sl_bvh_closest(const sl_bvh *bvh, const sl_ray *ray, const sl_query *query,
                           sl_hit *hit);

/* Whether there is a hit at all. */
SL_API bool sl_bvh_any(const sl_bvh *bvh, const sl_ray *ray, const sl_query *query);

/* The capacity nearest hits, sorted; returns how many there are in all, which may be more. */
SL_API size_t sl_bvh_all(const sl_bvh *bvh, const sl_ray *ray, const sl_query *query, sl_hit *hits,
                         size_t capacity);

/* The first hit that comes after previous in the order (t, instance, prim), previous itself not
 * included.  Start with sl_bvh_closest.  hit may be the same as previous, or NULL. */
SL_API bool sl_bvh_next(const sl_bvh *bvh, const sl_ray *ray, const sl_query *query,
                        const sl_hit *previous, sl_hit *hit);

/* How many triangles are hit; a hit on a shared edge is one for each triangle there. */
SL_API size_t sl_bvh_count(const sl_bvh *bvh, const sl_ray *ray, const sl_query *query);

/* Whether something is between p and q (ends closed unless SL_OPEN_START, SL_OPEN_END say
 * otherwise); the blocker, if asked for, is the closest one. */
SL_API bool sl_bvh_blocked(const sl_bvh *bvh, const sl_segment *segment, const sl_query *query,
                           sl_hit *closest_or_null);

/* Segments ask the same questions. */
SL_API size_t sl_bvh_all_segment(const sl_bvh *bvh, const sl_segment *segment,
                                 const sl_query *query, sl_hit *hits, size_t capacity);
SL_API bool sl_bvh_next_segment(const sl_bvh *bvh, const sl_segment *segment, const sl_query *query,
                                const sl_hit *previous, sl_hit *hit);
SL_API size_t sl_bvh_count_segment(const sl_bvh *bvh, const sl_segment *segment,
                                   const sl_query *query);

/* Arrays of count rays or segments.  Single answers go to hits[i]; any and blocked write 1 or 0. */
SL_API void sl_bvh_closest_many(const sl_bvh *bvh, const sl_ray *rays, size_t count,
                                const sl_query *query, sl_hit *hits, const sl_tasks *tasks);
SL_API void sl_bvh_any_many(const sl_bvh *bvh, const sl_ray *rays, size_t count,
                            const sl_query *query, uint8_t *any, const sl_tasks *tasks);
SL_API void sl_bvh_count_many(const sl_bvh *bvh, const sl_ray *rays, size_t count,
                              const sl_query *query, uint64_t *counts, const sl_tasks *tasks);

/* Row i of hits starts at hits + i * capacity and holds min(totals[i], capacity) hits. */
SL_API void sl_bvh_all_many(const sl_bvh *bvh, const sl_ray *rays, size_t count,
                            const sl_query *query, sl_hit *hits, size_t capacity, uint64_t *totals,
                            const sl_tasks *tasks);

/* hits[i] from previous[i]; the two arrays may be the same.  A previous miss stays a miss. */
SL_API void sl_bvh_next_many(const sl_bvh *bvh, const sl_ray *rays, size_t count,
                             const sl_query *query, const sl_hit *previous, sl_hit *hits,
                             const sl_tasks *tasks);

/* hint (or NULL): one triangle for each segment; in: whom to try first (SL_NONE: nobody), out: one
 * that blocks, unchanged where nothing does.  Never changes the answer. */
SL_API void sl_bvh_blocked_many(const sl_bvh *bvh, const sl_segment *segments, size_t count,
                                const sl_query *query, uint8_t *blocked, uint32_t *hint,
                                const sl_tasks *tasks);

/* The closest blocker of each segment. */
SL_API void sl_bvh_closest_segment_many(const sl_bvh *bvh, const sl_segment *segments, size_t count,
                                        const sl_query *query, sl_hit *hits, const sl_tasks *tasks);

/* From one point to many: what any_many says of the rays from origin in each direction (three
 * floats, of any length; tmin 0), and blocked_many of the segments from eye to each target (three
 * floats). Neighbours share what blocks them, so this is faster, the more, the denser they are; the
 * order of the input does not matter.  Blocks of 4096 are sorted on the stack of each
 * thread that works on them, which takes up to 60 KiB there. */
SL_API void sl_bvh_any_from(const sl_bvh *bvh, const float origin[3], const float *dirs,
                            size_t count, float tmax, const sl_query *query, uint8_t *any,
                            const sl_tasks *tasks);
SL_API void sl_bvh_blocked_from(const sl_bvh *bvh, const float eye[3], const float *targets,
                                size_t count, const sl_query *query, uint8_t *blocked,
                                const sl_tasks *tasks);

/* Where a hit lies on the surface. */
typedef struct sl_surface {
    float point[3];
    float normal[3];       /* of unit length, on the triangle's front side */
    float error;           /* no coordinate of point is further than this from the exact hit */
    float front_origin[3]; /* next to point, strictly on the front of the triangle's plane: a ray */
    float back_origin[3];  /* from here does not meet this triangle by rounding; behind, likewise
                            * (point itself where there is no float beyond the plane) */
} sl_surface;

/* From a hit on this tree; false (surface untouched) for a miss, a prim that is not there, weights
 * that are not finite, or a triangle of zero area, which no ray hits. */
SL_API bool sl_bvh_surface(const sl_bvh *bvh, const sl_hit *hit, sl_surface *surface);

#endif
