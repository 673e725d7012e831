/* bench/mesh/extra.c: the rows of bench with options, invalid rays and threads, relative to a plain
 * batch of shuffled bounce rays. */
#include "tools/bench/job/comparison.h"
#include "tools/bench/mesh/rows.h"
#include "tools/cli/report.h"

#include <sightline/closest.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Of the closest hits of two arrays of as many rays. */
static int add_relative(bench_job *job, bench_scene *s, const char *name, const bench_target *with,
                        sl_ray *rays, const bench_target *plain, sl_ray *others)
{
    const bench_rays one = { .count = s->shuffled.count, .rays = rays },
                     other = { .count = s->shuffled.count, .rays = others };
    bench_asking ways[2] = { { *with, &one, 0, NULL }, { *plain, &other, 0, NULL } };
    return bench_relative_add(job, s, name, ways, false, NULL);
}

/* Masks and skips that hardly change an answer. */
int bench_options_rows(bench_job *job, bench_scene *s)
{
    const size_t count = s->shuffled.count;
    sl_item_options *items = malloc(count * sizeof *items);
    sl_triangle_ref(*skips)[2] = malloc(count * sizeof *skips);
    if (items == NULL || skips == NULL) {
        free(items);
        free(skips);
        return report_memory();
    }
    bench_random random = bench_random_make(job->options->seed, STREAM_OPTIONS);
    const size_t triangles = sl_mesh_soup(s->in.mesh).triangle_count;
    for (size_t i = 0; i < count; i++) {
        items[i] = (sl_item_options){ .mask = 1u | (uint32_t)bench_random_bits(&random),
                                      .skip = skips[i],
                                      .skip_count = 2 };
        for (int k = 0; k < 2; k++) {
            skips[i][k] = (sl_triangle_ref){ 0, (uint32_t)bench_random_below(&random, triangles) };
        }
    }
    const sl_options options = { .items = items };
    const bench_target plain = { .bvh = s->in.bvh }, with = { .bvh = s->in.bvh, .query = &options };
    const int status =
        add_relative(job, s, "options", &with, s->shuffled.rays, &plain, s->shuffled.rays);
    free(items);
    free(skips);
    return status;
}

/* One of each kind in turn; the denormal direction is a valid one. */
static void extra_spoil(sl_ray *ray, size_t kind)
{
    switch (kind % 5) {
    case 0:
        ray->origin[1] = NAN;
        break;
    case 1:
        ray->dir[0] = INFINITY;
        break;
    case 2:
        memset(ray->dir, 0, sizeof ray->dir);
        break;
    case 3:
        ray->tmin = NAN;
        break;
    default:
        for (int axis = 0; axis < 3; axis++) {
            ray->dir[axis] *= 1e-40f;
        }
    }
}

/* From the surface of a sphere around everything, away from it. */
static void make_misses(const bench_scene *s, uint64_t seed, sl_ray *rays, size_t count)
{
    bench_random random = bench_random_make(seed, STREAM_INVALID);
    float centre[3];
    memcpy(centre, sl_aabb_measure(&s->source.bounds).centre, sizeof centre);
    for (size_t i = 0; i < count; i++) {
        float dir[3], origin[3];
        bench_random_sphere(&random, dir);
        for (int axis = 0; axis < 3; axis++) {
            origin[axis] = centre[axis] + dir[axis] * s->source.diagonal;
        }
        rays[i] = sl_ray_make(origin, dir);
    }
}

int bench_invalid_rows(bench_job *job, bench_scene *s)
{
    const size_t count = s->shuffled.count;
    const bench_target target = { .bvh = s->in.bvh };
    sl_ray *spoilt = malloc(count * sizeof *spoilt), *misses = malloc(count * sizeof *misses);
    int status = spoilt != NULL && misses != NULL ? EXIT_DONE : report_memory();
    if (status == EXIT_DONE) {
        memcpy(spoilt, s->shuffled.rays, count * sizeof *spoilt);
        for (size_t i = 0; i < count; i += 100) {
            extra_spoil(&spoilt[i], i / 100);
        }
        status = add_relative(job, s, "invalid1", &target, spoilt, &target, s->shuffled.rays);
    }
    if (status == EXIT_DONE) {
        make_misses(s, job->options->seed, misses, count);
        for (size_t i = 0; i < count; i++) {
            extra_spoil(&spoilt[i], i % 4);
        }
        status = add_relative(job, s, "invalid100", &target, spoilt, &target, misses);
    }
    free(spoilt);
    free(misses);
    return status;
}

int bench_threads_rows(bench_job *job, bench_scene *s)
{
    sl_pool *pools[2] = { NULL, NULL };
    sl_error error;
    int status = EXIT_DONE;
    for (int i = 0; i < 2 && status == EXIT_DONE; i++) {
        if (sl_pool_create(i + 1, NULL, &pools[i], &error) != SL_OK) {
            status = report_error(&error);
        }
    }
    if (status == EXIT_DONE) {
        const bench_target one = { .bvh = s->in.bvh, .tasks = sl_pool_tasks(pools[0]) },
                           two = { .bvh = s->in.bvh, .tasks = sl_pool_tasks(pools[1]) };
        status = add_relative(job, s, "threads2", &two, s->shuffled.rays, &one, s->shuffled.rays);
    }
    sl_pool_destroy(pools[0]);
    sl_pool_destroy(pools[1]);
    return status;
}
