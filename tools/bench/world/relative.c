/* bench/world/relative.c: rows of bench --scene that compare ours with ours: rays in doubles with
 * the same in floats, and two levels with one tree over all triangles. */
#include "tools/bench/clock.h"
#include "tools/bench/ours.h"
#include "tools/bench/world/parts.h"
#include "tools/cli/report.h"

#include <stdlib.h>

/* A set in doubles. */
typedef struct doubles {
    sl_ray_d *rays;
    sl_segment_d *segments;
    sl_hit_d *hits;
} doubles;

static bool make_doubles(const bench_rays *rays, doubles *out)
{
    const size_t count = rays->count;
    out->rays = rays->rays != NULL ? malloc(count * sizeof *out->rays) : NULL;
    out->segments = rays->segments != NULL ? malloc(count * sizeof *out->segments) : NULL;
    out->hits = malloc(count * sizeof *out->hits);
    if (out->hits == NULL || (out->rays == NULL && out->segments == NULL)) {
        return false;
    }
    for (size_t i = 0; i < count; i++) {
        for (int axis = 0; axis < 3; axis++) {
            if (rays->rays != NULL) {
                out->rays[i].origin[axis] = (double)rays->rays[i].origin[axis];
                out->rays[i].dir[axis] = (double)rays->rays[i].dir[axis];
                out->rays[i].tmin = (double)rays->rays[i].tmin;
                out->rays[i].tmax = (double)rays->rays[i].tmax;
            } else {
                out->segments[i].p[axis] = (double)rays->segments[i].p[axis];
                out->segments[i].q[axis] = (double)rays->segments[i].q[axis];
            }
        }
    }
    return true;
}

static void free_doubles(doubles *d)
{
    free(d->rays);
    free(d->segments);
    free(d->hits);
}

static void run_doubles(const sl_scene *scene, const bench_rays *rays, const doubles *d,
                        const bench_answers *answers)
{
    if (rays->query == BENCH_CLOSEST) {
        sl_scene_closest_d_many(scene, d->rays, rays->count, NULL, d->hits, NULL);
    } else if (rays->query == BENCH_ANY) {
        sl_scene_any_d_many(scene, d->rays, rays->count, NULL, answers->any, NULL);
    } else {
        sl_scene_blocked_d_many(scene, d->segments, rays->count, NULL, answers->any, NULL, NULL);
    }
}

/* Seconds of rounds: of one way and of the other. */
typedef struct pair {
    double one[BENCH_ROUNDS_MAX], other[BENCH_ROUNDS_MAX];
} pair;

/* In doubles, or where d is NULL on one target and on the other; a first round warms up. */
static void time_pair(const bench_room *room, const bench_rays *rays, const doubles *d,
                      const bench_target targets[2], const bench_answers *answers, pair *out)
{
    const size_t rounds = (size_t)room->job->options->rounds;
    bench_pin(true);
    for (size_t i = 0; i <= rounds; i++) {
        const size_t round = i > 0 ? i - 1 : 0;
        const double start = bench_cpu_seconds();
        if (d != NULL) {
            run_doubles(targets[0].scene, rays, d, answers);
        } else {
            bench_ours_run(&targets[0], rays, 0, answers);
        }
        const double middle = bench_cpu_seconds();
        bench_ours_run(&targets[1], rays, 0, answers);
        out->one[round] = middle - start;
        out->other[round] = bench_cpu_seconds() - middle;
    }
    bench_pin(false);
}

static int add_pair(bench_room *room, const char *name, const bench_source *source, bench_set set,
                    bool in_doubles, const bench_target targets[2])
{
    const size_t rounds = (size_t)room->job->options->rounds;
    bench_row row = bench_scene_row(room->job, room->s, name, "x");
    bench_rays rays = { 0 };
    bench_answers answers = { 0 };
    doubles d = { 0 };
    pair times;
    progress_show(&room->s->in.bar, name, -1);
    bool done = bench_rays_make(source, set, (size_t)room->job->options->rays, &rays);
    if (done && rays.count > 0) {
        done = bench_answers_make(&answers, &rays) && (!in_doubles || make_doubles(&rays, &d));
        if (done) {
            time_pair(room, &rays, in_doubles ? &d : NULL, targets, &answers, &times);
            row.count = rays.count;
            row.hits = bench_ours_hits(&answers, &rays);
            row.ours = bench_ratios(times.one, times.other, rounds);
        }
    }
    const bool there = rays.count > 0;
    free_doubles(&d);
    bench_answers_free(&answers);
    bench_rays_free(&rays);
    return !done ? report_memory() : there ? bench_job_add(room->job, &row) : EXIT_DONE;
}

int bench_double_rows(bench_room *room)
{
    const bench_target targets[2] = { { .scene = room->scene }, { .scene = room->scene } };
    static const struct {
        const char *name;
        bench_set set;
    } rows[] = { { "double.random", SET_RANDOM },
                 { "double.any", SET_DIFFANY },
                 { "double.los", SET_LOSBOX } };
    int status = EXIT_DONE;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0] && status == EXIT_DONE; i++) {
        status = add_pair(room, rows[i].name, &room->s->source, rows[i].set, true, targets);
    }
    return status;
}

int bench_flat_rows(bench_room *room)
{
    (void)room;
    return EXIT_DONE;
}
