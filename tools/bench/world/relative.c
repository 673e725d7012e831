/* bench/world/relative.c: rows of bench --scene that compare ours with ours: rays in doubles with
 * the same in floats, and two levels with one tree over all triangles. */
#include "tools/bench/clock.h"
#include "tools/bench/ours.h"
#include "tools/bench/world/parts.h"
#include "tools/cli/report.h"

#include <sightline/scene_flatten.h>

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

/* A world small enough for one tree, and that tree. */
typedef struct flat {
    bench_world world;
    float (*places)[12];
    sl_scene *scene;
    sl_bvh *bvh;
    bench_source source;
} flat;

enum { FLAT_TRIANGLES_MAX = 6000000, FLAT_INSTANCES_MIN = 8 };

static int build_flat(bench_room *room, flat *f)
{
    sl_mesh *mesh = NULL;
    sl_error error;
    sl_build_def def = sl_default_build_def();
    def.quality = room->s->in.quality;
    def.layout = room->s->in.layout;
    def.hooks.tasks = room->s->in.tasks;
    sl_result result = sl_scene_flatten(f->scene, NULL, &mesh, NULL, 0, &error);
    if (result == SL_OK) {
        result = sl_bvh_build(mesh, &def, &f->bvh, &error);
    }
    sl_mesh_destroy(mesh);
    return result == SL_OK ? EXIT_DONE : report_error(&error);
}

/* As many instances as all of them together have not too many triangles. */
static int open_flat(bench_room *room, size_t count, flat *f)
{
    const bench_options *o = room->job->options;
    const sl_aabb box = sl_bvh_bounds(room->s->in.bvh);
    f->places = malloc(count * sizeof *f->places);
    if (f->places == NULL ||
        !bench_world_make(&box, count, (bench_density)o->density, o->seed, &f->world)) {
        return report_memory();
    }
    const int status =
        bench_world_open(room->s, &f->world, f->places, o->seed, &f->scene, &f->source);
    return status == EXIT_DONE ? build_flat(room, f) : status;
}

int bench_flat_rows(bench_room *room)
{
    static const struct {
        const char *name;
        bench_set set;
    } rows[] = { { "flat.diffshuf", SET_DIFFSHUF },
                 { "flat.diffany", SET_DIFFANY },
                 { "flat.random", SET_RANDOM },
                 { "flat.losbox", SET_LOSBOX } };
    const size_t fit = FLAT_TRIANGLES_MAX / sl_mesh_triangle_count(room->s->in.mesh);
    const size_t count = fit < room->world->count ? fit : room->world->count;
    if (count < FLAT_INSTANCES_MIN) {
        return EXIT_DONE;
    }
    flat f = { .bvh = NULL };
    progress_show(&room->s->in.bar, "flat", -1);
    int status = open_flat(room, count, &f);
    const bench_target targets[2] = { { .scene = f.scene }, { .bvh = f.bvh } };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0] && status == EXIT_DONE; i++) {
        status = add_pair(room, rows[i].name, &f.source, rows[i].set, false, targets);
    }
    sl_bvh_destroy(f.bvh);
    sl_scene_destroy(f.scene);
    free(f.places);
    bench_world_free(&f.world);
    return status;
}
