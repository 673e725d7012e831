/* verify/ray_batch.c: answers a block of rays or segments, for cast, los and verify/ray.c.
 *
 * The calls of the library have the same shape for trees and scenes, rays and segments, floats and
 * doubles: ASK chooses among them. */
#include "tools/verify/ray_batch.h"

#include "tools/verify/scene_soup.h"

#include <math.h>
#include <stdlib.h>

const char *const ray_mode_words[] = { "closest", "any", "all", "count", NULL };

bool ray_batch_make(ray_batch *block, bool are_segments, bool doubles, size_t capacity,
                    size_t max_hits)
{
    const size_t hits = capacity * (max_hits > 0 ? max_hits : 1);
    *block = (ray_batch){
        .are_segments = are_segments, .doubles = doubles, .capacity = capacity, .max_hits = max_hits
    };
    bool made;
    if (doubles) {
        block->segments_d = are_segments ? calloc(capacity, sizeof *block->segments_d) : NULL;
        block->rays_d = are_segments ? NULL : calloc(capacity, sizeof *block->rays_d);
        block->hits_d = calloc(hits, sizeof *block->hits_d);
        made = (block->segments_d != NULL || block->rays_d != NULL) && block->hits_d != NULL;
    } else {
        block->segments = are_segments ? calloc(capacity, sizeof *block->segments) : NULL;
        block->rays = are_segments ? NULL : calloc(capacity, sizeof *block->rays);
        block->hits = calloc(hits, sizeof *block->hits);
        made = (block->segments != NULL || block->rays != NULL) && block->hits != NULL;
    }
    block->totals = calloc(capacity, sizeof *block->totals);
    block->yes = calloc(capacity, sizeof *block->yes);
    if (!made || block->totals == NULL || block->yes == NULL) {
        ray_batch_free(block);
        return false;
    }
    return true;
}

void ray_batch_free(ray_batch *block)
{
    free(block->rays);
    free(block->segments);
    free(block->hits);
    free(block->rays_d);
    free(block->segments_d);
    free(block->hits_d);
    free(block->totals);
    free(block->yes);
    *block = (ray_batch){ 0 };
}

static sl_hit_d widen(const sl_hit *hit)
{
    return (sl_hit_d){ .t = hit->t,
                       .u = hit->u,
                       .v = hit->v,
                       .prim = hit->prim,
                       .instance = hit->instance,
                       .flags = hit->flags };
}

static sl_hit narrow(const sl_hit_d *hit)
{
    return (sl_hit){ .t = (float)hit->t,
                     .u = hit->u,
                     .v = hit->v,
                     .prim = hit->prim,
                     .instance = hit->instance,
                     .flags = hit->flags };
}

sl_hit_d ray_batch_hit(const ray_batch *block, size_t i)
{
    return block->doubles ? block->hits_d[i] : widen(&block->hits[i]);
}

void ray_batch_set_hit(ray_batch *block, size_t i, const sl_hit_d *hit)
{
    if (block->doubles) {
        block->hits_d[i] = *hit;
    } else {
        block->hits[i] = narrow(hit);
    }
}

/* ---- one at a time ----------------------------------------------------------------------- */

/* In doubles: the call of a scene.  In floats: the same, or that of a tree. */
#define ASK_D(question, ...)                                                                       \
    (block->are_segments                                                                           \
         ? sl_scene_##question##_segment_d(target->scene, &block->segments_d[i], __VA_ARGS__)      \
         : sl_scene_##question##_d(target->scene, &block->rays_d[i], __VA_ARGS__))
#define ASK(question, ...)                                                                         \
    (target->scene != NULL                                                                         \
         ? (block->are_segments                                                                    \
                ? sl_scene_##question##_segment(target->scene, &block->segments[i], __VA_ARGS__)   \
                : sl_scene_##question(target->scene, &block->rays[i], __VA_ARGS__))                \
     : block->are_segments                                                                         \
         ? sl_bvh_##question##_segment(target->bvh, &block->segments[i], __VA_ARGS__)              \
         : sl_bvh_##question(target->bvh, &block->rays[i], __VA_ARGS__))

static size_t brute_scene(const query_target *target, const ray_batch *block, size_t i,
                          const sl_query *query, sl_hit_d *hits, size_t capacity)
{
    const bool floats = !block->doubles;
    if (block->are_segments) {
        const sl_segment_d segment =
            floats ? sl_segment_d_from_segment(&block->segments[i]) : block->segments_d[i];
        return scene_soup_all_segment(target->triangles, &segment, query, floats, hits, capacity);
    }
    const sl_ray_d ray = floats ? sl_ray_d_from_ray(&block->rays[i]) : block->rays_d[i];
    return scene_soup_all(target->triangles, &ray, query, floats, hits, capacity);
}

static void widen_all(sl_hit_d *to, const sl_hit *from, size_t total, size_t capacity)
{
    for (size_t k = 0; k < total && k < capacity; k++) {
        to[k] = widen(&from[k]);
    }
}

size_t ray_batch_brute(const query_target *target, const ray_batch *block, size_t i,
                       const sl_query *query, sl_hit_d *hits, size_t capacity)
{
    if (target->scene != NULL) {
        return brute_scene(target, block, i, query, hits, capacity);
    }
    sl_hit few[RAY_BATCH_FEW];
    const size_t most = capacity < RAY_BATCH_FEW ? capacity : RAY_BATCH_FEW;
    const size_t total =
        block->are_segments
            ? sl_soup_all_segment(&target->soup, &block->segments[i], query, few, most)
            : sl_soup_all(&target->soup, &block->rays[i], query, few, most);
    widen_all(hits, few, total, most);
    return total;
}

bool ray_batch_closest(const query_target *target, const ray_batch *block, size_t i,
                       const sl_query *query, sl_hit_d *hit)
{
    sl_hit single;
    if (block->doubles) {
        return ASK_D(closest, query, hit);
    }
    const bool found = ASK(closest, query, &single);
    *hit = widen(&single);
    return found;
}

bool ray_batch_any(const query_target *target, const ray_batch *block, size_t i,
                   const sl_query *query)
{
    if (block->doubles) {
        return block->are_segments ? sl_scene_blocked_d(target->scene, &block->segments_d[i], query)
                                   : sl_scene_any_d(target->scene, &block->rays_d[i], query);
    }
    if (target->scene != NULL) {
        return block->are_segments ? sl_scene_blocked(target->scene, &block->segments[i], query)
                                   : sl_scene_any(target->scene, &block->rays[i], query);
    }
    return block->are_segments ? sl_bvh_blocked(target->bvh, &block->segments[i], query)
                               : sl_bvh_any(target->bvh, &block->rays[i], query);
}

size_t ray_batch_all(const query_target *target, const ray_batch *block, size_t i,
                     const sl_query *query, sl_hit_d *hits, size_t capacity)
{
    sl_hit few[RAY_BATCH_FEW];
    if (block->doubles) {
        return ASK_D(all, query, hits, capacity);
    }
    const size_t most = capacity < RAY_BATCH_FEW ? capacity : RAY_BATCH_FEW;
    const size_t total = ASK(all, query, few, most);
    widen_all(hits, few, total, most);
    return total;
}

bool ray_batch_next(const query_target *target, const ray_batch *block, size_t i,
                    const sl_query *query, const sl_hit_d *previous, sl_hit_d *hit)
{
    if (block->doubles) {
        return ASK_D(next, query, previous, hit);
    }
    const sl_hit before = narrow(previous);
    sl_hit single;
    const bool found = ASK(next, query, &before, &single);
    *hit = widen(&single);
    return found;
}

size_t ray_batch_count(const query_target *target, const ray_batch *block, size_t i,
                       const sl_query *query)
{
    return block->doubles ? ASK_D(count, query) : ASK(count, query);
}

/* ---- a block ----------------------------------------------------------------------------- */

/* What a range of a block is asked one by one: brute force, and what has no batch of its own. */
typedef struct single_job {
    const query_target *target;
    ray_mode mode;
    bool brute;
    ray_batch *block;
} single_job;

static size_t brute_floats(const query_target *target, const ray_batch *block, size_t i,
                           sl_hit *hits, size_t capacity)
{
    return block->are_segments
               ? sl_soup_all_segment(&target->soup, &block->segments[i], &target->query, hits,
                                     capacity)
               : sl_soup_all(&target->soup, &block->rays[i], &target->query, hits, capacity);
}

/* All hits of a scene without its trees, in floats: the first of them by way of doubles. */
static size_t brute_scene_floats(const query_target *target, ray_batch *block, size_t i,
                                 size_t capacity)
{
    sl_hit_d few[RAY_BATCH_FEW];
    const size_t most = capacity < RAY_BATCH_FEW ? capacity : RAY_BATCH_FEW;
    const size_t total = brute_scene(target, block, i, &target->query, few, most);
    for (size_t k = 0; k < total && k < most; k++) {
        block->hits[i * capacity + k] = narrow(&few[k]);
    }
    return total;
}

static size_t ask_one(const single_job *asks, size_t i)
{
    const query_target *target = asks->target;
    ray_batch *block = asks->block;
    const size_t capacity = asks->mode == RAY_MODE_CLOSEST ? 1
                            : asks->mode == RAY_MODE_ALL   ? block->max_hits
                                                           : 0;
    const bool keeps = capacity > 0;
    const sl_query *query = &target->query;
    if (block->doubles) {
        sl_hit_d *hits = keeps ? block->hits_d + i * capacity : NULL;
        return asks->brute                  ? brute_scene(target, block, i, query, hits, capacity)
               : asks->mode == RAY_MODE_ALL ? ASK_D(all, query, hits, capacity)
                                            : ASK_D(count, query);
    }
    if (asks->brute && target->scene != NULL) {
        return brute_scene_floats(target, block, i, capacity);
    }
    sl_hit *hits = keeps ? block->hits + i * capacity : NULL;
    return asks->brute                  ? brute_floats(target, block, i, hits, capacity)
           : asks->mode == RAY_MODE_ALL ? ASK(all, query, hits, capacity)
                                        : ASK(count, query);
}

static void ask_range(void *context, size_t begin, size_t end, int worker)
{
    (void)worker;
    const single_job *asks = context;
    for (size_t i = begin; i < end; i++) {
        asks->block->totals[i] = ask_one(asks, i);
        asks->block->yes[i] = asks->block->totals[i] > 0;
    }
}

static void ask_rays(const query_target *target, ray_mode mode, ray_batch *block)
{
    const sl_query *query = &target->query;
    switch (mode) {
    case RAY_MODE_CLOSEST:
        sl_bvh_closest_many(target->bvh, block->rays, block->count, query, block->hits,
                            target->tasks);
        break;
    case RAY_MODE_ANY:
        sl_bvh_any_many(target->bvh, block->rays, block->count, query, block->yes, target->tasks);
        break;
    case RAY_MODE_ALL:
        sl_bvh_all_many(target->bvh, block->rays, block->count, query, block->hits, block->max_hits,
                        block->totals, target->tasks);
        break;
    case RAY_MODE_COUNT:
        sl_bvh_count_many(target->bvh, block->rays, block->count, query, block->totals,
                          target->tasks);
        break;
    }
}

/* Closest segments in doubles have no call for arrays. */
static void closest_range(void *context, size_t begin, size_t end, int worker)
{
    (void)worker;
    const single_job *asks = context;
    ray_batch *block = asks->block;
    for (size_t i = begin; i < end; i++) {
        (void)sl_scene_closest_segment_d(asks->target->scene, &block->segments_d[i],
                                         &asks->target->query, &block->hits_d[i]);
    }
}

/* Closest or any of a scene. */
static void ask_scene(const query_target *target, ray_mode mode, ray_batch *block)
{
    const sl_scene *scene = target->scene;
    const sl_query *query = &target->query;
    const size_t count = block->count;
    const bool any = mode == RAY_MODE_ANY;
    if (block->doubles && block->are_segments && !any) {
        single_job asks = { .target = target, .block = block };
        target->tasks->parallel_for(target->tasks->user, count, 64, closest_range, &asks);
    } else if (block->doubles && block->are_segments) {
        sl_scene_blocked_d_many(scene, block->segments_d, count, query, block->yes, NULL,
                                target->tasks);
    } else if (block->doubles && any) {
        sl_scene_any_d_many(scene, block->rays_d, count, query, block->yes, target->tasks);
    } else if (block->doubles) {
        sl_scene_closest_d_many(scene, block->rays_d, count, query, block->hits_d, target->tasks);
    } else if (block->are_segments && any) {
        sl_scene_blocked_many(scene, block->segments, count, query, block->yes, NULL,
                              target->tasks);
    } else if (block->are_segments) {
        sl_scene_closest_segment_many(scene, block->segments, count, query, block->hits,
                                      target->tasks);
    } else if (any) {
        sl_scene_any_many(scene, block->rays, count, query, block->yes, target->tasks);
    } else {
        sl_scene_closest_many(scene, block->rays, count, query, block->hits, target->tasks);
    }
}

static void clear_hits(ray_batch *block, size_t capacity)
{
    const sl_hit_d miss = { .t = INFINITY, .prim = SL_NONE, .instance = SL_NONE };
    for (size_t i = 0; i < block->count * capacity; i++) {
        ray_batch_set_hit(block, i, &miss);
    }
}

/* A miss has the same bits from the tree and from brute force. */
static void clear_misses(ray_batch *block)
{
    const sl_hit_d miss = { .t = INFINITY, .prim = SL_NONE, .instance = SL_NONE };
    for (size_t i = 0; i < block->count; i++) {
        if (ray_batch_hit(block, i).prim == SL_NONE) {
            ray_batch_set_hit(block, i, &miss);
        }
    }
}

void ray_batch_answer(const query_target *target, ray_mode mode, bool brute, ray_batch *block)
{
    const bool is_list = mode == RAY_MODE_ALL || mode == RAY_MODE_COUNT;
    if (mode == RAY_MODE_CLOSEST || mode == RAY_MODE_ALL) {
        clear_hits(block, mode == RAY_MODE_CLOSEST ? 1 : block->max_hits);
    }
    if (brute || (is_list && (block->are_segments || target->scene != NULL))) {
        single_job asks = { target, mode, brute, block };
        target->tasks->parallel_for(target->tasks->user, block->count, brute ? 1 : 64, ask_range,
                                    &asks);
    } else if (target->scene != NULL) {
        ask_scene(target, mode, block);
    } else if (!block->are_segments) {
        ask_rays(target, mode, block);
    } else if (mode == RAY_MODE_ANY) {
        sl_bvh_blocked_many(target->bvh, block->segments, block->count, &target->query, block->yes,
                            NULL, target->tasks);
    } else {
        sl_bvh_closest_segment_many(target->bvh, block->segments, block->count, &target->query,
                                    block->hits, target->tasks);
    }
    if (mode == RAY_MODE_CLOSEST) {
        clear_misses(block);
    }
}
