/* Questions about rays and segments in the caller's own layout: each fills in a question to the
 * scene (ask.h), which gathers them block by block. */
#include "bvh/scene/ask.h"

void sl_scene_closest_columns(const sl_scene *scene, const sl_ray_columns *rays, size_t count,
                              const sl_query *query, const sl_hit_columns *hits,
                              const sl_tasks *tasks)
{
    const sli_source source = { .ray_columns = rays };
    const sli_scene_question question = { .scene = scene,
                                          .query = query,
                                          .asked = SLI_SCENE_CLOSEST,
                                          .gathered = &source,
                                          .columns = hits };
    sli_scene_ask(&question, count, tasks);
}

void sl_scene_any_columns(const sl_scene *scene, const sl_ray_columns *rays, size_t count,
                          const sl_query *query, uint8_t *any, const sl_tasks *tasks)
{
    const sli_source source = { .ray_columns = rays };
    const sli_scene_question question = {
        .scene = scene, .query = query, .asked = SLI_SCENE_ANY, .gathered = &source, .yes = any
    };
    sli_scene_ask(&question, count, tasks);
}

void sl_scene_closest_segment_columns(const sl_scene *scene, const sl_segment_columns *segments,
                                      size_t count, const sl_query *query,
                                      const sl_hit_columns *hits, const sl_tasks *tasks)
{
    const sli_source source = { .segment_columns = segments };
    const sli_scene_question question = { .scene = scene,
                                          .query = query,
                                          .asked = SLI_SCENE_CLOSEST,
                                          .gathered = &source,
                                          .columns = hits };
    sli_scene_ask(&question, count, tasks);
}

void sl_scene_blocked_columns(const sl_scene *scene, const sl_segment_columns *segments,
                              size_t count, const sl_query *query, uint8_t *blocked,
                              sl_triangle_ref *hints, const sl_tasks *tasks)
{
    const sli_source source = { .segment_columns = segments };
    const sli_scene_question question = { .scene = scene,
                                          .query = query,
                                          .asked = SLI_SCENE_ANY,
                                          .gathered = &source,
                                          .yes = blocked,
                                          .hints = hints };
    sli_scene_ask(&question, count, tasks);
}
