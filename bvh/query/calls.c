/* The public calls of both kinds of tree, each one query about an array. */
#include "bvh/query/arrays.h"
#include "bvh/query/ray_query.h"
#include "lib/base/fpenv.h"

#include <sightline/scene.h>

#include <string.h>

/* Hands a hit out; hit may be NULL. */
static bool give_hit(const sl_hit *found, sl_hit *hit)
{
    if (hit != NULL) {
        *hit = *found;
    }
    return found->prim != SL_NONE;
}

static bool give_hit_d(const sl_hit_d *found, sl_hit_d *hit)
{
    if (hit != NULL) {
        *hit = *found;
    }
    return found->prim != SL_NONE;
}

/* The two arrays may be the same. */
static void copy_hits(void *to, const void *from, size_t count, size_t size)
{
    if (to != from && count > 0) {
        memcpy(to, from, count * size);
    }
}

/* ---- Columns ---- */

/* A stride of 0 is one number for all. */
static size_t stride_of(size_t stride)
{
    return stride != 0 ? stride : SLI_SAME;
}

static void vectors_of_columns(const sl_strided columns[3], const void *axes[3], size_t stride[3])
{
    for (int axis = 0; axis < 3; axis++) {
        axes[axis] = columns[axis].data;
        stride[axis] = stride_of(columns[axis].stride);
    }
}

static sli_rays rays_of_columns(const sl_ray_columns *columns, size_t count)
{
    sli_rays rays = { .tmin = columns->tmin.data,
                      .tmax = columns->tmax.data,
                      .tmin_stride = stride_of(columns->tmin.stride),
                      .tmax_stride = stride_of(columns->tmax.stride),
                      .count = count };
    vectors_of_columns(columns->origin, rays.origin, rays.origin_stride);
    vectors_of_columns(columns->dir, rays.dir, rays.dir_stride);
    return rays;
}

static sli_rays segments_of_columns(const sl_segment_columns *columns, size_t count)
{
    sli_rays segments = { .count = count, .segments = true };
    vectors_of_columns(columns->p, segments.origin, segments.origin_stride);
    vectors_of_columns(columns->q, segments.dir, segments.dir_stride);
    return segments;
}

static sli_hits hits_of_columns(const sl_hit_columns *columns)
{
    const sl_strided_out *all[6] = { &columns->t,    &columns->u,        &columns->v,
                                     &columns->prim, &columns->instance, &columns->flags };
    sli_hits hits = { .t = columns->t.data,
                      .u = columns->u.data,
                      .v = columns->v.data,
                      .prim = columns->prim.data,
                      .instance = columns->instance.data,
                      .flags = columns->flags.data };
    for (int i = 0; i < 6; i++) {
        hits.stride[i] = stride_of(all[i]->stride);
    }
    return hits;
}

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

/* ---- Surfaces ---- */

/* Computes, so it holds the floating-point environment. */
static SLI_NOINLINE sl_surface narrow_surface(const sli_surface *surface)
{
    sl_surface out;
    for (int axis = 0; axis < 3; axis++) {
        out.point[axis] = (float)surface->point[axis];
        out.normal[axis] = (float)surface->normal[axis];
        out.front_origin[axis] = (float)surface->front_origin[axis];
        out.back_origin[axis] = (float)surface->back_origin[axis];
    }
    out.error = (float)(surface->error * (1 + 0x1p-22));
    return out;
}

static sl_surface surface_in_floats(const sli_surface *surface)
{
    const sli_fpenv saved = sli_fpenv_enter();
    const sl_surface out = narrow_surface(surface);
    sli_fpenv_leave(saved);
    return out;
}

static sl_surface_d surface_in_doubles(const sli_surface *surface)
{
    sl_surface_d out;
    memcpy(out.point, surface->point, sizeof out.point);
    memcpy(out.normal, surface->normal, sizeof out.normal);
    memcpy(out.front_origin, surface->front_origin, sizeof out.front_origin);
    memcpy(out.back_origin, surface->back_origin, sizeof out.back_origin);
    out.error = surface->error;
    return out;
}

/* ---- Queries ---- */

size_t sl_bvh_all(const sl_bvh *bvh, const sl_ray *ray, const sl_query *query, sl_hit *hits,
                  size_t capacity)
{
    uint64_t total;
    sli_bvh_all_many(bvh, sli_rays_of(ray, 1), query, sli_hits_of(hits), capacity, &total, NULL,
                     sli_query_stats(query));
    return (size_t)total;
}

bool sl_bvh_next(const sl_bvh *bvh, const sl_ray *ray, const sl_query *query,
                 const sl_hit *previous, sl_hit *hit)
{
    sl_hit found = *previous;
    sli_bvh_next_many(bvh, sli_rays_of(ray, 1), query, sli_hits_of(&found), NULL,
                      sli_query_stats(query));
    return give_hit(&found, hit);
}

size_t sl_bvh_count(const sl_bvh *bvh, const sl_ray *ray, const sl_query *query)
{
    uint64_t total;
    sli_bvh_all_many(bvh, sli_rays_of(ray, 1), query, sli_hits_of(NULL), 0, &total, NULL,
                     sli_query_stats(query));
    return (size_t)total;
}

size_t sl_bvh_all_segment(const sl_bvh *bvh, const sl_segment *segment, const sl_query *query,
                          sl_hit *hits, size_t capacity)
{
    uint64_t total;
    sli_bvh_all_many(bvh, sli_segments_of(segment, 1), query, sli_hits_of(hits), capacity, &total,
                     NULL, sli_query_stats(query));
    return (size_t)total;
}

bool sl_bvh_next_segment(const sl_bvh *bvh, const sl_segment *segment, const sl_query *query,
                         const sl_hit *previous, sl_hit *hit)
{
    sl_hit found = *previous;
    sli_bvh_next_many(bvh, sli_segments_of(segment, 1), query, sli_hits_of(&found), NULL,
                      sli_query_stats(query));
    return give_hit(&found, hit);
}

size_t sl_bvh_count_segment(const sl_bvh *bvh, const sl_segment *segment, const sl_query *query)
{
    uint64_t total;
    sli_bvh_all_many(bvh, sli_segments_of(segment, 1), query, sli_hits_of(NULL), 0, &total, NULL,
                     sli_query_stats(query));
    return (size_t)total;
}

void sl_bvh_closest_many(const sl_bvh *bvh, const sl_ray *rays, size_t count, const sl_query *query,
                         sl_hit *hits, const sl_tasks *tasks)
{
    const sli_ray_items items = { .rays = rays };
    if (!sli_few_rays(bvh, &items, count, query, hits, NULL, NULL)) {
        sli_bvh_closest_many(bvh, sli_rays_of(rays, count), query, sli_hits_of(hits), tasks,
                             sli_query_stats(query));
    }
}

void sl_bvh_any_many(const sl_bvh *bvh, const sl_ray *rays, size_t count, const sl_query *query,
                     uint8_t *any, const sl_tasks *tasks)
{
    const sli_ray_items items = { .rays = rays };
    if (!sli_few_rays(bvh, &items, count, query, NULL, any, NULL)) {
        sli_bvh_any_many(bvh, sli_rays_of(rays, count), query, any, NULL, tasks,
                         sli_query_stats(query));
    }
}

void sl_bvh_count_many(const sl_bvh *bvh, const sl_ray *rays, size_t count, const sl_query *query,
                       uint64_t *counts, const sl_tasks *tasks)
{
    sli_bvh_all_many(bvh, sli_rays_of(rays, count), query, sli_hits_of(NULL), 0, counts, tasks,
                     sli_query_stats(query));
}

void sl_bvh_all_many(const sl_bvh *bvh, const sl_ray *rays, size_t count, const sl_query *query,
                     sl_hit *hits, size_t capacity, uint64_t *totals, const sl_tasks *tasks)
{
    sli_bvh_all_many(bvh, sli_rays_of(rays, count), query, sli_hits_of(hits), capacity, totals,
                     tasks, sli_query_stats(query));
}

void sl_bvh_next_many(const sl_bvh *bvh, const sl_ray *rays, size_t count, const sl_query *query,
                      const sl_hit *previous, sl_hit *hits, const sl_tasks *tasks)
{
    copy_hits(hits, previous, count, sizeof *hits);
    sli_bvh_next_many(bvh, sli_rays_of(rays, count), query, sli_hits_of(hits), tasks,
                      sli_query_stats(query));
}

void sl_bvh_blocked_many(const sl_bvh *bvh, const sl_segment *segments, size_t count,
                         const sl_query *query, uint8_t *blocked, sl_triangle_ref *hints,
                         const sl_tasks *tasks)
{
    const sli_ray_items items = { .segments = segments };
    if (!sli_few_rays(bvh, &items, count, query, NULL, blocked, hints)) {
        sli_bvh_any_many(bvh, sli_segments_of(segments, count), query, blocked, hints, tasks,
                         sli_query_stats(query));
    }
}

void sl_bvh_closest_segment_many(const sl_bvh *bvh, const sl_segment *segments, size_t count,
                                 const sl_query *query, sl_hit *hits, const sl_tasks *tasks)
{
    const sli_ray_items items = { .segments = segments };
    if (!sli_few_rays(bvh, &items, count, query, hits, NULL, NULL)) {
        sli_bvh_closest_many(bvh, sli_segments_of(segments, count), query, sli_hits_of(hits), tasks,
                             sli_query_stats(query));
    }
}

void sl_bvh_count_segment_many(const sl_bvh *bvh, const sl_segment *segments, size_t count,
                               const sl_query *query, uint64_t *counts, const sl_tasks *tasks)
{
    sli_bvh_all_many(bvh, sli_segments_of(segments, count), query, sli_hits_of(NULL), 0, counts,
                     tasks, sli_query_stats(query));
}

void sl_bvh_all_segment_many(const sl_bvh *bvh, const sl_segment *segments, size_t count,
                             const sl_query *query, sl_hit *hits, size_t capacity, uint64_t *totals,
                             const sl_tasks *tasks)
{
    sli_bvh_all_many(bvh, sli_segments_of(segments, count), query, sli_hits_of(hits), capacity,
                     totals, tasks, sli_query_stats(query));
}

void sl_bvh_next_segment_many(const sl_bvh *bvh, const sl_segment *segments, size_t count,
                              const sl_query *query, const sl_hit *previous, sl_hit *hits,
                              const sl_tasks *tasks)
{
    copy_hits(hits, previous, count, sizeof *hits);
    sli_bvh_next_many(bvh, sli_segments_of(segments, count), query, sli_hits_of(hits), tasks,
                      sli_query_stats(query));
}

void sl_bvh_any_from(const sl_bvh *bvh, const float origin[3], const float *dirs, size_t count,
                     float tmax, const sl_query *query, uint8_t *any, const sl_tasks *tasks)
{
    sli_rays rays = sli_rays_from(origin, dirs, count);
    rays.tmax = &tmax;
    rays.tmax_stride = SLI_SAME;
    sli_bvh_any_many(bvh, rays, query, any, NULL, tasks, sli_query_stats(query));
}

void sl_bvh_blocked_from(const sl_bvh *bvh, const float origin[3], const float *targets,
                         size_t count, const sl_query *query, uint8_t *blocked,
                         const sl_tasks *tasks)
{
    sli_bvh_any_many(bvh, sli_segments_from(origin, targets, count), query, blocked, NULL, tasks,
                     sli_query_stats(query));
}

bool sl_bvh_surface(const sl_bvh *bvh, const sl_hit *hit, sl_surface *surface)
{
    sli_surface found;
    const sl_triangle_ref triangle = { hit->instance, hit->prim };
    const bool is_there = sli_bvh_surface(bvh, triangle, hit->u, hit->v, SLI_FLOAT, &found);
    if (is_there) {
        *surface = surface_in_floats(&found);
    }
    return is_there;
}

void sl_bvh_closest_columns(const sl_bvh *bvh, const sl_ray_columns *rays, size_t count,
                            const sl_query *query, const sl_hit_columns *hits,
                            const sl_tasks *tasks)
{
    sli_bvh_closest_many(bvh, rays_of_columns(rays, count), query, hits_of_columns(hits), tasks,
                         sli_query_stats(query));
}

void sl_bvh_any_columns(const sl_bvh *bvh, const sl_ray_columns *rays, size_t count,
                        const sl_query *query, uint8_t *any, const sl_tasks *tasks)
{
    sli_bvh_any_many(bvh, rays_of_columns(rays, count), query, any, NULL, tasks,
                     sli_query_stats(query));
}

void sl_bvh_blocked_columns(const sl_bvh *bvh, const sl_segment_columns *segments, size_t count,
                            const sl_query *query, uint8_t *blocked, sl_triangle_ref *hints,
                            const sl_tasks *tasks)
{
    sli_bvh_any_many(bvh, segments_of_columns(segments, count), query, blocked, hints, tasks,
                     sli_query_stats(query));
}

void sl_bvh_closest_segment_columns(const sl_bvh *bvh, const sl_segment_columns *segments,
                                    size_t count, const sl_query *query, const sl_hit_columns *hits,
                                    const sl_tasks *tasks)
{
    sli_bvh_closest_many(bvh, segments_of_columns(segments, count), query, hits_of_columns(hits),
                         tasks, sli_query_stats(query));
}

bool sl_scene_closest(const sl_scene *scene, const sl_ray *ray, const sl_query *query, sl_hit *hit)
{
    sl_hit found;
    sli_bvh_closest_many(scene, sli_rays_of(ray, 1), query, sli_hits_of(&found), NULL,
                         sli_query_stats(query));
    return give_hit(&found, hit);
}

bool sl_scene_any(const sl_scene *scene, const sl_ray *ray, const sl_query *query)
{
    uint8_t any;
    sli_bvh_any_many(scene, sli_rays_of(ray, 1), query, &any, NULL, NULL, sli_query_stats(query));
    return any != 0;
}

size_t sl_scene_all(const sl_scene *scene, const sl_ray *ray, const sl_query *query, sl_hit *hits,
                    size_t capacity)
{
    uint64_t total;
    sli_bvh_all_many(scene, sli_rays_of(ray, 1), query, sli_hits_of(hits), capacity, &total, NULL,
                     sli_query_stats(query));
    return (size_t)total;
}

bool sl_scene_next(const sl_scene *scene, const sl_ray *ray, const sl_query *query,
                   const sl_hit *previous, sl_hit *hit)
{
    sl_hit found = *previous;
    sli_bvh_next_many(scene, sli_rays_of(ray, 1), query, sli_hits_of(&found), NULL,
                      sli_query_stats(query));
    return give_hit(&found, hit);
}

size_t sl_scene_count(const sl_scene *scene, const sl_ray *ray, const sl_query *query)
{
    uint64_t total;
    sli_bvh_all_many(scene, sli_rays_of(ray, 1), query, sli_hits_of(NULL), 0, &total, NULL,
                     sli_query_stats(query));
    return (size_t)total;
}

bool sl_scene_blocked(const sl_scene *scene, const sl_segment *segment, const sl_query *query)
{
    uint8_t any;
    sli_bvh_any_many(scene, sli_segments_of(segment, 1), query, &any, NULL, NULL,
                     sli_query_stats(query));
    return any != 0;
}

bool sl_scene_closest_segment(const sl_scene *scene, const sl_segment *segment,
                              const sl_query *query, sl_hit *hit)
{
    sl_hit found;
    sli_bvh_closest_many(scene, sli_segments_of(segment, 1), query, sli_hits_of(&found), NULL,
                         sli_query_stats(query));
    return give_hit(&found, hit);
}

size_t sl_scene_all_segment(const sl_scene *scene, const sl_segment *segment, const sl_query *query,
                            sl_hit *hits, size_t capacity)
{
    uint64_t total;
    sli_bvh_all_many(scene, sli_segments_of(segment, 1), query, sli_hits_of(hits), capacity, &total,
                     NULL, sli_query_stats(query));
    return (size_t)total;
}

bool sl_scene_next_segment(const sl_scene *scene, const sl_segment *segment, const sl_query *query,
                           const sl_hit *previous, sl_hit *hit)
{
    sl_hit found = *previous;
    sli_bvh_next_many(scene, sli_segments_of(segment, 1), query, sli_hits_of(&found), NULL,
                      sli_query_stats(query));
    return give_hit(&found, hit);
}

size_t sl_scene_count_segment(const sl_scene *scene, const sl_segment *segment,
                              const sl_query *query)
{
    uint64_t total;
    sli_bvh_all_many(scene, sli_segments_of(segment, 1), query, sli_hits_of(NULL), 0, &total, NULL,
                     sli_query_stats(query));
    return (size_t)total;
}

void sl_scene_closest_many(const sl_scene *scene, const sl_ray *rays, size_t count,
                           const sl_query *query, sl_hit *hits, const sl_tasks *tasks)
{
    sli_bvh_closest_many(scene, sli_rays_of(rays, count), query, sli_hits_of(hits), tasks,
                         sli_query_stats(query));
}

void sl_scene_any_many(const sl_scene *scene, const sl_ray *rays, size_t count,
                       const sl_query *query, uint8_t *any, const sl_tasks *tasks)
{
    sli_bvh_any_many(scene, sli_rays_of(rays, count), query, any, NULL, tasks,
                     sli_query_stats(query));
}

void sl_scene_count_many(const sl_scene *scene, const sl_ray *rays, size_t count,
                         const sl_query *query, uint64_t *counts, const sl_tasks *tasks)
{
    sli_bvh_all_many(scene, sli_rays_of(rays, count), query, sli_hits_of(NULL), 0, counts, tasks,
                     sli_query_stats(query));
}

void sl_scene_all_many(const sl_scene *scene, const sl_ray *rays, size_t count,
                       const sl_query *query, sl_hit *hits, size_t capacity, uint64_t *totals,
                       const sl_tasks *tasks)
{
    sli_bvh_all_many(scene, sli_rays_of(rays, count), query, sli_hits_of(hits), capacity, totals,
                     tasks, sli_query_stats(query));
}

void sl_scene_next_many(const sl_scene *scene, const sl_ray *rays, size_t count,
                        const sl_query *query, const sl_hit *previous, sl_hit *hits,
                        const sl_tasks *tasks)
{
    copy_hits(hits, previous, count, sizeof *hits);
    sli_bvh_next_many(scene, sli_rays_of(rays, count), query, sli_hits_of(hits), tasks,
                      sli_query_stats(query));
}

void sl_scene_closest_segment_many(const sl_scene *scene, const sl_segment *segments, size_t count,
                                   const sl_query *query, sl_hit *hits, const sl_tasks *tasks)
{
    sli_bvh_closest_many(scene, sli_segments_of(segments, count), query, sli_hits_of(hits), tasks,
                         sli_query_stats(query));
}

void sl_scene_count_segment_many(const sl_scene *scene, const sl_segment *segments, size_t count,
                                 const sl_query *query, uint64_t *counts, const sl_tasks *tasks)
{
    sli_bvh_all_many(scene, sli_segments_of(segments, count), query, sli_hits_of(NULL), 0, counts,
                     tasks, sli_query_stats(query));
}

void sl_scene_all_segment_many(const sl_scene *scene, const sl_segment *segments, size_t count,
                               const sl_query *query, sl_hit *hits, size_t capacity,
                               uint64_t *totals, const sl_tasks *tasks)
{
    sli_bvh_all_many(scene, sli_segments_of(segments, count), query, sli_hits_of(hits), capacity,
                     totals, tasks, sli_query_stats(query));
}

void sl_scene_next_segment_many(const sl_scene *scene, const sl_segment *segments, size_t count,
                                const sl_query *query, const sl_hit *previous, sl_hit *hits,
                                const sl_tasks *tasks)
{
    copy_hits(hits, previous, count, sizeof *hits);
    sli_bvh_next_many(scene, sli_segments_of(segments, count), query, sli_hits_of(hits), tasks,
                      sli_query_stats(query));
}

void sl_scene_blocked_many(const sl_scene *scene, const sl_segment *segments, size_t count,
                           const sl_query *query, uint8_t *blocked, sl_triangle_ref *hints,
                           const sl_tasks *tasks)
{
    sli_bvh_any_many(scene, sli_segments_of(segments, count), query, blocked, hints, tasks,
                     sli_query_stats(query));
}

void sl_scene_closest_columns(const sl_scene *scene, const sl_ray_columns *rays, size_t count,
                              const sl_query *query, const sl_hit_columns *hits,
                              const sl_tasks *tasks)
{
    sli_bvh_closest_many(scene, rays_of_columns(rays, count), query, hits_of_columns(hits), tasks,
                         sli_query_stats(query));
}

void sl_scene_any_columns(const sl_scene *scene, const sl_ray_columns *rays, size_t count,
                          const sl_query *query, uint8_t *any, const sl_tasks *tasks)
{
    sli_bvh_any_many(scene, rays_of_columns(rays, count), query, any, NULL, tasks,
                     sli_query_stats(query));
}

void sl_scene_closest_segment_columns(const sl_scene *scene, const sl_segment_columns *segments,
                                      size_t count, const sl_query *query,
                                      const sl_hit_columns *hits, const sl_tasks *tasks)
{
    sli_bvh_closest_many(scene, segments_of_columns(segments, count), query, hits_of_columns(hits),
                         tasks, sli_query_stats(query));
}

void sl_scene_blocked_columns(const sl_scene *scene, const sl_segment_columns *segments,
                              size_t count, const sl_query *query, uint8_t *blocked,
                              sl_triangle_ref *hints, const sl_tasks *tasks)
{
    sli_bvh_any_many(scene, segments_of_columns(segments, count), query, blocked, hints, tasks,
                     sli_query_stats(query));
}

void sl_scene_any_from(const sl_scene *scene, const float origin[3], const float *dirs,
                       size_t count, float tmax, const sl_query *query, uint8_t *any,
                       const sl_tasks *tasks)
{
    sli_rays rays = sli_rays_from(origin, dirs, count);
    rays.tmax = &tmax;
    rays.tmax_stride = SLI_SAME;
    sli_bvh_any_many(scene, rays, query, any, NULL, tasks, sli_query_stats(query));
}

void sl_scene_blocked_from(const sl_scene *scene, const float origin[3], const float *targets,
                           size_t count, const sl_query *query, uint8_t *blocked,
                           const sl_tasks *tasks)
{
    sli_bvh_any_many(scene, sli_segments_from(origin, targets, count), query, blocked, NULL, tasks,
                     sli_query_stats(query));
}

bool sl_scene_surface(const sl_scene *scene, const sl_hit *hit, sl_surface *surface)
{
    sli_surface found;
    const sl_triangle_ref triangle = { hit->instance, hit->prim };
    const bool is_there = sli_bvh_surface(scene, triangle, hit->u, hit->v, SLI_FLOAT, &found);
    if (is_there) {
        *surface = surface_in_floats(&found);
    }
    return is_there;
}

bool sl_scene_closest_d(const sl_scene *scene, const sl_ray_d *ray, const sl_query *query,
                        sl_hit_d *hit)
{
    sl_hit_d found;
    sli_bvh_closest_many(scene, sli_rays_of_d(ray, 1), query, sli_hits_of_d(&found), NULL,
                         sli_query_stats(query));
    return give_hit_d(&found, hit);
}

bool sl_scene_any_d(const sl_scene *scene, const sl_ray_d *ray, const sl_query *query)
{
    uint8_t any;
    sli_bvh_any_many(scene, sli_rays_of_d(ray, 1), query, &any, NULL, NULL, sli_query_stats(query));
    return any != 0;
}

size_t sl_scene_all_d(const sl_scene *scene, const sl_ray_d *ray, const sl_query *query,
                      sl_hit_d *hits, size_t capacity)
{
    uint64_t total;
    sli_bvh_all_many(scene, sli_rays_of_d(ray, 1), query, sli_hits_of_d(hits), capacity, &total,
                     NULL, sli_query_stats(query));
    return (size_t)total;
}

bool sl_scene_next_d(const sl_scene *scene, const sl_ray_d *ray, const sl_query *query,
                     const sl_hit_d *previous, sl_hit_d *hit)
{
    sl_hit_d found = *previous;
    sli_bvh_next_many(scene, sli_rays_of_d(ray, 1), query, sli_hits_of_d(&found), NULL,
                      sli_query_stats(query));
    return give_hit_d(&found, hit);
}

size_t sl_scene_count_d(const sl_scene *scene, const sl_ray_d *ray, const sl_query *query)
{
    uint64_t total;
    sli_bvh_all_many(scene, sli_rays_of_d(ray, 1), query, sli_hits_of_d(NULL), 0, &total, NULL,
                     sli_query_stats(query));
    return (size_t)total;
}

bool sl_scene_blocked_d(const sl_scene *scene, const sl_segment_d *segment, const sl_query *query)
{
    uint8_t any;
    sli_bvh_any_many(scene, sli_segments_of_d(segment, 1), query, &any, NULL, NULL,
                     sli_query_stats(query));
    return any != 0;
}

bool sl_scene_closest_segment_d(const sl_scene *scene, const sl_segment_d *segment,
                                const sl_query *query, sl_hit_d *hit)
{
    sl_hit_d found;
    sli_bvh_closest_many(scene, sli_segments_of_d(segment, 1), query, sli_hits_of_d(&found), NULL,
                         sli_query_stats(query));
    return give_hit_d(&found, hit);
}

size_t sl_scene_all_segment_d(const sl_scene *scene, const sl_segment_d *segment,
                              const sl_query *query, sl_hit_d *hits, size_t capacity)
{
    uint64_t total;
    sli_bvh_all_many(scene, sli_segments_of_d(segment, 1), query, sli_hits_of_d(hits), capacity,
                     &total, NULL, sli_query_stats(query));
    return (size_t)total;
}

bool sl_scene_next_segment_d(const sl_scene *scene, const sl_segment_d *segment,
                             const sl_query *query, const sl_hit_d *previous, sl_hit_d *hit)
{
    sl_hit_d found = *previous;
    sli_bvh_next_many(scene, sli_segments_of_d(segment, 1), query, sli_hits_of_d(&found), NULL,
                      sli_query_stats(query));
    return give_hit_d(&found, hit);
}

size_t sl_scene_count_segment_d(const sl_scene *scene, const sl_segment_d *segment,
                                const sl_query *query)
{
    uint64_t total;
    sli_bvh_all_many(scene, sli_segments_of_d(segment, 1), query, sli_hits_of_d(NULL), 0, &total,
                     NULL, sli_query_stats(query));
    return (size_t)total;
}

void sl_scene_closest_d_many(const sl_scene *scene, const sl_ray_d *rays, size_t count,
                             const sl_query *query, sl_hit_d *hits, const sl_tasks *tasks)
{
    sli_bvh_closest_many(scene, sli_rays_of_d(rays, count), query, sli_hits_of_d(hits), tasks,
                         sli_query_stats(query));
}

void sl_scene_all_d_many(const sl_scene *scene, const sl_ray_d *rays, size_t count,
                         const sl_query *query, sl_hit_d *hits, size_t capacity, uint64_t *totals,
                         const sl_tasks *tasks)
{
    sli_bvh_all_many(scene, sli_rays_of_d(rays, count), query, sli_hits_of_d(hits), capacity,
                     totals, tasks, sli_query_stats(query));
}

void sl_scene_count_d_many(const sl_scene *scene, const sl_ray_d *rays, size_t count,
                           const sl_query *query, uint64_t *counts, const sl_tasks *tasks)
{
    sli_bvh_all_many(scene, sli_rays_of_d(rays, count), query, sli_hits_of_d(NULL), 0, counts,
                     tasks, sli_query_stats(query));
}

void sl_scene_next_d_many(const sl_scene *scene, const sl_ray_d *rays, size_t count,
                          const sl_query *query, const sl_hit_d *previous, sl_hit_d *hits,
                          const sl_tasks *tasks)
{
    copy_hits(hits, previous, count, sizeof *hits);
    sli_bvh_next_many(scene, sli_rays_of_d(rays, count), query, sli_hits_of_d(hits), tasks,
                      sli_query_stats(query));
}

void sl_scene_any_d_many(const sl_scene *scene, const sl_ray_d *rays, size_t count,
                         const sl_query *query, uint8_t *any, const sl_tasks *tasks)
{
    sli_bvh_any_many(scene, sli_rays_of_d(rays, count), query, any, NULL, tasks,
                     sli_query_stats(query));
}

void sl_scene_blocked_d_many(const sl_scene *scene, const sl_segment_d *segments, size_t count,
                             const sl_query *query, uint8_t *blocked, sl_triangle_ref *hints,
                             const sl_tasks *tasks)
{
    sli_bvh_any_many(scene, sli_segments_of_d(segments, count), query, blocked, hints, tasks,
                     sli_query_stats(query));
}

void sl_scene_closest_segment_d_many(const sl_scene *scene, const sl_segment_d *segments,
                                     size_t count, const sl_query *query, sl_hit_d *hits,
                                     const sl_tasks *tasks)
{
    sli_bvh_closest_many(scene, sli_segments_of_d(segments, count), query, sli_hits_of_d(hits),
                         tasks, sli_query_stats(query));
}

void sl_scene_count_segment_d_many(const sl_scene *scene, const sl_segment_d *segments,
                                   size_t count, const sl_query *query, uint64_t *counts,
                                   const sl_tasks *tasks)
{
    sli_bvh_all_many(scene, sli_segments_of_d(segments, count), query, sli_hits_of_d(NULL), 0,
                     counts, tasks, sli_query_stats(query));
}

void sl_scene_all_segment_d_many(const sl_scene *scene, const sl_segment_d *segments, size_t count,
                                 const sl_query *query, sl_hit_d *hits, size_t capacity,
                                 uint64_t *totals, const sl_tasks *tasks)
{
    sli_bvh_all_many(scene, sli_segments_of_d(segments, count), query, sli_hits_of_d(hits),
                     capacity, totals, tasks, sli_query_stats(query));
}

void sl_scene_next_segment_d_many(const sl_scene *scene, const sl_segment_d *segments, size_t count,
                                  const sl_query *query, const sl_hit_d *previous, sl_hit_d *hits,
                                  const sl_tasks *tasks)
{
    copy_hits(hits, previous, count, sizeof *hits);
    sli_bvh_next_many(scene, sli_segments_of_d(segments, count), query, sli_hits_of_d(hits), tasks,
                      sli_query_stats(query));
}

void sl_scene_any_from_d(const sl_scene *scene, const double origin[3], const double *dirs,
                         size_t count, double tmax, const sl_query *query, uint8_t *any,
                         const sl_tasks *tasks)
{
    sli_rays rays = sli_rays_from_d(origin, dirs, count);
    rays.tmax = &tmax;
    rays.tmax_stride = SLI_SAME;
    sli_bvh_any_many(scene, rays, query, any, NULL, tasks, sli_query_stats(query));
}

void sl_scene_blocked_from_d(const sl_scene *scene, const double origin[3], const double *targets,
                             size_t count, const sl_query *query, uint8_t *blocked,
                             const sl_tasks *tasks)
{
    sli_bvh_any_many(scene, sli_segments_from_d(origin, targets, count), query, blocked, NULL,
                     tasks, sli_query_stats(query));
}

bool sl_scene_surface_d(const sl_scene *scene, const sl_hit_d *hit, sl_surface_d *surface)
{
    sli_surface found;
    const sl_triangle_ref triangle = { hit->instance, hit->prim };
    const bool is_there = sli_bvh_surface(scene, triangle, hit->u, hit->v, SLI_DOUBLE, &found);
    if (is_there) {
        *surface = surface_in_doubles(&found);
    }
    return is_there;
}

bool sl_bvh_nearest(const sl_bvh *bvh, const float point[3], float max_distance,
                    const sl_query *query, sl_nearest *out)
{
    sl_nearest found;
    sli_bvh_nearest_many(bvh, sli_points_of(point, 1), max_distance, query, sli_nearests_of(&found),
                         NULL, sli_query_stats(query));
    if (out != NULL) {
        *out = found;
    }
    return found.prim != SL_NONE;
}

size_t sl_bvh_nearest_k(const sl_bvh *bvh, const float point[3], float max_distance,
                        const sl_query *query, sl_nearest *out, size_t k)
{
    uint64_t total = 0;
    sli_bvh_nearest_k_many(bvh, sli_points_of(point, 1), max_distance, query, sli_nearests_of(out),
                           k, &total, NULL, sli_query_stats(query));
    return (size_t)total;
}

size_t sl_bvh_within(const sl_bvh *bvh, const float point[3], float radius, const sl_query *query,
                     sl_nearest *out, size_t capacity)
{
    uint64_t total = 0;
    sli_bvh_within_many(bvh, sli_points_of(point, 1), radius, query, sli_nearests_of(out), capacity,
                        &total, NULL, sli_query_stats(query));
    return (size_t)total;
}

void sl_bvh_nearest_many(const sl_bvh *bvh, const float *points, size_t count, float max_distance,
                         const sl_query *query, sl_nearest *out, const sl_tasks *tasks)
{
    sli_bvh_nearest_many(bvh, sli_points_of(points, count), max_distance, query,
                         sli_nearests_of(out), tasks, sli_query_stats(query));
}

void sl_bvh_nearest_k_many(const sl_bvh *bvh, const float *points, size_t count, float max_distance,
                           const sl_query *query, sl_nearest *out, size_t k, uint64_t *found,
                           const sl_tasks *tasks)
{
    sli_bvh_nearest_k_many(bvh, sli_points_of(points, count), max_distance, query,
                           sli_nearests_of(out), k, found, tasks, sli_query_stats(query));
}

void sl_bvh_within_many(const sl_bvh *bvh, const float *points, size_t count, float radius,
                        const sl_query *query, sl_nearest *out, size_t capacity, uint64_t *totals,
                        const sl_tasks *tasks)
{
    sli_bvh_within_many(bvh, sli_points_of(points, count), radius, query, sli_nearests_of(out),
                        capacity, totals, tasks, sli_query_stats(query));
}

bool sl_bvh_inside(const sl_bvh *bvh, const sl_boundary *boundary, const float point[3],
                   const sl_query *query, sl_inside *out)
{
    sl_inside found = { .crossings = 0 };
    (void)sli_bvh_winding(bvh, boundary, point, 1, query, &found, NULL, sli_query_stats(query));
    if (out != NULL) {
        *out = found;
    }
    return found.inside;
}

void sl_bvh_inside_many(const sl_bvh *bvh, const sl_boundary *boundary, const float *points,
                        size_t count, const sl_query *query, sl_inside *out, const sl_tasks *tasks)
{
    (void)sli_bvh_winding(bvh, boundary, points, count, query, out, tasks, sli_query_stats(query));
}

bool sl_scene_nearest(const sl_scene *scene, const float point[3], float max_distance,
                      const sl_query *query, sl_nearest *out)
{
    sl_nearest found;
    sli_bvh_nearest_many(scene, sli_points_of(point, 1), max_distance, query,
                         sli_nearests_of(&found), NULL, sli_query_stats(query));
    if (out != NULL) {
        *out = found;
    }
    return found.prim != SL_NONE;
}

size_t sl_scene_nearest_k(const sl_scene *scene, const float point[3], float max_distance,
                          const sl_query *query, sl_nearest *out, size_t k)
{
    uint64_t total = 0;
    sli_bvh_nearest_k_many(scene, sli_points_of(point, 1), max_distance, query,
                           sli_nearests_of(out), k, &total, NULL, sli_query_stats(query));
    return (size_t)total;
}

size_t sl_scene_within(const sl_scene *scene, const float point[3], float radius,
                       const sl_query *query, sl_nearest *out, size_t capacity)
{
    uint64_t total = 0;
    sli_bvh_within_many(scene, sli_points_of(point, 1), radius, query, sli_nearests_of(out),
                        capacity, &total, NULL, sli_query_stats(query));
    return (size_t)total;
}

void sl_scene_nearest_many(const sl_scene *scene, const float *points, size_t count,
                           float max_distance, const sl_query *query, sl_nearest *out,
                           const sl_tasks *tasks)
{
    sli_bvh_nearest_many(scene, sli_points_of(points, count), max_distance, query,
                         sli_nearests_of(out), tasks, sli_query_stats(query));
}

void sl_scene_nearest_k_many(const sl_scene *scene, const float *points, size_t count,
                             float max_distance, const sl_query *query, sl_nearest *out, size_t k,
                             uint64_t *found, const sl_tasks *tasks)
{
    sli_bvh_nearest_k_many(scene, sli_points_of(points, count), max_distance, query,
                           sli_nearests_of(out), k, found, tasks, sli_query_stats(query));
}

void sl_scene_within_many(const sl_scene *scene, const float *points, size_t count, float radius,
                          const sl_query *query, sl_nearest *out, size_t capacity, uint64_t *totals,
                          const sl_tasks *tasks)
{
    sli_bvh_within_many(scene, sli_points_of(points, count), radius, query, sli_nearests_of(out),
                        capacity, totals, tasks, sli_query_stats(query));
}

bool sl_scene_nearest_d(const sl_scene *scene, const double point[3], float max_distance,
                        const sl_query *query, sl_nearest_d *out)
{
    sl_nearest_d found;
    sli_bvh_nearest_many(scene, sli_points_of_d(point, 1), max_distance, query,
                         sli_nearests_of_d(&found), NULL, sli_query_stats(query));
    if (out != NULL) {
        *out = found;
    }
    return found.prim != SL_NONE;
}

size_t sl_scene_nearest_k_d(const sl_scene *scene, const double point[3], float max_distance,
                            const sl_query *query, sl_nearest_d *out, size_t k)
{
    uint64_t total = 0;
    sli_bvh_nearest_k_many(scene, sli_points_of_d(point, 1), max_distance, query,
                           sli_nearests_of_d(out), k, &total, NULL, sli_query_stats(query));
    return (size_t)total;
}

size_t sl_scene_within_d(const sl_scene *scene, const double point[3], float radius,
                         const sl_query *query, sl_nearest_d *out, size_t capacity)
{
    uint64_t total = 0;
    sli_bvh_within_many(scene, sli_points_of_d(point, 1), radius, query, sli_nearests_of_d(out),
                        capacity, &total, NULL, sli_query_stats(query));
    return (size_t)total;
}

void sl_scene_nearest_d_many(const sl_scene *scene, const double *points, size_t count,
                             float max_distance, const sl_query *query, sl_nearest_d *out,
                             const sl_tasks *tasks)
{
    sli_bvh_nearest_many(scene, sli_points_of_d(points, count), max_distance, query,
                         sli_nearests_of_d(out), tasks, sli_query_stats(query));
}

void sl_scene_nearest_k_d_many(const sl_scene *scene, const double *points, size_t count,
                               float max_distance, const sl_query *query, sl_nearest_d *out,
                               size_t k, uint64_t *found, const sl_tasks *tasks)
{
    sli_bvh_nearest_k_many(scene, sli_points_of_d(points, count), max_distance, query,
                           sli_nearests_of_d(out), k, found, tasks, sli_query_stats(query));
}

void sl_scene_within_d_many(const sl_scene *scene, const double *points, size_t count, float radius,
                            const sl_query *query, sl_nearest_d *out, size_t capacity,
                            uint64_t *totals, const sl_tasks *tasks)
{
    sli_bvh_within_many(scene, sli_points_of_d(points, count), radius, query,
                        sli_nearests_of_d(out), capacity, totals, tasks, sli_query_stats(query));
}

size_t sl_scene_inside(const sl_scene *scene, const float point[3], const sl_query *query,
                       uint32_t *instances, size_t capacity)
{
    uint64_t total;
    sli_bvh_inside_many(scene, sli_points_of(point, 1), query, instances, capacity, &total, NULL,
                        sli_query_stats(query));
    return (size_t)total;
}

size_t sl_scene_inside_d(const sl_scene *scene, const double point[3], const sl_query *query,
                         uint32_t *instances, size_t capacity)
{
    uint64_t total;
    sli_bvh_inside_many(scene, sli_points_of_d(point, 1), query, instances, capacity, &total, NULL,
                        sli_query_stats(query));
    return (size_t)total;
}

void sl_scene_inside_many(const sl_scene *scene, const float *points, size_t count,
                          const sl_query *query, uint32_t *instances, size_t capacity,
                          uint64_t *totals, const sl_tasks *tasks)
{
    sli_bvh_inside_many(scene, sli_points_of(points, count), query, instances, capacity, totals,
                        tasks, sli_query_stats(query));
}

void sl_scene_inside_d_many(const sl_scene *scene, const double *points, size_t count,
                            const sl_query *query, uint32_t *instances, size_t capacity,
                            uint64_t *totals, const sl_tasks *tasks)
{
    sli_bvh_inside_many(scene, sli_points_of_d(points, count), query, instances, capacity, totals,
                        tasks, sli_query_stats(query));
}

bool sl_bvh_overlap_any(const sl_bvh *bvh, const sl_volume *volume, const sl_query *query)
{
    uint8_t touches;
    sli_bvh_overlap_any_many(bvh, sli_volumes_of(volume, 1), query, &touches, NULL,
                             sli_query_stats(query));
    return touches != 0;
}

size_t sl_bvh_overlap_all(const sl_bvh *bvh, const sl_volume *volume, const sl_query *query,
                          sl_triangle_ref *refs, size_t capacity)
{
    uint64_t total;
    sli_bvh_overlap_all_many(bvh, sli_volumes_of(volume, 1), query, refs, capacity, &total, NULL,
                             sli_query_stats(query));
    return (size_t)total;
}

void sl_bvh_overlap_any_many(const sl_bvh *bvh, const sl_volume *volumes, size_t count,
                             const sl_query *query, uint8_t *touches, const sl_tasks *tasks)
{
    sli_bvh_overlap_any_many(bvh, sli_volumes_of(volumes, count), query, touches, tasks,
                             sli_query_stats(query));
}

void sl_bvh_overlap_all_many(const sl_bvh *bvh, const sl_volume *volumes, size_t count,
                             const sl_query *query, sl_triangle_ref *refs, size_t capacity,
                             uint64_t *totals, const sl_tasks *tasks)
{
    sli_bvh_overlap_all_many(bvh, sli_volumes_of(volumes, count), query, refs, capacity, totals,
                             tasks, sli_query_stats(query));
}

bool sl_scene_overlap_any(const sl_scene *scene, const sl_volume *volume, const sl_query *query)
{
    uint8_t touches;
    sli_bvh_overlap_any_many(scene, sli_volumes_of(volume, 1), query, &touches, NULL,
                             sli_query_stats(query));
    return touches != 0;
}

bool sl_scene_overlap_any_d(const sl_scene *scene, const sl_volume_d *volume, const sl_query *query)
{
    uint8_t touches;
    sli_bvh_overlap_any_many(scene, sli_volumes_of_d(volume, 1), query, &touches, NULL,
                             sli_query_stats(query));
    return touches != 0;
}

size_t sl_scene_overlap_all(const sl_scene *scene, const sl_volume *volume, const sl_query *query,
                            sl_triangle_ref *refs, size_t capacity)
{
    uint64_t total;
    sli_bvh_overlap_all_many(scene, sli_volumes_of(volume, 1), query, refs, capacity, &total, NULL,
                             sli_query_stats(query));
    return (size_t)total;
}

size_t sl_scene_overlap_all_d(const sl_scene *scene, const sl_volume_d *volume,
                              const sl_query *query, sl_triangle_ref *refs, size_t capacity)
{
    uint64_t total;
    sli_bvh_overlap_all_many(scene, sli_volumes_of_d(volume, 1), query, refs, capacity, &total,
                             NULL, sli_query_stats(query));
    return (size_t)total;
}

void sl_scene_overlap_any_many(const sl_scene *scene, const sl_volume *volumes, size_t count,
                               const sl_query *query, uint8_t *touches, const sl_tasks *tasks)
{
    sli_bvh_overlap_any_many(scene, sli_volumes_of(volumes, count), query, touches, tasks,
                             sli_query_stats(query));
}

void sl_scene_overlap_any_d_many(const sl_scene *scene, const sl_volume_d *volumes, size_t count,
                                 const sl_query *query, uint8_t *touches, const sl_tasks *tasks)
{
    sli_bvh_overlap_any_many(scene, sli_volumes_of_d(volumes, count), query, touches, tasks,
                             sli_query_stats(query));
}

void sl_scene_overlap_all_many(const sl_scene *scene, const sl_volume *volumes, size_t count,
                               const sl_query *query, sl_triangle_ref *refs, size_t capacity,
                               uint64_t *totals, const sl_tasks *tasks)
{
    sli_bvh_overlap_all_many(scene, sli_volumes_of(volumes, count), query, refs, capacity, totals,
                             tasks, sli_query_stats(query));
}

void sl_scene_overlap_all_d_many(const sl_scene *scene, const sl_volume_d *volumes, size_t count,
                                 const sl_query *query, sl_triangle_ref *refs, size_t capacity,
                                 uint64_t *totals, const sl_tasks *tasks)
{
    sli_bvh_overlap_all_many(scene, sli_volumes_of_d(volumes, count), query, refs, capacity, totals,
                             tasks, sli_query_stats(query));
}

bool sl_bvh_self_overlap_any(const sl_bvh *bvh, uint32_t prim, const sl_query *query)
{
    uint8_t touches = 0;
    (void)sli_bvh_self_overlap_any(bvh, prim, 1, query, &touches, NULL, sli_query_stats(query));
    return touches != 0;
}

size_t sl_bvh_self_pairs(const sl_bvh *bvh, uint32_t prim, const sl_query *query,
                         sl_triangle_ref *others, size_t capacity)
{
    uint64_t total = 0;
    (void)sli_bvh_self_pairs(bvh, prim, 1, query, others, capacity, &total, NULL,
                             sli_query_stats(query));
    return (size_t)total;
}

void sl_bvh_self_overlap_any_many(const sl_bvh *bvh, uint32_t first, size_t count,
                                  const sl_query *query, uint8_t *touches, const sl_tasks *tasks)
{
    (void)sli_bvh_self_overlap_any(bvh, first, count, query, touches, tasks,
                                   sli_query_stats(query));
}

void sl_bvh_self_pairs_many(const sl_bvh *bvh, uint32_t first, size_t count, const sl_query *query,
                            sl_triangle_ref *others, size_t capacity, uint64_t *totals,
                            const sl_tasks *tasks)
{
    (void)sli_bvh_self_pairs(bvh, first, count, query, others, capacity, totals, tasks,
                             sli_query_stats(query));
}
