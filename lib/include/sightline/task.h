/* task.h: how the library borrows threads.
 *
 * One hook: parallel_for.  An engine with a job system fills in sl_tasks itself; whoever has none
 * makes a pool.  NULL instead of an sl_tasks always means: the calling thread alone.
 * Nothing is spawned behind the caller's back, and no result depends on the number of workers. */
#ifndef SIGHTLINE_TASK_H
#define SIGHTLINE_TASK_H

#include <sightline/base.h>

/* Works on items begin .. end-1.  worker is in [0, worker_count), and no two calls run under one
 * number at a time. */
typedef void sl_range_fn(void *context, size_t begin, size_t end, int worker);

typedef struct sl_tasks {
    /* Calls fn for disjoint ranges that cover [0, count), each of about grain items (never more
     * than grain, at least 1), in any order and on any thread; returns when all are done.  grain 0
     * counts as 1.  The library never nests one call inside another. */
    void (*parallel_for)(void *user, size_t count, size_t grain, sl_range_fn *fn, void *context);
    void *user;
    int worker_count; /* >= 1, the caller included */
} sl_tasks;

/* A pool of worker_count - 1 threads; the thread that calls parallel_for is the last worker.
 * worker_count 0: one worker for each processor that is online.  1: no thread at all.
 * Fails    SL_INVALID_ARGUMENT below 0 or above 1024, SL_OUT_OF_MEMORY, SL_NO_THREADS_LEFT.
 * Threads  one parallel_for at a time for each pool; a second caller waits for its turn.  A block
 *          must not call its own pool: it would wait for itself.
 *          In a library built without threads (SL_NO_THREADS) every pool has one worker, the
 *          caller, and there is nothing for a second caller to wait with: he needs a pool of his
 *          own. */
typedef struct sl_pool sl_pool;
SL_API sl_result sl_pool_create(int worker_count, const sl_allocator *allocator, sl_pool **out,
                                sl_error *error);
SL_API void sl_pool_destroy(sl_pool *pool); /* NULL is fine; no parallel_for may be running */

/* The pool as a hook; valid while the pool lives. */
SL_API const sl_tasks *sl_pool_tasks(const sl_pool *pool);

#endif
