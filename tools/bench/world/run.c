/* bench/world/run.c: measures all wanted rows of a world of copies of one mesh, for bench
 * --scene. */
#include "tools/bench/comparison.h"
#include "tools/bench/world/parts.h"
#include "tools/cli/report.h"

#include <math.h>
#include <stdlib.h>

/* The parts of worlds: sets, each with a row for the instances that a ray enters, and others. */
enum { WORLD_ROWS_MAX = 5 };
typedef struct world_part {
    int (*run)(bench_room *room);
    const char *rows[WORLD_ROWS_MAX]; /* ends with NULL */
} world_part;

static int threads_rows(bench_room *room);

static const world_part parts[PART_COUNT] = {
    [SET_PRIMARY] = { .rows = { "primary", "in.primary" } },
    [SET_DIFFUSE] = { .rows = { "diffuse", "in.diffuse" } },
    [SET_DIFFSHUF] = { .rows = { "diffshuf", "in.diffshuf" } },
    [SET_DIFFANY] = { .rows = { "diffany", "in.diffany" } },
    [SET_RANDOM] = { .rows = { "random", "in.random" } },
    [SET_LOSBOX] = { .rows = { "losbox", "in.losbox" } },
    [SET_LOSCLOSE] = { .rows = { "losclose", "in.losclose" } },
    [PART_COMMIT] = { .run = bench_commit_rows, .rows = { "commit1", "move1", "commit2" } },
    [PART_FRAME] = { .run = bench_frame_rows,
                     .rows = { "frame1", "hinted1", "frame2", "hinted2" } },
    [PART_FLAT] = { .run = bench_flat_rows,
                    .rows = { "flat.diffshuf", "flat.diffany", "flat.random", "flat.losbox" } },
    [PART_DOUBLE] = { .run = bench_double_rows,
                      .rows = { "double.random", "double.any", "double.los" } },
    [PART_THREADS] = { .run = threads_rows, .rows = { "diffshuf.t2", "losbox.t2" } },
};

bool bench_part_is_of_worlds(int part)
{
    return parts[part].rows[0] != NULL;
}

bool bench_part_is_of_meshes(int part)
{
    return part < PART_COMMIT && part != SET_LOSCLOSE;
}

/* How many instances a ray of the set enters. */
static int add_entered(bench_room *room, const bench_rays *rays, const char *name)
{
    sl_stats stats = { 0 };
    const sl_query counted = { .stats = &stats };
    const size_t count = rays->count;
    sl_hit *hits = malloc(count * sizeof *hits);
    uint8_t *any = malloc(count);
    const bool done = hits != NULL && any != NULL;
    if (done && rays->query == BENCH_CLOSEST) {
        sl_scene_closest_many(room->scene, rays->rays, count, &counted, hits, NULL);
    } else if (done && rays->query == BENCH_ANY) {
        sl_scene_any_many(room->scene, rays->rays, count, &counted, any, NULL);
    } else if (done) {
        sl_scene_blocked_many(room->scene, rays->segments, count, &counted, any, NULL, NULL);
    }
    free(hits);
    free(any);
    bench_row row = bench_scene_row(room->job, room->s, name, "inst");
    const double entered = (double)stats.instances / (double)count;
    row.count = count;
    row.ours = (bench_spread){ entered, entered, entered };
    return done ? bench_job_add(room->job, &row) : report_memory();
}

static int run_set(bench_room *room, bench_set set, const sl_tasks *tasks, const char *const *rows)
{
    static const size_t whole = 0;
    const bench_options *o = room->job->options;
    bench_scene *s = room->s;
    bench_rays rays;
    if (!bench_rays_make(&s->source, set, (size_t)o->rays, &rays)) {
        return report_memory();
    }
    const bench_comparison comparison = { .target = { .scene = room->scene, .tasks = tasks },
                                          .peer = s->peer,
                                          .trees = s->trees,
                                          .rounds = (size_t)o->rounds,
                                          .tolerance = 1e-6f * s->source.diagonal,
                                          .bar = &s->in.bar };
    bench_row row = bench_scene_row(room->job, s, rows[0], "M/s");
    int status = EXIT_DONE;
    if (rays.count > 0) {
        status = bench_comparison_run(&comparison, &rays, &whole, &row, 1)
                     ? bench_job_add(room->job, &row)
                     : report_memory();
    }
    if (status == EXIT_DONE && rays.count > 0 && tasks == NULL) {
        status = add_entered(room, &rays, rows[1]);
    }
    bench_rays_free(&rays);
    return status;
}

/* Both on two threads, by the clock on the wall. */
static int threads_rows(bench_room *room)
{
    static const bench_set sets[] = { SET_DIFFSHUF, SET_LOSBOX };
    sl_pool *pool = NULL;
    sl_error error;
    if (sl_pool_create(2, NULL, &pool, &error) != SL_OK) {
        return report_error(&error);
    }
    int status = EXIT_DONE;
    for (int i = 0; i < 2 && status == EXIT_DONE; i++) {
        status = run_set(room, sets[i], sl_pool_tasks(pool), &parts[PART_THREADS].rows[i]);
    }
    sl_pool_destroy(pool);
    return status;
}

int bench_world_open(const bench_scene *s, const bench_world *world, float (*places)[12],
                     uint64_t seed, sl_scene **scene, bench_source *source)
{
    sl_error error;
    sl_instance *instances = malloc(world->count * sizeof *instances);
    if (instances == NULL) {
        return report_memory();
    }
    bench_world_places(world, 0, places);
    bench_world_instances(s->in.bvh, (const float(*)[12])places, world->count, instances);
    const sl_result result = sl_scene_build(instances, world->count, NULL, scene, &error);
    free(instances);
    const float side = (float)world->side;
    *source = (bench_source){ .scene = *scene,
                              .bounds = { .max = { side, side, side } },
                              .diagonal = side * sqrtf(3),
                              .seed = seed,
                              .tasks = s->in.tasks };
    return result == SL_OK ? EXIT_DONE : report_error(&error);
}

static int open_room(bench_room *room, const bench_world *world)
{
    sl_scene_info info;
    room->world = world;
    room->places = malloc(world->count * sizeof *room->places);
    if (room->places == NULL) {
        return report_memory();
    }
    const int status = bench_world_open(room->s, world, room->places, room->job->options->seed,
                                        &room->scene, &room->s->source);
    if (status == EXIT_DONE) {
        sl_scene_get_info(room->scene, &info, sizeof info);
        room->kernel = info.kernel;
    }
    return status;
}

/* The peer's trees over the same instances. */
static int open_peer(bench_room *room)
{
    bench_scene *s = room->s;
    const peer_world world = { .mesh = s->in.mesh,
                               .places = (const float(*)[12])room->places,
                               .count = room->world->count };
    s->peer = bench_peer_open(0, room->kernel);
    if (s->peer == NULL) {
        return report_failure(NULL, "Embree cannot be started; leave --against out");
    }
    s->trees = 1u << PEER_MEDIUM | 1u << PEER_HIGH | 1u << PEER_ROBUST_MEDIUM;
    for (int tree = 0; tree < PEER_TREE_COUNT; tree++) {
        if ((s->trees >> tree & 1) != 0) {
            progress_begin(&s->in.bar, room->job->options->common.quiet);
            progress_show(&s->in.bar, peer_tree_names[tree], -1);
            if (!bench_peer_build_world(s->peer, &world, (peer_tree)tree)) {
                return report_memory();
            }
            progress_end(&s->in.bar);
        }
    }
    return EXIT_DONE;
}

static int run_part(bench_room *room, int part)
{
    bench_scene *s = room->s;
    if (bench_rows_are_known(room->job, s, parts[part].rows, 0)) {
        return bench_rows_report(room->job, s, parts[part].rows);
    }
    const bool needs_peer = part < SET_COUNT || part == PART_THREADS;
    int status = EXIT_DONE;
    if (needs_peer && room->job->options->against != 0 && s->peer == NULL) {
        status = open_peer(room);
    }
    if (status == EXIT_DONE) {
        progress_begin(&s->in.bar, room->job->options->common.quiet);
        status = part < SET_COUNT ? run_set(room, (bench_set)part, NULL, parts[part].rows)
                                  : parts[part].run(room);
        progress_end(&s->in.bar);
    }
    return status;
}

static int run_parts(bench_room *room, const bool wanted[PART_COUNT])
{
    static const int alone[] = { PART_COMMIT, PART_FRAME };
    int status = EXIT_DONE;
    for (int i = 0; i < 2 && status == EXIT_DONE; i++) {
        status = wanted[alone[i]] ? run_part(room, alone[i]) : EXIT_DONE;
    }
    for (int part = 0; part < PART_COUNT && status == EXIT_DONE; part++) {
        if (wanted[part] && bench_part_is_of_worlds(part) && part != PART_COMMIT &&
            part != PART_FRAME) {
            status = run_part(room, part);
        }
    }
    return status;
}

/* What has no extent, has no world. */
static bool has_extent(const sl_aabb *box)
{
    int sides = 0;
    for (int axis = 0; axis < 3; axis++) {
        sides += box->max[axis] > box->min[axis];
    }
    return sides >= 2;
}

int bench_world_run(bench_job *job, bench_scene *s, const bool wanted[PART_COUNT])
{
    const bench_options *o = job->options;
    const sl_aabb box = sl_bvh_bounds(s->in.bvh);
    bench_room room = { .job = job, .s = s };
    bench_world world = { 0 };
    s->instances = (size_t)o->instances;
    if (!has_extent(&box)) {
        return report_input(s->name, 0,
                            "there is no triangle with an area to aim at; name "
                            "another mesh");
    }
    int status = bench_world_make(&box, s->instances, (bench_density)o->density, o->seed, &world)
                     ? EXIT_DONE
                     : report_memory();
    if (status == EXIT_DONE) {
        status = open_room(&room, &world);
    }
    if (status == EXIT_DONE) {
        status = run_parts(&room, wanted);
    }
    sl_scene_destroy(room.scene);
    free(room.places);
    bench_world_free(&world);
    return status;
}
