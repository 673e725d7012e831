/* What is visible from one point of a scene: many directions, or many targets, in floats or in
 * doubles.  Each fills in a question (ask.h): rays or segments are made block by block and answered
 * many at a time. */
#include "bvh/scene/ask.h"

#include <string.h>

static void ask(const sl_scene *scene, const float origin[3], sli_kernel_point_to_many *from,
                size_t count, const sl_query *query, uint8_t *yes, const sl_tasks *tasks)
{
    memcpy(from->origin, origin, sizeof from->origin);
    const sli_source source = { .from = from };
    const sli_scene_question question = {
        .scene = scene, .query = query, .asked = SLI_SCENE_ANY, .gathered = &source, .yes = yes
    };
    sli_scene_ask(&question, count, tasks);
}

void sl_scene_any_from(const sl_scene *scene, const float origin[3], const float *dirs,
                       size_t count, float tmax, const sl_query *query, uint8_t *any,
                       const sl_tasks *tasks)
{
    sli_kernel_point_to_many from = { .tmax = tmax, .to = dirs };
    ask(scene, origin, &from, count, query, any, tasks);
}

void sl_scene_blocked_from(const sl_scene *scene, const float origin[3], const float *targets,
                           size_t count, const sl_query *query, uint8_t *blocked,
                           const sl_tasks *tasks)
{
    sli_kernel_point_to_many from = { .targets = true, .to = targets };
    ask(scene, origin, &from, count, query, blocked, tasks);
}

static void ask_d(const sl_scene *scene, const double origin[3], sli_scene_from_d *from,
                  size_t count, const sl_query *query, uint8_t *yes, const sl_tasks *tasks)
{
    memcpy(from->origin, origin, sizeof from->origin);
    const sli_scene_question question = {
        .scene = scene, .query = query, .asked = SLI_SCENE_ANY, .from_d = from, .yes = yes
    };
    sli_scene_ask(&question, count, tasks);
}

void sl_scene_any_from_d(const sl_scene *scene, const double origin[3], const double *dirs,
                         size_t count, double tmax, const sl_query *query, uint8_t *any,
                         const sl_tasks *tasks)
{
    sli_scene_from_d from = { .tmax = tmax, .to = dirs };
    ask_d(scene, origin, &from, count, query, any, tasks);
}

void sl_scene_blocked_from_d(const sl_scene *scene, const double origin[3], const double *targets,
                             size_t count, const sl_query *query, uint8_t *blocked,
                             const sl_tasks *tasks)
{
    sli_scene_from_d from = { .targets = true, .to = targets };
    ask_d(scene, origin, &from, count, query, blocked, tasks);
}
