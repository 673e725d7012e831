/* Any-hit for many rays or segments from one point: sl_bvh_any_from() and sl_bvh_blocked_from()
 * (point_to_many_any of the kernel table).  Block by block: sorted into groups
 * (point_to_many/sort.inl), then traversed by slots that take their rays from the groups
 * (point_to_many/refill.inl). */
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
static SLI_NOINLINE void p2m_traverse(interleaved_state *r, p2m_state *f)
{
    _Alignas(SLI_LINE) char slots[P2M_SLOTS_MAX * INTERLEAVED_ANY_SLOT_SIZE];
    uint32_t most = f->left / P2M_PER_SLOT;
    most = most < P2M_SLOTS_MIN ? P2M_SLOTS_MIN : most;
    batch_lay_out(r, slots, sizeof slots, true);
    r->slot_count = r->slot_count < most ? r->slot_count : most;
    for (uint32_t slot = 0; slot < r->slot_count; slot++) {
        f->group_of[slot] = (uint16_t)(slot * f->groups / r->slot_count);
    }
    interleaved_run(r, true);
}

/* A batch that is too small to sort: its rays or segments as if they had no point in common. */
static SLI_NOINLINE void p2m_few(const sli_kernel_batch *batch, size_t begin, size_t end,
                                 uint8_t *any, sl_stats *stats)
{
    const sli_kernel_point_to_many *source = batch->point_to_many;
    sl_ray rays[P2M_RAYS_MIN];
    sl_segment segments[P2M_RAYS_MIN];
    sli_kernel_batch few = *batch;
    few.point_to_many = NULL;
    few.rays = source->targets ? NULL : rays;
    few.segments = source->targets ? segments : NULL;
    for (size_t i = begin; i < end; i++) {
        if (source->targets) {
            segments[i - begin] = sli_point_to_many_segment(source, i);
        } else {
            rays[i - begin] = sli_point_to_many_ray(source, i);
        }
    }
    traverse_any_many(&few, 0, end - begin, any + begin, NULL, stats);
}

static void traverse_point_to_many_any(const sli_kernel_batch *batch, size_t begin, size_t end,
                                       uint8_t *any, sl_stats *stats)
{
    if (end - begin < P2M_RAYS_MIN) {
        p2m_few(batch, begin, end, any, stats);
        return;
    }
    interleaved_state r;
    p2m_state f;
    r.batch = batch;
    r.answers = (interleaved_answers){ .any = any };
    r.p2m = &f;
    r.hybrid = NULL;
    r.steps = (interleaved_steps){ 0 };
    for (size_t first = begin; first < end; first += P2M_BLOCK) {
        f.first = first;
        f.count = (uint32_t)(end - first < P2M_BLOCK ? end - first : P2M_BLOCK);
        p2m_prepare(&f, batch->point_to_many);
        memset(any + first, 0, f.count);
        r.stats = (sl_stats){ .rays = f.count };
        if (f.left > 0 && batch->tree->root != SLI_REF_EMPTY) {
            p2m_traverse(&r, &f);
        }
        interleaved_report(&r, stats);
    }
}

#endif
