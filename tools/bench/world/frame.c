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
 * what blocked them in the frame before, since when their ends have moved, too; rtcOccluded1 stands
 * beside all three.  Row frame.next is the next version beside the commit. */
#include "tools/bench/harness/clock.h"
#include "tools/bench/world/rows.h"
#include "tools/cli/report.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { PAIRS = 50000, GAME_LINES = 20000, NEW_SHARE = 20 };
enum { CALLS = PEER_STREAM + 1, RIVALS = (int)PEER_WAY_COUNT * CALLS };

/* Seconds of each round. */
typedef double frame_times[BENCH_ROUNDS_MAX];
typedef struct times {
    frame_times built, moved, plain, hinted;
    frame_times many, one, remembered; /* of a game: asking alone */
    frame_times their_one[PEER_WAY_COUNT];
    frame_times their_built[PEER_WAY_COUNT], their_moved[PEER_WAY_COUNT];
    frame_times theirs[RIVALS], packed[RIVALS];
    size_t occluded; /* in the last round */
    double agree;
} times;

typedef struct frames {
    bench_job *job;
    bench_scene *s;
    times *t;
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
    bench_peer *peer;
    const sl_tasks *tasks;
    bench_clock *now;
} frames;

/* New pairs in the places of others; nothing is remembered of them. */
static void renew_pairs(frames *f, size_t frame)
{
    const sl_segment *from = f->pairs + f->rays.count + frame * f->fresh;
    for (size_t i = 0; i < f->fresh; i++) {
        const size_t at = (i * NEW_SHARE + frame) % f->rays.count;
        f->rays.segments[at] = from[i];
        f->rays.hints[at] = (sl_triangle_ref){ SL_NONE, SL_NONE };
    }
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
        }
    }
    return EXIT_DONE;
}

static void ask_theirs(frames *f, int way, double built, size_t round)
{
    const peer_tree tree = bench_peer_tree_of((peer_way)way);
    for (int call = 0; call < CALLS; call++) {
        const int rival = way * CALLS + call;
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
    bench_rays_free(&f->rays);
    free(f->pairs);
    free(f->any);
    free(f->also);
    free(f->answers);
    free(f->places);
    free(f->instances);
}

/* count: segments that are asked in a frame; 0: nothing is asked. */
static int time_frames(bench_job *job, bench_scene *s, int threads, size_t count, times *t)
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
                 .now = threads > 1 ? bench_wall_seconds : bench_program_seconds };
    sl_pool *pool = NULL;
    sl_error error;
    int status = f.places != NULL && f.instances != NULL ? EXIT_DONE : report_memory();
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

/* ---- Rows ---- */

static bench_spread in_ms(const double *seconds, size_t rounds)
{
    frame_times ms;
    for (size_t i = 0; i < rounds; i++) {
        ms[i] = 1e3 * seconds[i];
    }
    return bench_spread_of(ms, rounds);
}

/* The best of the peer's ways, or of its ways and calls. */
static bench_beside best_of(frame_times *theirs, int count, const double *ours, size_t rounds)
{
    const int calls = count / (int)PEER_WAY_COUNT;
    int best = 0;
    for (int i = 1; i < count; i++) {
        if (bench_spread_of(theirs[i], rounds).median <
            bench_spread_of(theirs[best], rounds).median) {
            best = i;
        }
    }
    bench_beside beside = { .there = true,
                            .value = in_ms(theirs[best], rounds),
                            .ratio = bench_ratios(ours, theirs[best], rounds) };
    snprintf(beside.call, sizeof beside.call, "%s%s%s", peer_way_names[best / calls],
             calls > 1 ? " " : "", calls > 1 ? peer_call_names[best % calls] : "");
    return beside;
}

static int add_commit(bench_job *job, bench_scene *s, const char *name, const double *ours,
                      frame_times *theirs)
{
    const size_t rounds = (size_t)job->options->rounds;
    bench_row row = bench_scene_row(job, s, name, "ms");
    row.count = s->world.count;
    row.ours = in_ms(ours, rounds);
    if (job->options->against != 0) {
        row.peer = row.medium = best_of(theirs, PEER_WAY_COUNT, ours, rounds);
    }
    return bench_job_add(job, &row);
}

static int add_frame(bench_job *job, bench_scene *s, const char *name, const double *ours, times *t,
                     size_t count)
{
    const size_t rounds = (size_t)job->options->rounds;
    bench_row row = bench_scene_row(job, s, name, "ms");
    row.count = count;
    row.hits = (double)t->occluded / (double)count;
    row.ours = in_ms(ours, rounds);
    if (job->options->against != 0) {
        row.peer = row.medium = best_of(t->theirs, RIVALS, ours, rounds);
        row.packed = best_of(t->packed, RIVALS, ours, rounds);
        row.agree = t->agree;
    }
    return bench_job_add(job, &row);
}

int bench_commit_rows(bench_job *job, bench_scene *s)
{
    times *t = calloc(1, sizeof *t);
    int status = t != NULL ? time_frames(job, s, 1, 0, t) : report_memory();
    status = status == EXIT_DONE ? add_commit(job, s, "commit1", t->built, t->their_built) : status;
    status = status == EXIT_DONE ? add_commit(job, s, "move1", t->moved, t->their_moved) : status;
    status = status == EXIT_DONE ? time_frames(job, s, 2, 0, t) : status;
    status = status == EXIT_DONE ? add_commit(job, s, "commit2", t->built, t->their_built) : status;
    free(t);
    return status;
}

int bench_frame_rows(bench_job *job, bench_scene *s)
{
    static const char *const names[2][2] = { { "frame1", "hinted1" }, { "frame2", "hinted2" } };
    const size_t count = job->options->rays < PAIRS ? (size_t)job->options->rays : PAIRS;
    times *t = calloc(1, sizeof *t);
    int status = t != NULL ? EXIT_DONE : report_memory();
    for (int i = 0; i < 2 && status == EXIT_DONE; i++) {
        status = time_frames(job, s, i + 1, count, t);
        status = status == EXIT_DONE ? add_frame(job, s, names[i][0], t->plain, t, count) : status;
        status = status == EXIT_DONE ? add_frame(job, s, names[i][1], t->hinted, t, count) : status;
    }
    free(t);
    return status;
}

int bench_game_rows(bench_job *job, bench_scene *s)
{
    const size_t rounds = (size_t)job->options->rounds;
    const size_t count = job->options->rays < GAME_LINES ? (size_t)job->options->rays : GAME_LINES;
    times *t = calloc(1, sizeof *t);
    if (t == NULL) {
        return report_memory();
    }
    int status = time_frames(job, s, 1, count, t);
    const struct {
        const char *row;
        const double *ours;
    } rows[] = { { "frame.many", t->many },
                 { "frame.one", t->one },
                 { "frame.hinted", t->remembered } };
    for (int i = 0; i < 3 && status == EXIT_DONE; i++) {
        bench_row row = bench_scene_row(job, s, rows[i].row, "ms");
        row.count = count;
        row.hits = (double)t->occluded / (double)count;
        row.ours = in_ms(rows[i].ours, rounds);
        if (job->options->against != 0) {
            row.peer = best_of(t->their_one, PEER_WAY_COUNT, rows[i].ours, rounds);
            row.agree = t->agree;
        }
        status = bench_job_add(job, &row);
    }
    status =
        status == EXIT_DONE ? add_commit(job, s, "frame.next", t->built, t->their_built) : status;
    free(t);
    return status;
}
