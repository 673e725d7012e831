/* Rays and segments in worlds of instances, in floats or in doubles: closest, any and all hits of
 * many items together; next hits, and what has a hit filter, item by item. */
#include "bvh/query/ray_query.h"

#include "bvh/kernel/instance/intersect.h"

/* Shows the caller's filter a hit in floats. */
static bool world_rays_accepts(void *user, size_t index, const sl_hit_d *hit)
{
    const sl_options *options = user;
    const sl_hit shown = sli_hit_in_floats(hit);
    return options->filter(options->filter_user, index, &shown);
}

static bool are_segments(const sli_ray_query *q)
{
    return q->items.segments != NULL || q->items.segments_d != NULL;
}

/* Whether the t of hits is rounded to floats, which orders them. */
static bool in_floats(const sli_ray_query *q)
{
    const bool hits = q->hits.floats != NULL || q->hits.doubles != NULL;
    return hits ? q->hits.floats != NULL : q->items.rays != NULL || q->items.segments != NULL;
}

/* Item i with its options.  False: it is invalid, so a miss. */
static bool prepare_ray(const sli_ray_query *q, size_t i, sli_world_ray *out)
{
    const sl_options *options = q->options;
    *out = (sli_world_ray){ .in_floats = in_floats(q) };
    sli_world_options(options, q->ignore_stride, i, out);
    if (options->filter != NULL) {
        out->accepts = world_rays_accepts;
        out->accepts_user = (void *)(uintptr_t)options;
        out->accepts_index = q->first + i;
    }
    return sli_ray_exact(&q->items, i, options->flags, &out->exact);
}

/* The world for one hit of each of the items begin .. end - 1. */
static const sli_world *world_for(const sli_ray_query *q, size_t begin, size_t end)
{
    return sli_world_for_rays(q->bvh, sli_options_uses(q->options, begin, end),
                              q->options->filter != NULL);
}

static void find_closest(const sli_ray_query *q, size_t i, const sl_hit_d *after, sl_stats *stats)
{
    sli_world_ray ray;
    sl_hit_d hit;
    if (!prepare_ray(q, i, &ray)) {
        stats->rays++;
        sli_ray_query_put(q, i, NULL);
        return;
    }
    ray.after = after;
    const sli_world *world = after == NULL ? world_for(q, i, i + 1) : &q->bvh->world;
    const bool found = q->bvh->kernels->world_closest(world, &ray, &hit, stats);
    sli_ray_query_put(q, i, found ? &hit : NULL);
}

/* previous is copied, since it may be hits. */
static void find_next(const sli_ray_query *q, size_t i, sl_stats *stats)
{
    const sl_hit_d previous = q->previous.floats != NULL
                                  ? sli_hit_in_doubles(&q->previous.floats[i])
                                  : q->previous.doubles[i];
    if (previous.prim != SL_NONE) {
        find_closest(q, i, &previous, stats);
    } else {
        stats->rays++;
        sli_ray_query_put(q, i, NULL);
    }
}

/* Whether the triangle that a hint names is there and is hit. */
static bool hint_is_hit(const sli_world *world, const sli_world_ray *ray, sl_triangle_ref hint,
                        sl_stats *stats)
{
    if (hint.instance >= world->count || world->transformed[hint.instance].tree == NULL) {
        return false;
    }
    const sl_bvh *tree = world->transformed[hint.instance].tree;
    sl_triangle triangle;
    sl_hit_d hit;
    sli_decision_stage stage;
    if (!sli_tree_triangle(tree, hint.prim, &triangle) ||
        !sli_world_selects(&ray->item, &world->transformed[hint.instance], hint.instance) ||
        !sli_item_has(&ray->item, hint, sli_tree_mask(tree, hint.prim))) {
        return false;
    }
    const bool found = sli_world_decide(world, ray, hint, triangle.v, INFINITY, &hit, &stage);
    stats->rays += found; /* else the walk will count it */
    stats->triangles++;
    stats->double_stage += stage == SLI_STAGE_DOUBLE;
    stats->exact_stage += stage == SLI_STAGE_EXACT;
    stats->hits += found;
    return found;
}

static void find_any(const sli_ray_query *q, size_t i, sl_stats *stats)
{
    const sli_world *world = world_for(q, i, i + 1);
    sl_triangle_ref *hint = q->hints != NULL ? &q->hints[i] : NULL;
    sli_world_ray ray;
    if (!prepare_ray(q, i, &ray)) {
        stats->rays++;
        q->any[i] = 0;
        return;
    }
    q->any[i] = (hint != NULL && !q->tried && hint_is_hit(world, &ray, *hint, stats)) ||
                q->bvh->kernels->world_any(world, &ray, hint, stats);
}

static void find_all(const sli_ray_query *q, size_t i, sl_stats *stats)
{
    sli_world_ray ray;
    sli_world_row row = sli_world_row_of(q->hits.floats, q->hits.doubles, q->capacity, i);
    row.after = q->after;
    if (prepare_ray(q, i, &ray)) {
        q->bvh->kernels->world_all(&q->bvh->world, &ray, sli_world_row_add, &row, stats);
    } else {
        stats->rays++;
    }
    q->totals[i] = row.total;
    sli_world_row_sort(&row);
}

/* ---- One alone ---- */

static bool prepare_alone(const sli_ray_items *item, const sl_options *options, sli_world_ray *out)
{
    *out = (sli_world_ray){ .in_floats = item->rays != NULL || item->segments != NULL };
    sli_world_options(options, 0, 0, out);
    return sli_ray_exact(item, 0, options->flags, &out->exact);
}

bool sli_world_any_alone(const sl_bvh *bvh, const sli_ray_items *item, const sl_options *options)
{
    sli_world_ray ray;
    return prepare_alone(item, options, &ray) &&
           bvh->kernels->world_any(sli_world_for_ray(bvh, &ray), &ray, NULL, NULL);
}

bool sli_world_closest_alone(const sl_bvh *bvh, const sli_ray_items *item,
                             const sl_options *options, sl_hit_d *hit)
{
    sli_world_ray ray;
    if (prepare_alone(item, options, &ray) &&
        bvh->kernels->world_closest(sli_world_for_ray(bvh, &ray), &ray, hit, NULL)) {
        return true;
    }
    *hit = (sl_hit_d){ .t = sli_ray_limit(item, 0), .prim = SL_NONE };
    return false;
}

/* ---- Many together ---- */

/* Whether there is one instance, and the corner rule changes no vertex of it.  A tree of those that
 * stand still is none: it counts from a middle. */
static bool is_unmoved(const sl_bvh *bvh)
{
    const sli_transformed *transformed = bvh->world.transformed;
    if (bvh->instances == NULL || bvh->world.count != 1 ||
        transformed->grid != SLI_TRANSFORM_STEP) {
        return bvh->instances == NULL;
    }
    for (int i = 0; i < 3; i++) {
        for (int k = 0; k < 4; k++) {
            if (transformed->transform.m[i][k] != (i == k ? 1 : 0)) {
                return false;
            }
        }
    }
    return true;
}

/* For items begin .. end - 1. */
static sli_world_batch batch_of(const sli_ray_query *q, size_t begin, size_t end)
{
    const sli_world *world = q->kind == SLI_QUERY_ALL ? &q->bvh->world : world_for(q, begin, end);
    return (sli_world_batch){ .world = world,
                              .rays = q->items.rays,
                              .segments = q->items.segments,
                              .rays_d = q->items.rays_d,
                              .segments_d = q->items.segments_d,
                              .options = q->options,
                              .ignore_stride = q->ignore_stride,
                              .uses = sli_options_uses(q->options, begin, end),
                              .in_floats = in_floats(q),
                              .hinted = q->hints != NULL && are_segments(q),
                              .tried = q->tried,
                              .unmoved = !world->still && is_unmoved(q->bvh) };
}

static bool goes_together(const sli_ray_query *q, size_t count)
{
    enum { COUNT_MIN = 8 };
    return count >= COUNT_MIN && q->options->filter == NULL &&
           q->bvh->world.top->root != SLI_REF_EMPTY && q->kind != SLI_QUERY_NEXT &&
           q->after == NULL;
}

static void find_together(const sli_ray_query *q, size_t begin, size_t end, sl_stats *stats)
{
    const sli_world_batch batch = batch_of(q, begin, end);
    if (q->kind == SLI_QUERY_CLOSEST) {
        q->bvh->kernels->world_closest_many(&batch, begin, end, q->hits.floats, q->hits.doubles,
                                            stats);
    } else if (q->kind == SLI_QUERY_ALL) {
        q->bvh->kernels->world_all_many(&batch, begin, end, q->hits.floats, q->hits.doubles,
                                        q->capacity, q->totals, stats);
    } else {
        q->bvh->kernels->world_any_many(&batch, begin, end, q->any, q->hints, stats);
    }
}

void sli_world_rays(const sli_ray_query *q, size_t begin, size_t end, sl_stats *stats)
{
    if (goes_together(q, end - begin)) {
        find_together(q, begin, end, stats);
        return;
    }
    for (size_t i = begin; i < end; i++) {
        switch (q->kind) {
        case SLI_QUERY_CLOSEST:
            find_closest(q, i, NULL, stats);
            break;
        case SLI_QUERY_ANY:
            find_any(q, i, stats);
            break;
        case SLI_QUERY_ALL:
            find_all(q, i, stats);
            break;
        case SLI_QUERY_NEXT:
            find_next(q, i, stats);
            break;
        }
    }
}

static void run_block(const void *context, size_t begin, size_t end, sl_stats *stats)
{
    sli_world_rays(context, begin, end, stats);
}

void sli_world_query(const sli_ray_query *q, size_t count, sl_stats *stats)
{
    sli_run_blocks(count, run_block, q, stats, NULL);
}

static void try_block(const void *context, size_t begin, size_t end, sl_stats *stats)
{
    const sli_ray_query *q = context;
    const sli_world_batch batch = batch_of(q, begin, end);
    if (q->options->filter == NULL) {
        q->bvh->kernels->world_try_hints(&batch, begin, end, q->any, q->hints, stats);
        return;
    }
    for (size_t i = begin; i < end; i++) {
        sli_world_ray ray;
        q->any[i] =
            prepare_ray(q, i, &ray) && hint_is_hit(&q->bvh->world, &ray, q->hints[i], stats);
    }
}

void sli_world_try_hints(const sli_ray_query *q, size_t count, sl_stats *stats)
{
    sli_run_blocks(count, try_block, q, stats, NULL);
}
