/* bench/world/frame.c: what a frame costs in a world that moves, for bench.
 *
 * Rows commit and move: the tree over instances that have moved.  Ours is the next version of a
 * scene from an array of instances; theirs a commit of a scene whose instances have been given new
 * transforms, in the best of its ways to build it.  The rows commit1 and commit2 leave out what
 * telling the peer of the transforms takes; in move1 it is counted, and for us writing the array.
 *
 * Rows frame and hinted: instances are moved, the next version of the scene is built, and 50,000
 * segments are asked, of which 19 in 20 were asked in the frame before.  Row frame is all of that;
 * row hinted tells ours what blocked each segment in the frame before, which the peer cannot use.
 * Of the peer the best of its ways to build that tree and to ask counts, for the sum; with its rays
 * packed before the clock runs, and as packed within.
 *
 * Rows frame.* of bench --jobs are a game's: of its instances 3 in 20 move in each frame, and lines
 * between random places, nearly all of them blocked, are asked in one call, one by one, and with
 * what blocked them in the frame before, since when their ends have moved, too; rows frame.static
 * and static.one ask them, in one call and one by one, where static_memory is given for the
 * instances that do not move, which answers have to be the same; rtcOccluded1 stands beside all
 * five.  Row frame.next is the next version beside the commit. */
#include "tools/bench/world/frame.h"
#include "tools/bench/world/rows.h"
#include "tools/cli/report.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { NEW_SHARE = 20 };

typedef struct frames {
    bench_job *job;
    bench_scene *s;
    frame_all_times *t;
    bool game;
    size_t moving;     /* the first instances */
    size_t fresh;      /* segments that are new in a frame */
    sl_segment *pairs; /* those of the first frame, then all new ones */
    bench_rays rays;   /* those of this frame, none where nothing is asked; with hints */
    uint8_t *any, *also;
    float *answers; /* the peer's */
    float (*places)[12];
    sl_instance *instances;
    bench_versions versions;
    sl_bvh *level; /* of a game: the instances that do not move, their triangles in one tree */
    sl_instance *with_level; /* those that move, then the level; numbers are as in instances */
    bench_versions level_versions;
    bench_peer *peer;
    const sl_tasks *tasks;
    bench_clock *now;
} frames;

/* New pairs in the places of others; nothing is remembered of them. */
static void renew_pairs(frames *f, size_t frame)
{
    if (f->fresh == 0) {
        return;
    }
    const sl_segment *from = f->pairs + f->rays.count + frame * f->fresh;
    for (size_t i = 0; i < f->fresh; i++) {
        const size_t at = (i * NEW_SHARE + frame) % f->rays.count;
        f->rays.segments[at] = from[i];
        f->rays.hints[at] = (sl_triangle_ref){ SL_NONE, SL_NONE };
    }
}

/* The instances that do not move, from any frame's. */
static sl_result make_level(frames *f, sl_error *error)
{
    sl_instances_def def = (sl_instances_def){ 0 };
    def.static_memory = SIZE_MAX;
    return sl_bvh_build_instances(f->instances + f->moving, f->s->world.count - f->moving, &def,
                                  &f->level, error);
}

/* The same lines where what does not move is in one tree. */
static int run_level(frames *f, size_t round)
{
    sl_error error;
    if (f->level == NULL && make_level(f, &error) != SL_OK) {
        return report_error(&error);
    }
    memcpy(f->with_level, f->instances, f->moving * sizeof *f->instances);
    f->with_level[f->moving] = sl_instance_of(f->level);
    if (bench_next_version(&f->level_versions, f->with_level, f->moving + 1, f->tasks, &error) !=
        SL_OK) {
        return report_error(&error);
    }
    const bench_target target = { .bvh = f->level_versions.now, .tasks = f->tasks };
    const double start = f->now();
    bench_ask_batches(&target, &f->rays, 0, &(bench_answers){ .any = f->also });
    const double asked = f->now();
    bool same = memcmp(f->also, f->any, f->rays.count) == 0;
    const double compared = f->now();
    bench_ask_singly(&target, &f->rays, &(bench_answers){ .any = f->also });
    f->t->still_one[round] = f->now() - compared;
    f->t->still_many[round] = asked - start;
    same = same && memcmp(f->also, f->any, f->rays.count) == 0;
    return same ? EXIT_DONE
                : report_failure(f->s->name, "the tree over what does not move answers otherwise");
}

static int run_ours(frames *f, size_t round)
{
    const size_t count = f->s->world.count;
    sl_error error;
    const double start = f->now();
    bench_world_instances(f->s->in.bvh, (const float(*)[12])f->places, count, f->instances);
    const double written = f->now();
    if (bench_next_version(&f->versions, f->instances, count, f->tasks, &error) != SL_OK) {
        return report_error(&error);
    }
    const double built = f->now();
    f->t->built[round] = built - written;
    f->t->moved[round] = built - start;
    if (f->rays.count > 0) {
        bench_target target = { .bvh = f->versions.now, .tasks = f->tasks };
        bench_ask_batches(&target, &f->rays, 0, &(bench_answers){ .any = f->any });
        const double asked = f->now();
        target.hinted = true;
        bench_ask_batches(&target, &f->rays, 0,
                          &(bench_answers){ .any = f->also, .hints = f->rays.hints });
        const double remembered = f->now();
        f->t->hinted[round] = built - start + (remembered - asked);
        f->t->plain[round] = asked - start;
        if (f->game) {
            target.hinted = false;
            bench_ask_singly(&target, &f->rays, &(bench_answers){ .any = f->also });
            f->t->one[round] = f->now() - remembered;
            f->t->many[round] = asked - built;
            f->t->remembered[round] = remembered - asked;
            return run_level(f, round);
        }
    }
    return EXIT_DONE;
}

static void ask_theirs(frames *f, int way, double built, size_t round)
{
    const peer_tree tree = bench_peer_tree_of((peer_way)way);
    for (int call = 0; call < FRAME_CALLS; call++) {
        const int rival = way * FRAME_CALLS + call;
        bench_peer_pack(f->peer, (peer_call)call);
        const double before = f->now();
        bench_peer_run(f->peer, tree, (peer_call)call);
        const double middle = f->now();
        bench_peer_run_packing(f->peer, tree, (peer_call)call);
        f->t->theirs[rival][round] = built + (middle - before);
        if (call == PEER_1) {
            f->t->their_one[way][round] = middle - before;
        }
        f->t->packed[rival][round] = built + (f->now() - middle);
    }
}

static void run_theirs(frames *f, size_t round)
{
    for (int way = 0; way < PEER_WAY_COUNT; way++) {
        const double start = f->now();
        bench_peer_move(f->peer, (peer_way)way, (const float(*)[12])f->places, f->moving);
        const double told = f->now();
        bench_peer_commit(f->peer, (peer_way)way);
        const double built = f->now();
        f->t->their_built[way][round] = built - told;
        f->t->their_moved[way][round] = built - start;
        if (f->rays.count > 0) {
            ask_theirs(f, way, built - start, round);
        }
    }
}

/* What the last round found. */
static void count_occluded(frames *f)
{
    size_t same = 0;
    f->t->occluded = 0;
    if (f->peer != NULL) {
        bench_peer_answers(f->peer, f->answers);
    }
    for (size_t i = 0; i < f->rays.count; i++) {
        f->t->occluded += f->any[i];
        same += f->peer != NULL && (f->any[i] != 0) == (f->answers[i] < INFINITY);
    }
    f->t->agree = f->peer != NULL ? (double)same / (double)f->rays.count : NAN;
}

/* Frame 0 warms up: its times are written over. */
static int run_frames(frames *f)
{
    const size_t rounds = (size_t)f->job->options->rounds;
    bench_random random = bench_random_make(f->job->options->seed, STREAM_GAME);
    int status = EXIT_DONE;
    for (size_t frame = 0; frame <= rounds && status == EXIT_DONE; frame++) {
        const size_t round = frame > 0 ? frame - 1 : 0;
        progress_show(&f->s->in.bar, f->rays.count > 0 ? "frame" : "commit",
                      (double)frame / (double)(rounds + 1));
        bench_world_places(&f->s->world, (double)frame, f->places);
        memcpy(f->places + f->moving, f->s->places + f->moving,
               (f->s->world.count - f->moving) * sizeof *f->places);
        renew_pairs(f, frame);
        if (f->game) {
            bench_lines_move(&f->s->world, &random, f->rays.segments, f->rays.count);
        }
        status = run_ours(f, round);
        if (status == EXIT_DONE && f->peer != NULL) {
            run_theirs(f, round);
        }
    }
    if (f->rays.count > 0) {
        count_occluded(f);
    }
    return status;
}

static bool make_pairs(frames *f)
{
    const size_t count = f->rays.count;
    const size_t all = count + f->fresh * ((size_t)f->job->options->rounds + 1);
    f->pairs = malloc(all * sizeof *f->pairs);
    f->rays.segments = malloc(count * sizeof *f->rays.segments);
    f->rays.hints = malloc(count * sizeof *f->rays.hints);
    f->any = malloc(count);
    f->also = malloc(count);
    f->answers = malloc(count * sizeof *f->answers);
    if (f->pairs == NULL || f->rays.segments == NULL || f->rays.hints == NULL || f->any == NULL ||
        f->also == NULL || f->answers == NULL ||
        !(f->game ? bench_lines_make(&f->s->source, all, f->pairs)
                  : bench_pairs_make(f->s->scene, f->s->world.side, f->job->options->seed, all,
                                     f->pairs))) {
        return false;
    }
    memcpy(f->rays.segments, f->pairs, count * sizeof *f->pairs);
    for (size_t i = 0; i < count; i++) {
        f->rays.hints[i] = (sl_triangle_ref){ SL_NONE, SL_NONE };
    }
    return true;
}

static bool open_moving_peer(frames *f, int threads)
{
    const peer_world world = { .mesh = f->s->in.mesh,
                               .places = (const float(*)[12])f->places,
                               .count = f->s->world.count };
    bench_world_places(&f->s->world, 0, f->places);
    f->peer = bench_peer_open(threads, f->s->kernel);
    return f->peer != NULL && bench_peer_build_moving(f->peer, &world) &&
           (f->rays.count == 0 || bench_peer_set(f->peer, &f->rays, f->tasks));
}

static void free_frames(frames *f)
{
    bench_peer_close(f->peer);
    bench_versions_free(&f->versions);
    bench_versions_free(&f->level_versions);
    sl_bvh_destroy(f->level);
    bench_rays_free(&f->rays);
    free(f->pairs);
    free(f->any);
    free(f->also);
    free(f->answers);
    free(f->places);
    free(f->instances);
    free(f->with_level);
}

/* count: segments that are asked in a frame; 0: nothing is asked. */
int bench_frame_time(bench_job *job, bench_scene *s, int threads, size_t count, frame_all_times *t)
{
    const bool game = job->stage == STAGE_JOBS_GAME;
    frames f = { .job = job,
                 .s = s,
                 .t = t,
                 .game = game,
                 .moving = game ? (s->world.count * 3 + 19) / 20 : s->world.count,
                 .fresh = count / NEW_SHARE,
                 .rays = { .query = BENCH_BLOCKED, .count = count },
                 .places = malloc(s->world.count * sizeof *f.places),
                 .instances = malloc(s->world.count * sizeof *f.instances),
                 .with_level = malloc((s->world.count + 1) * sizeof *f.with_level),
                 .now = threads > 1 ? bench_wall_seconds : bench_program_seconds };
    sl_pool *pool = NULL;
    sl_error error;
    int status = f.places != NULL && f.instances != NULL && f.with_level != NULL ? EXIT_DONE
                                                                                 : report_memory();
    if (status == EXIT_DONE && sl_pool_create(threads, NULL, &pool, &error) != SL_OK) {
        status = report_error(&error);
    }
    f.tasks = threads > 1 ? sl_pool_tasks(pool) : NULL;
    if (status == EXIT_DONE && ((count > 0 && !make_pairs(&f)) ||
                                (job->options->against != 0 && !open_moving_peer(&f, threads)))) {
        status = report_memory();
    }
    status = status == EXIT_DONE ? run_frames(&f) : status;
    free_frames(&f);
    sl_pool_destroy(pool);
    return status;
}
