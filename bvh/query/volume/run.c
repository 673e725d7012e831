/* Which triangles volumes touch: the public calls of volumes.h but for self-overlaps.  A query
 * about one volume is one about an array of one. */
#include "bvh/query/proxy.h"
#include "bvh/query/volume/query.h"

static void find_volumes(const void *context, size_t begin, size_t end, sl_stats *stats)
{
    const sli_volume_query *q = context;
    const bool by_world = q->bvh->instances != NULL || q->volumes.number == SL_DOUBLE ||
                          (sli_options_uses(q->options, begin, end) & SLI_USES_IGNORE) != 0;
    for (size_t i = begin; i < end; i++) {
        sl_triangle_ref *row = q->capacity > 0 ? q->refs + i * q->capacity : NULL;
        const size_t total =
            by_world ? sli_world_volume(q, i, row, stats) : sli_tree_volume(q, i, row, stats);
        if (q->touches != NULL) {
            q->touches[i] = total > 0;
        } else {
            q->totals[i] = total;
        }
    }
}

/* Tells sli_query_behind_proxy whether volume i touches the proxy; the answer's prim alone is
 * used. */
static sli_intersection meet_proxy(const void *context, size_t i, sli_proxy_answer *answer)
{
    const sli_volume_query *q = context;
    const bool met = sli_proxy_volume(q->options->proxy, sli_volume_at(q, i));
    answer->hit = (sl_hit){ .prim = met ? SL_PROXY_PRIM : SL_NONE };
    return met ? SLI_MEETS_PROXY : SLI_MISSES_PROXY;
}

/* Writes the proxy's answer where that of the tree would go: SL_PROXY_PRIM is the only triangle. */
static void answer_by_proxy(const void *context, size_t i, const sli_proxy_answer *answer)
{
    const sli_volume_query *q = context;
    const bool met = answer->hit.prim != SL_NONE;
    if (q->touches != NULL) {
        q->touches[i] = met;
        return;
    }
    q->totals[i] = met;
    if (met && q->capacity > 0) {
        q->refs[i * q->capacity] = (sl_triangle_ref){ .prim = SL_PROXY_PRIM };
    }
}

/* A block of items, by the proxy, the tree or both.  The proxy stands before volumes in floats. */
static void run_block(const void *context, size_t begin, size_t end, sl_stats *stats)
{
    const sli_volume_query *q = context;
    const sli_proxied proxied = { .job = q,
                                  .proxy =
                                      q->volumes.number != SL_DOUBLE ? q->options->proxy : NULL,
                                  .tree = find_volumes,
                                  .meet = meet_proxy,
                                  .answer = answer_by_proxy };
    sli_query_behind_proxy(&proxied, begin, end, stats);
}

static void run_volumes(sli_volume_query *q, const sl_options *options, const sl_tasks *tasks,
                        sl_stats *stats)
{
    const bool doubles = q->volumes.number == SL_DOUBLE;
    const size_t size = doubles ? sizeof(sl_volume_d) : sizeof(sl_volume);
    q->options = options != NULL ? options : &sli_everything;
    q->volumes.stride = sli_stride_of(q->volumes.stride, size);
    sli_run_blocks_of(q->bvh->instances != NULL ? 64 : 4096, q->volumes.count, run_block, q, stats,
                      tasks);
}

void sl_bvh_overlap_any_many(const sl_bvh *bvh, sl_volumes volumes, const sl_options *options,
                             uint8_t *touches, const sl_tasks *tasks, sl_stats *stats)
{
    sli_volume_query q = { .bvh = bvh, .volumes = volumes, .touches = touches };
    run_volumes(&q, options, tasks, stats);
}

void sl_bvh_overlap_all_many(const sl_bvh *bvh, sl_volumes volumes, const sl_options *options,
                             sl_triangle_ref *refs, size_t capacity, uint64_t *totals,
                             const sl_tasks *tasks, sl_stats *stats)
{
    sli_volume_query q = {
        .bvh = bvh, .volumes = volumes, .refs = refs, .capacity = capacity, .totals = totals
    };
    run_volumes(&q, options, tasks, stats);
}

bool sl_bvh_overlap_any(const sl_bvh *bvh, const sl_volume *volume, const sl_options *options)
{
    uint8_t touches;
    sl_bvh_overlap_any_many(bvh, sl_volumes_of(volume, 1, SL_FLOAT), options, &touches, NULL, NULL);
    return touches != 0;
}

size_t sl_bvh_overlap_all(const sl_bvh *bvh, const sl_volume *volume, const sl_options *options,
                          sl_triangle_ref *refs, size_t capacity)
{
    uint64_t total;
    sl_bvh_overlap_all_many(bvh, sl_volumes_of(volume, 1, SL_FLOAT), options, refs, capacity,
                            &total, NULL, NULL);
    return (size_t)total;
}
