/* What is nearest to a point: the public questions about one point, or an array.  The kernels find
 * nearest triangles as hits with the distance for t; here they get their nearest points. */
#include "bvh/query/nearest.h"

#include "bvh/query/proxy.h"
#include "bvh/query/query.h"
#include "lib/geom/closest/point_triangle.h"

#include <math.h>
#include <string.h>

typedef struct job {
    const sl_bvh *bvh;
    const float *points;
    const sl_query *query;
    sli_block_fn *tree; /* asks the tree */
    sl_nearest *out;
    size_t capacity;
    uint64_t *totals;
    float limit;
    bool shrink;
} job;

void sli_nearest_spread(sl_nearest *row, size_t count, sli_corners_fn *corners,
                        const void *triangles)
{
    const char *packed = (const char *)row;
    for (size_t i = count; i-- > 0;) {
        sl_nearest nearest;
        memcpy(&nearest, packed + i * sizeof(sl_hit), sizeof(sl_hit));
        const sl_triangle triangle = corners(triangles, nearest.prim);
        sli_nearest_place(triangle.v[0], triangle.v[1], triangle.v[2], nearest.u, nearest.v,
                          nearest.point);
        row[i] = nearest;
    }
}

static sl_triangle corners_in_tree(const void *tree, uint32_t prim)
{
    sl_triangle triangle = { { { 0 } } };
    (void)sl_bvh_triangle(tree, prim, &triangle);
    return triangle;
}

static bool prepare(const job *j, size_t i, sli_kernel_point *ask)
{
    const float *p = j->points + 3 * i;
    *ask = (sli_kernel_point){ .point = { p[0], p[1], p[2] },
                               .limit = j->limit,
                               .selection = sli_selection_of(j->query, i) };
    return isfinite(p[0]) && isfinite(p[1]) && isfinite(p[2]) && j->limit >= 0;
}

static void find(const void *context, size_t begin, size_t end, sl_stats *stats)
{
    const job *j = context;
    for (size_t i = begin; i < end; i++) {
        sli_kernel_point ask;
        sl_nearest *row = j->capacity > 0 ? j->out + i * j->capacity : NULL;
        size_t total = 0;
        if (prepare(j, i, &ask)) {
            total = j->bvh->kernels->nearest(j->bvh, &ask, j->shrink, (sl_hit *)(void *)row,
                                             j->capacity, stats);
        } else {
            stats->rays++;
        }
        const size_t kept = total < j->capacity ? total : j->capacity;
        sli_nearest_spread(row, kept, corners_in_tree, j->bvh);
        j->totals[i] = j->shrink ? kept : total;
    }
}

/* One nearest triangle each: the kernel keeps many points in flight. */
static void find_one(const void *context, size_t begin, size_t end, sl_stats *stats)
{
    const job *j = context;
    const sli_kernel_points ask = {
        .points = j->points, .begin = begin, .end = end, .limit = j->limit, .query = j->query
    };
    j->bvh->kernels->nearest_many(j->bvh, &ask, j->out, stats);
}

static sli_meeting meet_proxy(const void *context, size_t i, sli_proxy_answer *answer)
{
    const job *j = context;
    sli_kernel_point ask;
    answer->nearest = (sl_nearest){ .distance = j->limit, .prim = SL_NONE };
    if (!prepare(j, i, &ask)) {
        return SLI_NOT_VALID;
    }
    return sli_proxy_point(j->query->proxy, ask.point, ask.limit, &answer->nearest)
               ? SLI_MEETS_PROXY
               : SLI_MISSES_PROXY;
}

static void answer_by_proxy(const void *context, size_t i, const sli_proxy_answer *answer)
{
    const job *j = context;
    const bool met = answer->nearest.prim != SL_NONE;
    if (j->totals == NULL) {
        j->out[i] = answer->nearest;
        return;
    }
    j->totals[i] = met;
    if (met && j->capacity > 0) {
        j->out[i * j->capacity] = answer->nearest;
    }
}

static void run(const void *context, size_t begin, size_t end, sl_stats *stats)
{
    const job *j = context;
    const sli_proxied proxied = { .job = j,
                                  .proxy = j->query->proxy,
                                  .tree = j->tree,
                                  .meet = meet_proxy,
                                  .answer = answer_by_proxy };
    sli_ask_behind_proxy(&proxied, begin, end, stats);
}

static void ask(size_t count, sli_block_fn *tree, job *j, const sl_query *query,
                const sl_tasks *tasks)
{
    j->query = query != NULL ? query : &sli_everything;
    j->tree = tree;
    sli_run_blocks(count, run, j, j->query->stats, tasks);
}

void sl_bvh_nearest_many(const sl_bvh *bvh, const float *points, size_t count, float max_distance,
                         const sl_query *query, sl_nearest *out, const sl_tasks *tasks)
{
    job j = { .bvh = bvh, .points = points, .out = out, .limit = max_distance };
    ask(count, find_one, &j, query, tasks);
}

void sl_bvh_nearest_k_many(const sl_bvh *bvh, const float *points, size_t count, float max_distance,
                           const sl_query *query, sl_nearest *out, size_t k, uint64_t *found,
                           const sl_tasks *tasks)
{
    job j = { .bvh = bvh,
              .points = points,
              .out = out,
              .capacity = k,
              .totals = found,
              .limit = max_distance,
              .shrink = true };
    if (k == 0) {
        memset(found, 0, count * sizeof *found);
        return;
    }
    ask(count, find, &j, query, tasks);
}

void sl_bvh_within_many(const sl_bvh *bvh, const float *points, size_t count, float radius,
                        const sl_query *query, sl_nearest *out, size_t capacity, uint64_t *totals,
                        const sl_tasks *tasks)
{
    job j = { .bvh = bvh,
              .points = points,
              .out = out,
              .capacity = capacity,
              .totals = totals,
              .limit = radius };
    ask(count, find, &j, query, tasks);
}

bool sl_bvh_nearest(const sl_bvh *bvh, const float point[3], float max_distance,
                    const sl_query *query, sl_nearest *out)
{
    sl_nearest found;
    sl_bvh_nearest_many(bvh, point, 1, max_distance, query, &found, NULL);
    if (out != NULL) {
        *out = found;
    }
    return found.prim != SL_NONE;
}

size_t sl_bvh_nearest_k(const sl_bvh *bvh, const float point[3], float max_distance,
                        const sl_query *query, sl_nearest *out, size_t k)
{
    uint64_t found = 0;
    sl_bvh_nearest_k_many(bvh, point, 1, max_distance, query, out, k, &found, NULL);
    return (size_t)found;
}

size_t sl_bvh_within(const sl_bvh *bvh, const float point[3], float radius, const sl_query *query,
                     sl_nearest *out, size_t capacity)
{
    uint64_t total = 0;
    sl_bvh_within_many(bvh, point, 1, radius, query, out, capacity, &total, NULL);
    return (size_t)total;
}
