/* Node steps of scene batches whose query has a mask (batch_state.inl explains the whole). */
#pragma once

#include "bvh/kernel/instance/batch_state.inl"
#include "bvh/kernel/stream/nodes.inl"

/* For nodes where no words are read. */
static const uint32_t world_all_bits[SLI_WIDTH] = {
    UINT32_MAX, UINT32_MAX, UINT32_MAX, UINT32_MAX, UINT32_MAX, UINT32_MAX, UINT32_MAX, UINT32_MAX
};

/* slot_node, without the children that the slot's mask leaves out of the tree it is in.  Which tree
 * that is, nothing branches on. */
static SLI_FORCE_INLINE uint32_t world_node_masked(const world_batch *r, stream_slot *slot,
                                                   bool any)
{
    const sli_world *world = r->batch->world;
    const world_aside *aside = slot_aside(slot, any);
    const uint32_t mask = child_mask_of_item(r->batch->options, slot->ray.w.index);
    const bool top = aside->instance == SL_NONE;
    const uint32_t *words = top ? r->top_masks : NULL;
    if (world->trees_masked) {
        const sl_bvh *tree = top ? world->top : world->transformed[aside->instance].tree;
        words = sli_child_masks_for(&tree->child_masks, mask);
    }
    const char *lines = words != NULL ? aside->lines : slot->ray.w.at;
    return slot_node_masked(slot, any, words != NULL ? words : world_all_bits, lines, mask);
}
