#include "tools/verify/ray_batch.h"

#include <math.h>
#include <stdlib.h>

const char *const ask_mode_words[] = { "closest", "any", "all", "count", NULL };

bool ask_block_make(ask_block *block, bool are_segments, size_t room, size_t capacity)
{
    *block = (ask_block){ .are_segments = are_segments, .room = room, .capacity = capacity };
    if (are_segments) {
        block->segments = calloc(room, sizeof *block->segments);
    } else {
        block->rays = calloc(room, sizeof *block->rays);
    }
    block->hits = calloc(room, sizeof *block->hits * (capacity > 0 ? capacity : 1));
    block->totals = calloc(room, sizeof *block->totals);
    block->yes = calloc(room, sizeof *block->yes);
    if ((block->segments == NULL && block->rays == NULL) || block->hits == NULL ||
        block->totals == NULL || block->yes == NULL) {
        ask_block_free(block);
        return false;
    }
    return true;
}

void ask_block_free(ask_block *block)
{
    free(block->rays);
    free(block->segments);
    free(block->hits);
    free(block->totals);
    free(block->yes);
    *block = (ask_block){ 0 };
}

size_t ask_brute(const ask_target *target, const ask_block *block, size_t i, const sl_query *query,
                 sl_hit *hits, size_t capacity)
{
    return block->are_segments
               ? sl_soup_all_segment(&target->soup, &block->segments[i], query, hits, capacity)
               : sl_soup_all(&target->soup, &block->rays[i], query, hits, capacity);
}

bool ask_closest(const ask_target *target, const ask_block *block, size_t i, const sl_query *query,
                 sl_hit *hit)
{
    return block->are_segments ? sl_bvh_blocked(target->bvh, &block->segments[i], query, hit)
                               : sl_bvh_closest(target->bvh, &block->rays[i], query, hit);
}

bool ask_any(const ask_target *target, const ask_block *block, size_t i, const sl_query *query)
{
    return block->are_segments ? sl_bvh_blocked(target->bvh, &block->segments[i], query, NULL)
                               : sl_bvh_any(target->bvh, &block->rays[i], query);
}

size_t ask_all(const ask_target *target, const ask_block *block, size_t i, const sl_query *query,
               sl_hit *hits, size_t capacity)
{
    return block->are_segments
               ? sl_bvh_all_segment(target->bvh, &block->segments[i], query, hits, capacity)
               : sl_bvh_all(target->bvh, &block->rays[i], query, hits, capacity);
}

bool ask_next(const ask_target *target, const ask_block *block, size_t i, const sl_query *query,
              const sl_hit *previous, sl_hit *hit)
{
    return block->are_segments
               ? sl_bvh_next_segment(target->bvh, &block->segments[i], query, previous, hit)
               : sl_bvh_next(target->bvh, &block->rays[i], query, previous, hit);
}

size_t ask_count(const ask_target *target, const ask_block *block, size_t i, const sl_query *query)
{
    return block->are_segments ? sl_bvh_count_segment(target->bvh, &block->segments[i], query)
                               : sl_bvh_count(target->bvh, &block->rays[i], query);
}

/* What a range of a block is asked one by one: brute force, and what has no batch of its own. */
typedef struct single_asks {
    const ask_target *target;
    ask_mode mode;
    bool brute;
    ask_block *block;
} single_asks;

static void ask_range(void *context, size_t begin, size_t end, int worker)
{
    (void)worker;
    const single_asks *asks = context;
    const ask_target *target = asks->target;
    ask_block *block = asks->block;
    for (size_t i = begin; i < end; i++) {
        const size_t capacity = asks->mode == ASK_CLOSEST ? 1
                                : asks->mode == ASK_ALL   ? block->capacity
                                                          : 0;
        sl_hit *hits = capacity > 0 ? block->hits + i * capacity : NULL;
        block->totals[i] = asks->brute ? ask_brute(target, block, i, &target->query, hits, capacity)
                           : asks->mode == ASK_ALL
                               ? ask_all(target, block, i, &target->query, hits, capacity)
                               : ask_count(target, block, i, &target->query);
        block->yes[i] = block->totals[i] > 0;
    }
}

static void ask_rays(const ask_target *target, ask_mode mode, ask_block *block)
{
    const sl_query *query = &target->query;
    switch (mode) {
    case ASK_CLOSEST:
        sl_bvh_closest_many(target->bvh, block->rays, block->count, query, block->hits,
                            target->tasks);
        break;
    case ASK_ANY:
        sl_bvh_any_many(target->bvh, block->rays, block->count, query, block->yes, target->tasks);
        break;
    case ASK_ALL:
        sl_bvh_all_many(target->bvh, block->rays, block->count, query, block->hits, block->capacity,
                        block->totals, target->tasks);
        break;
    case ASK_COUNT:
        sl_bvh_count_many(target->bvh, block->rays, block->count, query, block->totals,
                          target->tasks);
        break;
    }
}

static void clear_hits(ask_block *block, size_t capacity)
{
    const sl_hit miss = { .t = INFINITY, .prim = SL_NONE, .instance = SL_NONE };
    for (size_t i = 0; i < block->count * capacity; i++) {
        block->hits[i] = miss;
    }
}

/* A miss looks the same whoever answered. */
static void clear_misses(ask_block *block)
{
    for (size_t i = 0; i < block->count; i++) {
        if (block->hits[i].prim == SL_NONE) {
            block->hits[i] = (sl_hit){ .t = INFINITY, .prim = SL_NONE, .instance = SL_NONE };
        }
    }
}

void asks_put(const ask_target *target, ask_mode mode, bool brute, ask_block *block)
{
    if (mode == ASK_CLOSEST || mode == ASK_ALL) {
        clear_hits(block, mode == ASK_CLOSEST ? 1 : block->capacity);
    }
    const bool one_by_one =
        brute || (block->are_segments && (mode == ASK_ALL || mode == ASK_COUNT));
    if (one_by_one) {
        single_asks asks = { target, mode, brute, block };
        target->tasks->parallel_for(target->tasks->user, block->count, brute ? 1 : 64, ask_range,
                                    &asks);
    } else if (!block->are_segments) {
        ask_rays(target, mode, block);
    } else if (mode == ASK_ANY) {
        sl_bvh_blocked_many(target->bvh, block->segments, block->count, &target->query, block->yes,
                            NULL, target->tasks);
    } else {
        sl_bvh_closest_segment_many(target->bvh, block->segments, block->count, &target->query,
                                    block->hits, target->tasks);
    }
    if (mode == ASK_CLOSEST) {
        clear_misses(block);
    }
}
