/* Rays whose stacks are full.
 *
 * A tree's depth allows SLI_STACK references on a stack.  With room for them a ray would take so
 * much of the cache that only half as many could be in flight; but since the nearest child is
 * always taken first, and what a hit makes useless is taken off, rays hardly ever have more
 * than 24.  So the ring has room for RING_DEEP and a node's children, and who has more is finished
 * by itself. */
#ifndef SLI_KERNEL_INTERLEAVED_STACK_OVERFLOW_INL
#define SLI_KERNEL_INTERLEAVED_STACK_OVERFLOW_INL

#include "bvh/kernel/interleaved/read.inl"
#include "bvh/kernel/interleaved/state.inl"
#include "lib/base/inline.h"

#include <string.h>

/* Finishes those of a queue that have no room for another node; the others move to its front.  Returns
 * how many these are. */
static size_t ring_relieve_queue(ring_state *r, ring_slot **queue, size_t count)
{
    const uint32_t most = r->answers.any != NULL ? RING_ANY_DEEP : RING_DEEP;
    size_t left = 0;
    for (size_t i = 0; i < count; i++) {
        ring_slot *slot = queue[i];
        if (slot->ray.w.top <= most) {
            queue[left++] = slot;
            continue;
        }
        r->stats.rays--; /* that walk counts it */
        ring_alone(r, 1, slot->ray.w.index);
        r->queue[RING_ENDED][r->waiting.ended++] = slot;
    }
    return left;
}

/* Rare: kept out of the loops. */
static SLI_NOINLINE void ring_relieve(ring_state *r)
{
    ring_slot **rest = r->queue[RING_REST] + RING_MOST - r->waiting.rest;
    r->waiting.nodes = ring_relieve_queue(r, r->queue[RING_NODES], r->waiting.nodes);
    const size_t left = ring_relieve_queue(r, rest, r->waiting.rest);
    memmove(r->queue[RING_REST] + RING_MOST - left, rest, left * sizeof *rest);
    r->waiting.rest = left;
}

#endif
