/* ask/calls.c: every query to a tree of either kind, and to every triangle in turn. */
#include "tools/ask/world.h"

/* ---- Arrays ---- */

static void ask_rays(const ask_world *w, ask_mode mode, ask_block *b, const sl_tasks *tasks)
{
    const void *at = b->elements;
    const sl_hits hits = b->doubles ? sl_hits_of_d(b->rows) : sl_hits_of(b->rows);
    const sl_rays rays =
        b->kind == ASK_RAYS
            ? (b->doubles ? sl_rays_of_d(at, b->count) : sl_rays_of(at, b->count))
            : (b->doubles ? sl_segments_of_d(at, b->count) : sl_segments_of(at, b->count));
    switch (mode) {
    case ASK_CLOSEST:
        sl_bvh_closest_many(w->in.bvh, rays, &w->query, hits, tasks, w->counts);
        break;
    case ASK_ANY:
        sl_bvh_any_many(w->in.bvh, rays, &w->query, b->yes, NULL, tasks, w->counts);
        break;
    case ASK_NEXT:
        sl_bvh_next_many(w->in.bvh, rays, &w->query, hits, tasks, w->counts);
        break;
    default:
        sl_bvh_all_many(w->in.bvh, rays, &w->query, hits, mode == ASK_COUNT ? 0 : b->keep,
                        b->totals, tasks, w->counts);
        break;
    }
}

static void ask_near(const ask_world *w, ask_mode mode, ask_block *b, const sl_tasks *tasks)
{
    const sl_points points = b->doubles ? sl_points_of(b->elements, b->count, SL_DOUBLE)
                                        : sl_points_of(b->elements, b->count, SL_FLOAT);
    const sl_nearests out =
        b->doubles ? sl_nearests_of(b->rows, SL_DOUBLE) : sl_nearests_of(b->rows, SL_FLOAT);
    const float limit = b->limits != NULL ? *b->limits : w->limit;
    if (mode == ASK_CLOSEST) {
        sl_bvh_nearest_many(w->in.bvh, points, limit, &w->query, out, tasks, w->counts);
    } else if (mode == ASK_FEW) {
        sl_bvh_nearest_k_many(w->in.bvh, points, limit, &w->query, out, b->keep, b->totals, tasks,
                              w->counts);
    } else {
        sl_bvh_within_many(w->in.bvh, points, limit, &w->query, out, b->keep, b->totals, tasks,
                           w->counts);
    }
}

/* By what the caller names. */
static void judge(const ask_world *w, sl_inside *row)
{
    if (w->by != ASK_BY_AUTO) {
        row->inside = w->by == ASK_BY_PARITY ? row->by_parity : row->by_winding;
    }
}

static void ask_inside(const ask_world *w, ask_block *b, const sl_tasks *tasks)
{
    if (w->in.scene != NULL) {
        sl_bvh_inside_many(w->in.bvh, sl_points_of(b->elements, b->count, SL_DOUBLE), &w->query,
                           b->rows, b->keep, b->totals, tasks, w->counts);
        return;
    }
    (void)sl_bvh_winding(w->in.bvh, w->boundary, b->elements, b->count, &w->query, b->rows, tasks,
                         w->counts);
    for (size_t i = 0; i < b->count; i++) {
        b->totals[i] = 1;
        judge(w, ask_block_row(b, i));
    }
}

static void ask_volumes(const ask_world *w, ask_mode mode, ask_block *b, const sl_tasks *tasks)
{
    const sl_volumes volumes = sl_volumes_of(b->elements, b->count, SL_FLOAT);
    if (mode == ASK_ANY) {
        sl_bvh_overlap_any_many(w->in.bvh, volumes, &w->query, b->yes, tasks, w->counts);
    } else {
        sl_bvh_overlap_all_many(w->in.bvh, volumes, &w->query, b->keep > 0 ? b->rows : NULL,
                                b->keep, b->totals, tasks, w->counts);
    }
}

static void ask_sweeps(const ask_world *w, ask_mode mode, ask_block *b, const sl_tasks *tasks)
{
    const sl_sweeps sweeps = sl_sweeps_of(b->elements, b->count, SL_FLOAT);
    if (mode == ASK_CLOSEST) {
        sl_bvh_sweep_many(w->in.bvh, sweeps, &w->query, b->rows, tasks, w->counts);
    } else if (mode == ASK_ANY) {
        sl_bvh_sweep_any_many(w->in.bvh, sweeps, &w->query, b->yes, tasks, w->counts);
    } else {
        sl_bvh_sweep_all_many(w->in.bvh, sweeps, &w->query, b->keep > 0 ? b->rows : NULL, b->keep,
                              b->totals, tasks, w->counts);
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

/* All elements of a block, for which there is one limit. */
static void ask_elements(const ask_world *w, ask_mode mode, ask_block *b, const sl_tasks *tasks)
{
    switch (b->kind) {
    case ASK_NEAR:
        ask_near(w, mode, b, tasks);
        break;
    case ASK_INSIDE:
        ask_inside(w, b, tasks);
        return;
    case ASK_VOLUMES:
        ask_volumes(w, mode, b, tasks);
        break;
    case ASK_SWEEPS:
        ask_sweeps(w, mode, b, tasks);
        break;
    default:
        ask_rays(w, mode, b, tasks);
        break;
    }
    if (mode == ASK_CLOSEST || mode == ASK_NEXT || mode == ASK_ANY) {
        count_first_rows(mode, b);
    }
}

/* ---- One element ---- */

static bool is_occluded(const ask_world *w, const ask_block *b)
{
    if (b->doubles) {
        const sl_segment_d segment = *(const sl_segment_d *)b->elements;
        return sl_bvh_occluded_d(w->in.bvh, segment.p, segment.q, &w->query);
    }
    const sl_segment segment = *(const sl_segment *)b->elements;
    return sl_bvh_occluded(w->in.bvh, segment.p, segment.q, &w->query);
}

/* By the calls about one ray, point or volume, which count nothing; false where there is none. */
static bool ask_singly(const ask_world *w, ask_mode mode, const ask_block *b, size_t *total)
{
    const sl_bvh *bvh = w->in.bvh;
    const sl_options *options = &w->query;
    const void *at = b->elements;
    const float limit = b->limits != NULL ? *b->limits : w->limit;
    if (w->counts != NULL || b->kind == ASK_INSIDE || b->kind == ASK_SWEEPS) {
        return false;
    }
    if (b->kind == ASK_VOLUMES) {
        *total = mode == ASK_ANY ? sl_bvh_overlap_any(bvh, at, options)
                                 : sl_bvh_overlap_all(bvh, at, options, b->rows, b->keep);
    } else if (b->kind == ASK_NEAR && !b->doubles) {
        *total = mode == ASK_CLOSEST ? sl_bvh_nearest(bvh, at, limit, options, b->rows)
                 : mode == ASK_FEW   ? sl_bvh_nearest_k(bvh, at, limit, options, b->rows, b->keep)
                                     : sl_bvh_within(bvh, at, limit, options, b->rows, b->keep);
    } else if (b->kind == ASK_SEGMENTS && mode == ASK_ANY) {
        *total = is_occluded(w, b);
    } else if (b->kind == ASK_RAYS && mode == ASK_CLOSEST) {
        *total = b->doubles ? sl_bvh_closest_d(bvh, at, options, b->rows)
                            : sl_bvh_closest(bvh, at, options, b->rows);
    } else if (b->kind == ASK_RAYS && mode == ASK_ANY) {
        *total =
            b->doubles ? sl_bvh_closest_d(bvh, at, options, NULL) : sl_bvh_any(bvh, at, options);
    } else if (b->kind == ASK_RAYS && !b->doubles) {
        *total = mode == ASK_NEXT ? sl_bvh_next(bvh, at, options, b->rows, b->rows)
                                  : sl_bvh_all(bvh, at, options, b->rows, b->keep);
    } else {
        return false;
    }
    return true;
}

size_t ask_world_one(const ask_world *w, ask_mode mode, const ask_block *block, size_t i,
                     void *rows, size_t keep)
{
    size_t single = 0;
    uint64_t total = 0;
    uint8_t yes = 0;
    ask_block one = *block;
    one.count = 1;
    one.keep = mode == ASK_COUNT ? 0 : keep;
    one.elements = ask_block_element(block, i);
    one.limits = block->limits != NULL ? block->limits + i : NULL;
    one.rows = rows;
    one.totals = &total;
    one.yes = &yes;
    if (ask_singly(w, mode, &one, &single)) {
        return single;
    }
    ask_elements(w, mode, &one, NULL);
    return (size_t)total;
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
        judge(w, rows);
        return 1;
    case ASK_VOLUMES:
        return sl_soup_overlap_all(soup, at, &w->query, rows, keep);
    case ASK_SEGMENTS: {
        if (!w->wide) {
            return sl_soup_all_segment(soup, at, &w->query, rows, keep);
        }
        const sl_segment_d widened =
            block->doubles ? *(const sl_segment_d *)at : sl_segment_d_from_segment(at);
        return scene_soup_all(&w->triangles, NULL, &widened, &w->query, !block->doubles, rows,
                              keep);
    }
    default: {
        if (!w->wide) {
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

void ask_world_block(const ask_world *w, ask_mode mode, bool brute, ask_block *b)
{
    block_job job = { w, mode, b };
    if (mode == ASK_CLOSEST || mode == ASK_ALL || mode == ASK_FEW) {
        ask_block_clear(b, 0, b->count * (mode == ASK_CLOSEST ? 1 : b->keep));
    }
    if (brute) {
        w->tasks->parallel_for(w->tasks->user, b->count, 1, ask_range_in_turn, &job);
    } else if (b->limits != NULL) {
        job.mode = mode == ASK_COUNT ? ASK_ALL : mode;
        w->tasks->parallel_for(w->tasks->user, b->count, 64, ask_range, &job);
    } else {
        ask_elements(w, mode, b, w->tasks);
    }
}
