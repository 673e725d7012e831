/* bench/run.h: the rows of one mesh or of its worlds, for bench. */
#pragma once

#include "tools/bench/job/job.h"

/* Whether a part has rows about what is measured: worlds with --scene, jobs with --jobs, else
 * meshes. */
bool bench_part_is_offered(const bench_job *job, int part);

/* Measures what is wanted, once s->in has its tree.  EXIT_DONE or the status of a reported
 * error. */
int bench_run(bench_job *job, bench_scene *s, const bool wanted[PART_COUNT]);
