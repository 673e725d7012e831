/* thread/windows.c: thread.h through Windows threads; for the pool and for slices. */
#include "lib/base/thread/thread.h"

#if defined(_WIN32) && !defined(SL_NO_THREADS)

#include <limits.h>
#include <process.h>
#include <stdint.h>
#include <windows.h>

/* thread.h names these without <windows.h>. */
_Static_assert(sizeof(sli_mutex) == sizeof(SRWLOCK), "a lock is one pointer");
_Static_assert(sizeof(sli_condition) == sizeof(CONDITION_VARIABLE), "a condition is one pointer");

static unsigned __stdcall run_thread(void *context)
{
    sli_thread *thread = context;
    thread->run(thread->context);
    return 0;
}

bool sli_thread_start(sli_thread *thread, void *(*run)(void *), void *context)
{
    return sli_thread_start_sized(thread, 0, run, context);
}

/* A size is that of the address space: without the flag it would be what is committed at once. */
bool sli_thread_start_sized(sli_thread *thread, size_t stack_size, void *(*run)(void *),
                            void *context)
{
    *thread = (sli_thread){ .run = run, .context = context };
    thread->handle = (void *)_beginthreadex(NULL, (unsigned)stack_size, run_thread, thread,
                                            STACK_SIZE_PARAM_IS_A_RESERVATION, NULL);
    return thread->handle != NULL;
}

void sli_thread_join(sli_thread thread)
{
    WaitForSingleObject(thread.handle, INFINITE);
    CloseHandle(thread.handle);
}

uint64_t sli_clock_ns(void)
{
    LARGE_INTEGER now, rate;
    QueryPerformanceCounter(&now);
    QueryPerformanceFrequency(&rate);
    const uint64_t ticks = (uint64_t)now.QuadPart, second = (uint64_t)rate.QuadPart;
    return ticks / second * 1000000000u + ticks % second * 1000000000u / second;
}

int sli_processor_count(void)
{
    const DWORD active = GetActiveProcessorCount(ALL_PROCESSOR_GROUPS);
    return active < 1 ? 1 : active > INT_MAX ? INT_MAX : (int)active;
}

bool sli_mutex_init(sli_mutex *mutex)
{
    InitializeSRWLock((SRWLOCK *)mutex);
    return true;
}

void sli_mutex_destroy(sli_mutex *mutex)
{
    (void)mutex; /* holds nothing */
}

bool sli_condition_init(sli_condition *condition)
{
    InitializeConditionVariable((CONDITION_VARIABLE *)condition);
    return true;
}

void sli_condition_destroy(sli_condition *condition)
{
    (void)condition; /* holds nothing */
}

void sli_condition_wait(sli_condition *condition, sli_mutex *mutex)
{
    SleepConditionVariableSRW((CONDITION_VARIABLE *)condition, (SRWLOCK *)mutex, INFINITE, 0);
}

/* What takes one object and cannot fail. */
#define FORWARD(name, type, call, native)                                                          \
    void name(type *object)                                                                        \
    {                                                                                              \
        call((native *)object);                                                                    \
    }
FORWARD(sli_mutex_lock, sli_mutex, AcquireSRWLockExclusive, SRWLOCK)
FORWARD(sli_mutex_unlock, sli_mutex, ReleaseSRWLockExclusive, SRWLOCK)
FORWARD(sli_condition_signal, sli_condition, WakeConditionVariable, CONDITION_VARIABLE)
FORWARD(sli_condition_broadcast, sli_condition, WakeAllConditionVariable, CONDITION_VARIABLE)

#endif
