/* A fan's way through the ring: slots take their rays from groups. */
#ifndef SLI_KERNEL_POINT_TO_MANY_TRAVERSE_INL
#define SLI_KERNEL_POINT_TO_MANY_TRAVERSE_INL

#include "bvh/kernel/interleaved/batch.inl"
#include "bvh/kernel/interleaved/loop.inl"
#include "bvh/kernel/interleaved/state.inl"
#include "bvh/kernel/kernel.h"
#include "bvh/kernel/point_to_many/sort.inl"
#include "lib/base/inline.h"

#include <string.h>

/* The block that was prepared. */
static SLI_NOINLINE void fan_walk(ring_state *r, fan_state *f)
{
    _Alignas(SLI_LINE) char slots[FAN_SLOTS * RING_ANY_SLOT];
    uint32_t most = f->left / FAN_PER_SLOT;
    most = most < FAN_SLOTS_LEAST ? FAN_SLOTS_LEAST : most;
    ring_lay_out(r, slots, sizeof slots, true);
    r->slot_count = r->slot_count < most ? r->slot_count : most;
    for (uint32_t slot = 0; slot < r->slot_count; slot++) {
        f->group_of[slot] = (uint16_t)(slot * f->groups / r->slot_count);
    }
    ring_run(r, true);
}

static void traverse_fan_any(const sli_kernel_batch *batch, size_t begin, size_t end, uint8_t *any,
                             sl_stats *stats)
{
    ring_state r;
    fan_state f;
    r.batch = batch;
    r.answers = (ring_answers){ .any = any };
    r.fan = &f;
    r.crowd = NULL;
    for (size_t first = begin; first < end; first += FAN_BLOCK) {
        f.first = first;
        f.count = (uint32_t)(end - first < FAN_BLOCK ? end - first : FAN_BLOCK);
        fan_prepare(&f, batch->fan);
        memset(any + first, 0, f.count);
        r.stats = (sl_stats){ .rays = f.count };
        if (f.left > 0 && batch->tree->root != SLI_REF_EMPTY) {
            fan_walk(&r, &f);
        }
        ring_report(&r, stats);
    }
}

#endif
