/* Leaves of a compact tree, whose blocks number their vertices (bvh/tree/tri_index.h), in
 * stream batches: before a phase of leaves, the blocks of all current slots are unpacked, each
 * to a block of the slot's own.  All vertices are prefetched first, so that they arrive while
 * others are unpacked. */
#pragma once

#include "bvh/kernel/stream/state.inl"

/* Takes a block for each slot from the size bytes at r->slots, which may leave fewer slots. */
static void unpack_reserve(stream_state *r, size_t size)
{
    const sl_bvh *tree = r->batch->tree;
    r->unpacked = NULL;
    if (tree->vertices == NULL) {
        return;
    }
    const uint32_t count_max = (uint32_t)(size / (r->slot_size + sizeof *r->unpacked));
    r->slot_count = r->slot_count < count_max ? r->slot_count : count_max;
    r->unpacked = (sli_tri_pack *)(void *)r->slots;
    r->slots += r->slot_count * sizeof *r->unpacked;
}

/* Afterwards each current slot is at its unpacked block, until it is queued again. */
static SLI_NOINLINE void stream_unpack(stream_state *r)
{
    const sl_bvh *tree = r->batch->tree;
    stream_slot **slots = r->queue[QUEUE_CURRENT];
    for (uint32_t i = 0; i < r->current_count; i++) {
        sli_tri_fetch((const sli_tri_index *)(const void *)slots[i]->ray.w.at, tree->vertices);
    }
    for (uint32_t i = 0; i < r->current_count; i++) {
        ray_words *w = &slots[i]->ray.w;
        sli_tri_unpack((const sli_tri_index *)(const void *)w->at, tree->vertices, tree->masks,
                       &r->unpacked[i]);
        w->at = (const char *)&r->unpacked[i];
    }
}
