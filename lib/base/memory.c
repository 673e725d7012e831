/* memory.c: allocates for everything in the library, from the caller's allocator or from malloc,
 * and in huge pages where large arrays are read all over. */
#include "lib/base/memory.h"

#include "lib/base/error.h"

#include <stdlib.h>
#include <string.h>

#if defined(__linux__)
#include <sys/mman.h>
#include <unistd.h>
#elif defined(_WIN32)
#include <malloc.h>
#endif

enum { ARRAY_ALIGN = 16, LINE = 64, HUGE_PAGE = 2 * 1024 * 1024, LEAST_LARGE = 2 * HUGE_PAGE };

static void *malloc_aligned(void *user, size_t size, size_t align)
{
    (void)user;
#if defined(_WIN32)
    return _aligned_malloc(size, align); /* has a free of its own, whatever the alignment */
#else
    if (align <= sizeof(void *) * 2) {
        return malloc(size);
    }
    const size_t rounded = (size + align - 1) / align * align;
    return rounded < size ? NULL : aligned_alloc(align, rounded);
#endif
}

/* Only whole huge pages are asked for: the rest of the last one might stay unused.  That the system
 * has none, or refuses, is no failure. */
static void *malloc_large(size_t size)
{
#if defined(MADV_HUGEPAGE)
    void *memory = NULL;
    if (posix_memalign(&memory, HUGE_PAGE, size) != 0) {
        return NULL;
    }
    (void)madvise(memory, size / HUGE_PAGE * HUGE_PAGE, MADV_HUGEPAGE);
    return memory;
#else
    return malloc_aligned(NULL, size, LINE);
#endif
}

static void free_malloced(void *user, void *memory, size_t size)
{
    (void)user, (void)size;
#if defined(_WIN32)
    _aligned_free(memory);
#else
    free(memory);
#endif
}

sl_result sli_check_allocator(const sl_allocator *allocator, sl_error *error)
{
    if (allocator == NULL || (allocator->alloc == NULL) == (allocator->free == NULL)) {
        return SL_OK;
    }
    return sli_refuse(error,
                      "the allocator has no %s; it has alloc and free, or neither for malloc",
                      allocator->alloc == NULL ? "alloc" : "free");
}

sl_allocator sli_allocator(const sl_allocator *hook)
{
    if (hook != NULL && hook->alloc != NULL && hook->free != NULL) {
        return *hook;
    }
    return (sl_allocator){ .alloc = malloc_aligned, .free = free_malloced };
}

bool sli_is_malloc(const sl_allocator *allocator)
{
    return allocator->alloc == malloc_aligned;
}

size_t sli_drop_pages(void *memory, size_t from, size_t size)
{
#if defined(MADV_DONTNEED) && defined(__linux__)
    /* Up to the next huge page: to give back a part of one, the system would have to cut it.  Whole
     * pages only: madvise rounds a length up, over whatever follows. */
    const uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE);
    const uintptr_t first = ((uintptr_t)memory + from + page - 1) / page * page;
    const uintptr_t next = (first / HUGE_PAGE + 1) * HUGE_PAGE - (uintptr_t)memory;
    const size_t to = next < size ? (size_t)next : size;
    const uintptr_t end = ((uintptr_t)memory + to) / page * page;
    if (end > first) {
        (void)madvise((char *)memory + (first - (uintptr_t)memory), end - first, MADV_DONTNEED);
    }
    return to;
#else
    (void)memory, (void)from;
    return size;
#endif
}

void *sli_alloc(const sl_allocator *allocator, size_t size, size_t align)
{
    return allocator->alloc(allocator->user, size > 0 ? size : 1, align);
}

void sli_free(const sl_allocator *allocator, void *memory, size_t size)
{
    if (memory != NULL) {
        allocator->free(allocator->user, memory, size > 0 ? size : 1);
    }
}

void *sli_alloc_array(const sl_allocator *allocator, size_t count, size_t size)
{
    if (size != 0 && count > SIZE_MAX / size) {
        return NULL;
    }
    return sli_alloc(allocator, count * size, ARRAY_ALIGN);
}

void sli_free_array(const sl_allocator *allocator, void *memory, size_t count, size_t size)
{
    sli_free(allocator, memory, count * size);
}

static void *front_alloc(void *user, size_t size, size_t align)
{
    sli_front *front = user;
    return front->alloc(front, size, align);
}

static void front_free(void *user, void *memory, size_t size)
{
    sli_front *front = user;
    front->free(front, memory, size);
}

sl_allocator sli_front_start(sli_front *front)
{
    return (sl_allocator){ front_alloc, front_free, front };
}

sli_front *sli_front_of(const sl_allocator *allocator)
{
    return allocator->alloc == front_alloc ? allocator->user : NULL;
}

void *sli_front_behind(const sli_front *front, size_t size, size_t align)
{
    return align == SLI_LARGE ? sli_alloc_large(&front->from, 1, size)
                              : sli_alloc(&front->from, size, align);
}

void *sli_alloc_large(const sl_allocator *allocator, size_t count, size_t size)
{
    if (size != 0 && count > SIZE_MAX / size) {
        return NULL;
    }
    sli_front *front = sli_front_of(allocator);
    if (front != NULL) {
        return front->alloc(front, count * size > 0 ? count * size : 1, SLI_LARGE);
    }
    if (sli_is_malloc(allocator) && count * size >= LEAST_LARGE) {
        return malloc_large(count * size);
    }
    return sli_alloc(allocator, count * size, LINE);
}

bool sli_grow_array(const sl_allocator *allocator, void *items, size_t *capacity, size_t needed,
                    size_t size)
{
    if (needed <= *capacity) {
        return true;
    }
    size_t grown = *capacity + *capacity / 2;
    if (grown < needed) {
        grown = needed < 16 ? 16 : needed;
    }
    void *larger = sli_alloc_array(allocator, grown, size), *old;
    if (larger == NULL) {
        return false;
    }
    memcpy(&old, items, sizeof old);
    if (*capacity > 0) {
        memcpy(larger, old, *capacity * size);
    }
    sli_free_array(allocator, old, *capacity, size);
    memcpy(items, &larger, sizeof larger);
    *capacity = grown;
    return true;
}
