/* Batch kernels ask no hit filter, so a batch finds a hit first, and its filter is asked
 * afterwards: most hits of a mesh with few holes are accepted.  Only after a hit that is refused
 * does the plain kernel search on, item by item, and asks the filter on its way.
 *
 * Where most hits are refused the first search is wasted, and what follows costs as much as it
 * would alone.  So after a run of items of which more than half were refused, runs go to the
 * plain kernel at once: one run at first, twice as many each time that another trial fails, one
 * again after a trial that pays.  Which way an item goes changes no answer. */
#include "bvh/query/filtered.h"

#include "lib/geom/exact/predicates.h"

#include <math.h>

enum { RUN = 64, PAUSE_MAX = 16 };

static void closest_by_reference(const sli_question *q, size_t i, const sl_hit *after,
                                 sl_stats *stats)
{
    sli_kernel_ray ray;
    q->hits[i] = sli_question_miss(q, i);
    if (sli_question_prepare(q, i, &ray)) {
        ray.after = after;
        (void)q->bvh->kernels->closest(q->bvh, &ray, &q->hits[i], stats);
    } else {
        stats->rays++;
    }
}

static void any_by_reference(const sli_question *q, size_t i, sl_stats *stats)
{
    sli_kernel_ray ray;
    uint32_t prim = SL_NONE;
    if (sli_question_prepare(q, i, &ray)) {
        (void)q->bvh->kernels->any(q->bvh, &ray, &prim, stats);
    } else {
        stats->rays++;
    }
    if (prim != SL_NONE && q->hints != NULL) {
        q->hints[i] = (sl_triangle_ref){ .prim = prim };
    }
    q->yes[i] = prim != SL_NONE;
}

/* The closest hits of a run by a batch, then those that the filter refuses again; returns how many
 * those were. */
static size_t try_closest(const sli_question *q, size_t begin, size_t end, sl_stats *stats)
{
    const sli_kernel_batch batch = sli_question_batch(q);
    size_t refused = 0;
    q->bvh->kernels->closest_many(&batch, begin, end, q->hits, stats);
    for (size_t i = begin; i < end; i++) {
        const sl_hit hit = q->hits[i];
        if (hit.prim != SL_NONE && !q->query->filter(q->query->filter_user, q->first + i, &hit)) {
            closest_by_reference(q, i, &hit, stats);
            stats->rays--; /* counted by the batch already */
            refused++;
        }
    }
    return refused;
}

/* Whether the filter accepts the hit of item i on a prim that it hits. */
static bool accepts_prim(const sli_question *q, size_t i, uint32_t prim)
{
    sli_kernel_ray ray;
    sl_triangle at;
    sli_exact_hit exact;
    return sli_question_prepare(q, i, &ray) && sl_bvh_triangle(q->bvh, prim, &at) &&
           sli_exact_ray_hit(&ray.exact, at.v[0], at.v[1], at.v[2], (int)ray.cull, INFINITY,
                             &exact) &&
           q->query->filter(
               q->query->filter_user, q->first + i,
               &(sl_hit){
                   .t = exact.t, .u = exact.u, .v = exact.v, .prim = prim, .flags = exact.flags });
}

static size_t try_any(const sli_question *q, size_t begin, size_t end, sl_stats *stats)
{
    sl_triangle_ref found[RUN];
    const sl_query query = sli_query_from(q->query, begin);
    sli_kernel_batch batch = sli_question_batch(q);
    size_t refused = 0;
    batch.rays = batch.rays != NULL ? batch.rays + begin : NULL;
    batch.segments = batch.segments != NULL ? batch.segments + begin : NULL;
    batch.query = &query;
    batch.hinted = false;
    q->bvh->kernels->any_many(&batch, 0, end - begin, q->yes + begin, found, stats);
    for (size_t i = begin; i < end; i++) {
        if (q->yes[i] == 0) {
            continue;
        }
        if (!accepts_prim(q, i, found[i - begin].prim)) {
            any_by_reference(q, i, stats);
            stats->rays--;
            refused++;
        } else if (q->hints != NULL) {
            q->hints[i] = found[i - begin];
        }
    }
    return refused;
}

/* Answers items in runs, each in one of the two ways. */
static void filtered(const sli_question *q, size_t begin, size_t end, bool any, sl_stats *stats)
{
    size_t pause = 1, left = 0; /* runs before the next trial */
    for (size_t next; begin < end; begin = next) {
        next = end - begin < RUN ? end : begin + RUN;
        if (left == 0) {
            const size_t refused = (any ? try_any : try_closest)(q, begin, next, stats);
            const bool pays = 2 * refused <= next - begin;
            left = pays ? 0 : pause;
            pause = pays ? 1 : pause < PAUSE_MAX ? 2 * pause : PAUSE_MAX;
            continue;
        }
        left--;
        for (size_t i = begin; i < next; i++) {
            if (any) {
                any_by_reference(q, i, stats);
            } else {
                closest_by_reference(q, i, NULL, stats);
            }
        }
    }
}

void sli_filtered_closest(const sli_question *q, size_t begin, size_t end, sl_stats *stats)
{
    filtered(q, begin, end, false, stats);
}

void sli_filtered_any(const sli_question *q, size_t begin, size_t end, sl_stats *stats)
{
    filtered(q, begin, end, true, stats);
}
