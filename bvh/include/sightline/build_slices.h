/* build_slices.h: a tree is built in slices of time, a few in each frame.
 *
 *     sl_build *build = NULL;
 *     sl_build_begin(mesh, &def, &build, &error);
 *     bool done = false;                                    each frame, until it is done:
 *     sl_build_step(build, 1.5, &done, &error);                 1.5 ms of building
 *     sl_build_end(build, &bvh, &error);
 *     sl_build_destroy(build);
 *
 * For an editor or a game that cannot spare the time of a build in one frame, nor a thread for it.
 * Between steps nothing runs.  It is for trees of meshes; scenes and refits take their time at
 * once.
 * Exact    the tree is, byte for byte, the one that sl_bvh_build makes with the same def, whatever
 *          the budgets.
 * Budget   a step returns soon after its budget is over, at the next of many checkpoints: most
 *          often within 0.3 ms; docs/moving.md says when not.  Where def gives tasks with several
 *          workers, the largest piece is a subtree that one of them builds, some milliseconds with
 *          SL_BVH_QUALITY_HIGH; memory of the caller's allocator comes and goes as fast as that
 *          gives and takes it.  A budget of 0 is one piece, the smallest step.  The time is that of
 *          a clock on the wall: a thread that others keep from running builds less in it.
 * Lives    the mesh, def.masks and what def.hooks refer to must stay until the build is ended or
 *          destroyed, and may not change.  def itself is copied.
 * Cancel   sl_build_destroy at any time: what was made is freed, at once and whatever the build was
 *          at.
 * Fails    in begin: as sl_bvh_build where an argument is at fault; SL_OUT_OF_MEMORY;
 *          SL_NO_THREADS_LEFT, also in a library built without threads (SL_NO_THREADS), which
 *          builds only at once.  Later, all that sl_bvh_build returns, SL_CANCELLED too; the same
 *          error then comes back from every further call, until the build is destroyed.
 * Threads  a build has a thread of its own, which sleeps unless a step waits for it; its stack is
 *          of the system's usual size, at least 512 KiB, of which it uses 20.  Steps, end and
 *          destroy may be called from different threads, one at a time; every hook of def (memory,
 *          progress, tasks) is called by the thread that is in such a call, with its floating-point
 *          environment.  Anything else may go on meanwhile: queries on other trees, other builds.
 *          Hooks may call anything but the same build: to step or end it there is refused
 *          (SL_INVALID_ARGUMENT), to destroy it there is undefined.  A process that was forked off
 *          has no such thread: it may not use builds begun before.
 * Cost     all steps together take about as long as sl_bvh_build, at times 1.3 times; a step wakes
 *          a thread and is woken by it, some 20 us; to begin and to destroy take 0.1 ms for it.  To
 *          cancel takes as long as its memory takes to free: up to 0.1 ms a megabyte. */
#ifndef SIGHTLINE_BUILD_SLICES_H
#define SIGHTLINE_BUILD_SLICES_H

#include <sightline/bvh.h>

typedef struct sl_build sl_build;

/* Begins a build and does nothing of it.  def may be NULL: defaults. */
SL_API sl_result sl_build_begin(const sl_mesh *mesh, const sl_build_def *def, sl_build **out,
                                sl_error *error);

/* Builds for budget_ms milliseconds: any number; what is not above 0 counts as 0, and INFINITY is
 * no limit.  *done is set where the tree is finished, and cleared elsewhere; a step after that does
 * nothing. */
SL_API sl_result sl_build_step(sl_build *build, double budget_ms, bool *done, sl_error *error);

/* Gives the tree, which is the caller's from then on.  What is not done yet is done first, in
 * whatever time that takes.  Once only: then SL_INVALID_ARGUMENT. */
SL_API sl_result sl_build_end(sl_build *build, sl_bvh **out, sl_error *error);

/* Ended or not; a tree that was not taken is freed.  NULL is fine. */
SL_API void sl_build_destroy(sl_build *build);

#endif
