/* Batches through the ring, and how much stack that takes. */
#ifndef SLI_KERNEL_INTERLEAVED_BATCH_INL
#define SLI_KERNEL_INTERLEAVED_BATCH_INL

#include "bvh/kernel/filter/ray8.inl"
#include "bvh/kernel/interleaved/hints.inl"
#include "bvh/kernel/interleaved/loop.inl"
#include "bvh/kernel/interleaved/packets_first.inl"
#include "bvh/kernel/interleaved/state.inl"
#include "bvh/kernel/interleaved/unpack_compact.inl"
#include "bvh/kernel/kernel.h"
#include "bvh/kernel/packet/hybrid_state.inl"
#include "bvh/kernel/single/single.inl"
#include "lib/base/inline.h"

enum {
    RING_BYTES = 34 * 1024, /* of all slots */
    RING_ANY_BYTES = RING_MOST * RING_ANY_SLOT,
    /* Of batches that are narrow. */
    RING_NARROW_BYTES = RING_BYTES - SLI_NARROW_CLOSEST,
    RING_NARROW_ANY_BYTES = RING_ANY_BYTES - SLI_NARROW_ANY
};

_Static_assert(sizeof(ring_ray) + RING_STACK * (sizeof(uint32_t) + sizeof(float)) <= RING_SLOT &&
                   sizeof(ring_ray) + RING_ANY_STACK * sizeof(uint32_t) <= RING_ANY_SLOT,
               "slots hold rays and their stacks");

/* Lays the slots out, as many as there is room for. */
static void ring_lay_out(ring_state *r, char *slots, uint32_t size, bool any)
{
    r->slot_size = any ? RING_ANY_SLOT : RING_SLOT;
    r->slot_count = size / r->slot_size;
    r->slot_count = r->slot_count < RING_MOST ? r->slot_count : RING_MOST;
    r->slots = slots;
    ring_make_room(r, size);
}

static SLI_NOINLINE void ring_run_closest(ring_state *r, char *slots, uint32_t size)
{
    ring_lay_out(r, slots, size, false);
    ring_run(r, false);
}

static SLI_NOINLINE void ring_wide_closest(ring_state *r)
{
    _Alignas(SLI_LINE) char slots[RING_BYTES];
    ring_run_closest(r, slots, sizeof slots);
}

static SLI_NOINLINE void ring_narrow_closest(ring_state *r)
{
    _Alignas(SLI_LINE) char slots[RING_NARROW_BYTES];
    ring_run_closest(r, slots, sizeof slots);
}

static SLI_NOINLINE void ring_closest_many(const sli_kernel_batch *batch, size_t begin, size_t end,
                                           sl_hit *hits, sl_stats *stats)
{
    ring_state r;
    const bool packs = batch->rays != NULL && batch->tree->root != SLI_REF_EMPTY;
    r.batch = batch;
    r.answers = (ring_answers){ .hits = hits };
    r.p2m = NULL;
    r.hybrid = NULL;
    r.packed = false;
    r.stats = (sl_stats){ .rays = 0 };
    for (size_t first = begin; first < end; first = r.end) {
        r.first = r.next = first;
        r.end = packs && end - first > RING_AHEAD ? first + RING_AHEAD : end;
        if (packs && !ring_pack(&r)) {
            continue;
        }
        if (batch->narrow) {
            ring_narrow_closest(&r);
        } else {
            ring_wide_closest(&r);
        }
    }
    ring_report(&r, stats);
}

static void traverse_closest_many(const sli_kernel_batch *batch, size_t begin, size_t end,
                                  sl_hit *hits, sl_stats *stats)
{
    if (end - begin < RING_FEW) {
        for (size_t i = begin; i < end; i++) {
            (void)single_closest(batch, i, &hits[i], stats);
        }
        return;
    }
    ring_closest_many(batch, begin, end, hits, stats);
}

static SLI_NOINLINE void ring_run_any(ring_state *r, char *slots, uint32_t size)
{
    ring_lay_out(r, slots, size, true);
    ring_run(r, true);
}

static SLI_NOINLINE void ring_wide_any(ring_state *r)
{
    _Alignas(SLI_LINE) char slots[RING_ANY_BYTES];
    ring_run_any(r, slots, sizeof slots);
}

static SLI_NOINLINE void ring_narrow_any(ring_state *r)
{
    _Alignas(SLI_LINE) char slots[RING_NARROW_ANY_BYTES];
    ring_run_any(r, slots, sizeof slots);
}

static SLI_NOINLINE void ring_any_many(const sli_kernel_batch *batch, size_t begin, size_t end,
                                       uint8_t *any, uint32_t *prims, sl_stats *stats)
{
    ring_state r;
    hybrid together;
    r.batch = batch;
    r.answers = (ring_answers){ .any = any, .prims = prims };
    r.p2m = NULL;
    r.hybrid = &together;
    together.pause = 0;
    r.packed = false;
    r.stats = (sl_stats){ .rays = 0 };
    r.first = r.next = begin;
    r.end = end;
    if (batch->narrow) {
        ring_narrow_any(&r);
    } else {
        ring_wide_any(&r);
    }
    ring_report(&r, stats);
}

static void traverse_any_many(const sli_kernel_batch *batch, size_t begin, size_t end, uint8_t *any,
                              uint32_t *prims, sl_stats *stats)
{
    if (batch->guessed) {
        ring_guess(batch, begin, end, any, prims, stats);
    }
    if (end - begin >= RING_FEW) {
        ring_any_many(batch, begin, end, any, prims, stats);
        return;
    }
    for (size_t i = begin; i < end; i++) {
        if (batch->guessed && any[i] != 0) {
            continue;
        }
        any[i] = single_any(batch, i, prims != NULL ? &prims[i] : NULL, stats);
    }
}

#endif
