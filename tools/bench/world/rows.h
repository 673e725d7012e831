/* bench/world/rows.h: the rows of a world that are no sets, for bench --scene. */
#pragma once

#include "tools/bench/job/job.h"

/* Makes the world of a scene whose mesh has its tree: count instances of it as they are in frame 0,
 * and the source of their sets, which begin and end in the cube of the centres.  EXIT_DONE or the
 * status of a reported error. */
int bench_world_open(const bench_job *job, bench_scene *s, size_t count);

/* EXIT_DONE or the status of a reported error.  The first two open devices of the peer's, and need
 * to be alone. */
int bench_commit_rows(bench_job *job, bench_scene *s);
int bench_frame_rows(bench_job *job, bench_scene *s);
int bench_flat_rows(bench_job *job, bench_scene *s);
int bench_double_rows(bench_job *job, bench_scene *s);
int bench_world_threads_rows(bench_job *job, bench_scene *s);
