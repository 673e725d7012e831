/* Whether a point is inside: the crossings of a ray along +x, and what the boundary adds to them.
 */
#include "bvh/query/inside.h"

#include "bvh/query/proxy.h"
#include "bvh/query/query.h"
#include "lib/geom/closest/boundary_winding.h"

#include <math.h>

typedef struct job {
    const sl_bvh *bvh;
    const sl_boundary *boundary;
    const float *points;
    const sl_query *query;
    sl_inside *out;
} job;

bool sli_inside_ray(const float point[3], sl_ray *ray)
{
    *ray = (sl_ray){ { point[0], point[1], point[2] }, 0, { 1, 0, 0 }, INFINITY };
    return isfinite(point[0]) && isfinite(point[1]) && isfinite(point[2]);
}

sl_inside sli_inside_judge(const sli_kernel_inside *seen, const sl_boundary *boundary,
                           const float point[3])
{
    sl_inside out = { .crossings = seen->fronts + seen->backs,
                      .winding = (double)seen->backs - (double)seen->fronts,
                      .on_surface = seen->touches };
    bool closed = true;
    if (boundary != NULL) {
        out.winding += sli_boundary_turns(boundary, point);
        closed = boundary->info.odd_count == 0;
    }
    out.by_parity = out.crossings % 2 != 0;
    out.by_winding = fabs(out.winding) > 0.5;
    out.differ = out.by_parity != out.by_winding;
    out.inside = closed ? out.by_parity : out.by_winding;
    return out;
}

/* A proxy instead of the tree is a closed surface. */
static sl_inside inside_of_proxy(const sl_proxy *proxy, const float point[3])
{
    sl_nearest nearest;
    const bool in = sli_proxy_point(proxy, point, 0, &nearest);
    return (sl_inside){
        .crossings = in, .winding = in, .inside = in, .by_parity = in, .by_winding = in
    };
}

/* What the ray crosses; it is what a proxy is asked before the tree, so that one around all of it
 * changes no answer. */
static void look(const job *j, const sl_ray *along, const sli_kernel_ray *ray,
                 sli_kernel_inside *seen, sl_stats *stats)
{
    sl_hit hit;
    if (j->query->proxy != NULL && !sli_proxy_ray(j->query->proxy, along, &hit)) {
        *seen = (sli_kernel_inside){ .fronts = 0 };
        stats->rays++;
        stats->proxies_rejected++;
        return;
    }
    j->bvh->kernels->inside(j->bvh, ray, seen, stats);
}

static void find(const void *context, size_t begin, size_t end, sl_stats *stats)
{
    const job *j = context;
    sl_query query = *j->query;
    query.flags |= SL_USE_CROSSINGS;
    query.cull = SL_CULL_NONE;
    for (size_t i = begin; i < end; i++) {
        const float *point = j->points + 3 * i;
        sl_ray along;
        sli_kernel_ray ray;
        sli_kernel_inside seen;
        if (!sli_inside_ray(point, &along) || !sli_prepare_ray(&along, &query, i, &ray)) {
            j->out[i] = (sl_inside){ .crossings = 0 };
            stats->rays++;
        } else if (query.proxy != NULL && query.proxy->mode == SL_PROXY_INSTEAD) {
            j->out[i] = inside_of_proxy(query.proxy, point);
            stats->rays++;
            stats->proxies_rejected += !j->out[i].inside;
        } else {
            look(j, &along, &ray, &seen, stats);
            j->out[i] = sli_inside_judge(&seen, j->boundary, point);
        }
    }
}

void sl_bvh_inside_many(const sl_bvh *bvh, const sl_boundary *boundary, const float *points,
                        size_t count, const sl_query *query, sl_inside *out, const sl_tasks *tasks)
{
    /* With a boundary points take as long as it has edges. */
    const size_t grain = boundary != NULL && boundary->info.edge_count > 100 ? 16 : 512;
    const job j = { .bvh = bvh,
                    .boundary = boundary,
                    .points = points,
                    .query = query != NULL ? query : &sli_everything,
                    .out = out };
    sli_run_blocks_of(grain, count, find, &j, j.query->stats, tasks);
}

bool sl_bvh_inside(const sl_bvh *bvh, const sl_boundary *boundary, const float point[3],
                   const sl_query *query, sl_inside *out)
{
    sl_inside found;
    sl_bvh_inside_many(bvh, boundary, point, 1, query, &found, NULL);
    if (out != NULL) {
        *out = found;
    }
    return found.inside;
}
