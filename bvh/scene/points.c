/* What is nearest to a point of a scene: the public questions about one point, or an array.  The
 * kernels find nearest triangles as hits with the distance for t; here they get their nearest
 * points. */
#include "bvh/kernel/instance/intersect.h"
#include "bvh/query/nearest.h"
#include "bvh/query/query.h"
#include "bvh/scene/scene.h"
#include "lib/geom/closest/point_triangle.h"

#include <sightline/scene_points.h>

#include <string.h>

_Static_assert(sizeof(sl_nearest_d) == 2 * sizeof(sl_hit) &&
                   offsetof(sl_nearest_d, point) == sizeof(sl_hit),
               "hits are packed in a row of either kind, then spread out from the end");

typedef struct job {
    const sl_scene *scene;
    sli_scene_points points;
    sl_nearest *out;
    sl_nearest_d *out_d; /* of points in doubles */
    size_t capacity;
    uint64_t *totals; /* NULL: one each, and what is not found is written */
    bool shrink;
} job;

static void corners_of(const sl_scene *scene, const sl_hit *hit, double v[3][3])
{
    const sli_placed *placed = &scene->world.placed[hit->instance];
    sl_triangle triangle = { { { 0 } } };
    (void)sl_bvh_triangle(placed->tree, hit->prim, &triangle);
    sli_scene_corners(placed, triangle.v, v);
}

static sl_hit hit_in_row(const void *row, size_t i)
{
    sl_hit hit;
    memcpy(&hit, (const char *)row + i * sizeof hit, sizeof hit);
    return hit;
}

/* Spreads out the hits that are packed at the start of a row, from the last one on. */
static void spread(const job *j, size_t i, size_t count)
{
    sl_nearest *row = j->out + i * j->capacity;
    for (size_t k = count; k-- > 0;) {
        double v[3][3];
        const sl_hit hit = hit_in_row(row, k);
        corners_of(j->scene, &hit, v);
        row[k] = (sl_nearest){
            .distance = hit.t, .u = hit.u, .v = hit.v, .prim = hit.prim, .instance = hit.instance
        };
        sli_nearest_place_d((const double(*)[3])v, hit.u, hit.v, row[k].point);
    }
}

static void spread_d(const job *j, size_t i, size_t count, const sli_scene_point *ask)
{
    sl_nearest_d *row = j->out_d + i * j->capacity;
    for (size_t k = count; k-- > 0;) {
        double v[3][3];
        const sl_hit hit = hit_in_row(row, k);
        corners_of(j->scene, &hit, v);
        row[k] = (sl_nearest_d){
            .distance = hit.t, .u = hit.u, .v = hit.v, .prim = hit.prim, .instance = hit.instance
        };
        sli_nearest_at(ask->at, (const double(*)[3])v, row[k].point);
    }
}

/* What is answered where nothing is found. */
static void put_nothing(const job *j, size_t i)
{
    if (j->out_d != NULL) {
        j->out_d[i] = (sl_nearest_d){ .distance = j->points.limit, .prim = SL_NONE };
    } else {
        j->out[i] = (sl_nearest){ .distance = j->points.limit, .prim = SL_NONE };
    }
}

static void *row_of(const job *j, size_t i)
{
    if (j->capacity == 0) {
        return NULL;
    }
    return j->out_d != NULL ? (void *)(j->out_d + i * j->capacity)
                            : (void *)(j->out + i * j->capacity);
}

/* One nearest triangle each: the kernel keeps many points in flight. */
static void find_together(const job *j, size_t begin, size_t end, sl_stats *stats)
{
    void *out = j->out_d != NULL ? (void *)j->out_d : (void *)j->out;
    const size_t stride = j->out_d != NULL ? sizeof *j->out_d : sizeof *j->out;
    j->scene->kernels->scene_nearest_many(&j->scene->world, &j->points, begin, end, out, stride,
                                          stats);
    for (size_t i = begin; i < end; i++) {
        sli_scene_point ask;
        const sl_hit hit = hit_in_row((const char *)out + i * stride, 0);
        if (hit.prim == SL_NONE) {
            put_nothing(j, i);
        } else if (j->out_d != NULL) {
            (void)sli_scene_point_at(&j->points, i, &ask);
            spread_d(j, i, 1, &ask);
        } else {
            spread(j, i, 1);
        }
    }
}

static void find(const void *context, size_t begin, size_t end, sl_stats *stats)
{
    const job *j = context;
    if (j->totals == NULL && end - begin > 1) {
        find_together(j, begin, end, stats);
        return;
    }
    for (size_t i = begin; i < end; i++) {
        sli_scene_point ask;
        size_t total = 0;
        if (sli_scene_point_at(&j->points, i, &ask)) {
            total = j->scene->kernels->scene_nearest(&j->scene->world, &ask, j->shrink,
                                                     row_of(j, i), j->capacity, stats);
        } else {
            stats->rays++;
        }
        const size_t kept = total < j->capacity ? total : j->capacity;
        if (j->out_d != NULL) {
            spread_d(j, i, kept, &ask);
        } else if (j->capacity > 0) {
            spread(j, i, kept);
        }
        if (j->totals != NULL) {
            j->totals[i] = j->shrink ? kept : total;
        } else if (kept == 0) {
            put_nothing(j, i);
        }
    }
}

static void ask(job *j, const sl_query *query, size_t count, const sl_tasks *tasks)
{
    j->points.query = query != NULL ? query : &sli_everything;
    sli_run_blocks_of(1024, count, find, j, j->points.query->stats, tasks);
}

static void ask_k(job *j, const sl_query *query, size_t count, const sl_tasks *tasks)
{
    if (j->capacity == 0) {
        memset(j->totals, 0, count * sizeof *j->totals);
        return;
    }
    ask(j, query, count, tasks);
}

void sl_scene_nearest_many(const sl_scene *scene, const float *points, size_t count,
                           float max_distance, const sl_query *query, sl_nearest *out,
                           const sl_tasks *tasks)
{
    job j = { .scene = scene,
              .points = { .floats = points, .limit = max_distance },
              .out = out,
              .capacity = 1,
              .shrink = true };
    ask(&j, query, count, tasks);
}

void sl_scene_nearest_k_many(const sl_scene *scene, const float *points, size_t count,
                             float max_distance, const sl_query *query, sl_nearest *out, size_t k,
                             uint64_t *found, const sl_tasks *tasks)
{
    job j = { .scene = scene,
              .points = { .floats = points, .limit = max_distance },
              .out = out,
              .capacity = k,
              .totals = found,
              .shrink = true };
    ask_k(&j, query, count, tasks);
}

void sl_scene_within_many(const sl_scene *scene, const float *points, size_t count, float radius,
                          const sl_query *query, sl_nearest *out, size_t capacity, uint64_t *totals,
                          const sl_tasks *tasks)
{
    job j = { .scene = scene,
              .points = { .floats = points, .limit = radius },
              .out = out,
              .capacity = capacity,
              .totals = totals };
    ask(&j, query, count, tasks);
}

void sl_scene_nearest_d_many(const sl_scene *scene, const double *points, size_t count,
                             float max_distance, const sl_query *query, sl_nearest_d *out,
                             const sl_tasks *tasks)
{
    job j = { .scene = scene,
              .points = { .doubles = points, .limit = max_distance },
              .out_d = out,
              .capacity = 1,
              .shrink = true };
    ask(&j, query, count, tasks);
}

void sl_scene_nearest_k_d_many(const sl_scene *scene, const double *points, size_t count,
                               float max_distance, const sl_query *query, sl_nearest_d *out,
                               size_t k, uint64_t *found, const sl_tasks *tasks)
{
    job j = { .scene = scene,
              .points = { .doubles = points, .limit = max_distance },
              .out_d = out,
              .capacity = k,
              .totals = found,
              .shrink = true };
    ask_k(&j, query, count, tasks);
}

void sl_scene_within_d_many(const sl_scene *scene, const double *points, size_t count, float radius,
                            const sl_query *query, sl_nearest_d *out, size_t capacity,
                            uint64_t *totals, const sl_tasks *tasks)
{
    job j = { .scene = scene,
              .points = { .doubles = points, .limit = radius },
              .out_d = capacity > 0 ? out : NULL,
              .capacity = capacity,
              .totals = totals };
    ask(&j, query, count, tasks);
}

bool sl_scene_nearest(const sl_scene *scene, const float point[3], float max_distance,
                      const sl_query *query, sl_nearest *out)
{
    sl_nearest found;
    sl_scene_nearest_many(scene, point, 1, max_distance, query, &found, NULL);
    if (out != NULL) {
        *out = found;
    }
    return found.prim != SL_NONE;
}

size_t sl_scene_nearest_k(const sl_scene *scene, const float point[3], float max_distance,
                          const sl_query *query, sl_nearest *out, size_t k)
{
    uint64_t found = 0;
    sl_scene_nearest_k_many(scene, point, 1, max_distance, query, out, k, &found, NULL);
    return (size_t)found;
}

size_t sl_scene_within(const sl_scene *scene, const float point[3], float radius,
                       const sl_query *query, sl_nearest *out, size_t capacity)
{
    uint64_t total = 0;
    sl_scene_within_many(scene, point, 1, radius, query, out, capacity, &total, NULL);
    return (size_t)total;
}

bool sl_scene_nearest_d(const sl_scene *scene, const double point[3], float max_distance,
                        const sl_query *query, sl_nearest_d *out)
{
    sl_nearest_d found;
    sl_scene_nearest_d_many(scene, point, 1, max_distance, query, &found, NULL);
    if (out != NULL) {
        *out = found;
    }
    return found.prim != SL_NONE;
}

size_t sl_scene_nearest_k_d(const sl_scene *scene, const double point[3], float max_distance,
                            const sl_query *query, sl_nearest_d *out, size_t k)
{
    uint64_t found = 0;
    sl_scene_nearest_k_d_many(scene, point, 1, max_distance, query, out, k, &found, NULL);
    return (size_t)found;
}

size_t sl_scene_within_d(const sl_scene *scene, const double point[3], float radius,
                         const sl_query *query, sl_nearest_d *out, size_t capacity)
{
    uint64_t total = 0;
    sl_scene_within_d_many(scene, point, 1, radius, query, out, capacity, &total, NULL);
    return (size_t)total;
}
