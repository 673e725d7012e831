/* scratch.h: the memory of a tree over instances, which outlives it: when the tree is recycled, the
 * next one finds its blocks there.
 *
 * A room hands out blocks of an allocator.  One that keeps holds on to what is given back, and
 * gives each request the smallest block that is large enough; its new blocks are a quarter larger
 * than was requested, so that a tree that varies a little from frame to frame fits.  Otherwise
 * blocks go back to the allocator at once.
 * Threads  one at a time. */
#pragma once

#include <sightline/base.h>

typedef struct sli_scratch {
    sl_allocator from;
    struct sli_scratch_block *kept; /* not in use */
    size_t bytes;                   /* of all blocks, in use and kept */
    bool keeps;
} sli_scratch;

/* The room as an allocator, as long as the room stays where it is. */
sl_allocator sli_scratch_allocator(sli_scratch *scratch);

/* Ends a build: frees kept blocks that the last eight builds had no use for. */
void sli_scratch_end(sli_scratch *scratch);

/* Frees what is kept; the room then keeps no more. */
void sli_scratch_close(sli_scratch *scratch);
