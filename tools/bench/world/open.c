/* bench/world/open.c: makes the worlds of bench, and their sets on two threads. */
#include "tools/bench/job/comparison.h"
#include "tools/bench/world/rows.h"
#include "tools/cli/report.h"

#include <math.h>
#include <stdlib.h>

/* What has no extent, has no world. */
static bool has_extent(const sl_aabb *box)
{
    int sides = 0;
    for (int axis = 0; axis < 3; axis++) {
        sides += box->max[axis] > box->min[axis];
    }
    return sides >= 2;
}

int bench_world_open(const bench_job *job, bench_scene *s, size_t count)
{
    const bench_options *o = job->options;
    const sl_aabb box = mesh_in_bounds(s->in.bvh);
    const int density = job->stage == STAGE_JOBS_GAME ? DENSITY_PILED : o->density;
    sl_error error;
    sl_bvh_info info;
    if (!has_extent(&box)) {
        return report_input(s->name, 0,
                            "there is no triangle with an area to aim at; name "
                            "another mesh");
    }
    sl_instance *instances = malloc(count * sizeof *instances);
    s->places = malloc(count * sizeof *s->places);
    if (instances == NULL || s->places == NULL ||
        !bench_world_make(&box, count, (bench_density)density, o->seed, &s->world)) {
        free(instances);
        return report_memory();
    }
    bench_world_places(&s->world, 0, s->places);
    bench_world_instances(s->in.bvh, (const float(*)[12])s->places, count, instances);
    const sl_result result = sl_bvh_build_instances(instances, count, NULL, &s->scene, &error);
    free(instances);
    if (result != SL_OK) {
        return report_error(&error);
    }
    const float side = (float)s->world.side;
    s->source = (bench_source){ .scene = s->scene,
                                .bounds = { .max = { side, side, side } },
                                .diagonal = side * sqrtf(3),
                                .seed = o->seed,
                                .tasks = s->in.tasks };
    info = sl_bvh_get_info(s->scene);
    s->kernel = info.kernel;
    return EXIT_DONE;
}

/* Both on two threads, by the clock on the wall. */
int bench_world_threads_rows(bench_job *job, bench_scene *s)
{
    static const bench_set sets[] = { SET_DIFFSHUF, SET_LOSBOX };
    static const char *const names[] = { "diffshuf.t2", "losbox.t2" };
    static const size_t whole = 0;
    bench_comparison comparison = bench_comparison_of(job, s);
    sl_pool *pool = NULL;
    sl_error error;
    if (sl_pool_create(2, NULL, &pool, &error) != SL_OK) {
        return report_error(&error);
    }
    int status = EXIT_DONE;
    comparison.target.tasks = sl_pool_tasks(pool);
    for (int i = 0; i < 2 && status == EXIT_DONE; i++) {
        bench_row row = bench_scene_row(job, s, names[i], "M/s");
        status = bench_set_add(&comparison, sets[i], &whole, &row, 1, job);
    }
    sl_pool_destroy(pool);
    return status;
}
