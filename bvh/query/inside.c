/* Whether a point is inside: the crossings of a ray along +x, fronts and backs apart. */
#include "bvh/query/query.h"

#include <sightline/point_query.h>

#include <math.h>

typedef struct job {
    const sl_bvh *bvh;
    const float *points;
    const sl_query *query;
    sl_inside *out;
} job;

static size_t crossed(const job *j, const float point[3], size_t i, sl_cull cull, sl_stats *stats)
{
    const sl_ray along = { { point[0], point[1], point[2] }, 0, { 1, 0, 0 }, INFINITY };
    sl_query query = *j->query;
    sli_kernel_ray ray;
    query.flags |= SL_CROSSINGS;
    query.cull = cull;
    return sli_prepare_ray(&along, &query, i, &ray)
               ? j->bvh->kernels->all(j->bvh, &ray, NULL, 0, stats)
               : 0;
}

static bool touches(const job *j, const float point[3], size_t i, sl_stats *stats)
{
    sl_hit hit;
    const sli_kernel_point ask = { .point = { point[0], point[1], point[2] },
                                   .limit = 0,
                                   .filter = sli_filter_of(j->query, i) };
    return j->bvh->kernels->nearest(j->bvh, &ask, true, &hit, 1, stats) > 0;
}

static void find(const void *context, size_t begin, size_t end, sl_stats *stats)
{
    const job *j = context;
    for (size_t i = begin; i < end; i++) {
        const float *point = j->points + 3 * i;
        sl_inside *out = &j->out[i];
        *out = (sl_inside){ .crossings = 0 };
        if (!isfinite(point[0]) || !isfinite(point[1]) || !isfinite(point[2])) {
            continue;
        }
        const size_t fronts = crossed(j, point, i, SL_CULL_BACK, stats);
        const size_t backs = crossed(j, point, i, SL_CULL_FRONT, stats);
        out->crossings = fronts + backs;
        out->winding = (int64_t)backs - (int64_t)fronts;
        out->by_parity = out->crossings % 2 != 0;
        out->by_winding = out->winding != 0;
        out->on_surface = touches(j, point, i, stats);
    }
}

void sl_bvh_inside_many(const sl_bvh *bvh, const float *points, size_t count,
                        const sl_query *query, sl_inside *out, const sl_tasks *tasks)
{
    const job j = { .bvh = bvh,
                    .points = points,
                    .query = query != NULL ? query : &sli_everything,
                    .out = out };
    sli_run_blocks(count, find, &j, j.query->stats, tasks);
}

bool sl_bvh_inside(const sl_bvh *bvh, const float point[3], const sl_query *query, sl_inside *out)
{
    sl_inside found;
    sl_bvh_inside_many(bvh, point, 1, query, &found, NULL);
    if (out != NULL) {
        *out = found;
    }
    return found.by_parity;
}
