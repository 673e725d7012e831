/* Runs queries about rays: reads items and writes hits block by block where the caller's layout is
 * not plain, and lets the proxy go first. */
#include "bvh/query/ray_query.h"

#include "bvh/query/proxy.h"
#include "lib/geom/intersect/hit_heap.h"

void sli_ray_query_put(const sli_ray_query *q, size_t i, const sl_hit_d *hit)
{
    const sl_hit_d answer =
        hit != NULL ? *hit : (sl_hit_d){ .t = sli_ray_limit(&q->items, i), .prim = SL_NONE };
    if (q->hits.floats != NULL) {
        q->hits.floats[i] = sli_hit_in_floats(&answer);
    } else {
        q->hits.doubles[i] = answer;
    }
}

/* ---- The proxy, which stands before trees of either kind, for items in floats ---- */

static sl_hit proxy_miss(const sli_ray_query *q, size_t i)
{
    return (sl_hit){ .t = (float)sli_ray_limit(&q->items, i), .prim = SL_NONE };
}

/* For sli_query_behind_proxy: whether item i meets the proxy, and where. */
static sli_intersection meet_proxy(const void *context, size_t i, sli_proxy_answer *answer)
{
    const sli_ray_query *q = context;
    const sl_proxy *proxy = q->options->proxy;
    sli_exact_ray exact;
    answer->hit = proxy_miss(q, i);
    if (!sli_ray_exact(&q->items, i, q->options->flags, &exact)) {
        return SLI_NOT_VALID;
    }
    const bool met = q->items.rays != NULL
                         ? sli_proxy_ray(proxy, &q->items.rays[i], &answer->hit)
                         : sli_proxy_segment(proxy, &q->items.segments[i], &answer->hit);
    return met ? SLI_MEETS_PROXY : SLI_MISSES_PROXY;
}

/* Whether a hit of the proxy comes after the previous hit of item i. */
static bool is_after_previous(const sli_ray_query *q, size_t i, const sl_hit_d *hit)
{
    const sl_hit_d previous = q->previous.floats != NULL
                                  ? sli_hit_in_doubles(&q->previous.floats[i])
                                  : q->previous.doubles[i];
    return previous.prim != SL_NONE && sli_hit_d_before(&previous, hit);
}

/* Writes the proxy's answer, its only hit or a miss, where that of the tree would go.  Hints stay
 * as they are, since a proxy is no triangle. */
static void answer_by_proxy(const void *context, size_t i, const sli_proxy_answer *answer)
{
    const sli_ray_query *q = context;
    const sl_hit_d hit = sli_hit_in_doubles(&answer->hit);
    const bool met = hit.prim != SL_NONE;
    switch (q->kind) {
    case SLI_QUERY_CLOSEST:
        sli_ray_query_put(q, i, met ? &hit : NULL);
        break;
    case SLI_QUERY_ANY:
        q->any[i] = met;
        break;
    case SLI_QUERY_ALL:
        q->totals[i] = met;
        if (met && q->capacity > 0) {
            sli_ray_query_put(q, i * q->capacity, &hit);
        }
        break;
    case SLI_QUERY_NEXT:
        sli_ray_query_put(q, i, met && is_after_previous(q, i, &hit) ? &hit : NULL);
        break;
    }
}

static void answer_by_kernels(const void *context, size_t begin, size_t end, sl_stats *stats)
{
    const sli_ray_query *q = context;
    if (q->by_world) {
        sli_world_rays(q, begin, end, stats);
    } else {
        sli_tree_rays(q, begin, end, stats);
    }
}

void sli_ray_query_answer(const sli_ray_query *q, size_t begin, size_t end, sl_stats *stats)
{
    const bool in_floats = q->items.rays != NULL || q->items.segments != NULL;
    const sli_proxied proxied = { .job = q,
                                  .proxy = in_floats ? q->options->proxy : NULL,
                                  .tree = answer_by_kernels,
                                  .meet = meet_proxy,
                                  .answer = answer_by_proxy };
    sli_query_behind_proxy(&proxied, begin, end, stats);
}
