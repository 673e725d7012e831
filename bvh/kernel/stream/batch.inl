/* Batches of rays or segments: the kernel's closest_many, any_many and all_many.  Up to 48 rays are
 * in flight in slots on the caller's stack (stream/state.inl); this file lays them out, and says
 * how much stack that takes.  Coherent rays are answered by packets first; hints are tried first;
 * batches of fewer than STREAM_RAYS_MIN or STREAM_ANY_RAYS_MIN go ray by ray. */
#pragma once

#include "bvh/kernel/stream/hints.inl"
#include "bvh/kernel/stream/loop.inl"
#include "bvh/kernel/stream/packets_first.inl"

enum {
    /* Of all slots, and of the blocks that are unpacked from a compact tree. */
    STREAM_BYTES = 31 * 1024,
    STREAM_ANY_BYTES = 16 * 1024,
    /* Of batches that are narrow. */
    STREAM_NARROW_BYTES = STREAM_BYTES - SLI_NARROW_CLOSEST,
    STREAM_NARROW_ANY_BYTES = STREAM_ANY_BYTES - SLI_NARROW_ANY
};

_Static_assert(sizeof(filter_ray) + STREAM_STACK * (sizeof(uint32_t) + sizeof(float)) <=
                       STREAM_SLOT_SIZE &&
                   sizeof(filter_ray) + STREAM_ANY_STACK * sizeof(uint32_t) <= STREAM_ANY_SLOT_SIZE,
               "slots hold rays and their stacks");

/* What all batches begin with; neither packets nor a point to trace from. */
static void batch_begin(stream_state *r, const sli_kernel_batch *batch, stream_answers answers)
{
    r->batch = batch;
    r->answers = answers;
    r->p2m = NULL;
    r->hybrid = NULL;
    r->packed = false;
    r->steps = (stream_steps){ 0 };
    r->stats = (sl_stats){ .rays = 0 };
}

/* Lays out as many slots as fit. */
static void batch_lay_out(stream_state *r, char *slots, uint32_t size, bool any)
{
    r->slot_size = any ? STREAM_ANY_SLOT_SIZE : STREAM_SLOT_SIZE;
    r->slot_count = size / r->slot_size;
    r->slot_count = r->slot_count < STREAM_SLOTS_MAX ? r->slot_count : STREAM_SLOTS_MAX;
    r->slots = slots;
    unpack_reserve(r, size);
}

static SLI_NOINLINE void batch_run_closest(stream_state *r, char *slots, uint32_t size)
{
    batch_lay_out(r, slots, size, false);
    stream_run(r, STREAM_CLOSEST);
}

static SLI_NOINLINE void batch_wide_closest(stream_state *r)
{
    _Alignas(SLI_LINE) char slots[STREAM_BYTES];
    batch_run_closest(r, slots, sizeof slots);
}

static SLI_NOINLINE void batch_narrow_closest(stream_state *r)
{
    _Alignas(SLI_LINE) char slots[STREAM_NARROW_BYTES];
    batch_run_closest(r, slots, sizeof slots);
}

static SLI_NOINLINE void batch_closest(const sli_kernel_batch *batch, size_t begin, size_t end,
                                       sl_hit *hits, sl_stats *stats)
{
    stream_state r;
    packet_account account;
    const bool packs = batch->rays != NULL && batch->tree->root != SLI_REF_EMPTY;
    batch_begin(&r, batch, (stream_answers){ .hits = hits });
    packet_account_open(&account, (end - begin) / PACKET);
    for (size_t first = begin; first < end; first = r.end) {
        r.first = r.next = first;
        r.end = packs && end - first > STREAM_PACKED_MAX ? first + STREAM_PACKED_MAX : end;
        if (packs && !packets_first(&r, &account)) {
            continue;
        }
        if (batch->narrow) {
            batch_narrow_closest(&r);
        } else {
            batch_wide_closest(&r);
        }
    }
    stream_report(&r, stats);
}

static void traverse_closest_many(const sli_kernel_batch *batch, size_t begin, size_t end,
                                  sl_hit *hits, sl_stats *stats)
{
    if (end - begin < STREAM_RAYS_MIN) {
        for (size_t i = begin; i < end; i++) {
            (void)single_closest(batch, i, &hits[i], stats);
        }
        return;
    }
    batch_closest(batch, begin, end, hits, stats);
}

static SLI_NOINLINE void batch_run_any(stream_state *r, char *slots, uint32_t size)
{
    batch_lay_out(r, slots, size, true);
    if (r->answers.totals != NULL) {
        stream_run(r, STREAM_ALL);
    } else {
        stream_run(r, STREAM_ANY);
    }
}

static SLI_NOINLINE void batch_wide_any(stream_state *r)
{
    _Alignas(SLI_LINE) char slots[STREAM_ANY_BYTES];
    batch_run_any(r, slots, sizeof slots);
}

static SLI_NOINLINE void batch_narrow_any(stream_state *r)
{
    _Alignas(SLI_LINE) char slots[STREAM_NARROW_ANY_BYTES];
    batch_run_any(r, slots, sizeof slots);
}

/* Traces r->next .. r->end - 1 in slots without distances. */
static void batch_of_any(stream_state *r)
{
    if (r->batch->narrow) {
        batch_narrow_any(r);
    } else {
        batch_wide_any(r);
    }
}

/* fan: rays from one point, sorted by direction. */
static SLI_NOINLINE void batch_any(const sli_kernel_batch *batch, size_t begin, size_t end,
                                   uint8_t *any, sl_triangle_ref *refs, bool fan, sl_stats *stats)
{
    stream_state r;
    hybrid together;
    batch_begin(&r, batch, (stream_answers){ .any = any, .refs = refs });
    r.hybrid = &together;
    together.batch = batch;
    together.any = any;
    together.refs = refs;
    together.stats = &r.stats;
    together.pause = 0;
    together.fan = fan;
    r.first = r.next = begin;
    r.end = end;
    batch_of_any(&r);
    stream_report(&r, stats);
}

static void traverse_any_many(const sli_kernel_batch *batch, size_t begin, size_t end, uint8_t *any,
                              sl_triangle_ref *refs, sl_stats *stats)
{
    if (batch->hinted) {
        hints_try(batch, begin, end, any, refs, stats);
    }
    if (end - begin >= STREAM_ANY_RAYS_MIN) {
        batch_any(batch, begin, end, any, refs, false, stats);
        return;
    }
    for (size_t i = begin; i < end; i++) {
        if (batch->hinted && any[i] != 0) {
            continue;
        }
        uint32_t prim;
        any[i] = single_any(batch, i, &prim, stats);
        if (any[i] != 0 && refs != NULL) {
            refs[i] = (sl_triangle_ref){ .prim = prim };
        }
    }
}

static SLI_NOINLINE void batch_all(const sli_kernel_batch *batch, size_t begin, size_t end,
                                   const stream_answers *answers, sl_stats *stats)
{
    stream_state r;
    batch_begin(&r, batch, *answers);
    r.first = r.next = begin;
    r.end = end;
    batch_of_any(&r);
    stream_report(&r, stats);
}

static void traverse_all_many(const sli_kernel_batch *batch, size_t begin, size_t end, sl_hit *hits,
                              size_t capacity, uint64_t *totals, sl_stats *stats)
{
    const stream_answers answers = { .hits = hits, .totals = totals, .capacity = capacity };
    if (end - begin >= STREAM_RAYS_MIN) {
        batch_all(batch, begin, end, &answers, stats);
    } else {
        for (size_t i = begin; i < end; i++) {
            stream_all_alone(batch, &answers, i, stats);
        }
    }
    for (size_t i = begin; capacity > 0 && i < end; i++) {
        sli_hit_heap_sort(hits + i * capacity, capacity, totals[i]);
    }
}
