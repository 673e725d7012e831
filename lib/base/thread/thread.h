/* thread.h: threads, mutexes and conditions: POSIX, Windows, or none (SL_NO_THREADS). */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#if defined(SL_NO_THREADS)
enum { SLI_HAVE_THREADS = 0 };
typedef int sli_thread;
typedef int sli_mutex;
typedef int sli_condition;
#elif defined(_WIN32)
enum { SLI_HAVE_THREADS = 1 };
typedef struct sli_thread {
    void *handle;
    void *(*run)(void *);
    void *context;
} sli_thread;
typedef struct sli_mutex {
    void *lock;
} sli_mutex;
typedef struct sli_condition {
    void *variable;
} sli_condition;
#else
#include <pthread.h>
enum { SLI_HAVE_THREADS = 1 };
typedef pthread_t sli_thread;
typedef pthread_mutex_t sli_mutex;
typedef pthread_cond_t sli_condition;
#endif

/* False when no thread could be made.  *thread stays where it is until it is joined.  Signals that
 * are sent to the process are left to the host's own threads. */
bool sli_thread_start(sli_thread *thread, void *(*run)(void *), void *context);
/* The same with a stack of that many bytes at least, and no less than the system's default: C
 * libraries put the thread-local variables of the host into it too, however many there are. */
bool sli_thread_start_sized(sli_thread *thread, size_t stack_size, void *(*run)(void *),
                            void *context);
void sli_thread_join(sli_thread thread);

/* Nanoseconds on a clock that never goes back; 0 always where there are no threads. */
uint64_t sli_clock_ns(void);

/* How many processors are online; at least 1. */
int sli_processor_count(void);

bool sli_mutex_init(sli_mutex *mutex);
void sli_mutex_destroy(sli_mutex *mutex);
void sli_mutex_lock(sli_mutex *mutex);
void sli_mutex_unlock(sli_mutex *mutex);

bool sli_condition_init(sli_condition *condition);
void sli_condition_destroy(sli_condition *condition);
void sli_condition_wait(sli_condition *condition, sli_mutex *mutex);
void sli_condition_signal(sli_condition *condition);
void sli_condition_broadcast(sli_condition *condition);
