/* bench/mesh/rows.h: the rows of a mesh that are no sets. */
#pragma once

#include "tools/bench/job/job.h"

/* EXIT_DONE or the status of a reported error. */
int bench_build_rows(bench_job *job, bench_scene *s);
int bench_qualities_rows(bench_job *job, bench_scene *s);
int bench_single_rows(bench_job *job, bench_scene *s);
int bench_batch_rows(bench_job *job, bench_scene *s);
int bench_far_rows(bench_job *job, bench_scene *s);
int bench_options_rows(bench_job *job, bench_scene *s);
int bench_invalid_rows(bench_job *job, bench_scene *s);
int bench_threads_rows(bench_job *job, bench_scene *s);

/* One build on one thread, and none other: seconds of the program's processor time.  EXIT_DONE or
 * the status of a reported error. */
int bench_build_ours(const bench_scene *s, double *seconds);
int bench_build_theirs(const bench_scene *s, const char *kernel, double *seconds);

/* Starts a process beside this one, before the program has threads or has built anything: where the
 * system can, else job->cold stays zeroed. */
int bench_cold_open(bench_job *job);
void bench_cold_close(bench_cold *cold); /* a zeroed one is fine */

/* Seconds that a build takes as the first thing that a process does once it has the mesh.  kernel
 * NULL: ours; else the peer's beside that kernel.  NAN: it cannot be told. */
double bench_cold_seconds(const bench_cold *cold, const bench_place *place, const char *kernel);
