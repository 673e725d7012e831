/* world_bench.h: the measures of worlds of instances; functions as in measure.h. */
#ifndef TEST_CLIFFS_WORLD_BENCH_H
#define TEST_CLIFFS_WORLD_BENCH_H

#include "test/cliffs/measure.h"

typedef struct world_bench world_bench;

world_bench *world_bench_open(void);
void world_bench_close(world_bench *bench); /* NULL is fine */

measured world_bench_measure(world_bench *bench, cliff_measure measure, const cliff_case *c,
                             int pairs);
bool world_bench_is_resolved(world_bench *bench, const cliff_case *c);
void world_bench_trim(world_bench *bench, cliff_case *c);
bool world_bench_agree(world_bench *bench, const cliff_case *c);

#endif
