/* The loop of stream batches: rays enter, a phase of nodes, a phase of leaves, until no slot
 * has a ray.  For stream/batch.inl and stream/from_point.inl; stream/state.inl
 * explains the whole. */
#pragma once

#include "bvh/kernel/stream/from_point_refill.inl"
#include "bvh/kernel/stream/last_few.inl"
#include "bvh/kernel/stream/leaves.inl"
#include "bvh/kernel/stream/nodes.inl"
#include "bvh/kernel/stream/unpack_compact.inl"

/* The phase of leaves, and the way of its slots back into queues. */
static SLI_FORCE_INLINE void stream_leaves(stream_state *r, stream_kind kind)
{
    const char *lines = (const char *)r->batch->tree->lines;
    leaves_turn(r);
    r->steps.leaves += r->current_count;
    if (__builtin_expect(r->unpacked != NULL, 0)) {
        stream_unpack(r);
    }
    if (kind == STREAM_ANY) {
        leaves_filter_any(r);
    } else {
        (void)leaves_filter(r, kind, kind == STREAM_ALL);
    }
    leaves_decide(r, kind);
    stream_counts c = r->waiting;
    for (uint32_t i = 0; i < r->current_count; i++) {
        stream_slot *slot = r->queue[QUEUE_CURRENT][i];
        slot_queue(r, &c, lines, slot, slot->ref[slot->ray.w.top]);
    }
    r->waiting = c;
}

/* Starts rays in the slots that have none.  Slots may end again at once: they are written to the
 * queue's front while its rest is still being read. */
static SLI_NOINLINE void stream_refill(stream_state *r, bool any)
{
    stream_counts c = r->waiting;
    const size_t count = c.ended;
    c.ended = 0;
    for (size_t i = 0; i < count; i++) {
        stream_slot *slot = r->queue[QUEUE_ENDED][i];
        if (!slot_start(r, &c, slot, any)) {
            break;
        }
    }
    r->waiting = c;
}

/* Traces the rays r->next .. r->end - 1 of a batch, or all of a block from one point, in the slots
 * that were laid out.  Goes on with nodes while more than a fifth of the slots are at one. */
static SLI_FORCE_INLINE void stream_run(stream_state *r, stream_kind kind)
{
    const bool any = kind != STREAM_CLOSEST; /* no distances */
    const sl_options *options = r->batch->options;
    const bool selects =
        options->cull != SL_CULL_NONE || (r->batch->uses & (SLI_USES_MASK | SLI_USES_SKIP)) != 0;
    r->sure_lanes = selects || r->answers.capacity > 0 ? 0 : UINT32_MAX;
    r->limits_pause = 0;
    r->limits_credit = LIMITS_TRIAL;
    r->tells = r->answers.refs != NULL || r->p2m != NULL;
    r->ends = leaves_ends_of(sli_kernel_segments(r->batch), options->flags);
    r->child_masks = child_masks_of_each(r->batch->tree, options, r->batch->uses);
    r->mask_phases = r->mask_samples = r->mask_dropped = 0;
    r->pair_count = 0;
    r->group.ready = 0;
    r->from_hybrid = false;
    if (r->p2m == NULL && r->end - r->next < r->slot_count) {
        r->slot_count = (uint32_t)(r->end - r->next);
    }
    r->waiting = (stream_counts){ .ended = r->slot_count };
    for (uint32_t i = 0; i < r->slot_count; i++) {
        r->queue[QUEUE_ENDED][i] = (stream_slot *)(void *)(r->slots + i * r->slot_size);
    }
    uint32_t few = 0; /* phases for which few slots have been in flight */
    do {
        if (r->p2m != NULL) {
            p2m_refill(r);
        } else {
            stream_refill(r, any);
        }
        do {
            if (__builtin_expect(r->child_masks != NULL, 0)) {
                stream_nodes_masked(r, any);
            } else if (any) {
                stream_nodes_any(r);
            } else {
                stream_nodes_closest(r);
            }
        } while (r->waiting.nodes * 4 > r->waiting.leaves + r->waiting.ended);
        stream_leaves(r, kind);
        if (kind != STREAM_ALL) {
            last_few_alone(r, &few);
        }
    } while (r->waiting.nodes + r->waiting.leaves + r->waiting.ended > 0);
}

/* Adds up what was done, by packets too: a node counts as eight boxes, whichever way opens it. */
static void stream_report(stream_state *r, sl_stats *stats)
{
    r->stats.boxes = r->stats.nodes * SLI_WIDTH;
    add_stats_to(&r->stats, stats);
}
