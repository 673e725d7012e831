/* How rays that have left a hybrid packet (packet/hybrid.inl) go on in slots: from their resume
 * points, which become the stack.  For stream/refill.inl. */
#pragma once

#include "bvh/kernel/packet/hybrid_state.inl"
#include "bvh/kernel/stream/alone.inl"

/* Prepares up to eight of the rays that are not finished for the stream traversal, as
 * refill_group of stream/refill.inl does. */
static void hybrid_group(hybrid *h, stream_state *r)
{
    const sli_kernel_batch *batch = r->batch;
    sl_ray rays[8] = { 0 };
    sl_segment segments[9] = { 0 };
    ray8_input in;
    uint32_t count = 0;
    for (; count < 8 && h->waiting != 0; count++, h->waiting &= h->waiting - 1) {
        h->group[count] = (uint8_t)__builtin_ctzll(h->waiting);
        const size_t index = h->first + h->group[count];
        if (batch->rays != NULL) {
            rays[count] = batch->rays[index];
        } else {
            segments[count] = batch->segments[index];
        }
    }
    const uint32_t real = (1u << count) - 1;
    (void)(batch->rays != NULL ? ray8_read_rays(rays, &in) : ray8_read_segments(segments, &in));
    r->group.first = 0;
    r->group.ready = ray8_prepare_group(batch->tree, &in, real, &r->group);
    for (uint32_t alone = real & ~r->group.ready; alone != 0; alone &= alone - 1) {
        r->stats.rays--; /* that walk counts it */
        stream_alone(r, 1, h->first + h->group[__builtin_ctz(alone)]);
    }
}

_Static_assert((int)HYBRID_ENTRIES_MAX < (int)STREAM_ANY_STACK, "resume points fit a slot");

/* Fills the stack of a slot with the resume points of its ray. */
static SLI_FORCE_INLINE void hybrid_enter(const hybrid *h, stream_slot *slot)
{
    const size_t ray = h->group[slot->ray.w.index];
    slot->ray.w.index = h->first + ray;
    slot->ref[0] = SLI_REF_EMPTY;
    const uint32_t count = h->entries[ray];
    memcpy(slot->ref + 1, h->entry[ray] + HYBRID_ENTRIES_MAX - count, sizeof h->entry[ray]);
    slot->ray.w.top = count;
}
