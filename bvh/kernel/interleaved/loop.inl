/* The rounds of the ring: rays enter, nodes, leaves. */
#ifndef SLI_KERNEL_INTERLEAVED_LOOP_INL
#define SLI_KERNEL_INTERLEAVED_LOOP_INL

#include "bvh/kernel/interleaved/leaves.inl"
#include "bvh/kernel/interleaved/nodes.inl"
#include "bvh/kernel/interleaved/refill.inl"
#include "bvh/kernel/interleaved/state.inl"
#include "bvh/kernel/interleaved/unpack_compact.inl"
#include "bvh/kernel/point_to_many/refill.inl"
#include "bvh/kernel/reference/ray.inl"
#include "bvh/tree/tree.h"
#include "lib/base/inline.h"

static SLI_FORCE_INLINE void ring_leaves(ring_state *r, bool any)
{
    const char *lines = (const char *)r->batch->tree->lines;
    ring_turn_leaves(r);
    if (__builtin_expect(r->room != NULL, 0)) {
        ring_unpack(r);
    }
    ring_filters(r, any);
    ring_pairs(r, any);
    ring_counts c = r->waiting;
    for (uint32_t i = 0; i < r->leaves; i++) {
        ring_slot *slot = r->queue[RING_TURN][i];
        ring_queue(r, &c, lines, slot, slot->ref[slot->ray.w.top]);
    }
    r->waiting = c;
}

/* The queue is filled again from the front, behind where it is read. */
static SLI_NOINLINE void ring_ends(ring_state *r, bool any)
{
    ring_counts c = r->waiting;
    const size_t count = c.ended;
    c.ended = 0;
    for (size_t i = 0; i < count; i++) {
        ring_slot *slot = r->queue[RING_ENDED][i];
        if (!ring_start(r, &c, slot, any)) {
            break;
        }
    }
    r->waiting = c;
}

static SLI_FORCE_INLINE void ring_run(ring_state *r, bool any)
{
    r->pair_count = 0;
    r->group.ready = 0;
    r->from_hybrid = false;
    if (r->p2m == NULL && r->end - r->next < r->slot_count) {
        r->slot_count = (uint32_t)(r->end - r->next);
    }
    r->waiting = (ring_counts){ .ended = r->slot_count };
    for (uint32_t i = 0; i < r->slot_count; i++) {
        r->queue[RING_ENDED][i] = (ring_slot *)(void *)(r->slots + i * r->slot_size);
    }
    do {
        if (r->p2m != NULL) {
            p2m_refill(r);
        } else {
            ring_ends(r, any);
        }
        do {
            ring_nodes(r, any);
        } while (r->waiting.nodes * 4 > r->waiting.rest + r->waiting.ended);
        ring_leaves(r, any);
    } while (r->waiting.nodes + r->waiting.rest + r->waiting.ended > 0);
}

/* Adds up what was done, by packets too: a node counts as eight boxes, whichever way opens it. */
static void ring_report(ring_state *r, sl_stats *stats)
{
    r->stats.boxes = r->stats.nodes * SLI_WIDTH;
    add_stats_to(&r->stats, stats);
}

#endif
