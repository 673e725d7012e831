/* bench/world/frame.c: the lines of sight of a whole frame in a world that moves, for bench
 * --scene: instances are moved, the next version of the scene is built, and 50,000 segments are
 * asked, of which 19 in 20 were asked in the frame before.
 *
 * Row frame is all of that; row hinted tells ours what blocked each segment in the frame before,
 * which the peer cannot use.  Of the peer the best of its ways to build that tree and to ask
 * counts, for the sum; with its rays packed before the clock runs, and as packed within. */
#include "tools/bench/clock.h"
#include "tools/bench/world/pairs.h"
#include "tools/bench/world/parts.h"
#include "tools/cli/report.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { PAIRS = 50000, NEW_SHARE = 20 };
enum { CALLS = PEER_STREAM + 1, RIVALS = (int)PEER_WAY_COUNT * CALLS };

typedef struct times {
    double plain[BENCH_ROUNDS_MAX], hinted[BENCH_ROUNDS_MAX];
    double theirs[RIVALS][BENCH_ROUNDS_MAX], packed[RIVALS][BENCH_ROUNDS_MAX];
    size_t count, blocked; /* in the last round */
    double agree;
} times;

typedef struct frames {
    const bench_room *room;
    size_t rounds, count, fresh; /* segments, and those that are new in a frame */
    sl_segment *pairs;           /* those of the first frame, then all new ones */
    bench_rays rays;             /* those of this frame */
    sl_triangle_ref *hints;
    uint8_t *any, *also;
    float *t;
    float (*places)[12];
    sl_instance *instances;
    bench_versions versions;
    bench_peer *peer;
    const sl_tasks *tasks;
    bench_clock *now;
} frames;

/* New pairs in the places of others; nothing is remembered of them. */
static void renew(frames *f, size_t frame)
{
    const sl_segment *from = f->pairs + f->count + frame * f->fresh;
    for (size_t i = 0; i < f->fresh; i++) {
        const size_t at = (i * NEW_SHARE + frame) % f->count;
        f->rays.segments[at] = from[i];
        f->hints[at] = (sl_triangle_ref){ SL_NONE, SL_NONE };
    }
}

static int run_ours(frames *f, double *plain, double *hinted)
{
    const size_t instances = f->room->world->count;
    const double start = f->now();
    bench_world_instances(f->room->s->in.bvh, (const float(*)[12])f->places, instances,
                          f->instances);
    const int status = bench_next_version(&f->versions, f->instances, instances, f->tasks);
    if (status != EXIT_DONE) {
        return status;
    }
    const sl_scene *scene = f->versions.now;
    const double built = f->now();
    sl_scene_blocked_many(scene, f->rays.segments, f->count, NULL, f->any, NULL, f->tasks);
    const double asked = f->now();
    sl_scene_blocked_many(scene, f->rays.segments, f->count, NULL, f->also, f->hints, f->tasks);
    *hinted = built - start + (f->now() - asked);
    *plain = asked - start;
    return EXIT_DONE;
}

static void run_theirs(frames *f, times *t, size_t round)
{
    for (int way = 0; way < PEER_WAY_COUNT; way++) {
        const peer_tree tree = bench_peer_tree_of((peer_way)way);
        const double start = f->now();
        bench_peer_move(f->peer, (peer_way)way, (const float(*)[12])f->places);
        bench_peer_commit(f->peer, (peer_way)way);
        const double built = f->now() - start;
        for (int call = 0; call < CALLS; call++) {
            const int rival = way * CALLS + call;
            bench_peer_pack(f->peer, (peer_call)call);
            const double before = f->now();
            bench_peer_run(f->peer, tree, (peer_call)call);
            const double middle = f->now();
            bench_peer_run_packing(f->peer, tree, (peer_call)call);
            t->theirs[rival][round] = built + (middle - before);
            t->packed[rival][round] = built + (f->now() - middle);
        }
    }
}

/* Frame 0 warms up: its times are written over. */
static int run_rounds(frames *f, times *t)
{
    int status = EXIT_DONE;
    for (size_t frame = 0; frame <= f->rounds && status == EXIT_DONE; frame++) {
        const size_t round = frame > 0 ? frame - 1 : 0;
        progress_show(&f->room->s->in.bar, "frame", (double)frame / (double)(f->rounds + 1));
        bench_world_places(f->room->world, frame, f->places);
        renew(f, frame);
        status = run_ours(f, &t->plain[round], &t->hinted[round]);
        if (status == EXIT_DONE && f->peer != NULL) {
            run_theirs(f, t, round);
        }
    }
    size_t same = 0;
    t->count = f->count;
    t->blocked = 0;
    if (f->peer != NULL) {
        bench_peer_answers(f->peer, f->t);
    }
    for (size_t i = 0; i < f->count; i++) {
        t->blocked += f->any[i];
        same += f->peer != NULL && (f->any[i] != 0) == (f->t[i] < INFINITY);
    }
    t->agree = f->peer != NULL ? (double)same / (double)f->count : NAN;
    return status;
}

static bool allocate(frames *f)
{
    const size_t instances = f->room->world->count;
    const size_t all = f->count + f->fresh * (f->rounds + 1);
    f->pairs = malloc(all * sizeof *f->pairs);
    f->rays.segments = malloc(f->count * sizeof *f->rays.segments);
    f->hints = malloc(f->count * sizeof *f->hints);
    f->any = malloc(f->count);
    f->also = malloc(f->count);
    f->t = malloc(f->count * sizeof *f->t);
    f->places = malloc(instances * sizeof *f->places);
    f->instances = malloc(instances * sizeof *f->instances);
    if (f->pairs == NULL || f->rays.segments == NULL || f->hints == NULL || f->any == NULL ||
        f->also == NULL || f->t == NULL || f->places == NULL || f->instances == NULL ||
        !bench_pairs_make(f->room->scene, f->room->world->side, f->room->job->options->seed, all,
                          f->pairs)) {
        return false;
    }
    memcpy(f->rays.segments, f->pairs, f->count * sizeof *f->pairs);
    for (size_t i = 0; i < f->count; i++) {
        f->hints[i] = (sl_triangle_ref){ SL_NONE, SL_NONE };
    }
    return true;
}

static void free_all(frames *f)
{
    bench_peer_close(f->peer);
    bench_versions_free(&f->versions);
    free(f->pairs);
    free(f->rays.segments);
    free(f->hints);
    free(f->any);
    free(f->also);
    free(f->t);
    free(f->places);
    free(f->instances);
}

static bool open_peer(frames *f, int threads)
{
    const peer_world world = { .mesh = f->room->s->in.mesh,
                               .places = (const float(*)[12])f->places,
                               .count = f->room->world->count };
    f->peer = bench_peer_open(threads, f->room->kernel);
    return f->peer != NULL && bench_peer_build_moving(f->peer, &world) &&
           bench_peer_set(f->peer, &f->rays, f->tasks);
}

static int time_frames(bench_room *room, int threads, times *t)
{
    const bench_options *o = room->job->options;
    const size_t count = o->rays < PAIRS ? (size_t)o->rays : PAIRS;
    frames f = { .room = room,
                 .rounds = (size_t)o->rounds,
                 .count = count,
                 .fresh = count / NEW_SHARE,
                 .rays = { .query = BENCH_BLOCKED, .count = count },
                 .now = threads > 1 ? common_seconds : bench_program_seconds };
    sl_pool *pool = NULL;
    sl_error error;
    int status = EXIT_DONE;
    if (sl_pool_create(threads, NULL, &pool, &error) != SL_OK) {
        status = report_error(&error);
    }
    f.tasks = threads > 1 ? sl_pool_tasks(pool) : NULL;
    if (status == EXIT_DONE && !allocate(&f)) {
        status = report_memory();
    }
    if (status == EXIT_DONE && o->against != 0) {
        bench_world_places(room->world, 0, f.places);
        status = open_peer(&f, threads) ? EXIT_DONE : report_memory();
    }
    if (status == EXIT_DONE) {
        status = run_rounds(&f, t);
    }
    free_all(&f);
    sl_pool_destroy(pool);
    return status;
}

static bench_spread in_ms(const double *seconds, size_t rounds)
{
    double ms[BENCH_ROUNDS_MAX];
    for (size_t i = 0; i < rounds; i++) {
        ms[i] = 1e3 * seconds[i];
    }
    return bench_spread_of(ms, rounds);
}

/* The best of the peer's ways and calls. */
static bench_beside best_of(double theirs[RIVALS][BENCH_ROUNDS_MAX], const double *ours,
                            size_t rounds)
{
    int best = 0;
    for (int i = 1; i < RIVALS; i++) {
        if (bench_spread_of(theirs[i], rounds).median <
            bench_spread_of(theirs[best], rounds).median) {
            best = i;
        }
    }
    bench_beside beside = { .there = true,
                            .value = in_ms(theirs[best], rounds),
                            .ratio = bench_ratios(ours, theirs[best], rounds) };
    snprintf(beside.call, sizeof beside.call, "%s %s", peer_way_names[best / CALLS],
             peer_call_names[best % CALLS]);
    return beside;
}

static int add_row(bench_room *room, const char *name, const double *ours, times *t)
{
    const size_t rounds = (size_t)room->job->options->rounds;
    bench_row row = bench_scene_row(room->job, room->s, name, "ms");
    row.count = t->count;
    row.hits = (double)t->blocked / (double)t->count;
    row.ours = in_ms(ours, rounds);
    if (room->job->options->against != 0) {
        row.peer = row.medium = best_of(t->theirs, ours, rounds);
        row.packed = best_of(t->packed, ours, rounds);
        row.agree = t->agree;
    }
    return bench_job_add(room->job, &row);
}

int bench_frame_rows(bench_room *room)
{
    static const char *const names[2][2] = { { "frame1", "hinted1" }, { "frame2", "hinted2" } };
    times *t = malloc(sizeof *t);
    int status = t != NULL ? EXIT_DONE : report_memory();
    for (int i = 0; i < 2 && status == EXIT_DONE; i++) {
        status = time_frames(room, i + 1, t);
        if (status == EXIT_DONE) {
            status = add_row(room, names[i][0], t->plain, t);
        }
        if (status == EXIT_DONE) {
            status = add_row(room, names[i][1], t->hinted, t);
        }
    }
    free(t);
    return status;
}
