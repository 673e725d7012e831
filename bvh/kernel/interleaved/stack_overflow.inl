/* Rays whose stacks are full.
 *
 * A tree's depth allows SLI_STACK references on a stack.  With room for them a ray would take so
 * much of the cache that only half as many could be in flight; but since the nearest child is
 * always taken first, and what a hit makes useless is taken off, rays hardly ever have more
 * than 24.  So the ring has room for INTERLEAVED_DEPTH_MAX and a node's children, and who has more is finished
 * by itself. */
#ifndef SLI_KERNEL_INTERLEAVED_STACK_OVERFLOW_INL
#define SLI_KERNEL_INTERLEAVED_STACK_OVERFLOW_INL

#include "bvh/kernel/interleaved/read.inl"
#include "bvh/kernel/interleaved/state.inl"
#include "lib/base/inline.h"

#include <string.h>

/* Finishes those of a queue that have no room for another node; the others move to its front.  Returns
 * how many these are. */
static size_t relieve_queue(interleaved_state *r, interleaved_slot **queue, size_t count)
{
    const uint32_t most =
        r->answers.any != NULL ? INTERLEAVED_ANY_DEPTH_MAX : INTERLEAVED_DEPTH_MAX;
    size_t left = 0;
    for (size_t i = 0; i < count; i++) {
        interleaved_slot *slot = queue[i];
        if (slot->ray.w.top <= most) {
            queue[left++] = slot;
            continue;
        }
        r->stats.rays--; /* that walk counts it */
        interleaved_alone(r, 1, slot->ray.w.index);
        r->queue[QUEUE_ENDED][r->waiting.ended++] = slot;
    }
    return left;
}

/* Rare: kept out of the loops. */
static SLI_NOINLINE void interleaved_relieve(interleaved_state *r)
{
    interleaved_slot **rest = r->queue[QUEUE_REST] + INTERLEAVED_SLOTS_MAX - r->waiting.rest;
    r->waiting.nodes = relieve_queue(r, r->queue[QUEUE_NODES], r->waiting.nodes);
    const size_t left = relieve_queue(r, rest, r->waiting.rest);
    memmove(r->queue[QUEUE_REST] + INTERLEAVED_SLOTS_MAX - left, rest, left * sizeof *rest);
    r->waiting.rest = left;
}

#endif
