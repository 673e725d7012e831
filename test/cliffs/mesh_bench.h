/* mesh_bench.h: the measures of one mesh; functions as in measure.h. */
#ifndef TEST_CLIFFS_MESH_BENCH_H
#define TEST_CLIFFS_MESH_BENCH_H

#include "test/cliffs/measure.h"

typedef struct mesh_bench mesh_bench;

mesh_bench *mesh_bench_open(void);
void mesh_bench_close(mesh_bench *bench); /* NULL is fine */

measured mesh_bench_measure(mesh_bench *bench, cliff_measure measure, const cliff_case *c,
                            int pairs);
bool mesh_bench_is_resolved(mesh_bench *bench, const cliff_case *c);
void mesh_bench_trim(mesh_bench *bench, cliff_case *c);
bool mesh_bench_agree(mesh_bench *bench, const cliff_case *c);

#endif
