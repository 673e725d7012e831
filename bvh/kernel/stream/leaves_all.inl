/* All hits of batches, in trees (stream/leaves.inl) and worlds (instance/batch_leaves.inl): counted
 * in any order, and the nearest kept as a heap (lib/geom/intersect/hit_heap.h).
 *
 * Needed first: stream/state.inl. */
#pragma once

#include "bvh/kernel/mailbox.h"
#include "bvh/kernel/stream/nodes.inl"
#include "lib/geom/intersect/hit_heap.h"

/* Counts the lanes of leaves whose triangles are surely hit, but for triangles that were cut, which
 * may be in other leaves too; returns those that it has counted.  Nothing branches on them. */
static SLI_FORCE_INLINE uint32_t leaves_count(uint64_t *totals, stream_slot *const *slots,
                                              uint32_t sure)
{
    const uint32_t *before[SIMD_LEAVES];
    for (int k = 0; k < SIMD_LEAVES; k++) {
        before[k] = pair_pack(slots[k])->before;
    }
    sure &= ~fl_bits_ne(before, 0);
    for (uint32_t i = 0; i < SIMD_LEAVES; i++) {
        const uint32_t lanes = sure >> i * SLI_PACK & ((1u << SLI_PACK) - 1);
        totals[slots[i]->ray.w.index] += (uint32_t)__builtin_popcount(lanes);
    }
    return sure;
}

/* Whether a ray comes to the block of a slot on its way from a tree's root. */
static bool ray_comes_to(const filter_ray *ray, const sl_bvh *tree, uint32_t slot)
{
    uint32_t ref = tree->root;
    while ((ref & SLI_REF_LEAF) == 0) {
        const sli_node_wide *node = sli_tree_node(tree, ref);
        const int child = sli_tree_towards(node, slot / SLI_PACK);
        f8 from, to;
        ray_boxes(ray, (const char *)node, &from, &to);
        if ((f8_bits_le(from, to) >> child & 1) == 0) {
            return false;
        }
        ref = node->child[child];
    }
    return true;
}

/* Whether a triangle that was cut, which a ray hits here, is counted elsewhere.  Of the blocks that
 * have it and that the ray comes to, whose bound never shrinks, it counts in the first of their
 * chain (bvh/kernel/mailbox.h lists triangles instead, as long as there is room). */
static SLI_NOINLINE bool ray_counts_elsewhere(const filter_ray *ray, const sl_bvh *tree,
                                              uint32_t before)
{
    while (before != SLI_SLOT_FIRST && !ray_comes_to(ray, tree, before)) {
        before = sli_mailbox_previous_slot(tree, before);
    }
    return before != SLI_SLOT_FIRST;
}

/* Counts a hit of all, and keeps it if it is among the nearest. */
static SLI_FORCE_INLINE void leaves_keep(stream_state *r, const stream_slot *slot, uint32_t lane,
                                         const sl_hit *hit)
{
    const stream_answers *to = &r->answers;
    const size_t index = slot->ray.w.index;
    const uint32_t before = pair_pack(slot)->before[lane];
    if (__builtin_expect(before != 0, 0) &&
        ray_counts_elsewhere(&slot->ray, r->batch->tree, before)) {
        return;
    }
    const uint64_t total = to->totals[index]++;
    if (to->capacity > 0) {
        sli_hit_heap_add(to->hits + index * to->capacity, to->capacity, (size_t)total, hit);
    }
}
