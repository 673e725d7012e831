/* thread/posix.c: thread.h through POSIX threads; for the pool and for slices. */
#include "lib/base/thread/thread.h"

#if !defined(SL_NO_THREADS) && !defined(_WIN32)

#include <limits.h>
#include <signal.h>
#include <stddef.h>
#include <time.h>
#include <unistd.h>

/* Signals that a thread raises by its own doing must reach it; all others are the host's. */
static void signals_of_the_host(sigset_t *set)
{
    static const int own[] = { SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP, SIGABRT, SIGPROF };
    sigfillset(set);
    for (size_t i = 0; i < sizeof own / sizeof own[0]; i++) {
        sigdelset(set, own[i]);
    }
}

static bool posix_start(sli_thread *thread, const pthread_attr_t *how, void *(*run)(void *),
                        void *context)
{
    /* A new thread inherits the mask of its maker. */
    sigset_t blocked, before;
    signals_of_the_host(&blocked);
    pthread_sigmask(SIG_BLOCK, &blocked, &before);
    const int failure = pthread_create(thread, how, run, context);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return failure == 0;
}

bool sli_thread_start(sli_thread *thread, void *(*run)(void *), void *context)
{
    return posix_start(thread, NULL, run, context);
}

bool sli_thread_start_sized(sli_thread *thread, size_t stack_size, void *(*run)(void *),
                            void *context)
{
    pthread_attr_t how;
    size_t usual = 0;
    if (pthread_attr_init(&how) != 0) {
        return false;
    }
    (void)pthread_attr_getstacksize(&how, &usual);
    const bool enough = usual >= stack_size || pthread_attr_setstacksize(&how, stack_size) == 0;
    const bool started = enough && posix_start(thread, &how, run, context);
    pthread_attr_destroy(&how);
    return started;
}

void sli_thread_join(sli_thread thread)
{
    pthread_join(thread, NULL);
}

uint64_t sli_clock_ns(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

int sli_processor_count(void)
{
    const long online = sysconf(_SC_NPROCESSORS_ONLN);
    return online < 1 ? 1 : online > INT_MAX ? INT_MAX : (int)online;
}

bool sli_mutex_init(sli_mutex *mutex)
{
    return pthread_mutex_init(mutex, NULL) == 0;
}

bool sli_condition_init(sli_condition *condition)
{
    return pthread_cond_init(condition, NULL) == 0;
}

void sli_condition_wait(sli_condition *condition, sli_mutex *mutex)
{
    pthread_cond_wait(condition, mutex);
}

/* What takes one object and cannot fail. */
#define FORWARD(name, type, call)                                                                  \
    void name(type *object)                                                                        \
    {                                                                                              \
        (void)call(object);                                                                        \
    }
FORWARD(sli_mutex_destroy, sli_mutex, pthread_mutex_destroy)
FORWARD(sli_mutex_lock, sli_mutex, pthread_mutex_lock)
FORWARD(sli_mutex_unlock, sli_mutex, pthread_mutex_unlock)
FORWARD(sli_condition_destroy, sli_condition, pthread_cond_destroy)
FORWARD(sli_condition_signal, sli_condition, pthread_cond_signal)
FORWARD(sli_condition_broadcast, sli_condition, pthread_cond_broadcast)

#endif
