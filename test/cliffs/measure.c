#include "test/cliffs/measure.h"

#include <math.h>
#include <stdlib.h>

const measure_row measure_rows[MEASURES] = {
    [MEASURE_PLAIN] = { "plain", false, { true, false, true }, { 4, 0, 4 }, { 16, 0, 64 } },
    [MEASURE_SHARED] = { "shared", false, { true, true }, { 4, 4 }, { 2, 2 } },
    [MEASURE_MOVED] = { "moved", false, { true, true }, { 1.5, 1.5 }, { 2, 2 } },
    [MEASURE_SINGLE] = { "single", true, { true, true }, { 1.05, 1.15 }, { 0, 20 } },
    [MEASURE_FAR] = { "far", true, { true, true }, { 1.5, 1.5 }, { 0, 0 } },
    [MEASURE_PEER] = { "peer", true, { true, false }, { 0, 0 }, { 0, 0 } },
    [MEASURE_EXACT] = { "exact", false, { true, true }, { 0, 0 }, { 1, 1 } },
    [MEASURE_AIMED] = { "aimed", true, { true, true }, { 2, 2 }, { 20, 20 } },
    [MEASURE_LEVELS] = { "levels", false, { false, true }, { 0, 4 }, { 0, 8 } },
    [MEASURE_FLAT] = { "flat", true, { false, true }, { 0, 2 }, { 0, 50 } },
    [MEASURE_NESTED] = { "nested", true, { false, true }, { 0, 1.15 }, { 0, 5 } },
    [MEASURE_DOUBLES] = { "doubles", true, { false, true }, { 0, 2 }, { 0, 5 } },
    [MEASURE_FLOATS] = { "floats", true, { false, true }, { 0, 1.2 }, { 0, 5 } },
    [MEASURE_VERSION] = { "version", false, { false, true }, { 0, 1.5 }, { 0, 8 } },
    [MEASURE_REBUILD] = { "rebuild", true, { false, true }, { 0, 1.15 }, { 0, 100 } },
    [MEASURE_HINTS] = { "hints", true, { false, true }, { 0, 1.15 }, { 0, 5 } },
    [MEASURE_ORDER] = { "order", true, { false, true }, { 0, 1.15 }, { 0, 5 } },
    [MEASURE_SELECT] = { "select", true, { false, true }, { 0, 2 }, { 0, 5 } },
    [MEASURE_COST] = { "cost", true, { false, false, true }, { 0, 0, 4 }, { 0, 0, 0 } },
};

bool measure_fits(cliff_measure measure, const cliff_case *c)
{
    return measure_rows[measure].applies[case_kind_of(c)];
}

double measure_limit(cliff_measure measure, const cliff_case *c)
{
    return measure_rows[measure].limit[case_kind_of(c)];
}

enum { SEEDS = 5, SEED_MAX = 999 };

static double next_seed(double seed, int by)
{
    return fmod(seed - 1 + by, SEED_MAX) + 1;
}

static int compare_measured(const void *a, const void *b)
{
    const double x = ((const bench_measured *)a)->ratio, y = ((const bench_measured *)b)->ratio;
    return (x > y) - (x < y);
}

bench_measured cliff_measure_seeds(cliff_bench *b, cliff_measure measure, const cliff_case *c,
                                   int pairs)
{
    bench_measured each[SEEDS];
    int count = 0;
    for (int i = 0; i < SEEDS; i++) {
        cliff_case other = *c;
        if (case_int(c, CASE_MESH) < MESH_KINDS) { /* a file has no seed */
            other.field[CASE_MESH_SEED] = next_seed(c->field[CASE_MESH_SEED], i);
        }
        if (case_is_world(c)) {
            other.field[CASE_WORLD_SEED] = next_seed(c->field[CASE_WORLD_SEED], i);
        }
        other.field[CASE_RAY_SEED] = next_seed(c->field[CASE_RAY_SEED], i);
        each[count] = cliff_measure_case(b, measure, &other, pairs);
        count += each[count].applies;
    }
    qsort(each, (size_t)count, sizeof each[0], compare_measured);
    return count > 0 ? each[count / 2] : (bench_measured){ .applies = false };
}
