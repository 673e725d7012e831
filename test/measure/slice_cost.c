/* slice_cost: what building in slices costs, and how long its steps take.
 *
 *     slice_cost [TRIANGLES [BUDGET_MS [ROUNDS]]]      default 1000000 1 5
 *
 * One thread, every kind of generated mesh, quality and layout.  A round builds at once and in
 * slices, in turns; printed are medians of rounds: the steps, the longest one by the clock on the
 * wall, the longest one and the one that a thousandth are longer than by that of the processor
 * (which other programs do not disturb), and the time of all steps over that of a build at once, by
 * that clock too. */
#include "test/measure/program.h"

#include <math.h>

enum { MOST_STEPS = 1 << 20 };
enum { AT_ONCE, STEPS, WALL, LONGEST, MOST, RATIO, FIGURES };

static double steps[MOST_STEPS];

static void build_round(const sl_mesh *mesh, const sl_build_def *def, double budget_ms,
                        double figures[FIGURES])
{
    sl_build *build = NULL;
    sl_bvh *bvh = NULL;
    size_t count = 0;
    double all = 0, longest = 0, start = bench_program_seconds();
    sl_bvh_destroy(tree_of(mesh, def));
    const double at_once = bench_program_seconds() - start;
    must(sl_build_begin(mesh, def, &build, NULL) == SL_OK, "no build");
    for (bool done = false; !done && count < MOST_STEPS; count++) {
        const double wall = bench_wall_seconds();
        start = bench_program_seconds();
        must(sl_build_step(build, budget_ms, &done, NULL) == SL_OK, "no step");
        longest = fmax(longest, bench_wall_seconds() - wall);
        steps[count] = bench_program_seconds() - start;
        all += steps[count];
    }
    must(sl_build_end(build, &bvh, NULL) == SL_OK, "no tree");
    sl_build_destroy(build);
    sl_bvh_destroy(bvh);
    (void)bench_median(steps, count); /* which sorts them */
    figures[AT_ONCE] = 1e3 * at_once;
    figures[STEPS] = (double)count;
    figures[WALL] = 1e3 * longest;
    figures[LONGEST] = 1e3 * steps[count - 1];
    figures[MOST] = 1e3 * steps[count - 1 - count / 1000];
    figures[RATIO] = all / at_once;
}

static void measure(const sl_mesh *mesh, const char *name, const sl_build_def *def,
                    double budget_ms, size_t rounds)
{
    static const char *const qualities[] = { "default", "fast", "high" };
    double all[FIGURES][BENCH_ROUNDS_MAX], median[FIGURES];
    for (size_t round = 0; round < rounds; round++) {
        double figures[FIGURES];
        build_round(mesh, def, budget_ms, figures);
        for (int i = 0; i < FIGURES; i++) {
            all[i][round] = figures[i];
        }
    }
    for (int i = 0; i < FIGURES; i++) {
        median[i] = bench_median(all[i], rounds);
    }
    printf("%-8s %9zu %-7s %-7s at once %8.1f ms, %6.0f steps, longest %6.2f ms, by CPU %5.2f "
           "ms, 1 of 1000 %5.2f ms, ratio %.3f\n",
           name, sl_mesh_soup(mesh).triangle_count, qualities[def->quality],
           def->layout == SL_BVH_LAYOUT_COMPACT ? "compact" : "", median[AT_ONCE], median[STEPS],
           median[WALL], median[LONGEST], median[MOST], median[RATIO]);
    fflush(stdout);
}

int main(int argc, char **argv)
{
    const size_t triangles = (size_t)number_at(argc, argv, 1, 1e6);
    const double budget_ms = number_at(argc, argv, 2, 1);
    const size_t rounds = (size_t)fmin(fmax(number_at(argc, argv, 3, 5), 1), BENCH_ROUNDS_MAX);
    for (int shape = 0; shape < SHAPES_MEASURED; shape++) {
        OWN(sl_mesh) mesh = shape_mesh((bench_shape)shape, triangles);
        for (int i = 0; i < 4; i++) {
            sl_build_def def = { .quality = (sl_bvh_quality)(i % 3) };
            def.layout = i == 3 ? SL_BVH_LAYOUT_COMPACT : SL_BVH_LAYOUT_DEFAULT;
            measure(mesh, bench_shape_names[shape], &def, budget_ms, rounds);
        }
    }
    return 0;
}
