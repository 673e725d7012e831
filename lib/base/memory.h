/* memory.h: every byte the library takes goes through here.
 * Sizes are multiplied only by sli_alloc_array and sli_grow_array, which check for overflow. */
#pragma once

#include <sightline/base.h>

/* Whether an array of the caller's with count elements, stride bytes apart, can be in memory. */
static inline bool sli_array_fits(size_t count, size_t stride)
{
    return count <= 1 || stride <= PTRDIFF_MAX / count;
}

/* SL_INVALID_ARGUMENT for an allocator that has one of its two functions; NULL is fine. */
sl_result sli_check_allocator(const sl_allocator *allocator, sl_error *error);

/* The caller's allocator, or malloc and free where it is NULL or zeroed. */
sl_allocator sli_allocator(const sl_allocator *hook);

/* Whether that is the default allocator, over malloc. */
bool sli_is_malloc(const sl_allocator *allocator);

/* Gives pages of a block of the default allocator back to the system, from byte `from` of it on and
 * two megabytes at most; what the block holds is lost.  Once all of its pages are gone, to free it
 * takes no time.  Returns the byte up to which pages are gone: where the next call begins. */
size_t sli_drop_pages(void *memory, size_t from, size_t size);

/* NULL when out of memory.  size 0 gives a block that may be freed.  align: a power of two. */
void *sli_alloc(const sl_allocator *allocator, size_t size, size_t align);
void sli_free(const sl_allocator *allocator, void *memory, size_t size); /* NULL is fine */

/* count * size bytes, aligned to 16; NULL also when that does not fit in a size_t. */
void *sli_alloc_array(const sl_allocator *allocator, size_t count, size_t size);
void sli_free_array(const sl_allocator *allocator, void *memory, size_t count, size_t size);

/* The same for an array that is used all over and may be large: aligned to 64, and from the default
 * allocator in huge pages (2 MiB), where the system offers any.  sli_free_array gives it back. */
void *sli_alloc_large(const sl_allocator *allocator, size_t count, size_t size);

/* An allocator in front of another one, as the first field of a struct that knows what it gives:
 * sli_alloc_large asks it for bytes with the alignment SLI_LARGE. */
enum { SLI_LARGE = 0 };
typedef struct sli_front {
    sl_allocator from;
    void *(*alloc)(struct sli_front *front, size_t size, size_t align);
    void (*free)(struct sli_front *front, void *memory, size_t size);
} sli_front;

/* The allocator refers to *front. */
sl_allocator sli_front_start(sli_front *front);

/* The front of an allocator; NULL of any other. */
sli_front *sli_front_of(const sl_allocator *allocator);

/* Bytes of the allocator behind, aligned as the front was asked for. */
void *sli_front_behind(const sli_front *front, size_t size, size_t align);

/* A growing array: gives it capacity for at least needed items of size bytes, by half more at a
 * time.  items: the address of the pointer to them.  False, with everything as it was, when out of
 * memory. */
bool sli_grow_array(const sl_allocator *allocator, void *items, size_t *capacity, size_t needed,
                    size_t size);
