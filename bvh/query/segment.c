/* What lies between two points: the same questions for segments, and blocked or not. */
#include "bvh/query/hint.h"
#include "bvh/query/proxy.h"
#include "bvh/query/query.h"
#include "lib/geom/intersect/hit_heap.h"

typedef struct job {
    const sl_bvh *bvh;
    const sl_segment *segments;
    const sl_query *query;
    sli_block_fn *run;   /* asks the tree */
    const sl_hit *after; /* one segment only */
    sl_hit *hits;
    size_t capacity;
    uint8_t *blocked;
    uint32_t *hint;
    uint64_t *total; /* one segment only */
} job;

static void blocked(const void *context, size_t begin, size_t end, sl_stats *stats)
{
    const job *j = context;
    const sli_kernel_batch batch = { .tree = j->bvh, .segments = j->segments, .query = j->query };
    if (j->hint != NULL) {
        sli_blocked_by_hint(&batch, begin, end, j->blocked, j->hint, stats);
    } else {
        j->bvh->kernels->any_many(&batch, begin, end, j->blocked, NULL, stats);
    }
}

static void blockers(const void *context, size_t begin, size_t end, sl_stats *stats)
{
    const job *j = context;
    const sli_kernel_batch batch = { .tree = j->bvh, .segments = j->segments, .query = j->query };
    if (j->after == NULL) {
        j->bvh->kernels->closest_many(&batch, begin, end, j->hits, stats);
        return;
    }
    sli_kernel_ray ray;
    sl_hit hit = sli_miss(1);
    if (sli_prepare_segment(&j->segments[begin], j->query, begin, &ray)) {
        ray.after = j->after;
        (void)j->bvh->kernels->closest(j->bvh, &ray, &hit, stats);
    } else {
        stats->rays++;
    }
    j->hits[begin] = hit;
}

static void all(const void *context, size_t begin, size_t end, sl_stats *stats)
{
    const job *j = context;
    for (size_t i = begin; i < end; i++) {
        sli_kernel_ray ray;
        *j->total = 0;
        if (sli_prepare_segment(&j->segments[i], j->query, i, &ray)) {
            *j->total = j->bvh->kernels->all(j->bvh, &ray, j->hits, j->capacity, stats);
        } else {
            stats->rays++;
        }
    }
}

/* The answer of a proxy, which is the only hit or none. */
static void answer(const job *j, size_t i, const sl_hit *hit)
{
    const bool met = hit->prim != SL_NONE;
    if (j->blocked != NULL) {
        j->blocked[i] = met;
    } else if (j->total != NULL) {
        *j->total = met;
        if (met && j->capacity > 0) {
            j->hits[0] = *hit;
        }
    } else {
        j->hits[i] = j->after == NULL || sli_hit_before(j->after, hit) ? *hit : sli_miss(1);
    }
}

static void by_proxy(const void *context, size_t begin, size_t end, sl_stats *stats)
{
    const job *j = context;
    const sl_proxy *proxy = j->query->proxy;
    for (size_t i = begin; i < end; i++) {
        sli_kernel_ray ray;
        sl_hit hit = sli_miss(1);
        const bool valid = sli_prepare_segment(&j->segments[i], j->query, i, &ray);
        const bool met = valid && sli_proxy_segment(proxy, &j->segments[i], &hit);
        if (met && proxy->mode == SL_PROXY_FIRST) {
            j->run(j, i, i + 1, stats);
            continue;
        }
        stats->rays++;
        stats->proxies_rejected += valid && !met;
        answer(j, i, &hit);
    }
}

static void ask(size_t count, sli_block_fn *run, job *j, const sl_query *query,
                const sl_tasks *tasks)
{
    j->query = query != NULL ? query : &sli_everything;
    j->run = run;
    sli_run_blocks(count, j->query->proxy != NULL ? by_proxy : run, j, j->query->stats, tasks);
}

void sl_bvh_blocked_many(const sl_bvh *bvh, const sl_segment *segments, size_t count,
                         const sl_query *query, uint8_t *answers, uint32_t *hint,
                         const sl_tasks *tasks)
{
    ask(count, blocked,
        &(job){ .bvh = bvh, .segments = segments, .blocked = answers, .hint = hint }, query, tasks);
}

void sl_bvh_closest_segment_many(const sl_bvh *bvh, const sl_segment *segments, size_t count,
                                 const sl_query *query, sl_hit *hits, const sl_tasks *tasks)
{
    ask(count, blockers, &(job){ .bvh = bvh, .segments = segments, .hits = hits }, query, tasks);
}

bool sl_bvh_blocked(const sl_bvh *bvh, const sl_segment *segment, const sl_query *query,
                    sl_hit *closest)
{
    const sli_kernel_batch batch = { .tree = bvh,
                                     .segments = segment,
                                     .query = query != NULL ? query : &sli_everything };
    if (sli_query_is_plain(batch.query)) {
        return closest != NULL ? sli_closest_alone(&batch, closest) : sli_any_alone(&batch);
    }
    if (closest != NULL) {
        sl_bvh_closest_segment_many(bvh, segment, 1, query, closest, NULL);
        return closest->prim != SL_NONE;
    }
    uint8_t is_blocked;
    sl_bvh_blocked_many(bvh, segment, 1, query, &is_blocked, NULL, NULL);
    return is_blocked != 0;
}

size_t sl_bvh_all_segment(const sl_bvh *bvh, const sl_segment *segment, const sl_query *query,
                          sl_hit *hits, size_t capacity)
{
    uint64_t total;
    job j = {
        .bvh = bvh, .segments = segment, .hits = hits, .capacity = capacity, .total = &total
    };
    ask(1, all, &j, query, NULL);
    return (size_t)total;
}

size_t sl_bvh_count_segment(const sl_bvh *bvh, const sl_segment *segment, const sl_query *query)
{
    return sl_bvh_all_segment(bvh, segment, query, NULL, 0);
}

bool sl_bvh_next_segment(const sl_bvh *bvh, const sl_segment *segment, const sl_query *query,
                         const sl_hit *previous, sl_hit *hit)
{
    const sl_hit after = *previous;
    sl_hit found = sli_miss(1);
    if (after.prim != SL_NONE) {
        ask(1, blockers, &(job){ .bvh = bvh, .segments = segment, .after = &after, .hits = &found },
            query, NULL);
    }
    if (hit != NULL) {
        *hit = found;
    }
    return found.prim != SL_NONE;
}
