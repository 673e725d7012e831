/* Answers questions about many rays or segments (an item is one of either): for ray.c, segment.c,
 * columns.c and from_point.c, which fill in a sli_question.  By calling kernels, in parallel over
 * blocks of items:
 *   ask_few    short arrays, without a detour
 *   run        one block of items: of an array as it is, of one point by the kernel for that, else
 *              copied into an array on the stack (closest_block, any_block)
 *   ask_array  items of an array: the proxy, if there is one (proxy.h), and the tree
 *   ask_tree   by the kernel for what is asked: many items at once if there is one, else one by
 *              one; with a hit filter by filtered.c
 * Blocks run under the floating-point guard; nothing here allocates. */
#include "bvh/query/ask.h"

#include "bvh/query/filtered.h"
#include "bvh/query/proxy.h"
#include "lib/base/fpenv.h"
#include "lib/geom/intersect/hit_heap.h"

#include <string.h>

_Static_assert(sizeof(sli_source_block) + SLI_SOURCE_BLOCK * sizeof(sl_hit) <= SLI_NARROW_CLOSEST &&
                   sizeof(sli_source_block) <= SLI_NARROW_ANY,
               "a narrow batch leaves this many bytes of the stack to closest_block and any_block");

bool sli_question_prepare(const sli_question *q, size_t i, sli_kernel_ray *ray)
{
    const bool valid = q->source.rays != NULL
                           ? sli_prepare_ray(&q->source.rays[i], q->query, i, ray)
                           : sli_prepare_segment(&q->source.segments[i], q->query, i, ray);
    if (sli_query_has_filter(q->query)) {
        ray->accepts = q->query->filter;
        ray->accepts_user = q->query->filter_user;
        ray->accepts_index = q->first + i;
    }
    return valid;
}

sl_hit sli_question_miss(const sli_question *q, size_t i)
{
    return (sl_hit){ .t = sli_source_tmax(&q->source, i), .prim = SL_NONE };
}

sli_kernel_batch sli_question_batch(const sli_question *q)
{
    return (sli_kernel_batch){ .tree = q->bvh,
                               .rays = q->source.rays,
                               .segments = q->source.segments,
                               .query = q->query,
                               .hinted = q->hints != NULL,
                               .narrow = q->narrow };
}

/* All hits of each item: the closest `capacity` of them into its row of hits, their number into
 * totals.  Kernels count the rays that they get, so only the invalid are counted here. */
static void ask_all(const sli_question *q, size_t begin, size_t end, sl_stats *stats)
{
    for (size_t i = begin; i < end; i++) {
        sli_kernel_ray ray;
        if (sli_question_prepare(q, i, &ray)) {
            sl_hit *row = q->capacity > 0 ? q->hits + i * q->capacity : NULL;
            q->totals[i] = q->bvh->kernels->all(q->bvh, &ray, row, q->capacity, stats);
        } else {
            q->totals[i] = 0;
            stats->rays++;
        }
    }
}

/* The closest hit of each item after its previous one that the hit filter accepts.  After a miss
 * there is none.  previous is copied, since it may be hits. */
static void ask_next(const sli_question *q, size_t begin, size_t end, sl_stats *stats)
{
    for (size_t i = begin; i < end; i++) {
        sli_kernel_ray ray;
        const sl_hit previous = q->previous[i];
        sl_hit hit = sli_question_miss(q, i);
        if (previous.prim != SL_NONE && sli_question_prepare(q, i, &ray)) {
            ray.after = &previous;
            (void)q->bvh->kernels->closest(q->bvh, &ray, &hit, stats);
        } else {
            stats->rays++;
        }
        q->hits[i] = hit;
    }
}

/* Answers items begin .. end - 1 of an array by the tree.  Kernels take no hit filter with a batch,
 * and no batch for all or next hits: these go item by item. */
static void ask_tree(const void *context, size_t begin, size_t end, sl_stats *stats)
{
    const sli_question *q = context;
    const bool filtered = sli_query_has_filter(q->query);
    const sli_kernel_batch batch = sli_question_batch(q);
    switch (q->asked) {
    case SLI_ASKED_CLOSEST:
        if (filtered) {
            sli_filtered_closest(q, begin, end, stats);
        } else {
            q->bvh->kernels->closest_many(&batch, begin, end, q->hits, stats);
        }
        break;
    case SLI_ASKED_ANY:
        if (filtered) {
            sli_filtered_any(q, begin, end, stats);
        } else {
            q->bvh->kernels->any_many(&batch, begin, end, q->yes, q->hints, stats);
        }
        break;
    case SLI_ASKED_ALL:
        ask_all(q, begin, end, stats);
        break;
    case SLI_ASKED_NEXT:
        ask_next(q, begin, end, stats);
        break;
    }
}

/* For sli_ask_behind_proxy: whether item i meets the proxy, and where; without a hit, a miss. */
static sli_meeting meet_proxy(const void *context, size_t i, sli_proxy_answer *answer)
{
    const sli_question *q = context;
    const sl_proxy *proxy = q->query->proxy;
    sli_kernel_ray ray;
    answer->hit = sli_question_miss(q, i);
    if (!sli_question_prepare(q, i, &ray)) {
        return SLI_NOT_VALID;
    }
    const bool met = q->source.rays != NULL
                         ? sli_proxy_ray(proxy, &q->source.rays[i], &answer->hit)
                         : sli_proxy_segment(proxy, &q->source.segments[i], &answer->hit);
    return met ? SLI_MEETS_PROXY : SLI_MISSES_PROXY;
}

/* Writes the proxy's answer, its only hit or a miss, where that of the tree would go.  Hints stay
 * as they are, since a proxy is no triangle. */
static void answer_by_proxy(const void *context, size_t i, const sli_proxy_answer *answer)
{
    const sli_question *q = context;
    const sl_hit *hit = &answer->hit;
    const bool met = hit->prim != SL_NONE;
    switch (q->asked) {
    case SLI_ASKED_CLOSEST:
        q->hits[i] = *hit;
        break;
    case SLI_ASKED_ANY:
        q->yes[i] = met;
        break;
    case SLI_ASKED_ALL:
        q->totals[i] = met;
        if (met && q->capacity > 0) {
            q->hits[i * q->capacity] = *hit;
        }
        break;
    case SLI_ASKED_NEXT: {
        const sl_hit *previous = &q->previous[i];
        const bool after = previous->prim != SL_NONE && sli_hit_before(previous, hit);
        q->hits[i] = after ? *hit : sli_question_miss(q, i);
        break;
    }
    }
}

/* Answers items begin .. end - 1 of an array, by the proxy, the tree or both. */
static void ask_array(const sli_question *q, size_t begin, size_t end, sl_stats *stats)
{
    const sli_proxied proxied = { .job = q,
                                  .proxy = q->query->proxy,
                                  .tree = ask_tree,
                                  .meet = meet_proxy,
                                  .answer = answer_by_proxy };
    sli_ask_behind_proxy(&proxied, begin, end, stats);
}

/* closest_block and any_block answer count items from `first` on, which they copy into an array; so
 * options and outputs of single items are taken from `first` on too.  Neither is inlined, so that
 * only one of the two has its arrays on the stack. */
static SLI_NOINLINE void closest_block(const sli_question *q, size_t first, size_t count,
                                       sl_stats *stats)
{
    sli_source_block block;
    sl_hit hits[SLI_SOURCE_BLOCK];
    const sl_query query = sli_query_from(q->query, first);
    const sli_question part = { .bvh = q->bvh,
                                .query = &query,
                                .source = sli_source_copy(&q->source, first, count, &block),
                                .asked = SLI_ASKED_CLOSEST,
                                .hits = hits,
                                .narrow = true,
                                .first = first };
    ask_array(&part, 0, count, stats);
    sli_hits_scatter(q->columns, first, hits, count);
}

static SLI_NOINLINE void any_block(const sli_question *q, size_t first, size_t count,
                                   sl_stats *stats)
{
    sli_source_block block;
    const sl_query query = sli_query_from(q->query, first);
    const sli_question part = { .bvh = q->bvh,
                                .query = &query,
                                .source = sli_source_copy(&q->source, first, count, &block),
                                .asked = SLI_ASKED_ANY,
                                .yes = q->yes + first,
                                .hints = q->hints != NULL ? q->hints + first : NULL,
                                .narrow = true,
                                .first = first };
    ask_array(&part, 0, count, stats);
}

/* Any hit, of rays or segments from one point.  from_point.c sets together only where there is no
 * proxy, no hit filter and no options for single items. */
static void ask_together(const sli_question *q, size_t begin, size_t end, sl_stats *stats)
{
    const sli_kernel_batch batch = { .tree = q->bvh,
                                     .point_to_many = q->source.from,
                                     .query = q->query };
    q->bvh->kernels->point_to_many_any(&batch, begin, end, q->yes, stats);
}

/* Answers items begin .. end - 1, a block of sli_run_blocks.  Sources other than arrays are asked
 * only for the closest or any hit. */
static void run(const void *context, size_t begin, size_t end, sl_stats *stats)
{
    const sli_question *q = context;
    if (sli_source_is_array(&q->source)) {
        ask_array(q, begin, end, stats);
        return;
    }
    if (q->together) {
        ask_together(q, begin, end, stats);
        return;
    }
    for (size_t first = begin; first < end; first += SLI_SOURCE_BLOCK) {
        const size_t count = end - first < SLI_SOURCE_BLOCK ? end - first : SLI_SOURCE_BLOCK;
        if (q->asked == SLI_ASKED_CLOSEST) {
            closest_block(q, first, count, stats);
        } else {
            any_block(q, first, count, stats);
        }
    }
}

/* Asks kernels at once, where the array is short and nothing stands before the tree or is counted:
 * the way through blocks takes as long as half an any-hit ray. */
static bool ask_few(const sli_question *q, size_t count)
{
    enum { FEW = 64 };
    const sl_query *query = q->query != NULL ? q->query : &sli_everything;
    if (count == 0 || count > FEW || !sli_source_is_array(&q->source) ||
        !sli_query_is_plain(query) ||
        (q->asked != SLI_ASKED_CLOSEST && q->asked != SLI_ASKED_ANY)) {
        return false;
    }
    sli_kernel_batch batch = sli_question_batch(q);
    batch.query = query;
    const sli_fpenv saved = sli_fpenv_enter();
    if (q->asked == SLI_ASKED_CLOSEST) {
        q->bvh->kernels->closest_many(&batch, 0, count, q->hits, NULL);
    } else {
        q->bvh->kernels->any_many(&batch, 0, count, q->yes, q->hints, NULL);
    }
    sli_fpenv_leave(saved);
    return true;
}

void sli_ask(const sli_question *question, size_t count, const sl_tasks *tasks)
{
    if (ask_few(question, count)) {
        return;
    }
    sli_question q = *question;
    q.query = question->query != NULL ? question->query : &sli_everything;
    sli_run_blocks(count, run, &q, q.query->stats, tasks);
}
