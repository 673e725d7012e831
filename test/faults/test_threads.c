/* Every thread, mutex and condition that a pool or a build in slices needs, refused by the system:
 * the n-th, for every n, once and with all that follow it.  Linked with --wrap for the three
 * calls. */
#include "test/support/test.h"

#include <dirent.h>
#include <errno.h>
#include <pthread.h>
#include <time.h>

enum { MOST_WORKERS = 33 };

static int calls, fail_call;
static bool fail_on;
static size_t injections;

static int fails(void)
{
    calls++;
    return fail_call > 0 && (calls == fail_call || (fail_on && calls > fail_call)) ? EAGAIN : 0;
}

#define WRAP(name, parameters, arguments)                                                          \
    int __real_##name parameters;                                                                  \
    int __wrap_##name parameters;                                                                  \
    int __wrap_##name parameters                                                                   \
    {                                                                                              \
        const int failure = fails();                                                               \
        return failure != 0 ? failure : __real_##name arguments;                                   \
    }
WRAP(pthread_create,
     (pthread_t * thread, const pthread_attr_t *how, void *(*run)(void *), void *context),
     (thread, how, run, context))
WRAP(pthread_mutex_init, (pthread_mutex_t * mutex, const pthread_mutexattr_t *how), (mutex, how))
WRAP(pthread_cond_init, (pthread_cond_t * condition, const pthread_condattr_t *how),
     (condition, how))

/* Threads of this process; 1 where the system does not tell. */
static int thread_count(void)
{
    DIR *all = opendir("/proc/self/task");
    int count = 0;
    while (all != NULL && readdir(all) != NULL) {
        count++;
    }
    if (all != NULL) {
        closedir(all);
    }
    return count > 2 ? count - 2 : 1; /* without . and .. */
}

/* The same once it is no more than most, or after ten seconds: the system lists a thread that was
 * waited for until it has put it away. */
static int thread_count_soon(int most)
{
    const struct timespec pause = { .tv_nsec = 1000000 };
    int count = thread_count();
    for (int tries = 0; count > most && tries < 10000; tries++) {
        nanosleep(&pause, NULL);
        count = thread_count();
    }
    return count;
}

static void count_items(void *context, size_t begin, size_t end, int worker)
{
    (void)worker;
    __atomic_add_fetch((size_t *)context, end - begin, __ATOMIC_SEQ_CST);
}

/* Makes a pool with call failing; false where that call was never made. */
static bool make_with_failure(int workers, int call, bool on)
{
    sli_failing_allocator memory;
    const sl_allocator hook = sli_failing_allocator_start(&memory, SLI_NEVER_FAIL);
    sl_pool *pool = NULL;
    sl_error error = { .code = SL_OK };
    calls = 0;
    fail_call = call;
    fail_on = on;
    const sl_result result = sl_pool_create(workers, &hook, &pool, &error);
    const bool reached = calls >= call;
    fail_call = 0;
    if (result == SL_OK) {
        size_t done = 0;
        assert_false(reached);
        sl_pool_tasks(pool)->parallel_for(sl_pool_tasks(pool)->user, 100, 7, count_items, &done);
        assert_int_equal(done, 100);
        sl_pool_destroy(pool);
    } else {
        assert_true(reached);
        assert_int_equal(result, call <= 4 ? SL_OUT_OF_MEMORY : SL_NO_THREADS_LEFT);
        assert_int_equal(error.code, result);
        assert_true(error.message[0] != '\0');
        assert_null(pool);
    }
    assert_true(sli_failing_allocator_clean(&memory));
    injections += reached;
    return reached;
}

TEST(whatever_a_pool_is_refused_it_leaves_nothing)
{
    make_with_failure(4, 1000,
                      false); /* sanitizers may start a thread of their own with the first */
    const int before = thread_count();
    for (int workers = 1; workers <= MOST_WORKERS; workers += workers < 9 ? 1 : 8) {
        for (int on = 0; on < 2; on++) {
            int call = 1;
            while (make_with_failure(workers, call, on != 0)) {
                call++;
            }
            assert_int_equal(call - 1, 4 + workers - 1); /* 2 mutexes, 2 conditions, threads */
        }
    }
    assert_true(thread_count_soon(before) <= before); /* less: one that had ended was listed */
    print_message("%zu threads and locks refused\n", injections);
    assert_true(injections > 300);
}

/* False where that call was never made. */
static bool begin_with_failure(const sl_mesh *mesh, int call, bool on)
{
    sli_failing_allocator memory;
    sl_build_def def = { .hooks.allocator = sli_failing_allocator_start(&memory, SLI_NEVER_FAIL) };
    sl_build *build = NULL;
    sl_bvh *bvh = NULL;
    sl_error error = { .code = SL_OK };
    calls = 0;
    fail_call = call;
    fail_on = on;
    const sl_result result = sl_build_begin(mesh, &def, &build, &error);
    const bool reached = calls >= call;
    fail_call = 0;
    assert_int_equal(result, reached ? SL_NO_THREADS_LEFT : SL_OK);
    if (result == SL_OK) {
        assert_int_equal(sl_build_end(build, &bvh, NULL), SL_OK);
    } else {
        assert_null(build);
        assert_int_equal(error.code, result);
        assert_true(error.message[0] != '\0');
    }
    sl_build_destroy(build);
    sl_bvh_destroy(bvh);
    assert_true(sli_failing_allocator_clean(&memory));
    injections += reached;
    return reached;
}

TEST(whatever_a_build_is_refused_it_leaves_nothing)
{
    OWN(sl_mesh) mesh = made_soup(100, 0.3f, 3);
    begin_with_failure(mesh, 1000, false);
    const int before = thread_count();
    for (int on = 0; on < 2; on++) {
        int call = 1;
        while (begin_with_failure(mesh, call, on != 0)) {
            call++;
        }
        assert_int_equal(call - 1, 3); /* a mutex, a condition, a thread */
    }
    assert_true(thread_count_soon(before) <= before); /* less: one that had ended was listed */
}
