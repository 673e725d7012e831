/* Whether points are inside of one mesh: sl_bvh_winding.  The kernel counts what a ray along +x
 * crosses; the boundary of an open mesh adds its share
 * (lib/geom/closest/boundary_winding.h). */
#include "bvh/query/winding.h"

#include "bvh/query/proxy.h"
#include "lib/geom/closest/boundary_winding.h"

typedef struct job {
    const sl_bvh *bvh;
    const sl_boundary *boundary;
    const float *points;
    const sl_options *options;
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

/* The ray whose crossings tell, and its options; false: the point is not finite. */
static bool winding_prepare(const job *j, size_t i, sl_ray *along, sli_kernel_ray *ray)
{
    if (!sli_inside_ray(j->points + 3 * i, along)) {
        return false;
    }
    *ray = (sli_kernel_ray){ .selection = sli_item_options(j->options, i) };
    const bool valid = sli_exact_ray_from_ray(along, j->options->flags, &ray->exact);
    ray->exact.crossings = true;
    return valid;
}

static void winding_tree(const void *context, size_t begin, size_t end, sl_stats *stats)
{
    const job *j = context;
    for (size_t i = begin; i < end; i++) {
        sl_ray along;
        sli_kernel_ray ray;
        sli_kernel_inside seen;
        if (winding_prepare(j, i, &along, &ray)) {
            j->bvh->kernels->inside(j->bvh, &ray, &seen, stats);
            j->out[i] = sli_inside_judge(&seen, j->boundary, j->points + 3 * i);
        } else {
            j->out[i] = (sl_inside){ .crossings = 0 };
            stats->rays++;
        }
    }
}

/* Before the tree it is the ray that has to meet the proxy, so that one around the whole mesh
 * changes no answer; instead of the tree the proxy is a closed surface, which contains the point or
 * not. */
static sli_intersection meet_proxy(const void *context, size_t i, sli_proxy_answer *answer)
{
    const job *j = context;
    const sl_proxy *proxy = j->options->proxy;
    sl_ray along;
    sli_kernel_ray ray;
    answer->nearest = (sl_nearest){ .prim = SL_NONE };
    if (!winding_prepare(j, i, &along, &ray)) {
        return SLI_NOT_VALID;
    }
    const bool met = proxy->mode == SL_PROXY_INSTEAD
                         ? sli_proxy_point(proxy, j->points + 3 * i, 0, &answer->nearest)
                         : sli_proxy_ray(proxy, &along, &answer->hit);
    return met ? SLI_MEETS_PROXY : SLI_MISSES_PROXY;
}

static void answer_by_proxy(const void *context, size_t i, const sli_proxy_answer *answer)
{
    const job *j = context;
    const float *point = j->points + 3 * i;
    sl_ray along;
    if (!sli_inside_ray(point, &along)) {
        j->out[i] = (sl_inside){ .crossings = 0 };
    } else if (j->options->proxy->mode == SL_PROXY_FIRST) {
        j->out[i] = sli_inside_judge(&(sli_kernel_inside){ .fronts = 0 }, j->boundary, point);
    } else {
        const bool in = answer->nearest.prim != SL_NONE;
        j->out[i] = (sl_inside){
            .crossings = in, .winding = in, .inside = in, .by_parity = in, .by_winding = in
        };
    }
}

static void winding_run(const void *context, size_t begin, size_t end, sl_stats *stats)
{
    const job *j = context;
    const sli_proxied proxied = { .job = j,
                                  .proxy = j->options->proxy,
                                  .tree = winding_tree,
                                  .meet = meet_proxy,
                                  .answer = answer_by_proxy };
    sli_query_behind_proxy(&proxied, begin, end, stats);
}

sl_result sl_bvh_winding(const sl_bvh *bvh, const sl_boundary *boundary, const float *points,
                         size_t count, const sl_options *options, sl_inside *out,
                         const sl_tasks *tasks, sl_stats *stats)
{
    /* With a boundary points take as long as it has edges. */
    const size_t grain = boundary != NULL && boundary->info.edge_count > 100 ? 16 : 512;
    const job j = { .bvh = bvh,
                    .boundary = boundary,
                    .points = points,
                    .options = options != NULL ? options : &sli_everything,
                    .out = out };
    if (bvh->instances != NULL) {
        return SL_UNSUPPORTED;
    }
    sli_run_blocks_of(grain, count, winding_run, &j, stats, tasks);
    return SL_OK;
}
