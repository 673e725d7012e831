/* ask/calls.c: every question to a tree, to a scene and to every triangle in turn.
 *
 * The calls of the library have the same shape for trees and scenes, rays and segments, floats and
 * doubles: CALL chooses among them. */
#include "tools/ask/world.h"

#include <sightline/ray_query.h>
#include <sightline/scene_volumes.h>

#define CALL_OF(block, tree, prefix, suffix, ray, segment, ...)                                    \
    ((block)->kind == ASK_SEGMENTS ? prefix##segment##suffix(tree, __VA_ARGS__)                    \
                                   : prefix##ray##suffix(tree, __VA_ARGS__))
#define CALL(world, block, suffix, ray, segment, ...)                                              \
    ((block)->doubles                                                                              \
         ? CALL_OF(block, (world)->scene, sl_scene_, _d##suffix, ray, segment, __VA_ARGS__)        \
     : (world)->scene != NULL                                                                      \
         ? CALL_OF(block, (world)->scene, sl_scene_, suffix, ray, segment, __VA_ARGS__)            \
         : CALL_OF(block, (world)->bvh, sl_bvh_, suffix, ray, segment, __VA_ARGS__))

/* ---- One element ---- */

static size_t one_ray(const ask_world *w, ask_mode mode, const ask_block *block, const void *at,
                      void *rows, size_t keep)
{
    const sl_query *query = &w->query;
    switch (mode) {
    case ASK_CLOSEST:
        return CALL(w, block, , closest, closest_segment, at, query, rows);
    case ASK_ANY:
        return CALL(w, block, , any, blocked, at, query);
    case ASK_COUNT:
        return CALL(w, block, , count, count_segment, at, query);
    case ASK_NEXT:
        return CALL(w, block, , next, next_segment, at, query, rows, rows);
    default:
        return CALL(w, block, , all, all_segment, at, query, rows, keep);
    }
}

static size_t one_near(const ask_world *w, ask_mode mode, const float *point, float limit,
                       void *rows, size_t keep)
{
    return mode == ASK_CLOSEST ? sl_bvh_nearest(w->bvh, point, limit, &w->query, rows)
           : mode == ASK_FEW   ? sl_bvh_nearest_k(w->bvh, point, limit, &w->query, rows, keep)
                               : sl_bvh_within(w->bvh, point, limit, &w->query, rows, keep);
}

static size_t one_volume(const ask_world *w, ask_mode mode, const sl_volume *volume, void *rows,
                         size_t keep)
{
    const sl_query *query = &w->query;
    if (w->scene != NULL) {
        return mode == ASK_ANY ? sl_scene_overlap_any(w->scene, volume, query)
                               : sl_scene_overlap_all(w->scene, volume, query, rows, keep);
    }
    return mode == ASK_ANY ? sl_bvh_overlap_any(w->bvh, volume, query)
                           : sl_bvh_overlap_all(w->bvh, volume, query, rows, keep);
}

size_t ask_world_one(const ask_world *w, ask_mode mode, const ask_block *block, size_t i,
                     void *rows, size_t keep)
{
    const void *at = ask_block_element(block, i);
    switch (block->kind) {
    case ASK_NEAR:
        return one_near(w, mode, at, block->limits != NULL ? block->limits[i] : w->limit, rows,
                        keep);
    case ASK_INSIDE:
        (void)sl_bvh_inside(w->bvh, w->boundary, at, &w->query, rows);
        return 1;
    case ASK_VOLUMES:
        return one_volume(w, mode, at, rows, keep);
    default:
        return one_ray(w, mode, block, at, rows, keep);
    }
}

size_t ask_world_in_turn(const ask_world *w, const sl_soup *soup, const ask_block *block, size_t i,
                         void *rows, size_t keep)
{
    const void *at = ask_block_element(block, i);
    switch (block->kind) {
    case ASK_NEAR:
        return sl_soup_within(soup, at, block->limits != NULL ? block->limits[i] : w->limit,
                              &w->query, rows, keep);
    case ASK_INSIDE:
        (void)sl_soup_inside(soup, w->boundary, at, &w->query, rows);
        return 1;
    case ASK_VOLUMES:
        return sl_soup_overlap_all(soup, at, &w->query, rows, keep);
    case ASK_SEGMENTS: {
        if (w->scene == NULL) {
            return sl_soup_all_segment(soup, at, &w->query, rows, keep);
        }
        const sl_segment_d widened =
            block->doubles ? *(const sl_segment_d *)at : sl_segment_d_from_segment(at);
        return scene_soup_all(&w->triangles, NULL, &widened, &w->query, !block->doubles, rows,
                              keep);
    }
    default: {
        if (w->scene == NULL) {
            return sl_soup_all(soup, at, &w->query, rows, keep);
        }
        const sl_ray_d widened = block->doubles ? *(const sl_ray_d *)at : sl_ray_d_from_ray(at);
        return scene_soup_all(&w->triangles, &widened, NULL, &w->query, !block->doubles, rows,
                              keep);
    }
    }
}

/* ---- A block ---- */

typedef struct block_job {
    const ask_world *world;
    ask_mode mode;
    ask_block *block;
} block_job;

static void ask_range(void *context, size_t begin, size_t end, int worker)
{
    (void)worker;
    const block_job *job = context;
    ask_block *block = job->block;
    for (size_t i = begin; i < end; i++) {
        block->totals[i] = ask_world_one(job->world, job->mode, block, i,
                                         ask_block_row(block, i * block->keep), block->keep);
    }
}

static void ask_range_in_turn(void *context, size_t begin, size_t end, int worker)
{
    (void)worker;
    const block_job *job = context;
    ask_block *block = job->block;
    const bool first = job->mode == ASK_CLOSEST, few = first || job->mode == ASK_FEW;
    const bool has_rows = few || job->mode == ASK_ALL;
    const size_t keep = first ? 1 : has_rows ? block->keep : 0;
    for (size_t i = begin; i < end; i++) {
        const size_t total =
            ask_world_in_turn(job->world, &job->world->soup, block, i,
                              has_rows ? ask_block_row(block, i * keep) : NULL, keep);
        block->yes[i] = total > 0;
        block->totals[i] = job->mode == ASK_ANY  ? block->yes[i]
                           : few && total > keep ? keep
                                                 : total;
    }
}

static void block_of_rays(const ask_world *w, ask_mode mode, ask_block *b)
{
    const sl_query *query = &w->query;
    const void *at = b->elements;
    const size_t n = b->count;
    switch (mode) {
    case ASK_CLOSEST:
        CALL(w, b, _many, closest, closest_segment, at, n, query, b->rows, w->tasks);
        break;
    case ASK_ANY:
        if (b->kind == ASK_RAYS) {
            CALL(w, b, _many, any, any, at, n, query, b->yes, w->tasks);
        } else {
            CALL(w, b, _many, blocked, blocked, at, n, query, b->yes, NULL, w->tasks);
        }
        break;
    case ASK_COUNT:
        CALL(w, b, _many, count, count_segment, at, n, query, b->totals, w->tasks);
        break;
    case ASK_NEXT:
        CALL(w, b, _many, next, next_segment, at, n, query, b->rows, b->rows, w->tasks);
        break;
    default:
        CALL(w, b, _many, all, all_segment, at, n, query, b->rows, b->keep, b->totals, w->tasks);
        break;
    }
}

static void block_of_near(const ask_world *w, ask_mode mode, ask_block *b)
{
    const sl_query *query = &w->query;
    const void *at = b->elements;
    if (b->limits != NULL) {
        block_job job = { w, mode == ASK_COUNT ? ASK_ALL : mode, b };
        w->tasks->parallel_for(w->tasks->user, b->count, 64, ask_range, &job);
    } else if (b->doubles && mode == ASK_CLOSEST) {
        sl_scene_nearest_d_many(w->scene, at, b->count, w->limit, query, b->rows, w->tasks);
    } else if (b->doubles && mode == ASK_FEW) {
        sl_scene_nearest_k_d_many(w->scene, at, b->count, w->limit, query, b->rows, b->keep,
                                  b->totals, w->tasks);
    } else if (b->doubles) {
        sl_scene_within_d_many(w->scene, at, b->count, w->limit, query, b->rows, b->keep, b->totals,
                               w->tasks);
    } else if (mode == ASK_CLOSEST) {
        sl_bvh_nearest_many(w->bvh, at, b->count, w->limit, query, b->rows, w->tasks);
    } else if (mode == ASK_FEW) {
        sl_bvh_nearest_k_many(w->bvh, at, b->count, w->limit, query, b->rows, b->keep, b->totals,
                              w->tasks);
    } else {
        sl_bvh_within_many(w->bvh, at, b->count, w->limit, query, b->rows, b->keep, b->totals,
                           w->tasks);
    }
}

static void block_inside(const ask_world *w, ask_block *b)
{
    if (w->scene != NULL) {
        sl_scene_inside_d_many(w->scene, b->elements, b->count, &w->query, b->rows, b->keep,
                               b->totals, w->tasks);
        return;
    }
    sl_bvh_inside_many(w->bvh, w->boundary, b->elements, b->count, &w->query, b->rows, w->tasks);
    for (size_t i = 0; i < b->count; i++) {
        b->totals[i] = 1;
    }
}

static void block_of_volumes(const ask_world *w, ask_mode mode, ask_block *b)
{
    const sl_query *query = &w->query;
    const void *at = b->elements;
    sl_triangle_ref *refs = b->keep > 0 ? b->rows : NULL;
    if (mode == ASK_ANY && w->scene != NULL) {
        sl_scene_overlap_any_many(w->scene, at, b->count, query, b->yes, w->tasks);
    } else if (mode == ASK_ANY) {
        sl_bvh_overlap_any_many(w->bvh, at, b->count, query, b->yes, w->tasks);
    } else if (w->scene != NULL) {
        sl_scene_overlap_all_many(w->scene, at, b->count, query, refs, b->keep, b->totals,
                                  w->tasks);
    } else {
        sl_bvh_overlap_all_many(w->bvh, at, b->count, query, refs, b->keep, b->totals, w->tasks);
    }
}

/* Counts the first rows, where the function that takes arrays does not; a miss gets the same bits
 * whatever was asked. */
static void count_first_rows(ask_mode mode, ask_block *b)
{
    for (size_t i = 0; i < b->count; i++) {
        if (mode == ASK_ANY) {
            b->totals[i] = b->yes[i];
            continue;
        }
        b->totals[i] = ask_block_read(b, i).prim != SL_NONE;
        if (b->totals[i] == 0) {
            ask_block_clear(b, i, 1);
        }
    }
}

void ask_world_block(const ask_world *w, ask_mode mode, bool brute, ask_block *b)
{
    const bool first = mode == ASK_CLOSEST || mode == ASK_NEXT;
    if (mode == ASK_CLOSEST || mode == ASK_ALL || mode == ASK_FEW) {
        ask_block_clear(b, 0, b->count * (mode == ASK_CLOSEST ? 1 : b->keep));
    }
    if (brute) {
        block_job job = { w, mode, b };
        w->tasks->parallel_for(w->tasks->user, b->count, 1, ask_range_in_turn, &job);
        return;
    }
    switch (b->kind) {
    case ASK_NEAR:
        block_of_near(w, mode, b);
        break;
    case ASK_INSIDE:
        block_inside(w, b);
        return;
    case ASK_VOLUMES:
        block_of_volumes(w, mode, b);
        break;
    default:
        block_of_rays(w, mode, b);
        break;
    }
    if (first || mode == ASK_ANY) {
        count_first_rows(mode, b);
    }
}
