/* Questions about rays and segments in doubles: each fills in a question to the scene (ask.h).  One
 * ray or segment is an array of one. */
#include "bvh/scene/ask.h"

/* Hands a hit out; hit may be NULL. */
static bool give(const sl_hit_d *found, sl_hit_d *hit)
{
    if (hit != NULL) {
        *hit = *found;
    }
    return found->prim != SL_NONE;
}

/* ---- Arrays of rays ---- */

void sl_scene_closest_d_many(const sl_scene *scene, const sl_ray_d *rays, size_t count,
                             const sl_query *query, sl_hit_d *hits, const sl_tasks *tasks)
{
    const sli_scene_question question = {
        .scene = scene, .query = query, .asked = SLI_SCENE_CLOSEST, .rays_d = rays, .hits_d = hits
    };
    sli_scene_ask(&question, count, tasks);
}

void sl_scene_any_d_many(const sl_scene *scene, const sl_ray_d *rays, size_t count,
                         const sl_query *query, uint8_t *any, const sl_tasks *tasks)
{
    const sli_scene_question question = {
        .scene = scene, .query = query, .asked = SLI_SCENE_ANY, .rays_d = rays, .yes = any
    };
    sli_scene_ask(&question, count, tasks);
}

void sl_scene_all_d_many(const sl_scene *scene, const sl_ray_d *rays, size_t count,
                         const sl_query *query, sl_hit_d *hits, size_t capacity, uint64_t *totals,
                         const sl_tasks *tasks)
{
    const sli_scene_question question = { .scene = scene,
                                          .query = query,
                                          .asked = SLI_SCENE_ALL,
                                          .rays_d = rays,
                                          .hits_d = hits,
                                          .capacity = capacity,
                                          .totals = totals };
    sli_scene_ask(&question, count, tasks);
}

void sl_scene_count_d_many(const sl_scene *scene, const sl_ray_d *rays, size_t count,
                           const sl_query *query, uint64_t *counts, const sl_tasks *tasks)
{
    sl_scene_all_d_many(scene, rays, count, query, NULL, 0, counts, tasks);
}

void sl_scene_next_d_many(const sl_scene *scene, const sl_ray_d *rays, size_t count,
                          const sl_query *query, const sl_hit_d *previous, sl_hit_d *hits,
                          const sl_tasks *tasks)
{
    const sli_scene_question question = { .scene = scene,
                                          .query = query,
                                          .asked = SLI_SCENE_NEXT,
                                          .rays_d = rays,
                                          .previous_d = previous,
                                          .hits_d = hits };
    sli_scene_ask(&question, count, tasks);
}

/* ---- One ray ---- */

bool sl_scene_closest_d(const sl_scene *scene, const sl_ray_d *ray, const sl_query *query,
                        sl_hit_d *hit)
{
    sl_hit_d found;
    sl_scene_closest_d_many(scene, ray, 1, query, &found, NULL);
    return give(&found, hit);
}

bool sl_scene_any_d(const sl_scene *scene, const sl_ray_d *ray, const sl_query *query)
{
    uint8_t found;
    sl_scene_any_d_many(scene, ray, 1, query, &found, NULL);
    return found != 0;
}

size_t sl_scene_all_d(const sl_scene *scene, const sl_ray_d *ray, const sl_query *query,
                      sl_hit_d *hits, size_t capacity)
{
    uint64_t total;
    sl_scene_all_d_many(scene, ray, 1, query, hits, capacity, &total, NULL);
    return (size_t)total;
}

size_t sl_scene_count_d(const sl_scene *scene, const sl_ray_d *ray, const sl_query *query)
{
    return sl_scene_all_d(scene, ray, query, NULL, 0);
}

bool sl_scene_next_d(const sl_scene *scene, const sl_ray_d *ray, const sl_query *query,
                     const sl_hit_d *previous, sl_hit_d *hit)
{
    sl_hit_d found;
    sl_scene_next_d_many(scene, ray, 1, query, previous, &found, NULL);
    return give(&found, hit);
}

/* ---- Arrays of segments ---- */

void sl_scene_closest_segment_d_many(const sl_scene *scene, const sl_segment_d *segments,
                                     size_t count, const sl_query *query, sl_hit_d *hits,
                                     const sl_tasks *tasks)
{
    const sli_scene_question question = { .scene = scene,
                                          .query = query,
                                          .asked = SLI_SCENE_CLOSEST,
                                          .segments_d = segments,
                                          .hits_d = hits };
    sli_scene_ask(&question, count, tasks);
}

void sl_scene_blocked_d_many(const sl_scene *scene, const sl_segment_d *segments, size_t count,
                             const sl_query *query, uint8_t *blocked, sl_triangle_ref *hints,
                             const sl_tasks *tasks)
{
    const sli_scene_question question = { .scene = scene,
                                          .query = query,
                                          .asked = SLI_SCENE_ANY,
                                          .segments_d = segments,
                                          .yes = blocked,
                                          .hints = hints };
    sli_scene_ask(&question, count, tasks);
}

void sl_scene_all_segment_d_many(const sl_scene *scene, const sl_segment_d *segments, size_t count,
                                 const sl_query *query, sl_hit_d *hits, size_t capacity,
                                 uint64_t *totals, const sl_tasks *tasks)
{
    const sli_scene_question question = { .scene = scene,
                                          .query = query,
                                          .asked = SLI_SCENE_ALL,
                                          .segments_d = segments,
                                          .hits_d = hits,
                                          .capacity = capacity,
                                          .totals = totals };
    sli_scene_ask(&question, count, tasks);
}

void sl_scene_count_segment_d_many(const sl_scene *scene, const sl_segment_d *segments,
                                   size_t count, const sl_query *query, uint64_t *counts,
                                   const sl_tasks *tasks)
{
    sl_scene_all_segment_d_many(scene, segments, count, query, NULL, 0, counts, tasks);
}

void sl_scene_next_segment_d_many(const sl_scene *scene, const sl_segment_d *segments, size_t count,
                                  const sl_query *query, const sl_hit_d *previous, sl_hit_d *hits,
                                  const sl_tasks *tasks)
{
    const sli_scene_question question = { .scene = scene,
                                          .query = query,
                                          .asked = SLI_SCENE_NEXT,
                                          .segments_d = segments,
                                          .previous_d = previous,
                                          .hits_d = hits };
    sli_scene_ask(&question, count, tasks);
}

/* ---- One segment ---- */

bool sl_scene_closest_segment_d(const sl_scene *scene, const sl_segment_d *segment,
                                const sl_query *query, sl_hit_d *hit)
{
    sl_hit_d found;
    sl_scene_closest_segment_d_many(scene, segment, 1, query, &found, NULL);
    return give(&found, hit);
}

bool sl_scene_blocked_d(const sl_scene *scene, const sl_segment_d *segment, const sl_query *query)
{
    uint8_t found;
    sl_scene_blocked_d_many(scene, segment, 1, query, &found, NULL, NULL);
    return found != 0;
}

size_t sl_scene_all_segment_d(const sl_scene *scene, const sl_segment_d *segment,
                              const sl_query *query, sl_hit_d *hits, size_t capacity)
{
    uint64_t total;
    sl_scene_all_segment_d_many(scene, segment, 1, query, hits, capacity, &total, NULL);
    return (size_t)total;
}

size_t sl_scene_count_segment_d(const sl_scene *scene, const sl_segment_d *segment,
                                const sl_query *query)
{
    return sl_scene_all_segment_d(scene, segment, query, NULL, 0);
}

bool sl_scene_next_segment_d(const sl_scene *scene, const sl_segment_d *segment,
                             const sl_query *query, const sl_hit_d *previous, sl_hit_d *hit)
{
    sl_hit_d found;
    sl_scene_next_segment_d_many(scene, segment, 1, query, previous, &found, NULL);
    return give(&found, hit);
}
