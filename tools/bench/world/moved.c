/* bench/world/moved.c: what a frame costs before anything is asked: the tree over instances that
 * have moved, for bench --scene.
 *
 * Ours is the next version of a scene from an array of instances; theirs a commit of a scene
 * whose instances have been given new transforms, in the best of its ways to build it.  The rows
 * commit1 and commit2 leave out what telling the peer of the transforms takes; in move1 it is
 * counted, and for us writing the array. */
#include "tools/bench/clock.h"
#include "tools/bench/world/parts.h"
#include "tools/cli/report.h"

#include <stdlib.h>

/* Seconds of a round. */
typedef struct times {
    double ours[BENCH_ROUNDS_MAX], ours_moved[BENCH_ROUNDS_MAX];
    double theirs[PEER_WAY_COUNT][BENCH_ROUNDS_MAX], theirs_moved[PEER_WAY_COUNT][BENCH_ROUNDS_MAX];
} times;

/* What both need: where the instances are in this frame, and an array for ours. */
typedef struct moving {
    const bench_room *room;
    float (*places)[12];
    sl_instance *instances;
    bench_versions versions;
    bench_peer *peer;
    const sl_tasks *tasks;
    bench_clock *now;
} moving;

static int move_ours(moving *m, double *built, double *moved)
{
    const size_t count = m->room->world->count;
    const double start = m->now();
    bench_world_instances(m->room->s->in.bvh, (const float(*)[12])m->places, count, m->instances);
    const double middle = m->now();
    const int status = bench_next_version(&m->versions, m->instances, count, m->tasks);
    const double end = m->now();
    *built = end - middle;
    *moved = end - start;
    return status;
}

static void move_theirs(moving *m, peer_way way, double *built, double *moved)
{
    const double start = m->now();
    bench_peer_move(m->peer, way, (const float(*)[12])m->places);
    const double middle = m->now();
    bench_peer_commit(m->peer, way);
    const double end = m->now();
    *built = end - middle;
    *moved = end - start;
}

/* Round 0 does not count: it is written over. */
static int run_rounds(moving *m, size_t rounds, times *t)
{
    int status = EXIT_DONE;
    for (size_t frame = 0; frame <= rounds && status == EXIT_DONE; frame++) {
        const size_t round = frame > 0 ? frame - 1 : 0;
        progress_show(&m->room->s->in.bar, "commit", (double)frame / (double)(rounds + 1));
        bench_world_places(m->room->world, frame, m->places);
        status = move_ours(m, &t->ours[round], &t->ours_moved[round]);
        for (int way = 0; way < PEER_WAY_COUNT && m->peer != NULL; way++) {
            move_theirs(m, (peer_way)way, &t->theirs[way][round], &t->theirs_moved[way][round]);
        }
    }
    return status;
}

/* Its best way against ours. */
static int add_row(const bench_room *room, const char *name, const double *ours,
                   double theirs[PEER_WAY_COUNT][BENCH_ROUNDS_MAX])
{
    const size_t rounds = (size_t)room->job->options->rounds;
    bench_row row = bench_scene_row(room->job, room->s, name, "ms");
    double ms[BENCH_ROUNDS_MAX];
    int best = 0;
    for (int way = 1; way < PEER_WAY_COUNT && room->job->options->against != 0; way++) {
        if (bench_spread_of(theirs[way], rounds).median <
            bench_spread_of(theirs[best], rounds).median) {
            best = way;
        }
    }
    for (size_t i = 0; i < rounds; i++) {
        ms[i] = 1e3 * ours[i];
    }
    row.count = room->world->count;
    row.ours = bench_spread_of(ms, rounds);
    if (room->job->options->against != 0) {
        row.peer.there = true;
        row.peer.ratio = bench_ratios(ours, theirs[best], rounds);
        for (size_t i = 0; i < rounds; i++) {
            ms[i] = 1e3 * theirs[best][i];
        }
        row.peer.value = bench_spread_of(ms, rounds);
        snprintf(row.peer.call, sizeof row.peer.call, "%s", peer_way_names[best]);
        row.medium = row.peer;
    }
    return bench_job_add(room->job, &row);
}

static int open_peer(moving *m, int threads)
{
    const peer_world world = { .mesh = m->room->s->in.mesh,
                               .places = (const float(*)[12])m->places,
                               .count = m->room->world->count };
    m->peer = bench_peer_open(threads, m->room->kernel);
    return m->peer != NULL && bench_peer_build_moving(m->peer, &world) ? EXIT_DONE
                                                                       : report_memory();
}

static int time_commits(bench_room *room, int threads, times *t)
{
    moving m = { .room = room,
                 .places = malloc(room->world->count * sizeof *m.places),
                 .instances = malloc(room->world->count * sizeof *m.instances),
                 .now = threads > 1 ? common_seconds : bench_program_seconds };
    sl_pool *pool = NULL;
    sl_error error;
    int status = m.places != NULL && m.instances != NULL ? EXIT_DONE : report_memory();
    if (status == EXIT_DONE && sl_pool_create(threads, NULL, &pool, &error) != SL_OK) {
        status = report_error(&error);
    }
    if (status == EXIT_DONE) {
        m.tasks = threads > 1 ? sl_pool_tasks(pool) : NULL;
        bench_world_places(room->world, 0, m.places);
        status = room->job->options->against != 0 ? open_peer(&m, threads) : EXIT_DONE;
    }
    if (status == EXIT_DONE) {
        status = run_rounds(&m, (size_t)room->job->options->rounds, t);
    }
    bench_peer_close(m.peer);
    bench_versions_free(&m.versions);
    sl_pool_destroy(pool);
    free(m.places);
    free(m.instances);
    return status;
}

int bench_commit_rows(bench_room *room)
{
    times t = { 0 };
    int status = time_commits(room, 1, &t);
    if (status == EXIT_DONE) {
        status = add_row(room, "commit1", t.ours, t.theirs);
    }
    if (status == EXIT_DONE) {
        status = add_row(room, "move1", t.ours_moved, t.theirs_moved);
    }
    if (status == EXIT_DONE) {
        status = time_commits(room, 2, &t);
    }
    return status == EXIT_DONE ? add_row(room, "commit2", t.ours, t.theirs) : status;
}
