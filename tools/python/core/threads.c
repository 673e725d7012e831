/* threads.c: pools of threads, kept from call to call. */
#include "tools/python/core/core.h"

#include <unistd.h>

/* A pool for each number of workers, made at its first use and never destroyed: a call of another
 * thread may run on it until the process ends.  Only a thread that holds the interpreter's lock
 * comes here; without such a lock (Py_GIL_DISABLED) there is one of our own.  A process that was
 * forked off has none of its parent's threads, so it forgets the pools and makes its own. */
enum { WORKERS_MAX = 1024 };
static sl_pool *pools[WORKERS_MAX + 1];
static pid_t owner;

#ifdef Py_GIL_DISABLED
static PyMutex mutex;
#define LOCK()   PyMutex_Lock(&mutex)
#define UNLOCK() PyMutex_Unlock(&mutex)
#else
#define LOCK()   ((void)0)
#define UNLOCK() ((void)0)
#endif

bool core_tasks(core_call *call, PyObject *given, const sl_tasks **out)
{
    long long workers;
    *out = NULL;
    if (!core_long(given, &workers)) {
        return false;
    }
    if (workers < 1 || workers > WORKERS_MAX) {
        return core_refuse(call, "%lld threads; there are 1 to %d", workers, WORKERS_MAX);
    }
    if (workers == 1) {
        return true;
    }
    sl_error error = { .code = SL_OK };
    LOCK();
    if (owner != getpid()) {
        owner = getpid();
        memset(pools, 0, sizeof pools);
    }
    const bool made = pools[workers] != NULL ||
                      sl_pool_create((int)workers, NULL, &pools[workers], &error) == SL_OK;
    *out = made ? sl_pool_tasks(pools[workers]) : NULL;
    UNLOCK();
    return made || core_raise(call, &error) != NULL;
}
