#include "test/support/environment/no_memory.h"

#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>
#include <sys/mman.h>

static atomic_bool none;
static atomic_size_t calls;

void no_memory_begin(void)
{
    atomic_store(&calls, 0);
    atomic_store(&none, true);
}

size_t no_memory_end(void)
{
    atomic_store(&none, false);
    return atomic_load(&calls);
}

static bool refuses(void)
{
    if (!atomic_load(&none)) {
        return false;
    }
    atomic_fetch_add(&calls, 1);
    return true;
}

void *__real_malloc(size_t size);
void *__wrap_malloc(size_t size);
void *__wrap_malloc(size_t size)
{
    return refuses() ? NULL : __real_malloc(size);
}

void *__real_calloc(size_t count, size_t size);
void *__wrap_calloc(size_t count, size_t size);
void *__wrap_calloc(size_t count, size_t size)
{
    return refuses() ? NULL : __real_calloc(count, size);
}

void *__real_realloc(void *memory, size_t size);
void *__wrap_realloc(void *memory, size_t size);
void *__wrap_realloc(void *memory, size_t size)
{
    return refuses() ? NULL : __real_realloc(memory, size);
}

void *__real_aligned_alloc(size_t align, size_t size);
void *__wrap_aligned_alloc(size_t align, size_t size);
void *__wrap_aligned_alloc(size_t align, size_t size)
{
    return refuses() ? NULL : __real_aligned_alloc(align, size);
}

int __real_posix_memalign(void **memory, size_t align, size_t size);
int __wrap_posix_memalign(void **memory, size_t align, size_t size);
int __wrap_posix_memalign(void **memory, size_t align, size_t size)
{
    return refuses() ? -1 : __real_posix_memalign(memory, align, size);
}

void *__real_mmap(void *at, size_t size, int access, int flags, int file, off_t offset);
void *__wrap_mmap(void *at, size_t size, int access, int flags, int file, off_t offset);
void *__wrap_mmap(void *at, size_t size, int access, int flags, int file, off_t offset)
{
    return refuses() ? MAP_FAILED : __real_mmap(at, size, access, flags, file, offset);
}

void __real_qsort(void *items, size_t count, size_t size, int (*order)(const void *, const void *));
void __wrap_qsort(void *items, size_t count, size_t size, int (*order)(const void *, const void *));
void __wrap_qsort(void *items, size_t count, size_t size, int (*order)(const void *, const void *))
{
    (void)refuses();
    __real_qsort(items, count, size, order);
}
