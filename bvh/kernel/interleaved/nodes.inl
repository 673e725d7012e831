/* The phase of nodes: one step of every ray that is at a node, for interleaved batches
 * (interleaved/loop.inl).  A step tests the ray against the eight children, pushes those that it
 * meets in the order of its octant, and takes the nearest off as the next.
 *
 * Needed first: interleaved/state.inl, and simd_push of simd/simd.h. */
#ifndef SLI_KERNEL_INTERLEAVED_NODES_INL
#define SLI_KERNEL_INTERLEAVED_NODES_INL

#include "bvh/kernel/filter/ray8.inl"
#include "bvh/kernel/interleaved/stack_overflow.inl"
#include "bvh/kernel/interleaved/state.inl"
#include "bvh/kernel/lines.inl"
#include "bvh/kernel/simd/simd.h"
#include "bvh/tree/tree.h"
#include "lib/base/inline.h"

#include <string.h>

/* Tests the node that the slot is at, and pushes what the ray meets.  Returns the next reference,
 * which is prefetched. */
static SLI_FORCE_INLINE uint32_t slot_node(const char *lines, interleaved_slot *slot, bool any)
{
    const ray_words *w = &slot->ray.w;
    const uint32_t top = w->top;
    const char *at = w->at;
    const sli_node_wide *node = (const sli_node_wide *)(const void *)at;
    f8 entry[3], leave[3];
    for (int axis = 0; axis < 3; axis++) {
        const f8 inverse = f8_splat(w->inverse[axis]);
        entry[axis] =
            f8_mul(f8_sub(node_side(at, slot->ray.o.near_side[axis]), f8_splat(w->near_base[axis])),
                   inverse);
        leave[axis] =
            f8_mul(f8_sub(node_side(at, slot->ray.o.far_side[axis]), f8_splat(w->far_base[axis])),
                   inverse);
    }
    const f8 from = f8_max(f8_max(entry[0], entry[1]), f8_max(entry[2], f8_splat(w->tmin)));
    const f8 end = f8_min(f8_min(leave[0], leave[1]), f8_min(leave[2], f8_splat(w->bound)));
    const f8 to = f8_muladd(end, f8_splat(SLAB_SLACK), f8_splat(RAY_T_TINY));
    float *nears = any ? NULL : slot_nears(slot) + top;
    const uint32_t shift = any ? SLI_ANY_SHIFT : slot->ray.o.shift;
    const uint32_t met =
        simd_push(&slot->ref[top], nears, node->child, node->order, shift, from, to);
    const uint32_t now = top + met - 1, ref = slot->ref[now];
    slot->ray.w.top = now;
    slot_lead(lines, slot, ref);
    return ref;
}

/* One step of every ray that is at a node.
 *
 * Each slot is written at the ends of both queues, and counted in one of them: as one queue grows
 * when the other does not, a single count, to which the sign of each reference is added, tells both
 * ends.  Nothing branches on what a ray met. */
static SLI_NOINLINE void interleaved_nodes(interleaved_state *r, bool any)
{
    const size_t count = r->waiting.nodes, leaves_before = r->waiting.leaves;
    const char *lines = (const char *)r->batch->tree->lines;
    for (size_t i = 0; i < count; i += INTERLEAVED_COPY) {
        memcpy(r->queue[QUEUE_CURRENT] + i, r->queue[QUEUE_NODES] + i,
               INTERLEAVED_COPY * sizeof r->queue[0][0]);
    }
    const uint32_t depth_max = any ? INTERLEAVED_ANY_DEPTH_MAX : INTERLEAVED_DEPTH_MAX;
    const uint32_t margin = INT32_MAX - depth_max;
    uint32_t deep = 0; /* the sign bit is set if any slot's top is above depth_max */
    r->stats.nodes += count;
    for (size_t i = 0; i < count && count <= INTERLEAVED_FEW_NODES; i++) {
        prefetch_lines(r->queue[QUEUE_CURRENT][i]->ray.w.at, SLI_NODE_LINES,
                       SLI_NODE_LINES + PREFETCH_LEAF_LINES);
    }
    interleaved_slot **nodes = r->queue[QUEUE_NODES] + leaves_before;
    interleaved_slot **leaves = r->queue[QUEUE_LEAVES] + INTERLEAVED_SLOTS_MAX - 1;
    ptrdiff_t others = -(ptrdiff_t)leaves_before; /* one less for each slot in QUEUE_LEAVES */
    for (size_t i = 0; i < count; i++, nodes++) {
        interleaved_slot *slot = r->queue[QUEUE_CURRENT][i];
        const ptrdiff_t ref = (int32_t)slot_node(lines, slot, any); /* < 0: a leaf */
        deep |= slot->ray.w.top + margin;
        nodes[others] = slot;
        leaves[others] = slot;
        others += ref >> 31;
    }
    r->waiting.leaves = (size_t)-others;
    r->waiting.nodes = count - (r->waiting.leaves - leaves_before);
    if (__builtin_expect(deep >> 31 != 0, 0)) {
        interleaved_relieve(r);
    }
}

#endif
