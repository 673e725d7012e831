/* Rays whose short stacks are full, in stream batches (stream/nodes.inl).
 *
 * A tree's depth allows SLI_STACK references on a stack.  With that capacity, a ray would take
 * so much of the cache that only half as many rays could be in flight; but since the nearest
 * child is always taken first, and what a hit makes useless is taken off, rays hardly ever have
 * more than 24. So a slot holds STREAM_DEPTH_MAX references and a node's children, and a ray
 * that needs more starts again by itself (single/single.inl). */
#pragma once

#include "bvh/kernel/stream/alone.inl"

/* Answers the rays of a queue whose stacks cannot take another node's children; the other slots
 * move to the queue's front.  Returns how many they are. */
static size_t relieve_queue(stream_state *r, stream_slot **queue, size_t count)
{
    const uint32_t depth_max =
        r->slot_size == STREAM_ANY_SLOT_SIZE ? STREAM_ANY_DEPTH_MAX : STREAM_DEPTH_MAX;
    size_t left = 0;
    for (size_t i = 0; i < count; i++) {
        stream_slot *slot = queue[i];
        if (slot->ray.w.top <= depth_max) {
            queue[left++] = slot;
            continue;
        }
        r->stats.rays--; /* that walk counts it */
        stream_alone(r, 1, slot->ray.w.index);
        r->queue[QUEUE_ENDED][r->waiting.ended++] = slot;
    }
    return left;
}

/* Ends the rays, at nodes or leaves, whose stacks cannot take another node's children.  Rare: kept
 * out of the loops. */
static SLI_NOINLINE void stream_relieve(stream_state *r)
{
    stream_slot **leaves = r->queue[QUEUE_LEAVES] + STREAM_SLOTS_MAX - r->waiting.leaves;
    r->waiting.nodes = relieve_queue(r, r->queue[QUEUE_NODES], r->waiting.nodes);
    const size_t left = relieve_queue(r, leaves, r->waiting.leaves);
    memmove(r->queue[QUEUE_LEAVES] + STREAM_SLOTS_MAX - left, leaves, left * sizeof *leaves);
    r->waiting.leaves = left;
}
