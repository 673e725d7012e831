/* task.h: how the library borrows threads.
 *
 * There is one hook, parallel_for.  An engine with a job system fills in an sl_tasks itself; any
 * other program makes a pool.  Where sl_tasks are NULL, the calling thread works alone.  The
 * library starts no thread of its own accord (but one that sleeps between steps for a build in
 * slices, build_slices.h), and no result depends on the number of workers.
 * Fails    tasks without a function, or with a worker_count below 1, are SL_INVALID_ARGUMENT to
 *          sl_bvh_build and refits; queries, which cannot fail, treat them as NULL. */
#ifndef SIGHTLINE_TASK_H
#define SIGHTLINE_TASK_H

#include <sightline/base.h>

/* Works on items begin .. end - 1.  worker is in [0, worker_count), and no two calls with the same
 * worker run at the same time. */
typedef void sl_range_fn(void *context, size_t begin, size_t end, int worker);

typedef struct sl_tasks {
    /* Calls fn for disjoint ranges that cover [0, count), each of 1 to grain items (grain 0 counts
     * as 1), in any order and on any threads; returns when all are done.  The library never nests
     * one call inside another. */
    void (*parallel_for)(void *user, size_t count, size_t grain, sl_range_fn *fn, void *context);
    void *user;
    int worker_count; /* >= 1, the caller included */
} sl_tasks;

/* A pool of worker_count - 1 threads; the thread that calls parallel_for is the last worker.
 * worker_count 0: one worker for each processor that is online.  1: no thread at all.  allocator
 * may be NULL: malloc.
 * Fails    SL_INVALID_ARGUMENT for a worker_count below 0 or above 1024, SL_OUT_OF_MEMORY,
 *          SL_NO_THREADS_LEFT.
 * Threads  a pool runs one parallel_for at a time; a second caller waits for its turn.  fn must not
 *          use the pool that runs it: it would wait for itself.  In a library built without threads
 *          (SL_NO_THREADS) every pool has one worker, the caller, and there is no waiting: two
 *          threads of the program must not use one pool at the same time. */
typedef struct sl_pool sl_pool;
SL_API sl_result sl_pool_create(int worker_count, const sl_allocator *allocator, sl_pool **out,
                                sl_error *error);
SL_API void sl_pool_destroy(sl_pool *pool); /* NULL is fine; no parallel_for may be running */

/* The pool as a hook; valid while the pool lives. */
SL_API const sl_tasks *sl_pool_tasks(const sl_pool *pool);

#endif
