/* What a ray meets: one ray, or an array.  A single call is an array of one, or goes to the kernel at
 * once where that is all there is to it. */
#include "bvh/query/proxy.h"
#include "bvh/query/query.h"
#include "lib/geom/intersect/hit_heap.h"

/* One question asked of an array of rays; where its answers go. */
typedef struct job {
    const sl_bvh *bvh;
    const sl_ray *rays;
    const sl_query *query;
    sli_block_fn *run; /* asks the tree */
    const sl_hit *previous;
    sl_hit *hits;
    size_t capacity;
    uint8_t *any;
    uint64_t *totals;
} job;

static void closest(const void *context, size_t begin, size_t end, sl_stats *stats)
{
    const job *j = context;
    const sli_kernel_batch batch = { .tree = j->bvh, .rays = j->rays, .query = j->query };
    j->bvh->kernels->closest_many(&batch, begin, end, j->hits, stats);
}

static void any(const void *context, size_t begin, size_t end, sl_stats *stats)
{
    const job *j = context;
    const sli_kernel_batch batch = { .tree = j->bvh, .rays = j->rays, .query = j->query };
    j->bvh->kernels->any_many(&batch, begin, end, j->any, NULL, stats);
}

/* Also counts, with a capacity of 0. */
static void all(const void *context, size_t begin, size_t end, sl_stats *stats)
{
    const job *j = context;
    for (size_t i = begin; i < end; i++) {
        sli_kernel_ray ray;
        if (sli_prepare_ray(&j->rays[i], j->query, i, &ray)) {
            sl_hit *row = j->capacity > 0 ? j->hits + i * j->capacity : NULL;
            j->totals[i] = j->bvh->kernels->all(j->bvh, &ray, row, j->capacity, stats);
        } else {
            j->totals[i] = 0;
            stats->rays++;
        }
    }
}

static void next(const void *context, size_t begin, size_t end, sl_stats *stats)
{
    const job *j = context;
    for (size_t i = begin; i < end; i++) {
        sli_kernel_ray ray;
        const sl_hit previous = j->previous[i];
        sl_hit hit = sli_miss(j->rays[i].tmax);
        if (previous.prim != SL_NONE && sli_prepare_ray(&j->rays[i], j->query, i, &ray)) {
            ray.after = &previous;
            (void)j->bvh->kernels->closest(j->bvh, &ray, &hit, stats);
        } else {
            stats->rays++;
        }
        j->hits[i] = hit;
    }
}

/* The answer of a proxy, which is the only hit or none. */
static void answer(const job *j, size_t i, const sl_hit *hit)
{
    const bool met = hit->prim != SL_NONE;
    if (j->any != NULL) {
        j->any[i] = met;
    } else if (j->totals != NULL) {
        j->totals[i] = met;
        if (met && j->capacity > 0) {
            j->hits[i * j->capacity] = *hit;
        }
    } else if (j->previous == NULL ||
               (j->previous[i].prim != SL_NONE && sli_hit_before(&j->previous[i], hit))) {
        j->hits[i] = *hit;
    } else {
        j->hits[i] = sli_miss(j->rays[i].tmax);
    }
}

static void by_proxy(const void *context, size_t begin, size_t end, sl_stats *stats)
{
    const job *j = context;
    const sl_proxy *proxy = j->query->proxy;
    for (size_t i = begin; i < end; i++) {
        sli_kernel_ray ray;
        sl_hit hit = sli_miss(j->rays[i].tmax);
        const bool valid = sli_prepare_ray(&j->rays[i], j->query, i, &ray);
        const bool met = valid && sli_proxy_ray(proxy, &j->rays[i], &hit);
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

void sl_bvh_closest_many(const sl_bvh *bvh, const sl_ray *rays, size_t count, const sl_query *query,
                         sl_hit *hits, const sl_tasks *tasks)
{
    ask(count, closest, &(job){ .bvh = bvh, .rays = rays, .hits = hits }, query, tasks);
}

void sl_bvh_any_many(const sl_bvh *bvh, const sl_ray *rays, size_t count, const sl_query *query,
                     uint8_t *answers, const sl_tasks *tasks)
{
    ask(count, any, &(job){ .bvh = bvh, .rays = rays, .any = answers }, query, tasks);
}

void sl_bvh_count_many(const sl_bvh *bvh, const sl_ray *rays, size_t count, const sl_query *query,
                       uint64_t *counts, const sl_tasks *tasks)
{
    ask(count, all, &(job){ .bvh = bvh, .rays = rays, .totals = counts }, query, tasks);
}

void sl_bvh_all_many(const sl_bvh *bvh, const sl_ray *rays, size_t count, const sl_query *query,
                     sl_hit *hits, size_t capacity, uint64_t *totals, const sl_tasks *tasks)
{
    job j = { .bvh = bvh, .rays = rays, .hits = hits, .capacity = capacity, .totals = totals };
    ask(count, all, &j, query, tasks);
}

void sl_bvh_next_many(const sl_bvh *bvh, const sl_ray *rays, size_t count, const sl_query *query,
                      const sl_hit *previous, sl_hit *hits, const sl_tasks *tasks)
{
    ask(count, next, &(job){ .bvh = bvh, .rays = rays, .previous = previous, .hits = hits }, query,
        tasks);
}

bool sl_bvh_closest(const sl_bvh *bvh, const sl_ray *ray, const sl_query *query, sl_hit *hit)
{
    sl_hit found;
    const sli_kernel_batch batch = { .tree = bvh,
                                     .rays = ray,
                                     .query = query != NULL ? query : &sli_everything };
    if (sli_query_is_plain(batch.query)) {
        (void)sli_closest_alone(&batch, &found);
    } else {
        sl_bvh_closest_many(bvh, ray, 1, query, &found, NULL);
    }
    if (hit != NULL) {
        *hit = found;
    }
    return found.prim != SL_NONE;
}

bool sl_bvh_any(const sl_bvh *bvh, const sl_ray *ray, const sl_query *query)
{
    const sli_kernel_batch batch = { .tree = bvh,
                                     .rays = ray,
                                     .query = query != NULL ? query : &sli_everything };
    if (sli_query_is_plain(batch.query)) {
        return sli_any_alone(&batch);
    }
    uint8_t found;
    sl_bvh_any_many(bvh, ray, 1, query, &found, NULL);
    return found != 0;
}

size_t sl_bvh_all(const sl_bvh *bvh, const sl_ray *ray, const sl_query *query, sl_hit *hits,
                  size_t capacity)
{
    uint64_t total;
    sl_bvh_all_many(bvh, ray, 1, query, hits, capacity, &total, NULL);
    return (size_t)total;
}

size_t sl_bvh_count(const sl_bvh *bvh, const sl_ray *ray, const sl_query *query)
{
    return sl_bvh_all(bvh, ray, query, NULL, 0);
}

bool sl_bvh_next(const sl_bvh *bvh, const sl_ray *ray, const sl_query *query,
                 const sl_hit *previous, sl_hit *hit)
{
    sl_hit found;
    sl_bvh_next_many(bvh, ray, 1, query, previous, &found, NULL);
    if (hit != NULL) {
        *hit = found;
    }
    return found.prim != SL_NONE;
}
