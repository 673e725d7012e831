/* The boxes of instances in a leaf of the top tree, for rays in flight (batch_enter.inl) and alone
 * (one.inl). */
#pragma once

#include "bvh/kernel/filter/ray8.inl"
#include "bvh/tree/transformed.h"

/* Lines of an instance that entering it takes. */
enum { TRANSFORMED_LINES = 3 };
_Static_assert((int)TRANSFORMED_LINES == (int)SLI_PACK_LINES &&
                   offsetof(sli_transformed, mirrored) < TRANSFORMED_LINES * SLI_LINE &&
                   sizeof(sli_transformed) % SLI_LINE == 0,
               "instances are prefetched as leaf blocks are");

_Static_assert(NODE_SIDE == 2 * SLI_PACK * sizeof(float),
               "sides are half as far apart in a leaf block as in a node");

/* A side of the four boxes of a top leaf, whose vertex 0 is their least corner and vertex 1 their
 * largest; offset: as for node_side. */
static SLI_FORCE_INLINE f4 world_box_side(const char *pack, int axis, uint32_t offset)
{
    return f4_load(
        (const float *)(const void *)(pack + axis * (PACK_AXIS - NODE_AXIS / 2) + offset / 2));
}

/* Where a ray is in the boxes of a top leaf: bit i, whether it meets the box of instance i, at the
 * t' *from to *end. */
static SLI_FORCE_INLINE uint32_t world_meet_instances(const ray_words *w, const ray_offsets *o,
                                                      const char *at, f4 *from, f4 *end)
{
    const sli_tri_pack *pack = (const sli_tri_pack *)(const void *)at;
    *from = f4_splat(w->tmin);
    *end = f4_splat(w->bound);
    for (int axis = 0; axis < 3; axis++) {
        const f4 inverse = f4_splat(w->inverse[axis]);
        const f4 first = world_box_side(at, axis, o->near_side[axis]);
        const f4 last = world_box_side(at, axis, o->far_side[axis]);
        const f4 entry = f4_mul(f4_sub(first, f4_splat(w->near_base[axis])), inverse);
        const f4 leave = f4_mul(f4_sub(last, f4_splat(w->far_base[axis])), inverse);
        *from = f4_max(entry, *from);
        *end = f4_min(leave, *end);
    }
    const f4 to = f4_muladd(*end, f4_splat(SLAB_SLACK), f4_splat(RAY_T_TINY));
    return f4_bits_le(*from, to) & f4_bits_ne(pack->prim, SL_NONE);
}
