/* bench/world/rows.h: the rows of a world that are no sets, for bench. */
#pragma once

#include "tools/bench/job/job.h"

/* Makes the world of a scene whose mesh has its tree: count instances of it as they are in frame 0,
 * and the source of their sets, which begin and end in the cube of the centres.  EXIT_DONE or the
 * status of a reported error. */
int bench_world_open(const bench_job *job, bench_scene *s, size_t count);

/* EXIT_DONE or the status of a reported error.  The first three open devices of the peer's, and
 * need to be alone. */
int bench_commit_rows(bench_job *job, bench_scene *s);
int bench_frame_rows(bench_job *job, bench_scene *s);
int bench_game_rows(bench_job *job, bench_scene *s);
int bench_flat_rows(bench_job *job, bench_scene *s);
int bench_double_rows(bench_job *job, bench_scene *s);
int bench_world_threads_rows(bench_job *job, bench_scene *s);

/* ---- pairs.c: lines of sight in a world: segments of which about half are blocked ---- */

/* Between random points of a cube, up to a quarter of its side apart; 40 to 70 % of them are
 * blocked in the scene, by shorter ones where more would be, and by leaving clear ones out where
 * fewer would be and trying can find enough.  A function of scene, side, seed and count.  False:
 * out of memory. */
bool bench_pairs_make(const sl_bvh *scene, double side, uint64_t seed, size_t count,
                      sl_segment *out);

/* A game's: between random places of the whole world.  False: out of memory. */
bool bench_lines_make(const bench_source *source, size_t count, sl_segment *out);

/* Moves both ends of each line as far as bodies drift in a frame: eyes and targets both move. */
void bench_lines_move(const bench_world *world, bench_random *random, sl_segment *lines,
                      size_t count);
