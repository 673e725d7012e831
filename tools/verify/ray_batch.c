/* verify/ray_batch.c: answers a block of rays or segments, for cast, los and verify/ray.c. */
#include "tools/verify/ray_batch.h"

#include <math.h>
#include <stdlib.h>

const char *const ray_mode_words[] = { "closest", "any", "all", "count", NULL };

bool ray_batch_make(ray_batch *block, bool are_segments, size_t capacity, size_t max_hits)
{
    *block =
        (ray_batch){ .are_segments = are_segments, .capacity = capacity, .max_hits = max_hits };
    if (are_segments) {
        block->segments = calloc(capacity, sizeof *block->segments);
    } else {
        block->rays = calloc(capacity, sizeof *block->rays);
    }
    block->hits = calloc(capacity, sizeof *block->hits * (max_hits > 0 ? max_hits : 1));
    block->totals = calloc(capacity, sizeof *block->totals);
    block->yes = calloc(capacity, sizeof *block->yes);
    if ((block->segments == NULL && block->rays == NULL) || block->hits == NULL ||
        block->totals == NULL || block->yes == NULL) {
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
    free(block->totals);
    free(block->yes);
    *block = (ray_batch){ 0 };
}

size_t ray_batch_brute(const query_target *target, const ray_batch *block, size_t i,
                       const sl_query *query, sl_hit *hits, size_t capacity)
{
    return block->are_segments
               ? sl_soup_all_segment(&target->soup, &block->segments[i], query, hits, capacity)
               : sl_soup_all(&target->soup, &block->rays[i], query, hits, capacity);
}

bool ray_batch_closest(const query_target *target, const ray_batch *block, size_t i,
                       const sl_query *query, sl_hit *hit)
{
    return block->are_segments
               ? sl_bvh_closest_segment(target->bvh, &block->segments[i], query, hit)
               : sl_bvh_closest(target->bvh, &block->rays[i], query, hit);
}

bool ray_batch_any(const query_target *target, const ray_batch *block, size_t i,
                   const sl_query *query)
{
    return block->are_segments ? sl_bvh_blocked(target->bvh, &block->segments[i], query)
                               : sl_bvh_any(target->bvh, &block->rays[i], query);
}

size_t ray_batch_all(const query_target *target, const ray_batch *block, size_t i,
                     const sl_query *query, sl_hit *hits, size_t capacity)
{
    return block->are_segments
               ? sl_bvh_all_segment(target->bvh, &block->segments[i], query, hits, capacity)
               : sl_bvh_all(target->bvh, &block->rays[i], query, hits, capacity);
}

bool ray_batch_next(const query_target *target, const ray_batch *block, size_t i,
                    const sl_query *query, const sl_hit *previous, sl_hit *hit)
{
    return block->are_segments
               ? sl_bvh_next_segment(target->bvh, &block->segments[i], query, previous, hit)
               : sl_bvh_next(target->bvh, &block->rays[i], query, previous, hit);
}

size_t ray_batch_count(const query_target *target, const ray_batch *block, size_t i,
                       const sl_query *query)
{
    return block->are_segments ? sl_bvh_count_segment(target->bvh, &block->segments[i], query)
                               : sl_bvh_count(target->bvh, &block->rays[i], query);
}

/* What a range of a block is asked one by one: brute force, and what has no batch of its own. */
typedef struct single_job {
    const query_target *target;
    ray_mode mode;
    bool brute;
    ray_batch *block;
} single_job;

static void ask_range(void *context, size_t begin, size_t end, int worker)
{
    (void)worker;
    const single_job *asks = context;
    const query_target *target = asks->target;
    ray_batch *block = asks->block;
    for (size_t i = begin; i < end; i++) {
        const size_t capacity = asks->mode == RAY_MODE_CLOSEST ? 1
                                : asks->mode == RAY_MODE_ALL   ? block->max_hits
                                                               : 0;
        sl_hit *hits = capacity > 0 ? block->hits + i * capacity : NULL;
        block->totals[i] = asks->brute
                               ? ray_batch_brute(target, block, i, &target->query, hits, capacity)
                           : asks->mode == RAY_MODE_ALL
                               ? ray_batch_all(target, block, i, &target->query, hits, capacity)
                               : ray_batch_count(target, block, i, &target->query);
        block->yes[i] = block->totals[i] > 0;
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

static void clear_hits(ray_batch *block, size_t capacity)
{
    const sl_hit miss = { .t = INFINITY, .prim = SL_NONE, .instance = SL_NONE };
    for (size_t i = 0; i < block->count * capacity; i++) {
        block->hits[i] = miss;
    }
}

/* A miss has the same bits from the tree and from brute force. */
static void clear_misses(ray_batch *block)
{
    for (size_t i = 0; i < block->count; i++) {
        if (block->hits[i].prim == SL_NONE) {
            block->hits[i] = (sl_hit){ .t = INFINITY, .prim = SL_NONE, .instance = SL_NONE };
        }
    }
}

void ray_batch_answer(const query_target *target, ray_mode mode, bool brute, ray_batch *block)
{
    if (mode == RAY_MODE_CLOSEST || mode == RAY_MODE_ALL) {
        clear_hits(block, mode == RAY_MODE_CLOSEST ? 1 : block->max_hits);
    }
    const bool one_by_one =
        brute || (block->are_segments && (mode == RAY_MODE_ALL || mode == RAY_MODE_COUNT));
    if (one_by_one) {
        single_job asks = { target, mode, brute, block };
        target->tasks->parallel_for(target->tasks->user, block->count, brute ? 1 : 64, ask_range,
                                    &asks);
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
