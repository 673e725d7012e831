/* bench/report/summary.h: what the rows of several scenes come to. */
#pragma once

#include "tools/bench/report/row.h"

/* Whether any row is there for more than one scene. */
bool bench_summary_is_due(const bench_row *rows, size_t count);

/* For each row the geometric means over all scenes and the scene where it is worst; then what the
 * tori of --grow keep of their rates with ten times the triangles (not in CSV, which has one
 * table). */
void bench_summary_print(output *out, const bench_row *rows, size_t count);
