/* bench/mesh/few.c: the rows of bench with one ray a call, and with 8 and 64. */
#include "tools/bench/job/comparison.h"
#include "tools/bench/mesh/rows.h"

/* The shuffled bounce rays; one ray a call on both sides. */
int bench_single_rows(bench_job *job, bench_scene *s)
{
    static const size_t one = 1;
    bench_comparison comparison = bench_comparison_of(job, s);
    comparison.calls = 1u << PEER_1;
    int status = EXIT_DONE;
    for (int any = 0; any < 2 && status == EXIT_DONE; any++) {
        bench_rays rays = s->shuffled;
        rays.query = any != 0 ? BENCH_ANY : BENCH_CLOSEST;
        bench_row row = bench_scene_row(job, s, any != 0 ? "any1" : "closest1", "M/s");
        status = bench_comparison_add(&comparison, &rays, &one, &row, 1, job);
    }
    return status;
}

/* A set in small calls, next to the peer's best call of any size. */
static int add_small(bench_job *job, bench_scene *s, bench_set set)
{
    static const size_t batches[BENCH_WAYS_MAX] = { 8, 64 };
    const bench_comparison comparison = bench_comparison_of(job, s);
    bench_row rows[BENCH_WAYS_MAX];
    for (int i = 0; i < BENCH_WAYS_MAX; i++) {
        char name[sizeof rows[i].row];
        snprintf(name, sizeof name, "%s.%zu", bench_part_names[set], batches[i]);
        rows[i] = bench_scene_row(job, s, name, "M/s");
    }
    return bench_set_add(&comparison, set, batches, rows, BENCH_WAYS_MAX, job);
}

int bench_batch_rows(bench_job *job, bench_scene *s)
{
    static const bench_set sets[] = { SET_PRIMARY, SET_DIFFSHUF, SET_DIFFANY,
                                      SET_AO,      SET_RANDOM,   SET_LOSBOX };
    int status = EXIT_DONE;
    for (size_t i = 0; i < sizeof sets / sizeof sets[0] && status == EXIT_DONE; i++) {
        status = add_small(job, s, sets[i]);
    }
    return status;
}
