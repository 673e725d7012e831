/* bench/job/comparison.c: times one set on our tree and on the peer's trees in alternating rounds,
 * for bench. */
#include "tools/bench/job/comparison.h"

#include "tools/cli/report.h"

#include <math.h>
#include <stdlib.h>

/* Ways to ask our tree, and beside them always one ray a call. */
typedef struct ways {
    size_t batches[BENCH_WAYS_MAX + 1];
    double seconds[BENCH_WAYS_MAX + 1][BENCH_ROUNDS_MAX];
    size_t count, single; /* single: which one is that */
} ways;

static void list_ways(ways *to, const size_t *batches, size_t count)
{
    to->count = count;
    to->single = count;
    for (size_t i = 0; i < count; i++) {
        to->batches[i] = batches[i];
        to->single = batches[i] == 1 ? i : to->single;
    }
    if (to->single == count) {
        to->batches[to->count++] = 1;
    }
}

static bench_clock *clock_of(const bench_comparison *comparison)
{
    return comparison->target.tasks != NULL ? bench_wall_seconds : bench_cpu_seconds;
}

/* Each round begins with another way, since caches and branches know the rays better from way to
 * way; after the peer's turn, when caches hold its trees and rays, that way first runs without a
 * clock. */
static void run_ways(const bench_comparison *comparison, const bench_rays *rays,
                     const bench_answers *answers, ways *w, size_t round)
{
    for (size_t i = 0; i < w->count; i++) {
        const size_t at = (round + i) % w->count, batch = w->batches[at];
        bench_asking asking = { comparison->target, rays, batch == 1 ? BENCH_SINGLY : batch,
                                answers };
        const bench_way way = bench_way_of(&asking);
        if (i == 0 && comparison->peer != NULL) {
            way.run(way.context);
        }
        bench_time_round(&way, 1, clock_of(comparison), &w->seconds[at][round]);
    }
}

/* Share of answers that are the same; runs the rival once more.  Below 0: out of memory. */
static double comparison_agreement(const bench_comparison *comparison, const bench_rays *rays,
                                   const bench_answers *answers, const bench_rival *rival)
{
    float *theirs = malloc(rays->count * sizeof *theirs);
    if (theirs == NULL) {
        return -1;
    }
    bench_peer_run_packing(comparison->peer, rival->tree, rival->call);
    bench_peer_answers(comparison->peer, theirs);
    size_t same = 0;
    for (size_t i = 0; i < rays->count; i++) {
        const float ours = bench_answer_t(answers, rays, i);
        same += ours == theirs[i] ||
                fabsf(ours - theirs[i]) <= comparison->tolerance + 1e-4f * fabsf(ours);
    }
    free(theirs);
    return (double)same / (double)rays->count;
}

static bool fill_rows(const bench_comparison *comparison, const bench_rays *rays,
                      const bench_answers *answers, const ways *w, const bench_rivals *rivals,
                      bench_row *rows, size_t row_count)
{
    const bench_rival *best = bench_rivals_best(rivals, comparison->rounds);
    const double agree = best != NULL ? comparison_agreement(comparison, rays, answers, best) : NAN;
    for (size_t i = 0; i < row_count; i++) {
        bench_row *row = &rows[i];
        row->count = rays->count;
        row->hits = bench_answer_hits(answers, rays);
        row->ours = comparison->figure(w->seconds[i], comparison->rounds, rays->count);
        row->agree = agree;
        row->has_single = w->single != i;
        if (row->has_single) {
            row->over_single =
                bench_ratios(w->seconds[i], w->seconds[w->single], comparison->rounds);
        }
        bench_rivals_report(rivals, w->seconds[i], comparison->rounds, rays->count, row);
    }
    return !(agree < 0);
}

static bool compare_ways(const bench_comparison *comparison, const bench_rays *rays,
                         const size_t *batches, bench_row *rows, size_t row_count)
{
    progress *bar = &comparison->scene->in.bar;
    ways w;
    bench_answers answers = { 0 };
    bench_rivals rivals;
    const unsigned trees = comparison->peer != NULL ? comparison->trees : 0;
    progress_show(bar, rows[0].row, -1);
    list_ways(&w, batches, row_count);
    bool done = bench_rivals_make(&rivals, trees, comparison->calls, rays->query,
                                  comparison->scene->scene != NULL) &&
                bench_answers_make(&answers, rays) &&
                (comparison->peer == NULL ||
                 bench_peer_set(comparison->peer, rays, comparison->target.tasks));
    if (done) {
        bench_pin(comparison->target.tasks == NULL);
        rivals.now = clock_of(comparison);
        rivals.figure = comparison->figure;
        run_ways(comparison, rays, &answers, &w, 0);
        bench_rivals_warm_up(&rivals, comparison->peer);
        for (size_t round = 0; round < comparison->rounds; round++) {
            progress_show(bar, rows[0].row, (double)round / (double)comparison->rounds);
            run_ways(comparison, rays, &answers, &w, round);
            bench_rivals_run(&rivals, comparison->peer, round);
        }
        done = fill_rows(comparison, rays, &answers, &w, &rivals, rows, row_count);
        bench_pin(false);
    }
    bench_rivals_free(&rivals);
    bench_answers_free(&answers);
    return done;
}

bench_comparison bench_comparison_of(const bench_job *job, bench_scene *s)
{
    return (bench_comparison){ .target = { .bvh = s->scene != NULL ? s->scene : s->in.bvh },
                               .peer = s->peer,
                               .trees = s->trees,
                               .calls = (1u << PEER_CHAIN) - 1,
                               .figure = bench_rates,
                               .rounds = (size_t)job->options->rounds,
                               .tolerance = 1e-6f * s->source.diagonal,
                               .scene = s };
}

int bench_comparison_add(const bench_comparison *comparison, const bench_rays *rays,
                         const size_t *batches, bench_row *rows, size_t row_count, bench_job *job)
{
    int status =
        compare_ways(comparison, rays, batches, rows, row_count) ? EXIT_DONE : report_memory();
    for (size_t i = 0; i < row_count && status == EXIT_DONE; i++) {
        status = bench_job_add(job, &rows[i]);
    }
    return status;
}

/* How many instances a question enters. */
static int add_entered(const bench_comparison *comparison, const bench_rays *rays, bench_job *job)
{
    sl_stats stats = { 0 };
    bench_target target = comparison->target;
    bench_answers answers;
    if (!bench_answers_make(&answers, rays)) {
        return report_memory();
    }
    target.stats = &stats;
    bench_ask_batches(&target, rays, 0, &answers);
    bench_answers_free(&answers);
    bench_row row = bench_scene_row(job, comparison->scene, comparison->entered, "inst");
    const double entered = (double)stats.instances / (double)rays->count;
    row.count = rays->count;
    row.ours = (bench_spread){ entered, entered, entered };
    return bench_job_add(job, &row);
}

int bench_set_add(const bench_comparison *comparison, bench_set set, const size_t *batches,
                  bench_row *rows, size_t row_count, bench_job *job)
{
    bench_rays rays;
    int status = EXIT_DONE;
    if (!bench_rays_make(&comparison->scene->source, set, (size_t)job->options->rays, &rays)) {
        return report_memory();
    }
    if (rays.count > 0) {
        status = bench_comparison_add(comparison, &rays, batches, rows, row_count, job);
        status = status == EXIT_DONE && comparison->entered != NULL
                     ? add_entered(comparison, &rays, job)
                     : status;
    }
    bench_rays_free(&rays);
    return status;
}
