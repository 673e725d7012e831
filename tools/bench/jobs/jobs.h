/* bench/jobs/jobs.h: users' jobs: rows of bench --jobs, each named for what a user has to do. */
#pragma once

#include "tools/bench/job/job.h"

/* The names of the rows of a part, at most `most` and then NULL; whether any of them stands beside
 * the peer's trees. */
bool bench_jobs_names(bench_stage stage, bench_part part, size_t most, const char **names);

/* Measures them, once the stage is open.  EXIT_DONE or the status of a reported error. */
int bench_jobs_run(bench_job *job, bench_scene *s, bench_part part);
