/* Questions about rays and segments in floats: each fills in a question to the scene (ask.h). */
#include "bvh/scene/ask.h"

bool sl_scene_closest(const sl_scene *scene, const sl_ray *ray, const sl_query *query, sl_hit *hit)
{
    sl_hit found;
    const sli_scene_question question = {
        .scene = scene, .query = query, .asked = SLI_SCENE_CLOSEST, .rays = ray, .hits = &found
    };
    sli_scene_ask(&question, 1, NULL);
    if (hit != NULL) {
        *hit = found;
    }
    return found.prim != SL_NONE;
}

bool sl_scene_any(const sl_scene *scene, const sl_ray *ray, const sl_query *query)
{
    uint8_t found;
    const sli_scene_question question = {
        .scene = scene, .query = query, .asked = SLI_SCENE_ANY, .rays = ray, .yes = &found
    };
    sli_scene_ask(&question, 1, NULL);
    return found != 0;
}

size_t sl_scene_all(const sl_scene *scene, const sl_ray *ray, const sl_query *query, sl_hit *hits,
                    size_t capacity)
{
    uint64_t total;
    const sli_scene_question question = { .scene = scene,
                                          .query = query,
                                          .asked = SLI_SCENE_ALL,
                                          .rays = ray,
                                          .hits = hits,
                                          .capacity = capacity,
                                          .totals = &total };
    sli_scene_ask(&question, 1, NULL);
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
    const sli_scene_question question = { .scene = scene,
                                          .query = query,
                                          .asked = SLI_SCENE_NEXT,
                                          .rays = ray,
                                          .previous = previous,
                                          .hits = &found };
    sli_scene_ask(&question, 1, NULL);
    if (hit != NULL) {
        *hit = found;
    }
    return found.prim != SL_NONE;
}

bool sl_scene_closest_segment(const sl_scene *scene, const sl_segment *segment,
                              const sl_query *query, sl_hit *hit)
{
    sl_hit found;
    const sli_scene_question question = { .scene = scene,
                                          .query = query,
                                          .asked = SLI_SCENE_CLOSEST,
                                          .segments = segment,
                                          .hits = &found };
    sli_scene_ask(&question, 1, NULL);
    if (hit != NULL) {
        *hit = found;
    }
    return found.prim != SL_NONE;
}

bool sl_scene_blocked(const sl_scene *scene, const sl_segment *segment, const sl_query *query)
{
    uint8_t found;
    const sli_scene_question question = {
        .scene = scene, .query = query, .asked = SLI_SCENE_ANY, .segments = segment, .yes = &found
    };
    sli_scene_ask(&question, 1, NULL);
    return found != 0;
}

size_t sl_scene_all_segment(const sl_scene *scene, const sl_segment *segment, const sl_query *query,
                            sl_hit *hits, size_t capacity)
{
    uint64_t total;
    const sli_scene_question question = { .scene = scene,
                                          .query = query,
                                          .asked = SLI_SCENE_ALL,
                                          .segments = segment,
                                          .hits = hits,
                                          .capacity = capacity,
                                          .totals = &total };
    sli_scene_ask(&question, 1, NULL);
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
    const sli_scene_question question = { .scene = scene,
                                          .query = query,
                                          .asked = SLI_SCENE_NEXT,
                                          .segments = segment,
                                          .previous = previous,
                                          .hits = &found };
    sli_scene_ask(&question, 1, NULL);
    if (hit != NULL) {
        *hit = found;
    }
    return found.prim != SL_NONE;
}

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

void sl_scene_count_many(const sl_scene *scene, const sl_ray *rays, size_t count,
                         const sl_query *query, uint64_t *counts, const sl_tasks *tasks)
{
    const sli_scene_question question = {
        .scene = scene, .query = query, .asked = SLI_SCENE_ALL, .rays = rays, .totals = counts
    };
    sli_scene_ask(&question, count, tasks);
}

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
