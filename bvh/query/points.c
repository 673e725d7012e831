/* What is nearest to a point, and which instances contain it: the public calls of points.h but for
 * winding numbers (winding.c).  The kernels find nearest triangles as hits with the distance for t;
 * here they get their nearest points. */
#include "bvh/kernel/instance/intersect.h"
#include "bvh/query/proxy.h"
#include "bvh/query/ray_items.h"
#include "lib/geom/closest/point_triangle.h"
#include "lib/geom/intersect/k_smallest.h"

#include <string.h>

/* A nearest triangle of either kind begins with the fields of a hit, so that a row serves for both:
 * hits are packed at its start, then spread out from the end. */
_Static_assert(offsetof(sl_nearest, distance) == offsetof(sl_hit, t) &&
                   offsetof(sl_nearest, point) == sizeof(sl_hit) &&
                   offsetof(sl_nearest_d, distance) == offsetof(sl_hit, t) &&
                   offsetof(sl_nearest_d, point) == sizeof(sl_hit),
               "t is the distance, and the point comes after the hit");

enum { BLOCK = 64 }; /* points that are copied at a time */

/* A query about an array of points. */
typedef struct point_query {
    const sl_bvh *bvh;
    const sl_options *options;
    sl_points given;
    sli_world_points points; /* plain arrays */
    bool by_world;
    float limit;
    char *out; /* an sl_nearest or sl_nearest_d at the start of every stride bytes */
    size_t stride;
    bool doubles;     /* the latter */
    size_t capacity;  /* answers of each point */
    uint64_t *totals; /* NULL: one each, and what is not found is written */
    bool shrink;      /* totals says how many are kept */
    uint32_t *inside; /* instead of all that: the instances, a row of capacity for each point */
    bool inside_only;
} point_query;

/* ---- Answers ---- */

static char *row_of(const point_query *q, size_t i)
{
    return q->capacity == 0 ? q->out : q->out + i * q->capacity * q->stride;
}

static void write_nearest(const point_query *q, char *to, const sl_hit *hit, const double point[3])
{
    if (q->doubles) {
        sl_nearest_d nearest = { .distance = hit->t,
                                 .u = hit->u,
                                 .v = hit->v,
                                 .prim = hit->prim,
                                 .instance = hit->instance };
        memcpy(nearest.point, point, sizeof nearest.point);
        memcpy(to, &nearest, sizeof nearest);
    } else {
        const sl_nearest nearest = { .distance = hit->t,
                                     .u = hit->u,
                                     .v = hit->v,
                                     .prim = hit->prim,
                                     .instance = hit->instance,
                                     .point = { (float)point[0], (float)point[1],
                                                (float)point[2] } };
        memcpy(to, &nearest, sizeof nearest);
    }
}

static void write_nothing(const point_query *q, size_t i)
{
    const sl_hit none = { .t = q->limit, .prim = SL_NONE };
    write_nearest(q, row_of(q, i), &none, (const double[3]){ 0, 0, 0 });
}

/* Spreads out the hits that are packed at the start of a row, from the last one on, each with its
 * nearest point: from the weights, or in doubles from the point of the query. */
static void spread_row(const point_query *q, size_t i, size_t count, const double from[3])
{
    char *row = row_of(q, i);
    for (size_t k = count; k-- > 0;) {
        double v[3][3], point[3];
        float rounded[3];
        sl_hit hit;
        memcpy(&hit, row + k * sizeof hit, sizeof hit);
        (void)sl_bvh_triangle(q->bvh,
                              (sl_triangle_ref){ .prim = hit.prim, .instance = hit.instance }, v);
        if (q->doubles) {
            sli_nearest_at(from, (const double(*)[3])v, point);
        } else {
            sli_nearest_location_d((const double(*)[3])v, hit.u, hit.v, rounded);
            for (int axis = 0; axis < 3; axis++) {
                point[axis] = (double)rounded[axis];
            }
        }
        write_nearest(q, row + k * q->stride, &hit, point);
    }
}

/* ---- Searches ---- */

/* One nearest triangle each: the kernels keep many points in flight. */
static void find_together(const point_query *q, size_t begin, size_t end, sl_stats *stats)
{
    if (!q->by_world) {
        const sli_kernel_points points = { .points = q->points.floats,
                                           .begin = begin,
                                           .end = end,
                                           .limit = q->limit,
                                           .options = q->options,
                                           .uses = sli_options_uses(q->options, begin, end) };
        q->bvh->kernels->nearest_many(q->bvh, &points, (sl_nearest *)(void *)q->out, stats);
        return;
    }
    const sli_world *world =
        sli_world_for_one(q->bvh, sli_options_uses(q->options, begin, end), false);
    q->bvh->kernels->world_nearest_many(world, &q->points, begin, end, q->out, q->stride, stats);
    for (size_t i = begin; i < end; i++) {
        sli_world_point point;
        sl_hit hit;
        memcpy(&hit, row_of(q, i), sizeof hit);
        if (hit.prim == SL_NONE) {
            write_nothing(q, i);
        } else {
            (void)sli_world_point_at(&q->points, i, &point);
            spread_row(q, i, 1, point.at);
        }
    }
}

/* The packed hits of one point, whose number is returned. */
static size_t find_one(const point_query *q, const sli_world_point *point, size_t i, sl_hit *row,
                       sl_stats *stats)
{
    if (q->by_world) {
        const sli_world *world =
            q->shrink && q->capacity == 1
                ? sli_world_for_one(q->bvh, sli_options_uses(q->options, i, i + 1), false)
                : &q->bvh->world;
        return q->bvh->kernels->world_nearest(world, point, q->shrink, row, q->capacity, stats);
    }
    const float *p = q->points.floats + 3 * i;
    const sli_kernel_point floats = { .point = { p[0], p[1], p[2] },
                                      .limit = q->limit,
                                      .selection = sli_item_options(q->options, i) };
    return q->bvh->kernels->nearest(q->bvh, &floats, q->shrink, row, q->capacity, stats);
}

static void find_inside(const point_query *q, size_t i, sl_stats *stats)
{
    sli_world_point point;
    sli_k_smallest kept = { .capacity = q->capacity };
    if (q->capacity > 0) {
        kept.numbers = q->inside + i * q->capacity;
    }
    if (sli_world_point_at(&q->points, i, &point)) {
        (void)q->bvh->kernels->world_inside(&q->bvh->world, &point, sli_k_smallest_add, &kept,
                                            stats);
    } else {
        stats->rays++;
    }
    sli_k_smallest_sort(&kept);
    q->totals[i] = kept.total;
}

static void find_nearest(const point_query *q, size_t i, sl_stats *stats)
{
    sli_world_point point;
    size_t total = 0;
    sl_hit *row = q->capacity > 0 ? (sl_hit *)(void *)row_of(q, i) : NULL;
    if (sli_world_point_at(&q->points, i, &point)) {
        total = find_one(q, &point, i, row, stats);
    } else {
        stats->rays++;
    }
    const size_t kept = total < q->capacity ? total : q->capacity;
    spread_row(q, i, kept, point.at);
    if (q->totals != NULL) {
        q->totals[i] = q->shrink ? kept : total;
    } else if (kept == 0) {
        write_nothing(q, i);
    }
}

static void find_by_kernels(const void *context, size_t begin, size_t end, sl_stats *stats)
{
    const point_query *q = context;
    if (q->totals == NULL && (end - begin > 1 || !q->by_world)) {
        find_together(q, begin, end, stats);
        return;
    }
    for (size_t i = begin; i < end; i++) {
        if (q->inside_only) {
            find_inside(q, i, stats);
        } else {
            find_nearest(q, i, stats);
        }
    }
}

/* ---- The proxy, which stands before points in floats only ---- */

static sli_intersection meet_proxy(const void *context, size_t i, sli_proxy_answer *answer)
{
    const point_query *q = context;
    const float *p = q->points.floats + 3 * i;
    const float limit = q->inside_only ? 0 : q->limit;
    answer->nearest = (sl_nearest){ .distance = q->limit, .prim = SL_NONE };
    if (!isfinite(p[0]) || !isfinite(p[1]) || !isfinite(p[2]) || !(limit >= 0)) {
        return SLI_NOT_VALID;
    }
    return sli_proxy_point(q->options->proxy, p, limit, &answer->nearest) ? SLI_MEETS_PROXY
                                                                          : SLI_MISSES_PROXY;
}

static void answer_by_proxy(const void *context, size_t i, const sli_proxy_answer *answer)
{
    const point_query *q = context;
    const sl_nearest *nearest = &answer->nearest;
    const bool met = nearest->prim != SL_NONE;
    const sl_hit hit = { .t = nearest->distance, .prim = nearest->prim };
    const double point[3] = { (double)nearest->point[0], (double)nearest->point[1],
                              (double)nearest->point[2] };
    if (q->totals != NULL) {
        q->totals[i] = met;
    }
    if (q->inside_only && met && q->capacity > 0) {
        q->inside[i * q->capacity] = 0;
    } else if (!q->inside_only && (q->totals == NULL || (met && q->capacity > 0))) {
        write_nearest(q, row_of(q, i), &hit, point);
    }
}

static void answer_points(const point_query *q, size_t begin, size_t end, sl_stats *stats)
{
    const sli_proxied proxied = { .job = q,
                                  .proxy = q->points.floats != NULL ? q->options->proxy : NULL,
                                  .tree = find_by_kernels,
                                  .meet = meet_proxy,
                                  .answer = answer_by_proxy };
    sli_query_behind_proxy(&proxied, begin, end, stats);
}

/* ---- Blocks ---- */

/* Points `first` and on, copied; so options and outputs are taken from `first` on, too. */
static SLI_NOINLINE void copy_points(const point_query *q, size_t first, size_t count,
                                     sl_stats *stats)
{
    double block[BLOCK][3]; /* or floats */
    const sl_options options = sli_query_from(q->options, first);
    point_query part = *q;
    sli_points_gather(&q->given, first, count, block);
    part.options = part.points.options = &options;
    part.points.floats = q->given.number == SL_DOUBLE ? NULL : (const float *)(const void *)block;
    part.points.doubles = q->given.number == SL_DOUBLE ? &block[0][0] : NULL;
    part.out = q->out != NULL ? row_of(q, first) : NULL;
    part.inside = q->inside != NULL ? q->inside + first * q->capacity : NULL;
    part.totals = q->totals != NULL ? q->totals + first : NULL;
    answer_points(&part, 0, count, stats);
}

static void run_block(const void *context, size_t begin, size_t end, sl_stats *stats)
{
    const point_query *q = context;
    if (q->points.floats != NULL || q->points.doubles != NULL) {
        answer_points(q, begin, end, stats);
        return;
    }
    for (size_t first = begin; first < end; first += BLOCK) {
        copy_points(q, first, end - first < BLOCK ? end - first : BLOCK, stats);
    }
}

static void run_points(point_query *q, const sl_options *options, const sl_tasks *tasks,
                       sl_stats *stats)
{
    const size_t size = q->doubles ? sizeof(sl_nearest_d) : sizeof(sl_nearest);
    const bool doubles = q->given.number == SL_DOUBLE;
    q->options = q->points.options = options != NULL ? options : &sli_everything;
    q->points.limit = q->limit;
    q->stride = q->stride != 0 && q->stride != SL_SAME ? q->stride : size;
    q->by_world = q->bvh->instances != NULL || q->inside_only || doubles || q->doubles ||
                  sli_query_ignores(q->options, q->given.count) ||
                  (q->totals == NULL && q->stride != size);
    if (sli_points_are_packed(&q->given)) {
        q->points.floats = doubles ? NULL : q->given.xyz[0];
        q->points.doubles = doubles ? q->given.xyz[0] : NULL;
    }
    sli_run_blocks_of(q->by_world ? 1024 : 4096, q->given.count, run_block, q, stats, tasks);
}

/* ---- Public calls ---- */

static point_query query_of(const sl_bvh *bvh, sl_points points, float limit, sl_nearests out,
                            size_t capacity)
{
    return (point_query){ .bvh = bvh,
                          .given = points,
                          .limit = limit,
                          .out = out.first,
                          .stride = out.stride,
                          .doubles = out.number == SL_DOUBLE,
                          .capacity = capacity };
}

void sl_bvh_nearest_many(const sl_bvh *bvh, sl_points points, float max_distance,
                         const sl_options *options, sl_nearests out, const sl_tasks *tasks,
                         sl_stats *stats)
{
    point_query q = query_of(bvh, points, max_distance, out, 1);
    q.shrink = true;
    run_points(&q, options, tasks, stats);
}

void sl_bvh_nearest_k_many(const sl_bvh *bvh, sl_points points, float max_distance,
                           const sl_options *options, sl_nearests out, size_t k, uint64_t *found,
                           const sl_tasks *tasks, sl_stats *stats)
{
    point_query q = query_of(bvh, points, max_distance, out, k);
    q.totals = found;
    q.shrink = true;
    if (k == 0) {
        for (size_t i = 0; i < points.count; i++) {
            found[i] = 0;
        }
        return;
    }
    run_points(&q, options, tasks, stats);
}

void sl_bvh_within_many(const sl_bvh *bvh, sl_points points, float radius,
                        const sl_options *options, sl_nearests out, size_t capacity,
                        uint64_t *totals, const sl_tasks *tasks, sl_stats *stats)
{
    point_query q = query_of(bvh, points, radius, out, capacity);
    q.totals = totals;
    run_points(&q, options, tasks, stats);
}

void sl_bvh_inside_many(const sl_bvh *bvh, sl_points points, const sl_options *options,
                        uint32_t *instances, size_t capacity, uint64_t *totals,
                        const sl_tasks *tasks, sl_stats *stats)
{
    point_query q = { .bvh = bvh,
                      .given = points,
                      .capacity = capacity,
                      .inside = instances,
                      .totals = totals,
                      .inside_only = true };
    run_points(&q, options, tasks, stats);
}

bool sl_bvh_nearest(const sl_bvh *bvh, const float point[3], float max_distance,
                    const sl_options *options, sl_nearest *out)
{
    sl_nearest found;
    sl_bvh_nearest_many(bvh, sl_points_of(point, 1, SL_FLOAT), max_distance, options,
                        sl_nearests_of(&found, SL_FLOAT), NULL, NULL);
    if (out != NULL) {
        *out = found;
    }
    return found.prim != SL_NONE;
}

bool sl_bvh_nearest_d(const sl_bvh *bvh, const double point[3], float max_distance,
                      const sl_options *options, sl_nearest_d *out)
{
    sl_nearest_d found;
    sl_bvh_nearest_many(bvh, sl_points_of(point, 1, SL_DOUBLE), max_distance, options,
                        sl_nearests_of(&found, SL_DOUBLE), NULL, NULL);
    if (out != NULL) {
        *out = found;
    }
    return found.prim != SL_NONE;
}

size_t sl_bvh_nearest_k(const sl_bvh *bvh, const float point[3], float max_distance,
                        const sl_options *options, sl_nearest *out, size_t k)
{
    uint64_t found = 0;
    sl_bvh_nearest_k_many(bvh, sl_points_of(point, 1, SL_FLOAT), max_distance, options,
                          sl_nearests_of(out, SL_FLOAT), k, &found, NULL, NULL);
    return (size_t)found;
}

size_t sl_bvh_within(const sl_bvh *bvh, const float point[3], float radius,
                     const sl_options *options, sl_nearest *out, size_t capacity)
{
    uint64_t total = 0;
    sl_bvh_within_many(bvh, sl_points_of(point, 1, SL_FLOAT), radius, options,
                       sl_nearests_of(out, SL_FLOAT), capacity, &total, NULL, NULL);
    return (size_t)total;
}

size_t sl_bvh_inside(const sl_bvh *bvh, const float point[3], const sl_options *options,
                     uint32_t *instances, size_t capacity)
{
    uint64_t total = 0;
    sl_bvh_inside_many(bvh, sl_points_of(point, 1, SL_FLOAT), options, instances, capacity, &total,
                       NULL, NULL);
    return (size_t)total;
}
