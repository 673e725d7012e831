/* Rays and segments in floats on a tree over triangles.  Kernels take the closest, any and all hits
 * of many items at once; next hits, and all hits after another or with a filter, one item after the
 * other.
 *
 * Batch kernels call no hit filter, so a batch finds a hit first, and its filter is called
 * afterwards: most hits of a mesh with few holes are accepted.  Only after a hit that is refused
 * does the plain kernel search on, item by item, and calls the filter on its way.
 *
 * Where most hits are refused the first search is wasted, and what follows costs as much as it
 * would alone.  So after a run of items of which more than half were refused, runs go to the
 * plain kernel at once: one run at first, twice as many each time that another trial fails, one
 * again after a trial that pays.  Which way an item goes changes no answer. */
#include "bvh/query/ray_query.h"

enum { RUN = 64, PAUSE_MAX = 16 };

/* Item i for a kernel that takes one ray, with its options and hit filter.  False: it is invalid,
 * so a miss. */
static bool prepare_ray(const sli_ray_query *q, size_t i, sli_kernel_ray *ray)
{
    const sl_options *options = q->options;
    *ray = (sli_kernel_ray){ .selection = sli_item_options(options, i), .cull = options->cull };
    ray->accepts = options->filter;
    ray->accepts_user = options->filter_user;
    ray->accepts_index = q->first + i;
    return sli_ray_exact(&q->items, i, options->flags, &ray->exact);
}

static sli_kernel_batch batch_of(const sli_ray_query *q, size_t begin, size_t end)
{
    sli_kernel_batch batch = sli_tree_batch(q->bvh, &q->items, q->options, begin, end);
    batch.hinted = q->hints != NULL && q->items.segments != NULL;
    batch.narrow = q->narrow;
    return batch;
}

/* All hits of each item: the closest `capacity` of them into its row of hits, their number into
 * totals.  Kernels count the rays that they get, so only the invalid are counted here. */
static void find_all(const sli_ray_query *q, size_t begin, size_t end, sl_stats *stats)
{
    const sl_hit after = q->after != NULL ? sli_hit_in_floats(q->after) : (sl_hit){ .t = 0 };
    for (size_t i = begin; i < end; i++) {
        sli_kernel_ray ray;
        if (prepare_ray(q, i, &ray)) {
            ray.after = q->after != NULL ? &after : NULL;
            sl_hit *row = q->capacity > 0 ? q->hits.floats + i * q->capacity : NULL;
            q->totals[i] = q->bvh->kernels->all(q->bvh, &ray, row, q->capacity, stats);
        } else {
            q->totals[i] = 0;
            stats->rays++;
        }
    }
}

/* The closest hit after a hit, or NULL, that the filter accepts. */
static void find_closest_after(const sli_ray_query *q, size_t i, const sl_hit *after,
                               sl_stats *stats)
{
    sli_kernel_ray ray;
    sli_ray_query_put(q, i, NULL);
    if (prepare_ray(q, i, &ray)) {
        ray.after = after;
        (void)q->bvh->kernels->closest(q->bvh, &ray, &q->hits.floats[i], stats);
    } else {
        stats->rays++;
    }
}

/* The next hit of each item; after a miss there is none.  previous is copied, since it may be
 * hits. */
static void find_next(const sli_ray_query *q, size_t begin, size_t end, sl_stats *stats)
{
    for (size_t i = begin; i < end; i++) {
        const sl_hit previous = q->previous.floats[i];
        if (previous.prim != SL_NONE) {
            find_closest_after(q, i, &previous, stats);
        } else {
            sli_ray_query_put(q, i, NULL);
            stats->rays++;
        }
    }
}

/* ---- With a hit filter ---- */

static void find_any_singly(const sli_ray_query *q, size_t i, sl_stats *stats)
{
    sli_kernel_ray ray;
    uint32_t prim = SL_NONE;
    if (prepare_ray(q, i, &ray)) {
        (void)q->bvh->kernels->any(q->bvh, &ray, &prim, stats);
    } else {
        stats->rays++;
    }
    if (prim != SL_NONE && q->hints != NULL) {
        q->hints[i] = (sl_triangle_ref){ .prim = prim };
    }
    q->any[i] = prim != SL_NONE;
}

/* The closest hits of a run by a batch, then those that the filter refuses again; returns how many
 * those were. */
static size_t try_closest(const sli_ray_query *q, size_t begin, size_t end, sl_stats *stats)
{
    const sli_kernel_batch batch = batch_of(q, begin, end);
    size_t refused = 0;
    q->bvh->kernels->closest_many(&batch, begin, end, q->hits.floats, stats);
    for (size_t i = begin; i < end; i++) {
        const sl_hit hit = q->hits.floats[i];
        if (hit.prim != SL_NONE &&
            !q->options->filter(q->options->filter_user, q->first + i, &hit)) {
            find_closest_after(q, i, &hit, stats);
            stats->rays--; /* counted by the batch already */
            refused++;
        }
    }
    return refused;
}

/* Whether the filter accepts the hit of item i on a prim that it hits. */
static bool accepts_prim(const sli_ray_query *q, size_t i, uint32_t prim)
{
    sli_kernel_ray ray;
    sl_triangle at;
    sli_exact_hit exact;
    return prepare_ray(q, i, &ray) && sli_tree_triangle(q->bvh, prim, &at) &&
           sli_exact_ray_hit(&ray.exact, at.v[0], at.v[1], at.v[2], (int)ray.cull, INFINITY,
                             &exact) &&
           q->options->filter(
               q->options->filter_user, q->first + i,
               &(sl_hit){
                   .t = exact.t, .u = exact.u, .v = exact.v, .prim = prim, .flags = exact.flags });
}

static size_t try_any(const sli_ray_query *q, size_t begin, size_t end, sl_stats *stats)
{
    sl_triangle_ref found[RUN];
    const sl_options options = sli_query_from(q->options, begin);
    sli_kernel_batch batch = batch_of(q, begin, end);
    size_t refused = 0;
    batch.rays = batch.rays != NULL ? batch.rays + begin : NULL;
    batch.segments = batch.segments != NULL ? batch.segments + begin : NULL;
    batch.options = &options;
    batch.hinted = false;
    q->bvh->kernels->any_many(&batch, 0, end - begin, q->any + begin, found, stats);
    for (size_t i = begin; i < end; i++) {
        if (q->any[i] == 0) {
            continue;
        }
        if (!accepts_prim(q, i, found[i - begin].prim)) {
            find_any_singly(q, i, stats);
            stats->rays--;
            refused++;
        } else if (q->hints != NULL) {
            q->hints[i] = found[i - begin];
        }
    }
    return refused;
}

/* Closest or any, in runs, each in one of the two ways. */
static void find_filtered(const sli_ray_query *q, size_t begin, size_t end, sl_stats *stats)
{
    const bool any = q->kind == SLI_QUERY_ANY;
    size_t pause = 1, left = 0; /* runs before the next trial */
    for (size_t next; begin < end; begin = next) {
        next = end - begin < RUN ? end : begin + RUN;
        if (left == 0) {
            const size_t refused = (any ? try_any : try_closest)(q, begin, next, stats);
            const bool pays = 2 * refused <= next - begin;
            left = pays ? 0 : pause;
            pause = pays ? 1 : pause < PAUSE_MAX ? 2 * pause : PAUSE_MAX;
            continue;
        }
        left--;
        for (size_t i = begin; i < next; i++) {
            if (any) {
                find_any_singly(q, i, stats);
            } else {
                find_closest_after(q, i, NULL, stats);
            }
        }
    }
}

void sli_tree_rays(const sli_ray_query *q, size_t begin, size_t end, sl_stats *stats)
{
    const sli_kernel_batch batch = batch_of(q, begin, end);
    switch (q->kind) {
    case SLI_QUERY_CLOSEST:
    case SLI_QUERY_ANY:
        if (q->options->filter != NULL) {
            find_filtered(q, begin, end, stats);
        } else if (q->kind == SLI_QUERY_CLOSEST) {
            q->bvh->kernels->closest_many(&batch, begin, end, q->hits.floats, stats);
        } else {
            q->bvh->kernels->any_many(&batch, begin, end, q->any, q->hints, stats);
        }
        break;
    case SLI_QUERY_ALL:
        if (q->options->filter != NULL || q->after != NULL) {
            find_all(q, begin, end, stats);
        } else {
            q->bvh->kernels->all_many(&batch, begin, end, q->hits.floats, q->capacity, q->totals,
                                      stats);
        }
        break;
    case SLI_QUERY_NEXT:
        find_next(q, begin, end, stats);
        break;
    }
}
