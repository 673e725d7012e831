/* bench/job/relative.h: rows of bench that compare one way to ask ours with another. */
#pragma once

#include "tools/bench/harness/rounds.h"
#include "tools/bench/job/job.h"

/* Adds a row of how many times as fast one way is as the other, which asks as many questions; their
 * answers are the row's own.  hits: whether the row has the share that hits.  Where the first has
 * tasks, both are timed on the wall.  EXIT_DONE or the status of a reported error. */
int bench_relative_add(bench_job *job, bench_scene *s, const char *name, bench_asking ways[2],
                       bool hits);
