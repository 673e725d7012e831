/* verify/ray_batch.h: one question put to a block of rays or segments, to the tree or to every
 * triangle. */
#ifndef TOOLS_VERIFY_RAY_BATCH_H
#define TOOLS_VERIFY_RAY_BATCH_H

#include <sightline/ray_query.h>

typedef enum ray_mode { RAY_MODE_CLOSEST, RAY_MODE_ANY, RAY_MODE_ALL, RAY_MODE_COUNT } ray_mode;

extern const char *const ray_mode_words[]; /* in the order of ray_mode; ends with NULL */

/* The tree or the triangles that are asked, and the options of the query. */
typedef struct query_target {
    const sl_bvh *bvh;
    sl_soup soup; /* the same triangles, for brute force */
    sl_query query;
    const sl_tasks *tasks;
} query_target;

/* Rays or segments, and places for the answers: hits has max_hits places for each of them (one for
 * RAY_MODE_CLOSEST), yes and totals one. */
typedef struct ray_batch {
    bool are_segments;
    size_t count, capacity;
    size_t max_hits;
    sl_ray *rays;
    sl_segment *segments;
    sl_hit *hits;
    uint64_t *totals;
    uint8_t *yes;
} ray_batch;

/* From malloc; false when there is no more. */
bool ray_batch_make(ray_batch *block, bool are_segments, size_t capacity, size_t max_hits);
void ray_batch_free(ray_batch *block); /* a zeroed one is fine */

/* Answers the whole block, in parallel: hits (a miss has prim SL_NONE and t +inf), totals or yes.
 * brute: without the tree. */
void ray_batch_answer(const query_target *target, ray_mode mode, bool brute, ray_batch *block);

/* One ray or segment of a block, with other options than the target's. */
size_t ray_batch_brute(const query_target *target, const ray_batch *block, size_t i,
                       const sl_query *query, sl_hit *hits, size_t capacity);
bool ray_batch_closest(const query_target *target, const ray_batch *block, size_t i,
                       const sl_query *query, sl_hit *hit);
bool ray_batch_any(const query_target *target, const ray_batch *block, size_t i,
                   const sl_query *query);
size_t ray_batch_all(const query_target *target, const ray_batch *block, size_t i,
                     const sl_query *query, sl_hit *hits, size_t capacity);
bool ray_batch_next(const query_target *target, const ray_batch *block, size_t i,
                    const sl_query *query, const sl_hit *previous, sl_hit *hit);
size_t ray_batch_count(const query_target *target, const ray_batch *block, size_t i,
                       const sl_query *query);

#endif
