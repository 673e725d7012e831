/* Rays and hits in the caller's own layout: a block at a time through the stack. */
#include "bvh/query/query.h"

#include <sightline/ray_columns.h>

#include <math.h>
#include <string.h>

enum { BLOCK = 512 };

typedef struct job {
    const sl_bvh *bvh;
    const sl_ray_columns *rays;
    const sl_query *query;
    const sl_hit_columns *hits; /* NULL: any */
    uint8_t *any;
} job;

sl_ray_columns sl_ray_columns_of_structs(const float origin[3], const float dir[3],
                                         const float *tmin, const float *tmax, size_t stride)
{
    sl_ray_columns rays = { .tmin = { tmin, stride }, .tmax = { tmax, stride } };
    for (int axis = 0; axis < 3; axis++) {
        rays.origin[axis] = (sl_column){ origin + axis, stride };
        rays.dir[axis] = (sl_column){ dir + axis, stride };
    }
    return rays;
}

sl_ray_columns sl_ray_columns_of_arrays(const float *const origin[3], const float *const dir[3],
                                        const float *tmin, const float *tmax)
{
    const size_t stride = sizeof(float);
    sl_ray_columns rays = { .tmin = { tmin, stride }, .tmax = { tmax, stride } };
    for (int axis = 0; axis < 3; axis++) {
        rays.origin[axis] = (sl_column){ origin[axis], stride };
        rays.dir[axis] = (sl_column){ dir[axis], stride };
    }
    return rays;
}

static float number_at(const sl_column *column, size_t i, float otherwise)
{
    float number = otherwise;
    if (column->at != NULL) {
        memcpy(&number, (const char *)column->at + i * column->stride, sizeof number);
    }
    return number;
}

static sl_ray gather(const sl_ray_columns *rays, size_t i)
{
    sl_ray ray = { .tmin = number_at(&rays->tmin, i, 0),
                   .tmax = number_at(&rays->tmax, i, INFINITY) };
    for (int axis = 0; axis < 3; axis++) {
        ray.origin[axis] = number_at(&rays->origin[axis], i, 0);
        ray.dir[axis] = number_at(&rays->dir[axis], i, 0);
    }
    return ray;
}

static void put(const sl_out_column *column, size_t i, const void *number)
{
    if (column->at != NULL) {
        memcpy((char *)column->at + i * column->stride, number, sizeof(uint32_t));
    }
}

static void scatter(const sl_hit_columns *hits, size_t i, const sl_hit *hit)
{
    put(&hits->t, i, &hit->t);
    put(&hits->u, i, &hit->u);
    put(&hits->v, i, &hit->v);
    put(&hits->prim, i, &hit->prim);
    put(&hits->instance, i, &hit->instance);
    put(&hits->flags, i, &hit->flags);
}

static void run_block(const job *j, size_t first, size_t count)
{
    sl_ray rays[BLOCK];
    sl_hit hits[BLOCK];
    const sl_query query = sli_query_from(j->query, first);
    for (size_t i = 0; i < count; i++) {
        rays[i] = gather(j->rays, first + i);
    }
    if (j->hits == NULL) {
        sl_bvh_any_many(j->bvh, rays, count, &query, j->any + first, NULL);
        return;
    }
    sl_bvh_closest_many(j->bvh, rays, count, &query, hits, NULL);
    for (size_t i = 0; i < count; i++) {
        scatter(j->hits, first + i, &hits[i]);
    }
}

static void run(const void *context, size_t begin, size_t end, sl_stats *stats)
{
    (void)stats; /* the calls of the blocks count */
    for (size_t first = begin; first < end; first += BLOCK) {
        run_block(context, first, end - first < BLOCK ? end - first : BLOCK);
    }
}

void sl_bvh_closest_columns(const sl_bvh *bvh, const sl_ray_columns *rays, size_t count,
                            const sl_query *query, const sl_hit_columns *hits,
                            const sl_tasks *tasks)
{
    const sl_query *options = query != NULL ? query : &sli_everything;
    const job j = { .bvh = bvh, .rays = rays, .query = options, .hits = hits };
    sli_run_blocks(count, run, &j, NULL, tasks);
}

void sl_bvh_any_columns(const sl_bvh *bvh, const sl_ray_columns *rays, size_t count,
                        const sl_query *query, uint8_t *any, const sl_tasks *tasks)
{
    const sl_query *options = query != NULL ? query : &sli_everything;
    const job j = { .bvh = bvh, .rays = rays, .query = options, .any = any };
    sli_run_blocks(count, run, &j, NULL, tasks);
}
