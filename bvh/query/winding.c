/* Whether points are inside of one mesh: sl_bvh_winding.  The kernel counts what a ray along +x
 * crosses; the boundary of an open mesh adds its share
 * (lib/geom/closest/boundary_winding.h). */
#include "bvh/query/winding.h"

#include "bvh/query/proxy.h"
#include "lib/geom/closest/boundary_winding.h"
#include "lib/geom/exact/arithmetic/expansion.h"
#include "lib/geom/exact/arithmetic/tribool.h"

typedef struct job {
    const sl_bvh *bvh;
    const sl_boundary *boundary;
    const float *points;
    const sl_options *options;
    sl_inside *out;
} job;

/* Whether a winding number is beyond one half takes few of its bits: a sum over clusters, each off
 * by less than a tolerance, nearly always tells (bvh/kernel/plain/boundary.inl).  Else a smaller
 * tolerance is tried, until that has cost as much as all edges, which are then summed; and so they
 * are where no tolerance would do, as on a cap. */
static const double tolerance_first = 0x1p-8, tolerance_max = 0x1p-3, tolerance_min = 0x1p-20;

bool sli_inside_ray(const float point[3], sl_ray *ray)
{
    *ray = (sl_ray){ { point[0], point[1], point[2] }, 0, { 1, 0, 0 }, INFINITY };
    return isfinite(point[0]) && isfinite(point[1]) && isfinite(point[2]);
}

static sl_inside winding_of(const sli_kernel_inside *seen)
{
    sl_inside out = { .crossings = seen->fronts + seen->backs,
                      .winding = (double)seen->backs - (double)seen->fronts,
                      .on_surface = seen->touches };
    out.by_parity = out.crossings % 2 != 0;
    out.by_winding = fabs(out.winding) > 0.5;
    return out;
}

/* by_winding being known. */
static sl_inside winding_judge(sl_inside out, const sl_boundary *boundary)
{
    const bool closed = boundary == NULL || boundary->info.odd_count == 0;
    out.differ = out.by_parity != out.by_winding;
    out.inside = closed ? out.by_parity : out.by_winding;
    return out;
}

sl_inside sli_inside_judge(const sli_kernel_inside *seen, const sl_boundary *boundary,
                           const float point[3])
{
    sl_inside out = winding_of(seen);
    if (boundary != NULL) {
        out.winding += sli_boundary_turns(boundary, point);
        out.by_winding = fabs(out.winding) > 0.5;
    }
    return winding_judge(out, boundary);
}

/* sli_boundary_turns, by the kernel. */
static double winding_turns(const job *j, const float point[3])
{
    const sl_boundary *b = j->boundary;
    double sum = 0, rest = 0;
    for (size_t first = 0; first < b->info.edge_count; first += 4) {
        const size_t left = b->info.edge_count - first, count = left < 4 ? left : 4;
        double turns[4];
        j->bvh->kernels->boundary_turns(b, first, count, point, turns);
        for (size_t i = 0; i < count; i++) {
            sli_boundary_add(&b->edges[first + i], turns[i], &sum, &rest);
        }
    }
    return (sum + rest) * SLI_WINDING_OF_TURN;
}

/* Whether the crossings and the boundary's share are more than half a turn, if bounds can tell.
 * *first is the tolerance to begin with: it grows where that told, and shrinks where it did not, to
 * where about one in six points needs another. */
static sli_tribool winding_is_beyond(const job *j, double crossed, const float point[3],
                                     double *first)
{
    const sl_boundary *b = j->boundary;
    double tolerance = *first;
    for (size_t left = b->blocks != NULL ? b->info.edge_count : 0; left > 0;) {
        sli_boundary_sum sum;
        j->bvh->kernels->boundary_sum(b, point, tolerance, left, &sum);
        if (!(sum.error < INFINITY)) {
            break;
        }
        const double winding = crossed + sum.winding;
        const double error = sum.error + b->slack + 0x1p-48 * (sum.size + fabs(crossed));
        const double away = fabs(fabs(winding) - 0.5), share = away / error;
        const bool told = away > error;
        if (tolerance == *first) {
            *first = told ? fmin(*first * 1.03125, tolerance_max)
                          : fmax(*first * 0.84375, tolerance_min);
        }
        if (told) {
            return fabs(winding) > 0.5 ? SLI_YES : SLI_NO;
        }
        left -= sum.work < left ? sum.work : left;
        tolerance *= fmin(0x1p-1, fmax(0x1p-9, share * sqrt(share)));
    }
    return SLI_UNSURE;
}

static sl_inside winding_by_kernel(const job *j, const sli_kernel_inside *seen,
                                   const float point[3], double *first)
{
    sl_inside out = winding_of(seen);
    if (j->boundary == NULL || j->boundary->info.edge_count == 0) {
        return winding_judge(out, j->boundary);
    }
    const bool numbered = (j->options->flags & SL_NO_WINDING) == 0;
    const sli_tribool beyond =
        numbered ? SLI_UNSURE : winding_is_beyond(j, out.winding, point, first);
    if (beyond == SLI_UNSURE) {
        out.winding += winding_turns(j, point);
    }
    out.by_winding = beyond == SLI_UNSURE ? fabs(out.winding) > 0.5 : beyond == SLI_YES;
    out.winding = numbered ? out.winding : NAN;
    return winding_judge(out, j->boundary);
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
    double first = tolerance_first;
    for (size_t i = begin; i < end; i++) {
        sl_ray along;
        sli_kernel_ray ray;
        sli_kernel_inside seen;
        if (winding_prepare(j, i, &along, &ray)) {
            j->bvh->kernels->inside(j->bvh, &ray, &seen, stats);
            j->out[i] = winding_by_kernel(j, &seen, j->points + 3 * i, &first);
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
    double first = tolerance_first;
    sl_ray along;
    if (!sli_inside_ray(point, &along)) {
        j->out[i] = (sl_inside){ .crossings = 0 };
    } else if (j->options->proxy->mode == SL_PROXY_FIRST) {
        j->out[i] = winding_by_kernel(j, &(sli_kernel_inside){ .fronts = 0 }, point, &first);
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
    /* With a boundary points take as long as it has edges, unless bounds are enough. */
    const bool numbered = options == NULL || (options->flags & SL_NO_WINDING) == 0;
    const size_t grain = numbered && boundary != NULL && boundary->info.edge_count > 100 ? 16 : 512;
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
