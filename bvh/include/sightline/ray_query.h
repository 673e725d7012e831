/* ray_query.h: what a ray or a segment meets: closest, any, all, next, count; one or an array.
 *
 * Rays and segments are asked the same questions under the same names; a segment's have _segment in
 * theirs, but for the any-hit question, which is sl_bvh_blocked.
 * Exact    hit or miss is what exact arithmetic on the given floats says; t, u and v are the exact
 *          values rounded to the nearest float.  Closest means the smallest t, of equal ones the
 *          lowest prim; lists are sorted by (t, prim).  Closed meshes do not leak.
 * Fails    never; an invalid ray or segment (shapes.h) is a miss, and so is one of zero length.
 * Threads  any number may query one tree at once; while a call runs, nothing else may write to its
 *          arrays.  Nothing is allocated; a call takes at most 48 KiB of stack, one about an array
 *          60 KiB.  Any floating-point environment of the caller's is fine.
 * Options  query may be NULL: every triangle counts (intersect.h).
 * Arrays   _many answers exactly what single calls would, in the order of the input; tasks may be
 *          NULL: the calling thread works alone.
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

/* The first hit that comes after previous in the order (t, prim), previous itself not included.
 * Start with sl_bvh_closest.  hit may be the same as previous, or NULL. */
SL_API bool sl_bvh_next(const sl_bvh *bvh, const sl_ray *ray, const sl_query *query,
                        const sl_hit *previous, sl_hit *hit);

/* How many triangles are hit; a hit on a shared edge is one for each triangle there. */
SL_API size_t sl_bvh_count(const sl_bvh *bvh, const sl_ray *ray, const sl_query *query);

/* Whether any triangle is hit between p and q.  Both ends belong to the segment unless
 * SL_OPEN_START or SL_OPEN_END says otherwise. */
SL_API bool sl_bvh_blocked(const sl_bvh *bvh, const sl_segment *segment, const sl_query *query);

/* The other questions, about a segment: t is 0 at p and 1 at q, and of a miss 1. */
SL_API bool sl_bvh_closest_segment(const sl_bvh *bvh, const sl_segment *segment,
                                   const sl_query *query, sl_hit *hit);
SL_API size_t sl_bvh_all_segment(const sl_bvh *bvh, const sl_segment *segment,
                                 const sl_query *query, sl_hit *hits, size_t capacity);
SL_API bool sl_bvh_next_segment(const sl_bvh *bvh, const sl_segment *segment, const sl_query *query,
                                const sl_hit *previous, sl_hit *hit);
SL_API size_t sl_bvh_count_segment(const sl_bvh *bvh, const sl_segment *segment,
                                   const sl_query *query);

/* Arrays of count rays: the answer to ray i goes to hits[i], counts[i], or as 1 or 0 to any[i].
 * Arrays for answers must not be NULL, except hits where capacity is 0, and hints. */
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

/* hints (or NULL) has one triangle for each segment.  In: the triangle to try first, any reference
 * at all.  Out: a triangle that blocks; unchanged where nothing does.  Kept from frame to frame it
 * saves most of the work; it never changes the answer.  Which blocker is named depends on the
 * tree. */
SL_API void sl_bvh_blocked_many(const sl_bvh *bvh, const sl_segment *segments, size_t count,
                                const sl_query *query, uint8_t *blocked, sl_triangle_ref *hints,
                                const sl_tasks *tasks);

/* The other questions, about arrays of segments. */
SL_API void sl_bvh_closest_segment_many(const sl_bvh *bvh, const sl_segment *segments, size_t count,
                                        const sl_query *query, sl_hit *hits, const sl_tasks *tasks);
SL_API void sl_bvh_count_segment_many(const sl_bvh *bvh, const sl_segment *segments, size_t count,
                                      const sl_query *query, uint64_t *counts,
                                      const sl_tasks *tasks);
SL_API void sl_bvh_all_segment_many(const sl_bvh *bvh, const sl_segment *segments, size_t count,
                                    const sl_query *query, sl_hit *hits, size_t capacity,
                                    uint64_t *totals, const sl_tasks *tasks);
SL_API void sl_bvh_next_segment_many(const sl_bvh *bvh, const sl_segment *segments, size_t count,
                                     const sl_query *query, const sl_hit *previous, sl_hit *hits,
                                     const sl_tasks *tasks);

/* From one point to many: the answers of sl_bvh_any_many for the rays from origin in each direction
 * (tmin 0, one tmax for all), and sl_bvh_blocked_many of the segments from origin to each target.
 * dirs and targets have three floats for each ray; a direction may have any length.  Neighbouring
 * rays share the triangles that block them, so this is faster the more rays there are and the
 * closer together they lie; their order does not matter.  Blocks of 4096 rays are sorted on the
 * stack of each thread that works on them. */
SL_API void sl_bvh_any_from(const sl_bvh *bvh, const float origin[3], const float *dirs,
                            size_t count, float tmax, const sl_query *query, uint8_t *any,
                            const sl_tasks *tasks);
SL_API void sl_bvh_blocked_from(const sl_bvh *bvh, const float origin[3], const float *targets,
                                size_t count, const sl_query *query, uint8_t *blocked,
                                const sl_tasks *tasks);

/* Where a hit lies on the surface. */
typedef struct sl_surface {
    float point[3];  /* each coordinate rounded by itself */
    float normal[3]; /* of unit length, on the triangle's front side */
    float error;     /* no coordinate of point is further than this from the exact hit */
    /* Next to point, strictly in front of and strictly behind the triangle's plane: a ray that
     * starts there does not meet this triangle by rounding.  Point itself where no float lies
     * beyond. */
    float front_origin[3];
    float back_origin[3];
} sl_surface;

/* From a hit on this tree; false (surface untouched) for a miss, a prim that is not there, weights
 * that are not finite, or a triangle of zero area, which no ray hits. */
SL_API bool sl_bvh_surface(const sl_bvh *bvh, const sl_hit *hit, sl_surface *surface);

#endif
