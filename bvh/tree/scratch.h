/* scratch.h: the memory of a tree over instances, which outlives it: when the tree is recycled, the
 * next one finds its blocks there.
 *
 * A scratch hands out blocks of an allocator.  One that keeps holds on to what is given back, and
 * gives each request the smallest block that is large enough; its new blocks are a quarter and a
 * page larger than was requested, so that a tree that varies a little from frame to frame fits.
 * Otherwise blocks go back to the allocator at once.
 * Threads  one at a time. */
#pragma once

#include <sightline/base.h>

typedef struct sli_scratch {
    sl_allocator from;
    struct sli_scratch_block *kept; /* not in use */
    size_t bytes;                   /* of all blocks, in use and kept */
    bool keeps;
    int built; /* builds of everything that have ended while it keeps, at most two */
} sli_scratch;

/* The scratch as an allocator, as long as it stays where it is. */
sl_allocator sli_scratch_allocator(sli_scratch *scratch);

/* Ends a build of everything, which versions that follow others are not: frees kept blocks that the
 * last eight such builds had no use for. */
void sli_scratch_end(sli_scratch *scratch);

/* Frees what is kept; the scratch then keeps no more. */
void sli_scratch_close(sli_scratch *scratch);
