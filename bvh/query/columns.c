/* Rays, segments and hits in the caller's own layout: a block at a time through the stack. */
#include "bvh/query/hint.h"
#include "bvh/query/query.h"
#include "lib/base/fpenv.h"

#include <sightline/ray_columns.h>

#include <math.h>
#include <string.h>

enum { BLOCK = 192 }; /* three packets */

_Static_assert(BLOCK * (sizeof(sl_ray) + sizeof(sl_hit)) <= SLI_NARROW_CLOSEST &&
                   BLOCK * sizeof(sl_ray) <= SLI_NARROW_ANY,
               "what kernels know of a narrow batch");

typedef struct job {
    const sl_bvh *bvh;
    const sl_ray_columns *rays;
    const sl_segment_columns *segments; /* NULL: rays */
    const sl_query *query;
    const sl_hit_columns *hits; /* NULL: yes or no */
    uint8_t *yes;
    uint32_t *hint;
} job;

/* Three floats that follow one another in structures of stride bytes. */
static void columns_of_struct(const float first[3], size_t stride, sl_strided columns[3])
{
    for (int axis = 0; axis < 3; axis++) {
        columns[axis] = (sl_strided){ first + axis, stride };
    }
}

static void columns_of_arrays(const float *const first[3], sl_strided columns[3])
{
    for (int axis = 0; axis < 3; axis++) {
        columns[axis] = (sl_strided){ first[axis], sizeof(float) };
    }
}

sl_ray_columns sl_ray_columns_of_structs(const float origin[3], const float dir[3],
                                         const float *tmin, const float *tmax, size_t stride)
{
    sl_ray_columns rays = { .tmin = { tmin, stride }, .tmax = { tmax, stride } };
    columns_of_struct(origin, stride, rays.origin);
    columns_of_struct(dir, stride, rays.dir);
    return rays;
}

sl_ray_columns sl_ray_columns_of_arrays(const float *const origin[3], const float *const dir[3],
                                        const float *tmin, const float *tmax)
{
    sl_ray_columns rays = { .tmin = { tmin, sizeof(float) }, .tmax = { tmax, sizeof(float) } };
    columns_of_arrays(origin, rays.origin);
    columns_of_arrays(dir, rays.dir);
    return rays;
}

sl_segment_columns sl_segment_columns_of_structs(const float p[3], const float q[3], size_t stride)
{
    sl_segment_columns segments;
    columns_of_struct(p, stride, segments.p);
    columns_of_struct(q, stride, segments.q);
    return segments;
}

sl_segment_columns sl_segment_columns_of_arrays(const float *const p[3], const float *const q[3])
{
    sl_segment_columns segments;
    columns_of_arrays(p, segments.p);
    columns_of_arrays(q, segments.q);
    return segments;
}

static float number_at(const sl_strided *column, size_t i, float otherwise)
{
    float number = otherwise;
    if (column->at != NULL) {
        memcpy(&number, (const char *)column->at + i * column->stride, sizeof number);
    }
    return number;
}

static sl_ray ray_at(const sl_ray_columns *rays, size_t i)
{
    sl_ray ray = { .tmin = number_at(&rays->tmin, i, 0),
                   .tmax = number_at(&rays->tmax, i, INFINITY) };
    for (int axis = 0; axis < 3; axis++) {
        ray.origin[axis] = number_at(&rays->origin[axis], i, 0);
        ray.dir[axis] = number_at(&rays->dir[axis], i, 0);
    }
    return ray;
}

static sl_segment segment_at(const sl_segment_columns *segments, size_t i)
{
    sl_segment segment;
    for (int axis = 0; axis < 3; axis++) {
        segment.p[axis] = number_at(&segments->p[axis], i, 0);
        segment.q[axis] = number_at(&segments->q[axis], i, 0);
    }
    return segment;
}

static void put(const sl_strided_out *column, size_t i, const void *number)
{
    if (column->at != NULL) {
        memcpy((char *)column->at + i * column->stride, number, sizeof(uint32_t));
    }
}

static void scatter(const sl_hit_columns *columns, size_t first, const sl_hit *hits, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        put(&columns->t, first + i, &hits[i].t);
        put(&columns->u, first + i, &hits[i].u);
        put(&columns->v, first + i, &hits[i].v);
        put(&columns->prim, first + i, &hits[i].prim);
        put(&columns->instance, first + i, &hits[i].instance);
        put(&columns->flags, first + i, &hits[i].flags);
    }
}

/* Functions of their own, so that no more than one block is on the stack. */
static SLI_NOINLINE void closest_of_rays(const job *j, size_t first, size_t count,
                                         const sl_query *query, sl_stats *stats)
{
    sl_ray rays[BLOCK];
    sl_hit hits[BLOCK];
    for (size_t i = 0; i < count; i++) {
        rays[i] = ray_at(j->rays, first + i);
    }
    if (query->proxy != NULL) { /* which counts by itself */
        sl_bvh_closest_many(j->bvh, rays, count, query, hits, NULL);
    } else {
        const sli_kernel_batch batch = {
            .tree = j->bvh, .rays = rays, .query = query, .narrow = true
        };
        j->bvh->kernels->closest_many(&batch, 0, count, hits, stats);
    }
    scatter(j->hits, first, hits, count);
}

static SLI_NOINLINE void any_of_rays(const job *j, size_t first, size_t count,
                                     const sl_query *query, sl_stats *stats)
{
    sl_ray rays[BLOCK];
    for (size_t i = 0; i < count; i++) {
        rays[i] = ray_at(j->rays, first + i);
    }
    if (query->proxy != NULL) {
        sl_bvh_any_many(j->bvh, rays, count, query, j->yes + first, NULL);
    } else {
        const sli_kernel_batch batch = {
            .tree = j->bvh, .rays = rays, .query = query, .narrow = true
        };
        j->bvh->kernels->any_many(&batch, 0, count, j->yes + first, NULL, stats);
    }
}

static SLI_NOINLINE void closest_of_segments(const job *j, size_t first, size_t count,
                                             const sl_query *query, sl_stats *stats)
{
    sl_segment segments[BLOCK];
    sl_hit hits[BLOCK];
    for (size_t i = 0; i < count; i++) {
        segments[i] = segment_at(j->segments, first + i);
    }
    if (query->proxy != NULL) {
        sl_bvh_closest_segment_many(j->bvh, segments, count, query, hits, NULL);
    } else {
        const sli_kernel_batch batch = {
            .tree = j->bvh, .segments = segments, .query = query, .narrow = true
        };
        j->bvh->kernels->closest_many(&batch, 0, count, hits, stats);
    }
    scatter(j->hits, first, hits, count);
}

static SLI_NOINLINE void any_of_segments(const job *j, size_t first, size_t count,
                                         const sl_query *query, sl_stats *stats)
{
    sl_segment segments[BLOCK];
    uint8_t *yes = j->yes + first;
    uint32_t *hint = j->hint != NULL ? j->hint + first : NULL;
    for (size_t i = 0; i < count; i++) {
        segments[i] = segment_at(j->segments, first + i);
    }
    const sli_kernel_batch batch = {
        .tree = j->bvh, .segments = segments, .query = query, .narrow = true
    };
    if (query->proxy != NULL) {
        sl_bvh_blocked_many(j->bvh, segments, count, query, yes, hint, NULL);
    } else if (hint != NULL) {
        sli_blocked_by_hint(&batch, 0, count, yes, hint, stats);
    } else {
        j->bvh->kernels->any_many(&batch, 0, count, yes, NULL, stats);
    }
}

static void run(const void *context, size_t begin, size_t end, sl_stats *stats)
{
    const job *j = context;
    for (size_t first = begin; first < end; first += BLOCK) {
        const size_t count = end - first < BLOCK ? end - first : BLOCK;
        const sl_query query = sli_query_from(j->query, first);
        if (j->segments != NULL && j->hits != NULL) {
            closest_of_segments(j, first, count, &query, stats);
        } else if (j->segments != NULL) {
            any_of_segments(j, first, count, &query, stats);
        } else if (j->hits != NULL) {
            closest_of_rays(j, first, count, &query, stats);
        } else {
            any_of_rays(j, first, count, &query, stats);
        }
    }
}

static void ask(size_t count, job *j, const sl_query *query, const sl_tasks *tasks)
{
    j->query = query != NULL ? query : &sli_everything;
    sli_run_blocks(count, run, j, j->query->stats, tasks);
}

void sl_bvh_closest_columns(const sl_bvh *bvh, const sl_ray_columns *rays, size_t count,
                            const sl_query *query, const sl_hit_columns *hits,
                            const sl_tasks *tasks)
{
    ask(count, &(job){ .bvh = bvh, .rays = rays, .hits = hits }, query, tasks);
}

void sl_bvh_any_columns(const sl_bvh *bvh, const sl_ray_columns *rays, size_t count,
                        const sl_query *query, uint8_t *any, const sl_tasks *tasks)
{
    ask(count, &(job){ .bvh = bvh, .rays = rays, .yes = any }, query, tasks);
}

void sl_bvh_blocked_columns(const sl_bvh *bvh, const sl_segment_columns *segments, size_t count,
                            const sl_query *query, uint8_t *blocked, uint32_t *hint,
                            const sl_tasks *tasks)
{
    ask(count, &(job){ .bvh = bvh, .segments = segments, .yes = blocked, .hint = hint }, query,
        tasks);
}

void sl_bvh_closest_segment_columns(const sl_bvh *bvh, const sl_segment_columns *segments,
                                    size_t count, const sl_query *query, const sl_hit_columns *hits,
                                    const sl_tasks *tasks)
{
    ask(count, &(job){ .bvh = bvh, .segments = segments, .hits = hits }, query, tasks);
}
