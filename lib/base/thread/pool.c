/* thread/pool.c: sl_pool: threads that wait for a range and take blocks of it from a shared
 * counter; for callers that have no job system. */
#include "lib/base/atomic.h"
#include "lib/base/error.h"
#include "lib/base/memory.h"
#include "lib/base/thread/thread.h"

/* A pool hands out one job at a time.  A job is open while blocks may be left: a thread that wakes
 * up then enters it and takes blocks by an atomic counter until none is left.  The caller takes
 * blocks too, then closes the job, and waits only for those threads that had entered: a thread
 * that wakes up late finds it closed and goes back to sleep. */

enum { MAX_WORKERS = 1024 };

typedef struct job {
    size_t next_block; /* atomic */
    size_t block_count;
    size_t count;
    size_t grain;
    sl_range_fn *fn;
    void *context;
} job;

typedef struct helper {
    struct sl_pool *pool;
    int worker; /* 1 .. worker_count - 1; the caller of parallel_for is 0 */
    sli_thread thread;
} helper;

struct sl_pool {
    sl_tasks tasks;
    sl_allocator allocator;
    helper *helpers;
    int helper_count;
    int started;            /* helpers that have a thread */
    sli_mutex callers;      /* held by the caller whose turn it is */
    sli_mutex mutex;        /* guards everything below, but for job.next_block */
    sli_condition opened;   /* a job was opened, or the pool is closing */
    sli_condition finished; /* the last helper has left the job */
    uint64_t round;         /* how many jobs were opened */
    bool open;
    bool closing;
    int inside; /* helpers at work on the job */
    job job;
};

static void take_blocks(job *work, int worker)
{
    for (;;) {
        const size_t block = sli_atomic_fetch_add_size(&work->next_block, 1);
        if (block >= work->block_count) {
            return;
        }
        const size_t begin = block * work->grain;
        const size_t left = work->count - begin;
        work->fn(work->context, begin, begin + (left < work->grain ? left : work->grain), worker);
    }
}

static void *run_helper(void *context)
{
    helper *self = context;
    sl_pool *pool = self->pool;
    uint64_t seen = 0;
    sli_mutex_lock(&pool->mutex);
    for (;;) {
        while (!pool->closing && (!pool->open || pool->round == seen)) {
            sli_condition_wait(&pool->opened, &pool->mutex);
        }
        if (pool->closing) {
            break;
        }
        seen = pool->round;
        pool->inside++;
        sli_mutex_unlock(&pool->mutex);
        take_blocks(&pool->job, self->worker);
        sli_mutex_lock(&pool->mutex);
        if (--pool->inside == 0) {
            sli_condition_signal(&pool->finished);
        }
    }
    sli_mutex_unlock(&pool->mutex);
    return NULL;
}

static void pool_parallel_for(void *user, size_t count, size_t grain, sl_range_fn *fn,
                              void *context)
{
    sl_pool *pool = user;
    if (count == 0) {
        return;
    }
    if (grain == 0) {
        grain = 1;
    }
    sli_mutex_lock(&pool->callers);

    sli_mutex_lock(&pool->mutex);
    pool->job = (job){ .block_count = count / grain + (count % grain != 0),
                       .count = count,
                       .grain = grain,
                       .fn = fn,
                       .context = context };
    pool->open = true;
    pool->round++;
    sli_condition_broadcast(&pool->opened);
    sli_mutex_unlock(&pool->mutex);

    take_blocks(&pool->job, 0);

    sli_mutex_lock(&pool->mutex);
    pool->open = false;
    while (pool->inside > 0) {
        sli_condition_wait(&pool->finished, &pool->mutex);
    }
    sli_mutex_unlock(&pool->mutex);

    sli_mutex_unlock(&pool->callers);
}

/* All four, or none. */
static bool init_locks(sl_pool *pool)
{
    if (!sli_mutex_init(&pool->callers)) {
        return false;
    }
    if (!sli_mutex_init(&pool->mutex)) {
        goto no_mutex;
    }
    if (!sli_condition_init(&pool->opened)) {
        goto no_opened;
    }
    if (sli_condition_init(&pool->finished)) {
        return true;
    }
    sli_condition_destroy(&pool->opened);
no_opened:
    sli_mutex_destroy(&pool->mutex);
no_mutex:
    sli_mutex_destroy(&pool->callers);
    return false;
}

static void destroy_locks(sl_pool *pool)
{
    sli_condition_destroy(&pool->finished);
    sli_condition_destroy(&pool->opened);
    sli_mutex_destroy(&pool->mutex);
    sli_mutex_destroy(&pool->callers);
}

static void free_pool(sl_pool *pool)
{
    const sl_allocator allocator = pool->allocator;
    sli_free_array(&allocator, pool->helpers, (size_t)pool->helper_count, sizeof(helper));
    sli_free(&allocator, pool, sizeof *pool);
}

static bool start_helpers(sl_pool *pool)
{
    for (int i = 0; i < pool->helper_count; i++) {
        pool->helpers[i] = (helper){ .pool = pool, .worker = i + 1 };
        if (!sli_thread_start(&pool->helpers[i].thread, run_helper, &pool->helpers[i])) {
            return false;
        }
        pool->started++;
    }
    return true;
}

sl_result sl_pool_create(int worker_count, const sl_allocator *allocator_hook, sl_pool **out,
                         sl_error *error)
{
    if (out == NULL) {
        return sli_refuse(error, "sl_pool_create: out is NULL");
    }
    if (worker_count < 0 || worker_count > MAX_WORKERS) {
        return sli_refuse(error, "%d workers; a pool has 1 to %d, or 0 for one per processor",
                          worker_count, MAX_WORKERS);
    }
    SLI_TRY(sli_check_allocator(allocator_hook, error));
    if (!SLI_HAVE_THREADS) {
        worker_count = 1;
    } else if (worker_count == 0) {
        const int processors = sli_processor_count();
        worker_count = processors < MAX_WORKERS ? processors : MAX_WORKERS;
    }

    const sl_allocator allocator = sli_allocator(allocator_hook);
    sl_pool *pool = sli_alloc(&allocator, sizeof *pool, _Alignof(sl_pool));
    SLI_TRY(sli_had_memory(error, pool != NULL));
    *pool = (sl_pool){ .allocator = allocator, .helper_count = worker_count - 1 };
    pool->tasks =
        (sl_tasks){ .parallel_for = pool_parallel_for, .user = pool, .worker_count = worker_count };
    pool->helpers = sli_alloc_array(&allocator, (size_t)pool->helper_count, sizeof(helper));
    if (pool->helpers == NULL || !init_locks(pool)) {
        free_pool(pool);
        return sli_fail_memory(error);
    }
    if (!start_helpers(pool)) {
        const int started = pool->started;
        sl_pool_destroy(pool);
        return sli_fail_plain(error, SL_NO_THREADS_LEFT,
                              "the system gave only %d of the %d threads a pool of %d needs",
                              started, worker_count - 1, worker_count);
    }
    *out = pool;
    return SL_OK;
}

void sl_pool_destroy(sl_pool *pool)
{
    if (pool == NULL) {
        return;
    }
    sli_mutex_lock(&pool->mutex);
    pool->closing = true;
    sli_condition_broadcast(&pool->opened);
    sli_mutex_unlock(&pool->mutex);
    for (int i = 0; i < pool->started; i++) {
        sli_thread_join(pool->helpers[i].thread);
    }
    destroy_locks(pool);
    free_pool(pool);
}

const sl_tasks *sl_pool_tasks(const sl_pool *pool)
{
    return pool != NULL ? &pool->tasks : NULL;
}
