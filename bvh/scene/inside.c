/* Which instances of a scene contain a point: the public questions about one point, or an array. */
#include "bvh/query/k_smallest.h"
#include "bvh/query/query.h"
#include "bvh/scene/scene.h"

#include <sightline/scene_points.h>

typedef struct job {
    const sl_scene *scene;
    sli_scene_points points;
    uint32_t *instances;
    size_t capacity;
    uint64_t *totals;
} job;

static void take(void *context, uint32_t instance)
{
    sli_k_smallest_add(context, instance);
}

static void find(const void *context, size_t begin, size_t end, sl_stats *stats)
{
    const job *j = context;
    for (size_t i = begin; i < end; i++) {
        sli_scene_point ask;
        sli_k_smallest kept = { .capacity = j->capacity };
        if (j->capacity > 0) {
            kept.numbers = j->instances + i * j->capacity;
        }
        if (sli_scene_point_at(&j->points, i, &ask)) {
            (void)j->scene->kernels->scene_inside(&j->scene->world, &ask, take, &kept, stats);
        } else {
            stats->rays++;
        }
        sli_k_smallest_sort(&kept);
        j->totals[i] = kept.total;
    }
}

static void ask(job *j, const sl_query *query, size_t count, const sl_tasks *tasks)
{
    j->points.query = query != NULL ? query : &sli_everything;
    sli_run_blocks_of(1024, count, find, j, j->points.query->stats, tasks);
}

void sl_scene_inside_many(const sl_scene *scene, const float *points, size_t count,
                          const sl_query *query, uint32_t *instances, size_t capacity,
                          uint64_t *totals, const sl_tasks *tasks)
{
    job j = { .scene = scene,
              .points = { .floats = points },
              .instances = instances,
              .capacity = capacity,
              .totals = totals };
    ask(&j, query, count, tasks);
}

void sl_scene_inside_d_many(const sl_scene *scene, const double *points, size_t count,
                            const sl_query *query, uint32_t *instances, size_t capacity,
                            uint64_t *totals, const sl_tasks *tasks)
{
    job j = { .scene = scene,
              .points = { .doubles = points },
              .instances = instances,
              .capacity = capacity,
              .totals = totals };
    ask(&j, query, count, tasks);
}

size_t sl_scene_inside(const sl_scene *scene, const float point[3], const sl_query *query,
                       uint32_t *instances, size_t capacity)
{
    uint64_t total = 0;
    sl_scene_inside_many(scene, point, 1, query, instances, capacity, &total, NULL);
    return (size_t)total;
}

size_t sl_scene_inside_d(const sl_scene *scene, const double point[3], const sl_query *query,
                         uint32_t *instances, size_t capacity)
{
    uint64_t total = 0;
    sl_scene_inside_d_many(scene, point, 1, query, instances, capacity, &total, NULL);
    return (size_t)total;
}
