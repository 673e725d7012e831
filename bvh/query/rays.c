/* What rays and segments meet: the public calls of rays.h.  A single ray of floats on a tree over
 * triangles goes to the kernel's single-ray path at once where no option stands in the way; any
 * other call is one about an array. */
#include "bvh/query/ray_query.h"

enum {
    TREE_BLOCK = 192,  /* items that are copied at a time for trees over triangles: three packets */
    WORLD_BLOCK = 128, /* for worlds, whose kernels leave less of the stack */
    FEW = 64,
    TOGETHER_MIN = 8 /* fewer from one point have nothing to share */
};

/* A query about an array, and what of it is plain. */
typedef struct call {
    sli_ray_query q;
    sl_rays rays;
    sl_hits hits;
    bool plain_items, plain_hits;
    /* Closest or any of plain arrays goes to a tree's kernels: nothing stands before them. */
    bool direct;
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

/* The capacity nearest hits of an item, to a layout that is not plain: in windows, each of those
 * after the last one. */
static SLI_NOINLINE void scatter_all(const call *c, size_t item, sl_stats *stats)
{
    enum { WINDOW = 32 };
    sl_ray_d buffer; /* or a smaller item */
    union {
        sl_hit floats[WINDOW];
        sl_hit_d doubles[WINDOW];
    } window;
    sl_hit_d last;
    sl_stats unused = { .rays = 0 };
    uint64_t left;
    const sl_options options = sli_query_from(c->q.options, item);
    const bool doubles = c->hits.number == SL_DOUBLE;
    sli_ray_query one = c->q;
    one.options = &options;
    one.first = item;
    one.items = sli_rays_gather(&c->rays, item, 1, &buffer);
    one.hits = doubles ? (sli_ray_hits){ .doubles = window.doubles }
                       : (sli_ray_hits){ .floats = window.floats };
    one.capacity = WINDOW;
    one.totals = &left;
    for (size_t k = 0; k < c->q.capacity; k += WINDOW) {
        sli_ray_query_answer(&one, 0, 1, k == 0 ? stats : &unused);
        if (k == 0) {
            c->q.totals[item] = left;
        }
        const size_t wanted = c->q.capacity - k < WINDOW ? c->q.capacity - k : WINDOW;
        const size_t found = left < wanted ? (size_t)left : wanted;
        sli_hits_scatter(&c->hits, item * c->q.capacity + k, found, &one.hits);
        if (left <= WINDOW) {
            break;
        }
        last =
            doubles ? window.doubles[WINDOW - 1] : sli_hit_in_doubles(&window.floats[WINDOW - 1]);
        one.after = &last;
    }
}

/* Answers count items from `first` on, of which items and hits are arrays that have room for so
 * many; so options and outputs of single items are taken from `first` on too. */
static void answer_block(const call *c, size_t first, size_t count, void *items, void *hits,
                         sl_stats *stats)
{
    const sl_options options = sli_query_from(c->q.options, first);
    const bool doubles = c->hits.number == SL_DOUBLE;
    const sli_ray_hits buffer =
        doubles ? (sli_ray_hits){ .doubles = hits } : (sli_ray_hits){ .floats = hits };
    sli_ray_query block = c->q;
    block.options = &options;
    block.first = first;
    block.narrow = true;
    block.items = sli_rays_gather(&c->rays, first, count, items);
    block.any = c->q.any != NULL ? c->q.any + first : NULL;
    block.hints = c->q.hints != NULL ? c->q.hints + first : NULL;
    block.totals = c->q.totals != NULL ? c->q.totals + first : NULL;
    const bool one_each = c->q.kind == SLI_QUERY_CLOSEST || c->q.kind == SLI_QUERY_NEXT;
    if (one_each) {
        block.hits = buffer;
    } else if (c->q.capacity > 0) { /* of all, rows are written where they are */
        const size_t row = first * c->q.capacity;
        block.hits.floats = doubles ? NULL : c->q.hits.floats + row;
        block.hits.doubles = doubles ? c->q.hits.doubles + row : NULL;
    }
    if (c->q.kind == SLI_QUERY_NEXT) {
        sli_hits_gather(&c->hits, first, count, &buffer);
        block.previous = buffer;
    }
    sli_ray_query_answer(&block, 0, count, stats);
    if (one_each) {
        sli_hits_scatter(&c->hits, first, count, &block.hits);
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
    if (c->direct) {
        sli_kernel_batch batch = sli_tree_batch(c->q.bvh, &c->q.items, c->q.options, begin, end);
        batch.hinted = c->q.hints != NULL && batch.segments != NULL;
        if (c->q.kind == SLI_QUERY_CLOSEST) {
            c->q.bvh->kernels->closest_many(&batch, begin, end, c->q.hits.floats, stats);
        } else {
            c->q.bvh->kernels->any_many(&batch, begin, end, c->q.any, c->q.hints, stats);
        }
        return;
    }
    if (c->plain_items && c->plain_hits) {
        sli_ray_query_answer(&c->q, begin, end, stats);
        return;
    }
    if (c->from_point) {
        const sli_kernel_batch batch = { .tree = c->q.bvh,
                                         .point_to_many = &c->point,
                                         .options = c->q.options,
                                         .uses = sli_options_uses(c->q.options, begin, end) };
        c->q.bvh->kernels->point_to_many_any(&batch, begin, end, c->q.any, stats);
        return;
    }
    if (c->q.kind == SLI_QUERY_ALL && !c->plain_hits) {
        for (size_t i = begin; i < end; i++) {
            scatter_all(c, i, stats);
        }
        return;
    }
    const bool doubles = c->rays.number == SL_DOUBLE || c->hits.number == SL_DOUBLE;
    const size_t most = !c->q.by_world ? TREE_BLOCK : doubles ? WORLD_BLOCK / 2 : WORLD_BLOCK;
    for (size_t first = begin; first < end; first += most) {
        const size_t count = end - first < most ? end - first : most;
        if (c->q.by_world) {
            copy_for_world(c, first, count, stats);
        } else if (c->q.kind == SLI_QUERY_ANY || c->q.kind == SLI_QUERY_ALL) {
            copy_for_tree_any(c, first, count, stats);
        } else {
            copy_for_tree(c, first, count, stats);
        }
    }
}

/* Whether a short array on a tree over triangles may go to the kernels at once, since nothing
 * stands before them: the way through blocks takes as long as half an any-hit ray. */
static inline bool is_few(const sl_bvh *bvh, const sl_rays *rays, const sl_options *options,
                          const sl_stats *stats, sli_ray_items *items)
{
    return rays->count <= FEW && rays->number != SL_DOUBLE && bvh->instances == NULL &&
           stats == NULL && sli_query_is_plain(options) &&
           !sli_query_ignores(options, rays->count) && sli_rays_are_plain(rays, items);
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
    const sl_options *options = c->q.options;
    if (c->q.kind != SLI_QUERY_ANY || c->q.hints != NULL || c->q.by_world ||
        options->proxy != NULL || options->filter != NULL || options->items != NULL ||
        c->rays.count < TOGETHER_MIN || !sli_rays_are_from_point(&c->rays, &c->point)) {
        return false;
    }
    return SLI_IN_FPENV(is_valid(&c->point));
}

static SLI_NOINLINE void run_call(const sli_ray_query *q, const sl_rays *rays, const sl_hits *hits,
                                  const sl_tasks *tasks, sl_stats *stats)
{
    const bool wants_hits = hits != NULL && (q->kind != SLI_QUERY_ALL || q->capacity > 0);
    call c = { .q = *q, .rays = *rays };
    c.hits = wants_hits ? *hits : c.hits;
    c.q.options = q->options != NULL ? q->options : &sli_everything;
    c.q.by_world = q->bvh->instances != NULL || rays->number == SL_DOUBLE ||
                   (wants_hits && hits->number == SL_DOUBLE) ||
                   sli_query_ignores(c.q.options, rays->count);
    c.plain_items = sli_rays_are_plain(rays, &c.q.items);
    c.plain_hits = !wants_hits || sli_hits_are_plain(hits, &c.q.hits);
    c.direct = c.plain_items && c.plain_hits && !c.q.by_world && sli_query_is_plain(c.q.options) &&
               (q->kind == SLI_QUERY_CLOSEST || q->kind == SLI_QUERY_ANY);
    c.q.previous = c.q.hits;
    c.from_point = !c.plain_items && are_from_point(&c);
    /* Hints leave few items of a block, which should still be many in flight. */
    const size_t grain = !c.q.by_world || q->hints != NULL ? 4096 : 1024;
    sli_run_blocks_of(grain, rays->count, run_block, &c, stats, tasks);
}

void sl_bvh_closest_many(const sl_bvh *bvh, sl_rays rays, const sl_options *options, sl_hits hits,
                         const sl_tasks *tasks, sl_stats *stats)
{
    sli_ray_items items;
    sli_ray_hits to;
    options = options != NULL ? options : &sli_everything;
    if (is_few(bvh, &rays, options, stats, &items) && sli_hits_are_plain(&hits, &to) &&
        to.floats != NULL) {
        const sli_kernel_batch few = sli_tree_batch(bvh, &items, options, 0, rays.count);
        const sli_fpenv saved = sli_fpenv_enter();
        bvh->kernels->closest_many(&few, 0, rays.count, to.floats, NULL);
        sli_fpenv_leave(saved);
        return;
    }
    const sli_ray_query q = { .bvh = bvh, .options = options, .kind = SLI_QUERY_CLOSEST };
    run_call(&q, &rays, &hits, tasks, stats);
}

void sl_bvh_any_many(const sl_bvh *bvh, sl_rays rays, const sl_options *options, uint8_t *any,
                     sl_triangle_ref *hints, const sl_tasks *tasks, sl_stats *stats)
{
    sli_ray_items items;
    options = options != NULL ? options : &sli_everything;
    if (is_few(bvh, &rays, options, stats, &items)) {
        sli_kernel_batch few = sli_tree_batch(bvh, &items, options, 0, rays.count);
        few.hinted = hints != NULL && few.segments != NULL;
        const sli_fpenv saved = sli_fpenv_enter();
        bvh->kernels->any_many(&few, 0, rays.count, any, hints, NULL);
        sli_fpenv_leave(saved);
        return;
    }
    const sli_ray_query q = {
        .bvh = bvh, .options = options, .kind = SLI_QUERY_ANY, .any = any, .hints = hints
    };
    run_call(&q, &rays, NULL, tasks, stats);
}

void sl_bvh_all_many(const sl_bvh *bvh, sl_rays rays, const sl_options *options, sl_hits hits,
                     size_t capacity, uint64_t *totals, const sl_tasks *tasks, sl_stats *stats)
{
    const sli_ray_query q = { .bvh = bvh,
                              .options = options,
                              .kind = SLI_QUERY_ALL,
                              .capacity = capacity,
                              .totals = totals };
    run_call(&q, &rays, &hits, tasks, stats);
}

void sl_bvh_next_many(const sl_bvh *bvh, sl_rays rays, const sl_options *options, sl_hits hits,
                      const sl_tasks *tasks, sl_stats *stats)
{
    const sli_ray_query q = { .bvh = bvh, .options = options, .kind = SLI_QUERY_NEXT };
    run_call(&q, &rays, &hits, tasks, stats);
}

/* ---- One ray ---- */

/* Whether a ray in floats may go to the kernel's single-ray path at once. */
static inline bool goes_alone(const sli_kernel_batch *batch)
{
    return batch->tree->instances == NULL && sli_query_is_plain(batch->options) &&
           (batch->uses & SLI_USES_IGNORE) == 0;
}

static SLI_NOINLINE bool closest_in_world(const sl_bvh *bvh, const sli_ray_items *item,
                                          const sl_options *options, sl_hit *hit)
{
    sl_hit_d exact;
    const bool found = sli_world_closest_alone(bvh, item, options, &exact);
    *hit = sli_hit_in_floats(&exact);
    return found;
}

/* Closest that does not go to a tree's single-ray path. */
static SLI_NOINLINE bool closest_otherwise(const sl_bvh *bvh, const sli_ray_items *item,
                                           const sl_options *options, sl_hit *hit)
{
    if (sli_query_is_plain(options)) {
        return SLI_IN_FPENV_IF_NEEDED(closest_in_world(bvh, item, options, hit));
    }
    sl_bvh_closest_many(bvh, sl_rays_of(item->rays, 1), options, sl_hits_of(hit), NULL, NULL);
    return hit->prim != SL_NONE;
}

bool sl_bvh_closest(const sl_bvh *bvh, const sl_ray *ray, const sl_options *options, sl_hit *hit)
{
    sl_hit found;
    sl_hit *out = hit != NULL ? hit : &found;
    const sli_ray_items item = { .rays = ray };
    options = options != NULL ? options : &sli_everything;
    const sli_kernel_batch batch = sli_tree_batch(bvh, &item, options, 0, 1);
    if (goes_alone(&batch)) { /* written in place: a copy would wait for the parts it is made of */
        return SLI_IN_FPENV_IF_NEEDED(bvh->kernels->closest_one(&batch, 0, out, NULL));
    }
    return closest_otherwise(bvh, &item, options, out);
}

bool sl_bvh_closest_d(const sl_bvh *bvh, const sl_ray_d *ray, const sl_options *options,
                      sl_hit_d *hit)
{
    sl_hit_d found, *out = hit != NULL ? hit : &found;
    options = options != NULL ? options : &sli_everything;
    if (sli_query_is_plain(options)) {
        const sli_ray_items item = { .rays_d = ray };
        return SLI_IN_FPENV_IF_NEEDED(sli_world_closest_alone(bvh, &item, options, out));
    }
    sl_bvh_closest_many(bvh, sl_rays_of_d(ray, 1), options, sl_hits_of_d(out), NULL, NULL);
    return out->prim != SL_NONE;
}

/* Any that does not go to a tree's single-ray path; a segment, or a ray in floats. */
static SLI_NOINLINE bool any_otherwise(const sl_bvh *bvh, const sli_ray_items *item,
                                       const sl_options *options)
{
    uint8_t any;
    if (sli_query_is_plain(options)) {
        return SLI_IN_FPENV_IF_NEEDED(sli_world_any_alone(bvh, item, options));
    }
    const sl_rays one = item->rays != NULL       ? sl_rays_of(item->rays, 1)
                        : item->segments != NULL ? sl_segments_of(item->segments, 1)
                                                 : sl_segments_of_d(item->segments_d, 1);
    sl_bvh_any_many(bvh, one, options, &any, NULL, NULL, NULL);
    return any != 0;
}

static inline bool any_of_one(const sl_bvh *bvh, const sli_ray_items *item,
                              const sl_options *options)
{
    options = options != NULL ? options : &sli_everything;
    const sli_kernel_batch batch = sli_tree_batch(bvh, item, options, 0, 1);
    return goes_alone(&batch) ? SLI_IN_FPENV_IF_NEEDED(bvh->kernels->any_one(&batch, 0, NULL, NULL))
                              : any_otherwise(bvh, item, options);
}

bool sl_bvh_any(const sl_bvh *bvh, const sl_ray *ray, const sl_options *options)
{
    return any_of_one(bvh, &(sli_ray_items){ .rays = ray }, options);
}

bool sl_bvh_occluded(const sl_bvh *bvh, const float p[3], const float q[3],
                     const sl_options *options)
{
    const sl_segment segment = { .p = { p[0], p[1], p[2] }, .q = { q[0], q[1], q[2] } };
    return any_of_one(bvh, &(sli_ray_items){ .segments = &segment }, options);
}

bool sl_bvh_occluded_d(const sl_bvh *bvh, const double p[3], const double q[3],
                       const sl_options *options)
{
    const sl_segment_d segment = { .p = { p[0], p[1], p[2] }, .q = { q[0], q[1], q[2] } };
    return any_otherwise(bvh, &(sli_ray_items){ .segments_d = &segment },
                         options != NULL ? options : &sli_everything);
}

size_t sl_bvh_all(const sl_bvh *bvh, const sl_ray *ray, const sl_options *options, sl_hit *hits,
                  size_t capacity)
{
    uint64_t total;
    sl_bvh_all_many(bvh, sl_rays_of(ray, 1), options, sl_hits_of(hits), capacity, &total, NULL,
                    NULL);
    return (size_t)total;
}

bool sl_bvh_next(const sl_bvh *bvh, const sl_ray *ray, const sl_options *options,
                 const sl_hit *previous, sl_hit *hit)
{
    sl_hit found = *previous;
    sl_bvh_next_many(bvh, sl_rays_of(ray, 1), options, sl_hits_of(&found), NULL, NULL);
    if (hit != NULL) {
        *hit = found;
    }
    return found.prim != SL_NONE;
}
