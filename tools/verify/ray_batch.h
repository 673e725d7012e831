/* verify/ray_batch.h: one question put to a block of rays or segments, in floats or in doubles, to
 * a tree, to a scene or to every triangle. */
#ifndef TOOLS_VERIFY_RAY_BATCH_H
#define TOOLS_VERIFY_RAY_BATCH_H

#include <sightline/ray_query.h>
#include <sightline/scene.h>

typedef enum ray_mode { RAY_MODE_CLOSEST, RAY_MODE_ANY, RAY_MODE_ALL, RAY_MODE_COUNT } ray_mode;

extern const char *const ray_mode_words[]; /* in the order of ray_mode; ends with NULL */

/* The tree, scene or triangles that are asked, and the options of the query. */
typedef struct query_target {
    const sl_bvh *bvh;
    const sl_scene *scene; /* where it is not NULL, instead of the tree; needed for doubles */
    sl_soup soup;          /* the same triangles, for brute force */
    const struct scene_soup *triangles; /* verify/scene_soup.h: those of the scene */
    sl_query query;
    const sl_tasks *tasks;
} query_target;

/* Rays or segments, and places for the answers: hits has max_hits places for each of them (one for
 * RAY_MODE_CLOSEST), yes and totals one. */
typedef struct ray_batch {
    bool are_segments;
    bool doubles; /* ..._d are used instead of those without */
    size_t count, capacity;
    size_t max_hits;
    sl_ray *rays;
    sl_segment *segments;
    sl_hit *hits;
    sl_ray_d *rays_d;
    sl_segment_d *segments_d;
    sl_hit_d *hits_d;
    uint64_t *totals;
    uint8_t *yes;
} ray_batch;

enum { RAY_BATCH_FEW = 64 }; /* the most that ray_batch_all and _brute keep */

/* From malloc; false when there is no more. */
bool ray_batch_make(ray_batch *block, bool are_segments, bool doubles, size_t capacity,
                    size_t max_hits);
void ray_batch_free(ray_batch *block); /* a zeroed one is fine */

/* Hit number i of the block, floats as doubles. */
sl_hit_d ray_batch_hit(const ray_batch *block, size_t i);
void ray_batch_set_hit(ray_batch *block, size_t i, const sl_hit_d *hit);

/* Answers the whole block, in parallel: hits (a miss has prim SL_NONE and t +inf), totals or yes.
 * brute: without the tree. */
void ray_batch_answer(const query_target *target, ray_mode mode, bool brute, ray_batch *block);

/* One ray or segment of a block, with other options than the target's. */
size_t ray_batch_brute(const query_target *target, const ray_batch *block, size_t i,
                       const sl_query *query, sl_hit_d *hits, size_t capacity);
bool ray_batch_closest(const query_target *target, const ray_batch *block, size_t i,
                       const sl_query *query, sl_hit_d *hit);
bool ray_batch_any(const query_target *target, const ray_batch *block, size_t i,
                   const sl_query *query);
size_t ray_batch_all(const query_target *target, const ray_batch *block, size_t i,
                     const sl_query *query, sl_hit_d *hits, size_t capacity);
bool ray_batch_next(const query_target *target, const ray_batch *block, size_t i,
                    const sl_query *query, const sl_hit_d *previous, sl_hit_d *hit);
size_t ray_batch_count(const query_target *target, const ray_batch *block, size_t i,
                       const sl_query *query);

#endif
