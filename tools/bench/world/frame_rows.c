/* bench/world/frame_rows.c: the rows of frames (frame.c), for bench. */
#include "tools/bench/world/frame.h"
#include "tools/bench/world/rows.h"
#include "tools/cli/report.h"

#include <math.h>
#include <stdlib.h>

enum { PAIRS = 50000, GAME_LINES = 20000 };

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

static int add_frame(bench_job *job, bench_scene *s, const char *name, const double *ours,
                     frame_all_times *t, size_t count)
{
    const size_t rounds = (size_t)job->options->rounds;
    bench_row row = bench_scene_row(job, s, name, "ms");
    row.count = count;
    row.hits = (double)t->occluded / (double)count;
    row.ours = in_ms(ours, rounds);
    if (job->options->against != 0) {
        row.peer = row.medium = best_of(t->theirs, FRAME_RIVALS, ours, rounds);
        row.packed = best_of(t->packed, FRAME_RIVALS, ours, rounds);
        row.agree = t->agree;
    }
    return bench_job_add(job, &row);
}

int bench_commit_rows(bench_job *job, bench_scene *s)
{
    frame_all_times *t = calloc(1, sizeof *t);
    int status = t != NULL ? bench_frame_time(job, s, 1, 0, t) : report_memory();
    status = status == EXIT_DONE ? add_commit(job, s, "commit1", t->built, t->their_built) : status;
    status = status == EXIT_DONE ? add_commit(job, s, "move1", t->moved, t->their_moved) : status;
    status = status == EXIT_DONE ? bench_frame_time(job, s, 2, 0, t) : status;
    status = status == EXIT_DONE ? add_commit(job, s, "commit2", t->built, t->their_built) : status;
    free(t);
    return status;
}

int bench_frame_rows(bench_job *job, bench_scene *s)
{
    static const char *const names[2][2] = { { "frame1", "hinted1" }, { "frame2", "hinted2" } };
    const size_t count = job->options->rays < PAIRS ? (size_t)job->options->rays : PAIRS;
    frame_all_times *t = calloc(1, sizeof *t);
    int status = t != NULL ? EXIT_DONE : report_memory();
    for (int i = 0; i < 2 && status == EXIT_DONE; i++) {
        status = bench_frame_time(job, s, i + 1, count, t);
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
    frame_all_times *t = calloc(1, sizeof *t);
    if (t == NULL) {
        return report_memory();
    }
    int status = bench_frame_time(job, s, 1, count, t);
    const struct {
        const char *row;
        const double *ours;
    } rows[] = { { "frame.many", t->many },
                 { "frame.one", t->one },
                 { "frame.hinted", t->remembered },
                 { "frame.static", t->still_many },
                 { "static.one", t->still_one } };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0] && status == EXIT_DONE; i++) {
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
