/* How rays and segments of a batch are read, eight at a time, and how those are answered that the
 * float filters do not hold for.  For interleaved/refill.inl, packet/hybrid.inl and
 * point_to_many/refill.inl. */
#ifndef SLI_KERNEL_INTERLEAVED_READ_INL
#define SLI_KERNEL_INTERLEAVED_READ_INL

#include "bvh/kernel/filter/ray8.inl"
#include "bvh/kernel/interleaved/state.inl"
#include "bvh/kernel/kernel.h"
#include "bvh/kernel/single/single.inl"
#include "lib/base/inline.h"

#include <string.h>

/* Answers these rays, lanes counted from ray first, by the reference kernel.  Rare: kept out of the
 * loops. */
static SLI_NOINLINE void interleaved_by_reference(interleaved_state *r, uint32_t lanes,
                                                  size_t first)
{
    for (; lanes != 0; lanes &= lanes - 1) {
        const size_t index = first + (size_t)__builtin_ctz(lanes);
        sl_hit hit = { .prim = SL_NONE };
        if (r->answers.any == NULL) {
            (void)single_by_reference(r->batch, index, &r->answers.hits[index], false, &r->stats);
        } else {
            r->answers.any[index] = single_by_reference(r->batch, index, &hit, true, &r->stats);
            if (r->answers.refs != NULL && hit.prim != SL_NONE) {
                r->answers.refs[index] = (sl_triangle_ref){ .prim = hit.prim };
            }
        }
    }
}

/* Reads up to eight rays from first on; returns the lanes that hold valid ones, of the first
 * count. */
static uint32_t interleaved_read(const sli_kernel_batch *batch, size_t first, size_t count,
                                 ray8_input *in)
{
    const uint32_t real = count >= 8 ? 0xFF : (1u << count) - 1;
    if (batch->segments != NULL) {
        if (count > 8) {
            return ray8_read_segments(batch->segments + first, in);
        }
        sl_segment copy[9] = { 0 };
        memcpy(copy, batch->segments + first, count * sizeof copy[0]);
        return ray8_read_segments(copy, in) & real;
    }
    if (count >= 8) {
        return ray8_read_rays(batch->rays + first, in);
    }
    sl_ray copy[8] = { 0 };
    memcpy(copy, batch->rays + first, count * sizeof copy[0]);
    return ray8_read_rays(copy, in) & real;
}

#endif
