#include "test/faults/failing_malloc.h"

#include <errno.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>

static atomic_bool armed;
static atomic_size_t calls;
static atomic_long live;
static atomic_bool failed;
static size_t fail_at;
static bool fail_once;

void malloc_fails(size_t nth, bool once)
{
    fail_at = nth;
    fail_once = once;
    atomic_store(&calls, 0);
    atomic_store(&live, 0);
    atomic_store(&failed, false);
    atomic_store(&armed, true);
}

bool malloc_recovers(void)
{
    atomic_store(&armed, false);
    return atomic_load(&failed);
}

long malloc_live(void)
{
    return atomic_load(&live);
}

static bool refuses(void)
{
    if (!atomic_load(&armed)) {
        return false;
    }
    const size_t number = atomic_fetch_add(&calls, 1);
    if (fail_once ? number != fail_at : number < fail_at) {
        return false;
    }
    atomic_store(&failed, true);
    errno = ENOMEM;
    return true;
}

static void *count(void *block)
{
    if (block != NULL && atomic_load(&armed)) {
        atomic_fetch_add(&live, 1);
    }
    return block;
}

/* FAKE is what callers reach, REAL what it stands in front of. */
#ifdef FAULTS_WRAP
#define FAKE(name) __wrap_##name
#define REAL(name) __real_##name
#else
#define FAKE(name) name
#pragma GCC visibility push(default) /* for the other libraries */
#define REAL(name) __libc_##name
#endif

void *REAL(malloc)(size_t size);
void *REAL(calloc)(size_t count, size_t size);
void *REAL(realloc)(void *block, size_t size);
void REAL(free)(void *block);
void *FAKE(malloc)(size_t size);
void *FAKE(calloc)(size_t count, size_t size);
void *FAKE(realloc)(void *block, size_t size);
void FAKE(free)(void *block);
void *FAKE(aligned_alloc)(size_t align, size_t size);
int FAKE(posix_memalign)(void **block, size_t align, size_t size);

#ifdef FAULTS_WRAP
void *__real_aligned_alloc(size_t align, size_t size);
#define real_aligned __real_aligned_alloc
#else
void *__libc_memalign(size_t align, size_t size);
#define real_aligned __libc_memalign
#endif

void *FAKE(malloc)(size_t size)
{
    return refuses() ? NULL : count(REAL(malloc)(size));
}

void *FAKE(calloc)(size_t items, size_t size)
{
    return refuses() ? NULL : count(REAL(calloc)(items, size));
}

void *FAKE(realloc)(void *block, size_t size)
{
    if (refuses()) {
        return NULL;
    }
    return block == NULL ? count(REAL(realloc)(NULL, size)) : REAL(realloc)(block, size);
}

void FAKE(free)(void *block)
{
    if (block != NULL && atomic_load(&armed)) {
        atomic_fetch_sub(&live, 1);
    }
    REAL(free)(block);
}

void *FAKE(aligned_alloc)(size_t align, size_t size)
{
    return refuses() ? NULL : count(real_aligned(align, size));
}

int FAKE(posix_memalign)(void **block, size_t align, size_t size)
{
    const size_t whole = (size + align - 1) / align * align; /* which aligned_alloc asks for */
    void *got = refuses() ? NULL : count(real_aligned(align, whole));
    if (got == NULL) {
        return ENOMEM;
    }
    *block = got;
    return 0;
}
