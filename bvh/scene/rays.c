/* Questions about rays and segments in floats: each fills in a question to the scene (ask.h).  One
 * ray or segment is an array of one. */
#include "bvh/scene/ask.h"

/* Hands a hit out; hit may be NULL. */
static bool give(const sl_hit *found, sl_hit *hit)
{
    if (hit != NULL) {
        *hit = *found;
    }
    return found->prim != SL_NONE;
}

/* ---- Arrays of rays ---- */

void sl_scene_closest_many(const sl_scene *scene, const sl_ray *rays, size_t count,
                           const sl_query *query, sl_hit *hits, const sl_tasks *tasks)
{
    const sli_scene_question question = {
        .scene = scene, .query = query, .asked = SLI_SCENE_CLOSEST, .rays = rays, .hits = hits
    };
    sli_scene_ask(&question, count, tasks);
}

void sl_scene_any_many(const sl_scene *scene, const sl_ray *rays, size_t count,
                       const sl_query *query, uint8_t *any, const sl_tasks *tasks)
{
    const sli_scene_question question = {
        .scene = scene, .query = query, .asked = SLI_SCENE_ANY, .rays = rays, .yes = any
    };
    sli_scene_ask(&question, count, tasks);
}

void sl_scene_all_many(const sl_scene *scene, const sl_ray *rays, size_t count,
                       const sl_query *query, sl_hit *hits, size_t capacity, uint64_t *totals,
                       const sl_tasks *tasks)
{
    const sli_scene_question question = { .scene = scene,
                                          .query = query,
                                          .asked = SLI_SCENE_ALL,
                                          .rays = rays,
                                          .hits = hits,
                                          .capacity = capacity,
                                          .totals = totals };
    sli_scene_ask(&question, count, tasks);
}

void sl_scene_count_many(const sl_scene *scene, const sl_ray *rays, size_t count,
                         const sl_query *query, uint64_t *counts, const sl_tasks *tasks)
{
    sl_scene_all_many(scene, rays, count, query, NULL, 0, counts, tasks);
}

void sl_scene_next_many(const sl_scene *scene, const sl_ray *rays, size_t count,
                        const sl_query *query, const sl_hit *previous, sl_hit *hits,
                        const sl_tasks *tasks)
{
    const sli_scene_question question = { .scene = scene,
                                          .query = query,
                                          .asked = SLI_SCENE_NEXT,
                                          .rays = rays,
                                          .previous = previous,
                                          .hits = hits };
    sli_scene_ask(&question, count, tasks);
}

/* ---- One ray ---- */

bool sl_scene_closest(const sl_scene *scene, const sl_ray *ray, const sl_query *query, sl_hit *hit)
{
    sl_hit found;
    sl_scene_closest_many(scene, ray, 1, query, &found, NULL);
    return give(&found, hit);
}

bool sl_scene_any(const sl_scene *scene, const sl_ray *ray, const sl_query *query)
{
    uint8_t found;
    sl_scene_any_many(scene, ray, 1, query, &found, NULL);
    return found != 0;
}

size_t sl_scene_all(const sl_scene *scene, const sl_ray *ray, const sl_query *query, sl_hit *hits,
                    size_t capacity)
{
    uint64_t total;
    sl_scene_all_many(scene, ray, 1, query, hits, capacity, &total, NULL);
    return (size_t)total;
}

size_t sl_scene_count(const sl_scene *scene, const sl_ray *ray, const sl_query *query)
{
    return sl_scene_all(scene, ray, query, NULL, 0);
}

bool sl_scene_next(const sl_scene *scene, const sl_ray *ray, const sl_query *query,
                   const sl_hit *previous, sl_hit *hit)
{
    sl_hit found;
    sl_scene_next_many(scene, ray, 1, query, previous, &found, NULL);
    return give(&found, hit);
}

/* ---- Arrays of segments ---- */

void sl_scene_closest_segment_many(const sl_scene *scene, const sl_segment *segments, size_t count,
                                   const sl_query *query, sl_hit *hits, const sl_tasks *tasks)
{
    const sli_scene_question question = { .scene = scene,
                                          .query = query,
                                          .asked = SLI_SCENE_CLOSEST,
                                          .segments = segments,
                                          .hits = hits };
    sli_scene_ask(&question, count, tasks);
}

void sl_scene_blocked_many(const sl_scene *scene, const sl_segment *segments, size_t count,
                           const sl_query *query, uint8_t *blocked, sl_triangle_ref *hints,
                           const sl_tasks *tasks)
{
    const sli_scene_question question = { .scene = scene,
                                          .query = query,
                                          .asked = SLI_SCENE_ANY,
                                          .segments = segments,
                                          .yes = blocked,
                                          .hints = hints };
    sli_scene_ask(&question, count, tasks);
}

void sl_scene_all_segment_many(const sl_scene *scene, const sl_segment *segments, size_t count,
                               const sl_query *query, sl_hit *hits, size_t capacity,
                               uint64_t *totals, const sl_tasks *tasks)
{
    const sli_scene_question question = { .scene = scene,
                                          .query = query,
                                          .asked = SLI_SCENE_ALL,
                                          .segments = segments,
                                          .hits = hits,
                                          .capacity = capacity,
                                          .totals = totals };
    sli_scene_ask(&question, count, tasks);
}

void sl_scene_count_segment_many(const sl_scene *scene, const sl_segment *segments, size_t count,
                                 const sl_query *query, uint64_t *counts, const sl_tasks *tasks)
{
    sl_scene_all_segment_many(scene, segments, count, query, NULL, 0, counts, tasks);
}

void sl_scene_next_segment_many(const sl_scene *scene, const sl_segment *segments, size_t count,
                                const sl_query *query, const sl_hit *previous, sl_hit *hits,
                                const sl_tasks *tasks)
{
    const sli_scene_question question = { .scene = scene,
                                          .query = query,
                                          .asked = SLI_SCENE_NEXT,
                                          .segments = segments,
                                          .previous = previous,
                                          .hits = hits };
    sli_scene_ask(&question, count, tasks);
}

/* ---- One segment ---- */

bool sl_scene_closest_segment(const sl_scene *scene, const sl_segment *segment,
                              const sl_query *query, sl_hit *hit)
{
    sl_hit found;
    sl_scene_closest_segment_many(scene, segment, 1, query, &found, NULL);
    return give(&found, hit);
}

bool sl_scene_blocked(const sl_scene *scene, const sl_segment *segment, const sl_query *query)
{
    uint8_t found;
    sl_scene_blocked_many(scene, segment, 1, query, &found, NULL, NULL);
    return found != 0;
}

size_t sl_scene_all_segment(const sl_scene *scene, const sl_segment *segment, const sl_query *query,
                            sl_hit *hits, size_t capacity)
{
    uint64_t total;
    sl_scene_all_segment_many(scene, segment, 1, query, hits, capacity, &total, NULL);
    return (size_t)total;
}

size_t sl_scene_count_segment(const sl_scene *scene, const sl_segment *segment,
                              const sl_query *query)
{
    return sl_scene_all_segment(scene, segment, query, NULL, 0);
}

bool sl_scene_next_segment(const sl_scene *scene, const sl_segment *segment, const sl_query *query,
                           const sl_hit *previous, sl_hit *hit)
{
    sl_hit found;
    sl_scene_next_segment_many(scene, segment, 1, query, previous, &found, NULL);
    return give(&found, hit);
}
