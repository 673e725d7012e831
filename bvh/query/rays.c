/* What rays and segments meet: the queries of arrays.h, and single calls that go to the kernel's
 * single-ray path at once, where no option stands in the way. */
#include "bvh/query/ray_query.h"

#include <math.h>

enum {
    TREE_BLOCK = 192, /* items that are copied at a time: three packets, */
    WORLD_BLOCK = 32, /* and fewer, since what worlds take of the stack leaves less of it */
    FEW = 64,
    TOGETHER_MIN = 8 /* fewer from one point have nothing to share */
};

/* A query about an array, and what of it is plain. */
typedef struct call {
    sli_ray_query q;
    sli_rays rays;
    sli_hits hits;
    bool plain_items, plain_hits;
    bool from_point;
    sli_kernel_point_to_many point;
} call;

/* ---- Blocks of items that are not plain ---- */

typedef struct tree_block {
    sl_ray items[TREE_BLOCK];
    sl_hit hits[TREE_BLOCK];
} tree_block;

/* Or half as many in doubles. */
typedef union world_block_items {
    sl_ray floats[WORLD_BLOCK];
    sl_ray_d doubles[WORLD_BLOCK / 2];
} world_block_items;

typedef union world_block_hits {
    sl_hit floats[WORLD_BLOCK];
    sl_hit_d doubles[WORLD_BLOCK / 2];
} world_block_hits;

_Static_assert(sizeof(tree_block) <= SLI_NARROW_CLOSEST &&
                   sizeof(sl_ray[TREE_BLOCK]) <= SLI_NARROW_ANY,
               "a narrow batch leaves this many bytes of the stack to a block");

/* The capacity nearest hits of an item one after the other, to a layout that is not plain; the
 * number of all hits is known. */
static void scatter_all(const call *c, size_t item)
{
    sl_ray_d buffer; /* or a smaller item */
    sl_hit hit;
    sl_hit_d hit_d;
    sl_stats unused = { .rays = 0 };
    const sl_query query = sli_query_from(c->q.query, item);
    sli_ray_query one = c->q;
    one.query = &query;
    one.first = item;
    one.asked = SLI_ASKED_CLOSEST;
    one.items = sli_rays_gather(&c->rays, item, 1, &buffer);
    one.hits = c->hits.number == SLI_DOUBLE ? (sli_ray_hits){ .doubles = &hit_d }
                                            : (sli_ray_hits){ .floats = &hit };
    one.previous = one.hits;
    for (size_t k = 0; k < c->q.capacity && k < c->q.totals[item]; k++) {
        sli_ray_query_answer(&one, 0, 1, &unused);
        sli_hits_scatter(&c->hits, item * c->q.capacity + k, 1, &one.hits);
        one.asked = SLI_ASKED_NEXT;
    }
}

/* Answers count items from `first` on, of which items and hits are arrays that have room for so
 * many; so options and outputs of single items are taken from `first` on too. */
static void answer_block(const call *c, size_t first, size_t count, void *items, void *hits,
                         sl_stats *stats)
{
    const sl_query query = sli_query_from(c->q.query, first);
    const bool doubles = c->hits.number == SLI_DOUBLE;
    const sli_ray_hits buffer =
        doubles ? (sli_ray_hits){ .doubles = hits } : (sli_ray_hits){ .floats = hits };
    sli_ray_query block = c->q;
    block.query = &query;
    block.first = first;
    block.narrow = true;
    block.items = sli_rays_gather(&c->rays, first, count, items);
    block.any = c->q.any != NULL ? c->q.any + first : NULL;
    block.hints = c->q.hints != NULL ? c->q.hints + first : NULL;
    block.totals = c->q.totals != NULL ? c->q.totals + first : NULL;
    if (c->q.asked == SLI_ASKED_CLOSEST || c->q.asked == SLI_ASKED_NEXT) {
        block.hits = buffer;
    }
    if (c->q.asked == SLI_ASKED_NEXT) {
        sli_hits_gather(&c->hits, first, count, &buffer);
        block.previous = buffer;
    }
    if (c->q.asked == SLI_ASKED_ALL) {
        block.capacity = 0;
    }
    sli_ray_query_answer(&block, 0, count, stats);
    if (block.hits.floats != NULL || block.hits.doubles != NULL) {
        sli_hits_scatter(&c->hits, first, count, &block.hits);
    }
    for (size_t i = 0; c->q.asked == SLI_ASKED_ALL && c->q.capacity > 0 && i < count; i++) {
        scatter_all(c, first + i);
    }
}

/* None is inlined, so that only what is needed is on the stack. */
static SLI_NOINLINE void copy_for_tree(const call *c, size_t first, size_t count, sl_stats *stats)
{
    tree_block block;
    answer_block(c, first, count, block.items, block.hits, stats);
}

static SLI_NOINLINE void copy_for_tree_any(const call *c, size_t first, size_t count,
                                           sl_stats *stats)
{
    sl_ray items[TREE_BLOCK];
    answer_block(c, first, count, items, NULL, stats);
}

static SLI_NOINLINE void copy_for_world(const call *c, size_t first, size_t count, sl_stats *stats)
{
    world_block_items items;
    world_block_hits hits;
    answer_block(c, first, count, &items, &hits, stats);
}

/* ---- Blocks of tasks ---- */

static void run_block(const void *context, size_t begin, size_t end, sl_stats *stats)
{
    const call *c = context;
    if (c->plain_items && c->plain_hits) {
        sli_ray_query_answer(&c->q, begin, end, stats);
        return;
    }
    if (c->from_point) {
        const sli_kernel_batch batch = { .tree = c->q.bvh,
                                         .point_to_many = &c->point,
                                         .query = c->q.query };
        c->q.bvh->kernels->point_to_many_any(&batch, begin, end, c->q.any, stats);
        return;
    }
    const bool doubles = c->rays.number == SLI_DOUBLE || c->hits.number == SLI_DOUBLE;
    const size_t most = !c->q.by_world ? TREE_BLOCK : doubles ? WORLD_BLOCK / 2 : WORLD_BLOCK;
    for (size_t first = begin; first < end; first += most) {
        const size_t count = end - first < most ? end - first : most;
        if (c->q.by_world) {
            copy_for_world(c, first, count, stats);
        } else if (c->q.asked == SLI_ASKED_ANY) {
            copy_for_tree_any(c, first, count, stats);
        } else {
            copy_for_tree(c, first, count, stats);
        }
    }
}

/* The way through blocks takes as long as half an any-hit ray. */
bool sli_few_rays(const sl_bvh *bvh, const sli_ray_items *items, size_t count,
                  const sl_query *query, sl_hit *hits, uint8_t *any, sl_triangle_ref *hints)
{
    const sli_kernel_batch batch = { .tree = bvh,
                                     .rays = items->rays,
                                     .segments = items->segments,
                                     .query = query != NULL ? query : &sli_everything,
                                     .hinted = hints != NULL && items->segments != NULL };
    if (count > FEW || bvh->instances != NULL || !sli_query_is_plain(batch.query)) {
        return false;
    }
    const sli_fpenv saved = sli_fpenv_enter();
    if (hits != NULL) {
        bvh->kernels->closest_many(&batch, 0, count, hits, NULL);
    } else {
        bvh->kernels->any_many(&batch, 0, count, any, hints, NULL);
    }
    sli_fpenv_leave(saved);
    return true;
}

/* Compares floats of the caller's, and so holds the floating-point environment. */
static SLI_NOINLINE bool is_valid(const sli_kernel_point_to_many *point)
{
    const float *o = point->origin;
    return isfinite(o[0]) && isfinite(o[1]) && isfinite(o[2]) &&
           (point->targets || point->tmax >= 0);
}

/* Items from one point go together, unless there are too few, or each has options of its own. */
static bool are_from_point(call *c)
{
    const sl_query *query = c->q.query;
    if (c->q.asked != SLI_ASKED_ANY || c->q.hints != NULL || c->q.by_world ||
        query->proxy != NULL || sli_query_has_filter(query) || query->per_ray != NULL ||
        c->rays.count < TOGETHER_MIN || !sli_rays_are_from_point(&c->rays, &c->point)) {
        return false;
    }
    const sli_fpenv saved = sli_fpenv_enter();
    const bool valid = is_valid(&c->point);
    sli_fpenv_leave(saved);
    return valid;
}

static void run_call(call *c, const sl_tasks *tasks, sl_stats *stats)
{
    const sl_bvh *bvh = c->q.bvh;
    const bool wants_hits =
        c->q.asked != SLI_ASKED_ANY && (c->q.asked != SLI_ASKED_ALL || c->q.capacity > 0);
    c->q.query = c->q.query != NULL ? c->q.query : &sli_everything;
    c->q.by_world = bvh->instances != NULL || c->rays.number == SLI_DOUBLE ||
                    (wants_hits && c->hits.number == SLI_DOUBLE);
    c->plain_items = sli_rays_are_plain(&c->rays, &c->q.items);
    c->plain_hits = !wants_hits || sli_hits_are_plain(&c->hits, &c->q.hits);
    c->q.previous = c->q.hits;
    c->from_point = !c->plain_items && are_from_point(c);
    /* Hints leave few items of a block, which should still be many in flight. */
    const size_t grain = !c->q.by_world || c->q.hints != NULL ? 4096 : 1024;
    sli_run_blocks_of(grain, c->rays.count, run_block, c, stats, tasks);
}

void sli_bvh_closest_many(const sl_bvh *bvh, sli_rays rays, const sl_query *query, sli_hits hits,
                          const sl_tasks *tasks, sl_stats *stats)
{
    call c = { .q = { .bvh = bvh, .query = query, .asked = SLI_ASKED_CLOSEST },
               .rays = rays,
               .hits = hits };
    run_call(&c, tasks, stats);
}

void sli_bvh_any_many(const sl_bvh *bvh, sli_rays rays, const sl_query *query, uint8_t *any,
                      sl_triangle_ref *hints, const sl_tasks *tasks, sl_stats *stats)
{
    call c = {
        .q = { .bvh = bvh, .query = query, .asked = SLI_ASKED_ANY, .any = any, .hints = hints },
        .rays = rays
    };
    run_call(&c, tasks, stats);
}

void sli_bvh_all_many(const sl_bvh *bvh, sli_rays rays, const sl_query *query, sli_hits hits,
                      size_t capacity, uint64_t *totals, const sl_tasks *tasks, sl_stats *stats)
{
    call c = { .q = { .bvh = bvh,
                      .query = query,
                      .asked = SLI_ASKED_ALL,
                      .capacity = capacity,
                      .totals = totals },
               .rays = rays,
               .hits = hits };
    run_call(&c, tasks, stats);
}

void sli_bvh_next_many(const sl_bvh *bvh, sli_rays rays, const sl_query *query, sli_hits hits,
                       const sl_tasks *tasks, sl_stats *stats)
{
    call c = { .q = { .bvh = bvh, .query = query, .asked = SLI_ASKED_NEXT },
               .rays = rays,
               .hits = hits };
    run_call(&c, tasks, stats);
}

/* ---- One ray ---- */

/* Whether a ray in floats may go to the kernel's single-ray path at once. */
static inline bool goes_alone(const sl_bvh *bvh, const sl_query *query)
{
    return bvh->instances == NULL && sli_query_is_plain(query);
}

static bool any_alone(const sli_kernel_batch *batch)
{
    if (__builtin_expect(sli_fpenv_is_default(), 1)) {
        return batch->tree->kernels->any_one(batch, 0, NULL, NULL);
    }
    const sli_fpenv saved = sli_fpenv_enter();
    const bool found = batch->tree->kernels->any_one(batch, 0, NULL, NULL);
    sli_fpenv_leave(saved);
    return found;
}

static void closest_alone(const sli_kernel_batch *batch, sl_hit *hit)
{
    if (__builtin_expect(sli_fpenv_is_default(), 1)) {
        (void)batch->tree->kernels->closest_one(batch, 0, hit, NULL);
        return;
    }
    const sli_fpenv saved = sli_fpenv_enter();
    (void)batch->tree->kernels->closest_one(batch, 0, hit, NULL);
    sli_fpenv_leave(saved);
}

bool sl_bvh_closest(const sl_bvh *bvh, const sl_ray *ray, const sl_query *query, sl_hit *hit)
{
    sl_hit found;
    const sli_kernel_batch batch = { .tree = bvh,
                                     .rays = ray,
                                     .query = query != NULL ? query : &sli_everything };
    if (goes_alone(bvh, batch.query)) {
        closest_alone(&batch, &found);
    } else {
        sli_bvh_closest_many(bvh, sli_rays_of(ray, 1), query, sli_hits_of(&found), NULL,
                             sli_query_stats(query));
    }
    if (hit != NULL) {
        *hit = found;
    }
    return found.prim != SL_NONE;
}

static bool any_of_one(const sl_bvh *bvh, sli_rays one, const sl_query *query)
{
    uint8_t any;
    sli_bvh_any_many(bvh, one, query, &any, NULL, NULL, sli_query_stats(query));
    return any != 0;
}

bool sl_bvh_any(const sl_bvh *bvh, const sl_ray *ray, const sl_query *query)
{
    const sli_kernel_batch batch = { .tree = bvh,
                                     .rays = ray,
                                     .query = query != NULL ? query : &sli_everything };
    return goes_alone(bvh, batch.query) ? any_alone(&batch)
                                        : any_of_one(bvh, sli_rays_of(ray, 1), query);
}

bool sl_bvh_blocked(const sl_bvh *bvh, const sl_segment *segment, const sl_query *query)
{
    const sli_kernel_batch batch = { .tree = bvh,
                                     .segments = segment,
                                     .query = query != NULL ? query : &sli_everything };
    return goes_alone(bvh, batch.query) ? any_alone(&batch)
                                        : any_of_one(bvh, sli_segments_of(segment, 1), query);
}

bool sl_bvh_closest_segment(const sl_bvh *bvh, const sl_segment *segment, const sl_query *query,
                            sl_hit *hit)
{
    sl_hit found;
    const sli_kernel_batch batch = { .tree = bvh,
                                     .segments = segment,
                                     .query = query != NULL ? query : &sli_everything };
    if (goes_alone(bvh, batch.query)) {
        closest_alone(&batch, &found);
    } else {
        sli_bvh_closest_many(bvh, sli_segments_of(segment, 1), query, sli_hits_of(&found), NULL,
                             sli_query_stats(query));
    }
    if (hit != NULL) {
        *hit = found;
    }
    return found.prim != SL_NONE;
}
