/* bench/extra.c: the rows of bench with options, invalid rays and threads, relative to a plain
 * batch of shuffled bounce rays. */
#include "tools/bench/bench.h"
#include "tools/bench/clock.h"
#include "tools/cli/report.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A way to find the closest hits of an array of rays. */
typedef struct way {
    const sl_ray *rays;
    size_t count;
    const sl_query *query;
    const sl_tasks *tasks; /* set: wall clock, and free to go to any processor */
} way;

static double time_way(const bench_scene *s, const way *w, bool wall, sl_hit *hits)
{
    const double start = wall ? common_seconds() : bench_cpu_seconds();
    sl_bvh_closest_many(s->in.bvh, w->rays, w->count, w->query, hits, w->tasks);
    return (wall ? common_seconds() : bench_cpu_seconds()) - start;
}

/* How many times as fast one way is as another, which has as many rays. */
static int add_relative(bench_job *job, bench_scene *s, const char *name, const way *one,
                        const way *other)
{
    bench_row row = bench_scene_row(job, s, name, "x");
    sl_hit *hits = malloc(one->count * sizeof *hits);
    if (hits == NULL) {
        return report_memory();
    }
    const bool wall = one->tasks != NULL;
    double ratio[BENCH_ROUNDS_MAX];
    bench_pin(!wall);
    time_way(s, one, wall, hits);
    for (size_t round = 0; round < job->options->rounds; round++) {
        progress_show(&s->in.bar, name, (double)round / (double)job->options->rounds);
        const double seconds = time_way(s, one, wall, hits);
        ratio[round] = time_way(s, other, wall, hits) / seconds;
    }
    bench_pin(false);
    free(hits);
    row.count = one->count;
    row.ours = bench_spread_of(ratio, (size_t)job->options->rounds);
    return bench_job_add(job, &row);
}

/* Masks and skips that hardly change an answer. */
int bench_options_rows(bench_job *job, bench_scene *s)
{
    const size_t count = s->shuffled.count;
    sl_ray_opt *per_ray = malloc(count * sizeof *per_ray);
    if (per_ray == NULL) {
        return report_memory();
    }
    bench_random random = bench_random_make(job->options->seed, STREAM_OPTIONS);
    const size_t triangles = sl_mesh_triangle_count(s->in.mesh);
    for (size_t i = 0; i < count; i++) {
        per_ray[i] =
            (sl_ray_opt){ .mask = 1u | (uint32_t)bench_random_bits(&random),
                          .skip = { { 0, (uint32_t)bench_random_below(&random, triangles) },
                                    { 0, (uint32_t)bench_random_below(&random, triangles) } } };
    }
    const sl_query query = { .flags = SL_USE_MASK | SL_USE_SKIP, .per_ray = per_ray };
    const way plain = { .rays = s->shuffled.rays, .count = count };
    way with = plain;
    with.query = &query;
    const int status = add_relative(job, s, "options", &with, &plain);
    free(per_ray);
    return status;
}

/* One of each kind in turn; the denormal direction is a valid one. */
static void spoil(sl_ray *ray, size_t kind)
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
    sl_aabb_centre(&s->source.bounds, centre);
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
    sl_ray *spoilt = malloc(count * sizeof *spoilt), *misses = malloc(count * sizeof *misses);
    int status = spoilt != NULL && misses != NULL ? EXIT_DONE : report_memory();
    if (status == EXIT_DONE) {
        memcpy(spoilt, s->shuffled.rays, count * sizeof *spoilt);
        for (size_t i = 0; i < count; i += 100) {
            spoil(&spoilt[i], i / 100);
        }
        const way with = { .rays = spoilt, .count = count };
        const way plain = { .rays = s->shuffled.rays, .count = count };
        status = add_relative(job, s, "invalid1", &with, &plain);
    }
    if (status == EXIT_DONE) {
        make_misses(s, job->options->seed, misses, count);
        for (size_t i = 0; i < count; i++) {
            spoil(&spoilt[i], i % 4);
        }
        const way all = { .rays = spoilt, .count = count };
        const way none = { .rays = misses, .count = count };
        status = add_relative(job, s, "invalid100", &all, &none);
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
        way one = { .rays = s->shuffled.rays, .count = s->shuffled.count };
        way two = one;
        one.tasks = sl_pool_tasks(pools[0]);
        two.tasks = sl_pool_tasks(pools[1]);
        status = add_relative(job, s, "threads2", &two, &one);
    }
    sl_pool_destroy(pools[0]);
    sl_pool_destroy(pools[1]);
    return status;
}
