/* Rays at the leaves of a compact tree: the blocks of all whose turn it is become whole ones first, each in
 * the room of its own, so that vertices come from memory while others are worked on. */
#ifndef SLI_KERNEL_INTERLEAVED_UNPACK_COMPACT_INL
#define SLI_KERNEL_INTERLEAVED_UNPACK_COMPACT_INL

#include "bvh/kernel/filter/ray8.inl"
#include "bvh/kernel/interleaved/state.inl"
#include "bvh/tree/tree.h"
#include "lib/base/inline.h"

/* Of bytes at r->slots, for r->slot_count slots of which there may be fewer afterwards. */
static void unpack_make_room(interleaved_state *r, size_t bytes)
{
    const sl_bvh *tree = r->batch->tree;
    r->room = NULL;
    r->packs = (const char *)tree->lines;
    if (tree->vertices == NULL) {
        return;
    }
    const uint32_t most = (uint32_t)(bytes / (r->slot_size + sizeof *r->room));
    r->slot_count = r->slot_count < most ? r->slot_count : most;
    r->room = (sli_tri_pack *)(void *)r->slots;
    r->packs = r->slots;
    r->slots += r->slot_count * sizeof *r->room;
}

/* Slots lead to the room then, until they are queued again. */
static SLI_NOINLINE void interleaved_unpack(interleaved_state *r)
{
    const sl_bvh *tree = r->batch->tree;
    interleaved_slot **slots = r->queue[QUEUE_TURN];
    for (uint32_t i = 0; i < r->leaves; i++) {
        sli_tri_fetch((const sli_tri_index *)(const void *)slots[i]->ray.w.at, tree->vertices);
    }
    for (uint32_t i = 0; i < r->leaves; i++) {
        ray_words *w = &slots[i]->ray.w;
        sli_tri_unpack((const sli_tri_index *)(const void *)w->at, tree->vertices, tree->masks,
                       &r->room[i]);
        w->at = (const char *)&r->room[i];
    }
}

#endif
