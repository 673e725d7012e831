#include "test/cliffs/measure.h"

#include "test/cliffs/mesh_bench.h"
#include "test/cliffs/world_bench.h"

#include <math.h>
#include <stdlib.h>

const measure_row measure_rows[MEASURES] = {
    [MEASURE_PLAIN] = { "plain", false, { true, false }, { 4, 0 }, { 16, 0 } },
    [MEASURE_SHARED] = { "shared", false, { true, true }, { 4, 4 }, { 2, 2 } },
    [MEASURE_MOVED] = { "moved", false, { true, true }, { 1.5, 1.5 }, { 2, 2 } },
    [MEASURE_SINGLE] = { "single", true, { true, true }, { 1.05, 1.15 }, { 0, 20 } },
    [MEASURE_FAR] = { "far", true, { true, true }, { 1.5, 1.5 }, { 0, 0 } },
    [MEASURE_PEER] = { "peer", true, { true, false }, { 0, 0 }, { 0, 0 } },
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
};

bool measure_fits(cliff_measure measure, const cliff_case *c)
{
    return measure_rows[measure].applies[case_is_world(c)];
}

double measure_limit(cliff_measure measure, const cliff_case *c)
{
    return measure_rows[measure].limit[case_is_world(c)];
}

struct cliff_bench {
    mesh_bench *mesh;
    world_bench *world;
};

cliff_bench *bench_open(void)
{
    cliff_bench *b = calloc(1, sizeof *b);
    if (b == NULL) {
        return NULL;
    }
    *b = (cliff_bench){ mesh_bench_open(), world_bench_open() };
    if (b->mesh == NULL || b->world == NULL) {
        bench_close(b);
        return NULL;
    }
    return b;
}

void bench_close(cliff_bench *b)
{
    mesh_bench_close(b->mesh);
    world_bench_close(b->world);
    free(b);
}

measured bench_measure(cliff_bench *b, cliff_measure measure, const cliff_case *c, int pairs)
{
    if (!measure_fits(measure, c)) {
        return (measured){ .applies = false };
    }
    return case_is_world(c) ? world_bench_measure(b->world, measure, c, pairs)
                            : mesh_bench_measure(b->mesh, measure, c, pairs);
}

bool bench_is_resolved(cliff_bench *b, const cliff_case *c)
{
    return case_is_world(c) ? world_bench_is_resolved(b->world, c)
                            : mesh_bench_is_resolved(b->mesh, c);
}

void bench_trim(cliff_bench *b, cliff_case *c)
{
    if (case_is_world(c)) {
        world_bench_trim(b->world, c);
    } else {
        mesh_bench_trim(b->mesh, c);
    }
}

bool bench_agree(cliff_bench *b, const cliff_case *c)
{
    return case_is_world(c) ? world_bench_agree(b->world, c) : mesh_bench_agree(b->mesh, c);
}

enum { SEEDS = 5, SEED_MAX = 999 };

static double next_seed(double seed, int by)
{
    return fmod(seed - 1 + by, SEED_MAX) + 1;
}

static int compare_measured(const void *a, const void *b)
{
    const double x = ((const measured *)a)->ratio, y = ((const measured *)b)->ratio;
    return (x > y) - (x < y);
}

measured bench_measure_seeds(cliff_bench *b, cliff_measure measure, const cliff_case *c, int pairs)
{
    measured each[SEEDS];
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
        each[count] = bench_measure(b, measure, &other, pairs);
        count += each[count].applies;
    }
    qsort(each, (size_t)count, sizeof each[0], compare_measured);
    return count > 0 ? each[count / 2] : (measured){ .applies = false };
}
