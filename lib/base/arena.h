/* arena.h: arrays that live as long as one piece of work, and are given back all at once.
 *
 *     sli_arena arena = sli_arena_make(&allocator);
 *     uint32_t *order = sli_arena_array(&arena, count, sizeof *order);
 *     ...
 *     sli_arena_free(&arena);
 *
 * Memory comes from the allocator in blocks, small arrays sharing one; no array ever moves.
 * Threads  one at a time; a worker that needs one has its own. */
#pragma once

#include <sightline/base.h>

typedef struct sli_arena {
    sl_allocator allocator;
    struct sli_arena_block *blocks; /* the first is the one with space left */
    size_t used, capacity;          /* bytes of that one, behind its head */
} sli_arena;

sli_arena sli_arena_make(const sl_allocator *allocator); /* one of sli_allocator's */

/* count * size bytes, aligned to 16, contents unset; NULL when out of memory or when that does not
 * fit in a size_t. */
void *sli_arena_array(sli_arena *arena, size_t count, size_t size);

void sli_arena_free(sli_arena *arena); /* once more does nothing, and it may be used again */
