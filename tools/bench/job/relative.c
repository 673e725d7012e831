/* bench/job/relative.c: times two ways to ask ours in turn, for bench. */
#include "tools/bench/job/comparison.h"

#include "tools/cli/report.h"

static void time_both(const bench_job *job, bench_scene *s, const bench_row *row,
                      bench_asking asking[2], double seconds[2][BENCH_ROUNDS_MAX])
{
    const bool wall = asking[0].target.tasks != NULL;
    const bench_way ways[2] = { bench_way_of(&asking[0]), bench_way_of(&asking[1]) };
    const size_t rounds = (size_t)job->options->rounds;
    double both[2];
    bench_pin(!wall);
    for (size_t i = 0; i <= rounds; i++) { /* the first warms up, and is written over */
        progress_show(&s->in.bar, row->row, (double)i / (double)(rounds + 1));
        bench_time_round(ways, 2, wall ? bench_wall_seconds : bench_cpu_seconds, both);
        for (int way = 0; way < 2; way++) {
            seconds[way][i > 0 ? i - 1 : 0] = both[way];
        }
    }
    bench_pin(false);
}

int bench_relative_add(bench_job *job, bench_scene *s, const char *name, bench_asking ways[2],
                       bool hits, const char *beside)
{
    bench_row row = bench_scene_row(job, s, name, beside != NULL ? "us" : "x");
    const size_t rounds = (size_t)job->options->rounds;
    bench_answers answers[2] = { { 0 } };
    double seconds[2][BENCH_ROUNDS_MAX];
    const bool done = bench_answers_make(&answers[0], ways[0].rays) &&
                      bench_answers_make(&answers[1], ways[1].rays);
    if (done) {
        const int in_floats = ways[0].target.doubles && !ways[1].target.doubles ? 1 : 0;
        ways[0].answers = &answers[0];
        ways[1].answers = &answers[1];
        time_both(job, s, &row, ways, seconds);
        row.count = ways[0].rays->count;
        row.hits = hits ? bench_answer_hits(&answers[in_floats], ways[in_floats].rays) : row.hits;
        row.ours = bench_ratios(seconds[0], seconds[1], rounds);
    }
    if (done && beside != NULL) {
        row.peer =
            (bench_beside){ .there = true,
                            .value = bench_microseconds(seconds[1], rounds, (size_t)row.count),
                            .ratio = row.ours };
        snprintf(row.peer.call, sizeof row.peer.call, "%s", beside);
        row.ours = bench_microseconds(seconds[0], rounds, (size_t)row.count);
    }
    bench_answers_free(&answers[0]);
    bench_answers_free(&answers[1]);
    return done ? bench_job_add(job, &row) : report_memory();
}
