/* The pool: every item once, one worker number at a time, callers take turns, and a thread that
 * cannot be made is survived.  Linked with --wrap=sli_thread_start. */
#include "lib/base/thread/task.h"
#include "lib/base/thread/thread.h"
#include "test/support/test.h"

static int threads_left = -1; /* how many more may be made; -1: any number */

bool __real_sli_thread_start(sli_thread *thread, void *(*run)(void *), void *context);
bool __wrap_sli_thread_start(sli_thread *thread, void *(*run)(void *), void *context);
bool __wrap_sli_thread_start(sli_thread *thread, void *(*run)(void *), void *context)
{
    if (threads_left == 0) {
        return false;
    }
    threads_left -= threads_left > 0;
    return __real_sli_thread_start(thread, run, context);
}

enum { MOST_ITEMS = 20000, MOST_WORKERS = 16 };

typedef struct record {
    uint8_t times[MOST_ITEMS]; /* how often each item was done */
    int busy[MOST_WORKERS];    /* blocks under way under each number; must never be 2 */
    size_t grain;
    int worker_count;
    int faults;
} record;

static void record_range(void *context, size_t begin, size_t end, int worker)
{
    record *all = context;
    if (worker < 0 || worker >= all->worker_count || begin >= end || end - begin > all->grain) {
        __atomic_add_fetch(&all->faults, 1, __ATOMIC_RELAXED);
        return;
    }
    if (__atomic_add_fetch(&all->busy[worker], 1, __ATOMIC_SEQ_CST) != 1) {
        __atomic_add_fetch(&all->faults, 1, __ATOMIC_RELAXED);
    }
    for (size_t i = begin; i < end; i++) {
        all->times[i]++;
    }
    __atomic_sub_fetch(&all->busy[worker], 1, __ATOMIC_SEQ_CST);
}

static void check_every_item_once(const record *all, size_t count)
{
    assert_int_equal(all->faults, 0);
    for (size_t i = 0; i < MOST_ITEMS; i++) {
        assert_int_equal(all->times[i], i < count);
    }
}

TEST(every_item_is_done_once)
{
    static const size_t counts[] = { 1, 2, 7, 64, 1000, 1001, MOST_ITEMS };
    static const size_t grains[] = { 1, 2, 7, 1000, SIZE_MAX };
    static record all;
    for (int workers = 1; workers <= 5; workers++) {
        OWN(sl_pool) pool = made_pool(workers);
        const sl_tasks *tasks = sl_pool_tasks(pool);
        assert_int_equal(tasks->worker_count, workers);
        for (size_t c = 0; c < sizeof counts / sizeof counts[0]; c++) {
            for (size_t g = 0; g < sizeof grains / sizeof grains[0]; g++) {
                memset(&all, 0, sizeof all);
                all.grain = grains[g];
                all.worker_count = workers;
                tasks->parallel_for(tasks->user, counts[c], grains[g], record_range, &all);
                check_every_item_once(&all, counts[c]);
            }
        }
    }
}

TEST(a_grain_of_zero_counts_as_one)
{
    static record all;
    OWN(sl_pool) pool = made_pool(3);
    const sl_tasks *tasks = sl_pool_tasks(pool);
    all.grain = 1;
    all.worker_count = 3;
    tasks->parallel_for(tasks->user, 100, 0, record_range, &all);
    check_every_item_once(&all, 100);
}

TEST(no_items_call_nobody)
{
    static record all;
    OWN(sl_pool) pool = made_pool(2);
    sl_pool_tasks(pool)->parallel_for(sl_pool_tasks(pool)->user, 0, 1, record_range, &all);
    sli_parallel_for(sl_pool_tasks(pool), 0, 1, record_range, &all);
    sli_parallel_for(NULL, 0, 1, record_range, &all);
    check_every_item_once(&all, 0);
}

/* Waits until a second thread has come, so it ends only if two threads really work at once. */
static void meet(void *context, size_t begin, size_t end, int worker)
{
    (void)begin;
    (void)end;
    (void)worker;
    int *arrived = context;
    __atomic_add_fetch(arrived, 1, __ATOMIC_SEQ_CST);
    while (__atomic_load_n(arrived, __ATOMIC_SEQ_CST) < 2) {
    }
}

TEST(blocks_run_at_the_same_time)
{
    int arrived = 0;
    OWN(sl_pool) pool = made_pool(2);
    sli_parallel_for(sl_pool_tasks(pool), 2, 1, meet, &arrived);
    assert_int_equal(arrived, 2);
}

typedef struct caller {
    const sl_tasks *tasks;
    int faults;
} caller;

static void count_items(void *context, size_t begin, size_t end, int worker)
{
    (void)worker;
    __atomic_add_fetch((int *)context, (int)(end - begin), __ATOMIC_SEQ_CST);
}

static void *call_many_times(void *context)
{
    caller *self = context;
    for (int i = 0; i < 500; i++) {
        int done = 0;
        self->tasks->parallel_for(self->tasks->user, 50, 3, count_items, &done);
        self->faults += done != 50;
    }
    return NULL;
}

TEST(callers_take_turns)
{
    enum { CALLERS = 4 };
    OWN(sl_pool) pool = made_pool(3);
    caller callers[CALLERS];
    sli_thread threads[CALLERS];
    for (int i = 0; i < CALLERS; i++) {
        callers[i] = (caller){ .tasks = sl_pool_tasks(pool) };
        assert_true(sli_thread_start(&threads[i], call_many_times, &callers[i]));
    }
    for (int i = 0; i < CALLERS; i++) {
        sli_thread_join(threads[i]);
        assert_int_equal(callers[i].faults, 0);
    }
}

TEST(a_pool_of_one_needs_no_thread)
{
    static record all;
    threads_left = 0;
    OWN(sl_pool) pool = made_pool(1);
    threads_left = -1;
    all.grain = 10;
    all.worker_count = 1;
    sli_parallel_for(sl_pool_tasks(pool), 1234, 10, record_range, &all);
    check_every_item_once(&all, 1234);
}

TEST(zero_means_one_worker_for_each_processor)
{
    OWN(sl_pool) pool = made_pool(0);
    assert_int_equal(sl_pool_tasks(pool)->worker_count, sli_processor_count());
}

TEST(unusable_counts_are_refused)
{
    sl_pool *pool = NULL;
    sl_error error;
    assert_int_equal(sl_pool_create(-1, NULL, &pool, &error), SL_INVALID_ARGUMENT);
    assert_non_null(strstr(error.message, "-1 workers"));
    assert_int_equal(sl_pool_create(1025, NULL, &pool, NULL), SL_INVALID_ARGUMENT);
    assert_int_equal(sl_pool_create(2, NULL, NULL, NULL), SL_INVALID_ARGUMENT);
    assert_null(pool);
    sl_pool_destroy(NULL);
    assert_null(sl_pool_tasks(NULL));
}

TEST(a_thread_that_cannot_be_made_is_survived)
{
    for (int given = 0; given < 4; given++) {
        sli_failing_allocator memory;
        sl_pool *pool = NULL;
        sl_error error;
        const sl_allocator hook = sli_failing_allocator_start(&memory, SLI_NEVER_FAIL);
        threads_left = given;
        assert_int_equal(sl_pool_create(5, &hook, &pool, &error), SL_NO_THREADS_LEFT);
        threads_left = -1;
        assert_null(pool);
        assert_int_equal(error.code, SL_NO_THREADS_LEFT);
        assert_non_null(strstr(error.message, "of the 4 threads"));
        assert_true(sli_failing_allocator_clean(&memory));
    }
}

TEST(memory_that_cannot_be_had_is_survived)
{
    sl_allocator hook;
    sli_failing_allocator memory = TEST_NO_FAILURE_YET;
    while (test_next_failure(&memory, &hook)) {
        OWN(sl_pool) pool = NULL;
        const sl_result result = sl_pool_create(3, &hook, &pool, NULL);
        assert_int_equal(result, memory.failed ? SL_OUT_OF_MEMORY : SL_OK);
        assert_true((pool == NULL) == memory.failed);
    }
    assert_int_equal(memory.allocations, 2); /* the pool and its helpers: two blocks */
}

TEST(without_tasks_the_caller_does_it_all)
{
    static record all;
    all.grain = 7;
    all.worker_count = 1;
    sli_parallel_for(NULL, 1000, 7, record_range, &all);
    check_every_item_once(&all, 1000);
    assert_int_equal(sli_worker_count(NULL), 1);
}

static void must_not_run(void *user, size_t count, size_t grain, sl_range_fn *fn, void *context)
{
    (void)user;
    (void)count;
    (void)grain;
    (void)fn;
    (void)context;
    fail();
}

/* No function, and no worker or fewer: as without tasks where a query asks, which cannot fail. */
TEST(unusable_tasks_are_as_none)
{
    static const sl_tasks unusable[] = {
        { .parallel_for = NULL, .worker_count = 4 },
        { .parallel_for = must_not_run, .worker_count = 0 },
        { .parallel_for = must_not_run, .worker_count = -1 },
    };
    assert_true(sli_tasks_are_usable(NULL));
    for (size_t i = 0; i < sizeof unusable / sizeof unusable[0]; i++) {
        static record all;
        all = (record){ .grain = 7, .worker_count = 1 };
        assert_false(sli_tasks_are_usable(&unusable[i]));
        assert_int_equal(sli_worker_count(&unusable[i]), 1);
        sli_parallel_for(&unusable[i], 1000, 7, record_range, &all);
        check_every_item_once(&all, 1000);
    }
}
