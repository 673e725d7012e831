/* The phase of nodes: one step of every ray that is at a node, for stream batches
 * (stream/loop.inl).  A step tests the ray against the eight children, pushes those that it
 * meets in the order of its octant, and takes the nearest off as the next.
 *
 * Needed first: stream/state.inl, and simd_push of simd/simd.h. */
#pragma once

#include "bvh/kernel/stream/stack_overflow.inl"

/* The children of a node that a ray meets: those with from <= to. */
static SLI_FORCE_INLINE void ray_boxes(const filter_ray *ray, const char *at, f8 *from, f8 *to)
{
    const ray_words *w = &ray->w;
    /* The fourth words are tmin and bound. */
    f8 inverse[4], near[4], far[4], entry[3], leave[3];
    f8_splats(w->inverse, inverse);
    f8_splats(w->near_base, near);
    f8_splats(w->far_base, far);
    for (int axis = 0; axis < 3; axis++) {
        const f8 near_side = node_side(at, ray->o.near_side[axis]);
        const f8 far_side = node_side(at, ray->o.far_side[axis]);
        entry[axis] = f8_mul(f8_sub(near_side, near[axis]), inverse[axis]);
        leave[axis] = f8_mul(f8_sub(far_side, far[axis]), inverse[axis]);
    }
    const f8 end =
        f8_min(f8_min(leave[0], leave[1]), f8_min(leave[2], near[RAY_BOUND - RAY_NEAR_BASE]));
    *from = f8_max(f8_max(entry[0], entry[1]), f8_max(entry[2], inverse[RAY_TMIN]));
    *to = f8_muladd(end, f8_splat(SLAB_SLACK), f8_splat(RAY_T_TINY));
}

/* The first half of a step: tests the node that the slot is at, and pushes what the ray meets;
 * returns how many.  words: NULL, or those that its children must share a bit of mask with
 * (filter/child_masks.inl), counted from the lines of the node's tree. */
static SLI_FORCE_INLINE uint32_t slot_node_masked(stream_slot *slot, bool any,
                                                  const uint32_t *words, const char *lines,
                                                  uint32_t mask)
{
    const uint32_t top = slot->ray.w.top;
    const char *at = slot->ray.w.at;
    const sli_node_wide *node = (const sli_node_wide *)(const void *)at;
    f8 from, to;
    ray_boxes(&slot->ray, at, &from, &to);
    if (words != NULL) {
        to = child_masks_leave(words, lines, at, mask, to);
    }
    float *nears = any ? NULL : slot_nears(slot) + top;
    const uint32_t shift = any ? SLI_ANY_SHIFT : slot->ray.o.shift;
    return simd_push(&slot->ref[top], nears, node->child, node->order, shift, from, to);
}

static SLI_FORCE_INLINE uint32_t slot_node(stream_slot *slot, bool any)
{
    return slot_node_masked(slot, any, NULL, NULL, 0);
}

/* Where the slots of a phase go next. */
typedef struct node_ends {
    stream_slot **nodes, **leaves;
    ptrdiff_t others; /* one less for each slot in QUEUE_LEAVES */
    uint32_t deep;    /* the sign bit is set if any slot's top is above what its stack may have */
} node_ends;

/* The second half of a step: moves the slot on to the next reference, and into its queue.
 *
 * Each slot is written at the ends of both queues, and counted in one of them: as one queue grows
 * when the other does not, a single count, to which the sign of each reference is added, tells both
 * ends.  Nothing branches on what a ray met. */
static SLI_FORCE_INLINE void slot_move(const char *lines, stream_slot *slot, uint32_t met, bool any,
                                       node_ends *ends)
{
    const uint32_t depth_max = any ? STREAM_ANY_DEPTH_MAX : STREAM_DEPTH_MAX;
    const uint32_t now = slot->ray.w.top + met - 1, ref = slot->ref[now];
    slot->ray.w.top = now;
    slot_lead(lines, slot, ref);
    ends->deep |= now + (INT32_MAX - depth_max);
    ends->nodes[ends->others] = slot;
    ends->leaves[ends->others] = slot;
    ends->others += (int32_t)ref >> 31; /* < 0: a leaf */
    ends->nodes++;
}

static SLI_FORCE_INLINE uint32_t stream_node(const stream_state *r, stream_slot *slot, bool any,
                                             const uint32_t *words, const char *lines)
{
    const uint32_t mask =
        words != NULL ? child_mask_of_item(r->batch->options, slot->ray.w.index) : 0;
    return slot_node_masked(slot, any, words, lines, mask);
}

/* One step of every ray that is at a node.  Each slot moves on only after the next one is tested:
 * what its node test waits for has then come, and a processor's window, which is no longer than
 * three or four steps, holds more steps that are under way.
 *
 * Slots that stay at nodes are written to the front of the queue that is being read: no further
 * than the slot before the one that was read last. */
static SLI_FORCE_INLINE void stream_nodes_of(stream_state *r, bool any, bool masked)
{
    const size_t count = r->waiting.nodes, leaves_before = r->waiting.leaves;
    const char *lines = (const char *)r->batch->tree->lines;
    const uint32_t *words = masked ? r->child_masks : NULL;
    stream_slot **const queue = r->queue[QUEUE_NODES];
    if (count == 0) {
        return;
    }
    r->stats.nodes += count;
    r->steps.nodes += count;
    for (size_t i = 0; i < count && count <= STREAM_FEW_NODES; i++) {
        prefetch_lines(queue[i]->ray.w.at, SLI_NODE_LINES, SLI_NODE_LINES + PREFETCH_LEAF_LINES);
    }
    node_ends ends = { .nodes = queue + leaves_before,
                       .leaves = r->queue[QUEUE_LEAVES] + STREAM_SLOTS_MAX - 1,
                       .others = -(ptrdiff_t)leaves_before };
    stream_slot *slot = queue[0];
    uint32_t met = stream_node(r, slot, any, words, lines);
    for (size_t i = 1; i < count; i++) {
        stream_slot *next = queue[i];
        const uint32_t next_met = stream_node(r, next, any, words, lines);
        slot_move(lines, slot, met, any, &ends);
        if (masked) {
            child_masks_fetch(words, slot->ref[slot->ray.w.top]);
        }
        slot = next;
        met = next_met;
    }
    slot_move(lines, slot, met, any, &ends);
    if (masked) {
        child_masks_fetch(words, slot->ref[slot->ray.w.top]);
    }
    r->waiting.leaves = (size_t)-ends.others;
    r->waiting.nodes = count - (r->waiting.leaves - leaves_before);
    if (__builtin_expect(ends.deep >> 31 != 0, 0)) {
        stream_relieve(r);
    }
}

/* Two functions, since compilers may make one of a parameter. */
static SLI_NOINLINE void stream_nodes_closest(stream_state *r)
{
    stream_nodes_of(r, false, false);
}

static SLI_NOINLINE void stream_nodes_any(stream_state *r)
{
    stream_nodes_of(r, true, false);
}

enum {
    MASK_PHASES = 2,   /* the first slot of every second phase is a sample */
    MASK_SAMPLES = 32, /* samples that are judged together */
    MASK_PER_DROP = 6  /* at most this many samples for each child that they leave out */
};

/* Of a query with a mask, where words are read (r->child_masks): as long as that pays, by samples
 * of how many children that rays meet are left out.  The two tests write the same stack, which the
 * phase writes again. */
static SLI_NOINLINE void stream_nodes_masked(stream_state *r, bool any)
{
    const char *lines = (const char *)r->batch->tree->lines;
    if (r->waiting.nodes > 0 && r->mask_phases++ % MASK_PHASES == 0) {
        stream_slot *slot = r->queue[QUEUE_NODES][0];
        const uint32_t met = slot_node(slot, any);
        r->mask_dropped += met - stream_node(r, slot, any, r->child_masks, lines);
        r->mask_samples++;
    }
    stream_nodes_of(r, any, true);
    if (r->mask_samples == MASK_SAMPLES) {
        r->child_masks = r->mask_dropped * MASK_PER_DROP < MASK_SAMPLES ? NULL : r->child_masks;
        r->mask_samples = r->mask_dropped = 0;
    }
}
