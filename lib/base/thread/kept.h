/* thread/kept.h: an allocator that knows what it has given, so that all of it can be freed at once.
 *
 * For work in slices, which may be left in its middle (thread/slices.h).  There the allocator
 * behind it, if it is a caller's, is asked by the thread that steps; and what malloc gave is given
 * back to the system in pieces, with checkpoints: 64 MB take 5 ms.
 * Fails    as the allocator behind; also where there is no memory for the list.
 * Threads  one at a time: the work, and not what it hands over.
 * Cost     of a block 16 bytes; to free one, a search of the list from its end. */
#pragma once

#include "lib/base/memory.h"
#include "lib/base/thread/slices.h"

typedef struct sli_kept_block {
    void *memory;
    size_t size;
} sli_kept_block;

typedef struct sli_kept {
    sli_front front;
    sli_slices *slices;
    bool is_callers; /* the allocator behind, which is then asked by the thread that steps */
    sli_kept_block *blocks;
    size_t count, capacity;
} sli_kept;

/* from: one of sli_allocator's.  The allocator refers to *kept. */
sl_allocator sli_kept_start(sli_kept *kept, const sl_allocator *from, sli_slices *slices);

/* Forgets the blocks, or frees them too, on the calling thread. */
void sli_kept_release(sli_kept *kept);
void sli_kept_free_all(sli_kept *kept);
