/* slice_cost: what building in slices costs, and how long its steps take.
 *
 *     slice_cost [TRIANGLES [BUDGET_MS [ROUNDS]]]      default 1000000 1 5
 *
 * One thread, every kind of generated mesh, quality and layout.  A round builds at once and in
 * slices, in turns; printed are medians of rounds: the steps, the longest one by the clock on the
 * wall, the longest one and the one that a thousandth are longer than by that of the processor
 * (which other programs do not disturb), and the time of all steps over that of a build at once, by
 * that clock too. */
#include "test/measure/generated.h"

#include <sightline/build_slices.h>

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { MOST_STEPS = 1 << 20, MOST_ROUNDS = 99 };

static double steps[MOST_STEPS];

static double seconds(clockid_t clock)
{
    struct timespec now;
    clock_gettime(clock, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static int compare(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static double median(double *values, int count)
{
    qsort(values, (size_t)count, sizeof *values, compare);
    return values[count / 2];
}

typedef struct figures {
    double count[MOST_ROUNDS], longest[MOST_ROUNDS], most[MOST_ROUNDS], ratio[MOST_ROUNDS];
    double wall[MOST_ROUNDS];
} figures;

static double build_at_once(const sl_mesh *mesh, const sl_build_def *def)
{
    sl_bvh *bvh = NULL;
    const double start = seconds(CLOCK_PROCESS_CPUTIME_ID);
    if (sl_bvh_build(mesh, def, &bvh, NULL) != SL_OK) {
        exit(1);
    }
    const double time = seconds(CLOCK_PROCESS_CPUTIME_ID) - start;
    sl_bvh_destroy(bvh);
    return time;
}

static double build_in_slices(const sl_mesh *mesh, const sl_build_def *def, double budget_ms,
                              int *count, double *longest)
{
    sl_build *build = NULL;
    sl_bvh *bvh = NULL;
    if (sl_build_begin(mesh, def, &build, NULL) != SL_OK) {
        exit(1);
    }
    double all = 0;
    *count = 0;
    *longest = 0;
    for (bool done = false; !done && *count < MOST_STEPS; (*count)++) {
        const double start = seconds(CLOCK_PROCESS_CPUTIME_ID), wall = seconds(CLOCK_MONOTONIC);
        if (sl_build_step(build, budget_ms, &done, NULL) != SL_OK) {
            exit(1);
        }
        const double on_wall = seconds(CLOCK_MONOTONIC) - wall;
        *longest = on_wall > *longest ? on_wall : *longest;
        steps[*count] = seconds(CLOCK_PROCESS_CPUTIME_ID) - start;
        all += steps[*count];
    }
    if (sl_build_end(build, &bvh, NULL) != SL_OK) {
        exit(1);
    }
    sl_build_destroy(build);
    sl_bvh_destroy(bvh);
    qsort(steps, (size_t)*count, sizeof *steps, compare);
    return all;
}

static void measure(const sl_mesh *mesh, const char *name, const sl_build_def *def,
                    double budget_ms, int rounds)
{
    static const char *const qualities[] = { "default", "fast", "high" };
    static figures all;
    double at_once[MOST_ROUNDS];
    for (int round = 0; round < rounds; round++) {
        int count;
        double longest;
        at_once[round] = build_at_once(mesh, def);
        const double time = build_in_slices(mesh, def, budget_ms, &count, &longest);
        all.ratio[round] = time / at_once[round];
        all.count[round] = count;
        all.wall[round] = 1e3 * longest;
        all.longest[round] = 1e3 * steps[count - 1];
        all.most[round] = 1e3 * steps[count - 1 - count / 1000];
    }
    printf("%-8s %9zu %-7s %-7s at once %8.1f ms, %6.0f steps, longest %6.2f ms, by CPU %5.2f "
           "ms, 1 of 1000 %5.2f ms, ratio %.3f\n",
           name, sl_mesh_triangle_count(mesh), qualities[def->quality],
           def->layout == SL_BVH_LAYOUT_COMPACT ? "compact" : "", 1e3 * median(at_once, rounds),
           median(all.count, rounds), median(all.wall, rounds), median(all.longest, rounds),
           median(all.most, rounds), median(all.ratio, rounds));
    fflush(stdout);
}

int main(int argc, char **argv)
{
    const size_t triangles = argc > 1 ? (size_t)strtoull(argv[1], NULL, 10) : 1000000;
    const double budget_ms = argc > 2 ? strtod(argv[2], NULL) : 1;
    const int asked = argc > 3 ? atoi(argv[3]) : 5;
    const int rounds = asked < 1 ? 1 : asked < MOST_ROUNDS ? asked : MOST_ROUNDS;
    for (int kind = 0; kind < GENERATED_KINDS; kind++) {
        sl_mesh *mesh = generated_mesh(kind, triangles);
        if (mesh == NULL) {
            return 1;
        }
        for (int i = 0; i < 4; i++) {
            sl_build_def def = sl_default_build_def();
            def.quality = (sl_bvh_quality)(i % 3);
            def.layout = i == 3 ? SL_BVH_LAYOUT_COMPACT : SL_BVH_LAYOUT_DEFAULT;
            measure(mesh, generated_names[kind], &def, budget_ms, rounds);
        }
        sl_mesh_destroy(mesh);
    }
    return 0;
}
