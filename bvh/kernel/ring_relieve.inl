/* Rays whose stacks are full.
 *
 * A tree's depth allows SLI_STACK references on a stack.  With room for them a ray would take so
 * much of the cache that only half as many could be in flight; but since the nearest child is
 * always taken first, and what a hit makes useless is taken off, rays hardly ever have more
 * than 24.  So the ring has room for RING_DEEP and a node's children, and who has more is finished
 * by itself. */

/* Finishes those of a queue that have no room for another node; returns how many are left in it. */
static uint32_t ring_relieve_queue(ring_state *r, ring_slot **queue, uint32_t count)
{
    const uint32_t most = r->answers.any != NULL ? RING_ANY_DEEP : RING_DEEP;
    uint32_t left = 0;
    for (uint32_t i = 0; i < count; i++) {
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
static __attribute__((noinline)) void ring_relieve(ring_state *r)
{
    r->waiting.nodes = ring_relieve_queue(r, r->queue[RING_NODES], r->waiting.nodes);
    r->waiting.leaves = ring_relieve_queue(r, r->queue[RING_LEAVES], r->waiting.leaves);
}
