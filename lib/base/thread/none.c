/* thread/none.c: thread.h without threads: there is nothing to start, to lock or to wait
 * for. */
#include "lib/base/thread/thread.h"

#if defined(SL_NO_THREADS)

bool sli_thread_start(sli_thread *thread, void *(*run)(void *), void *context)
{
    (void)thread, (void)run, (void)context;
    return false;
}

bool sli_thread_start_sized(sli_thread *thread, size_t stack_size, void *(*run)(void *),
                            void *context)
{
    (void)stack_size;
    return sli_thread_start(thread, run, context);
}

void sli_thread_join(sli_thread thread)
{
    (void)thread;
}

uint64_t sli_clock_ns(void)
{
    return 0;
}

int sli_processor_count(void)
{
    return 1;
}

bool sli_mutex_init(sli_mutex *mutex)
{
    *mutex = 0;
    return true;
}

bool sli_condition_init(sli_condition *condition)
{
    *condition = 0;
    return true;
}

void sli_condition_wait(sli_condition *condition, sli_mutex *mutex)
{
    (void)condition, (void)mutex;
}

#define NOTHING_TO_DO(name, type)                                                                  \
    void name(type *object)                                                                        \
    {                                                                                              \
        (void)object;                                                                              \
    }
NOTHING_TO_DO(sli_mutex_destroy, sli_mutex)
NOTHING_TO_DO(sli_mutex_lock, sli_mutex)
NOTHING_TO_DO(sli_mutex_unlock, sli_mutex)
NOTHING_TO_DO(sli_condition_destroy, sli_condition)
NOTHING_TO_DO(sli_condition_signal, sli_condition)
NOTHING_TO_DO(sli_condition_broadcast, sli_condition)

#endif
