/* Questions about rays and segments in doubles: each fills in a question to the scene (ask.h). */
#include "bvh/scene/ask.h"

bool sl_scene_closest_d(const sl_scene *scene, const sl_ray_d *ray, const sl_query *query,
                        sl_hit_d *hit)
{
    sl_hit_d found;
    const sli_scene_question question = {
        .scene = scene, .query = query, .asked = SLI_SCENE_CLOSEST, .rays_d = ray, .hits_d = &found
    };
    sli_scene_ask(&question, 1, NULL);
    if (hit != NULL) {
        *hit = found;
    }
    return found.prim != SL_NONE;
}

bool sl_scene_any_d(const sl_scene *scene, const sl_ray_d *ray, const sl_query *query)
{
    uint8_t found;
    const sli_scene_question question = {
        .scene = scene, .query = query, .asked = SLI_SCENE_ANY, .rays_d = ray, .yes = &found
    };
    sli_scene_ask(&question, 1, NULL);
    return found != 0;
}

size_t sl_scene_all_d(const sl_scene *scene, const sl_ray_d *ray, const sl_query *query,
                      sl_hit_d *hits, size_t capacity)
{
    uint64_t total;
    const sli_scene_question question = { .scene = scene,
                                          .query = query,
                                          .asked = SLI_SCENE_ALL,
                                          .rays_d = ray,
                                          .hits_d = hits,
                                          .capacity = capacity,
                                          .totals = &total };
    sli_scene_ask(&question, 1, NULL);
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
    const sli_scene_question question = { .scene = scene,
                                          .query = query,
                                          .asked = SLI_SCENE_NEXT,
                                          .rays_d = ray,
                                          .previous_d = previous,
                                          .hits_d = &found };
    sli_scene_ask(&question, 1, NULL);
    if (hit != NULL) {
        *hit = found;
    }
    return found.prim != SL_NONE;
}

bool sl_scene_closest_segment_d(const sl_scene *scene, const sl_segment_d *segment,
                                const sl_query *query, sl_hit_d *hit)
{
    sl_hit_d found;
    const sli_scene_question question = { .scene = scene,
                                          .query = query,
                                          .asked = SLI_SCENE_CLOSEST,
                                          .segments_d = segment,
                                          .hits_d = &found };
    sli_scene_ask(&question, 1, NULL);
    if (hit != NULL) {
        *hit = found;
    }
    return found.prim != SL_NONE;
}

bool sl_scene_blocked_d(const sl_scene *scene, const sl_segment_d *segment, const sl_query *query)
{
    uint8_t found;
    const sli_scene_question question = {
        .scene = scene, .query = query, .asked = SLI_SCENE_ANY, .segments_d = segment, .yes = &found
    };
    sli_scene_ask(&question, 1, NULL);
    return found != 0;
}

size_t sl_scene_all_segment_d(const sl_scene *scene, const sl_segment_d *segment,
                              const sl_query *query, sl_hit_d *hits, size_t capacity)
{
    uint64_t total;
    const sli_scene_question question = { .scene = scene,
                                          .query = query,
                                          .asked = SLI_SCENE_ALL,
                                          .segments_d = segment,
                                          .hits_d = hits,
                                          .capacity = capacity,
                                          .totals = &total };
    sli_scene_ask(&question, 1, NULL);
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
    const sli_scene_question question = { .scene = scene,
                                          .query = query,
                                          .asked = SLI_SCENE_NEXT,
                                          .segments_d = segment,
                                          .previous_d = previous,
                                          .hits_d = &found };
    sli_scene_ask(&question, 1, NULL);
    if (hit != NULL) {
        *hit = found;
    }
    return found.prim != SL_NONE;
}

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
