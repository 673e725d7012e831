/* For the closest hits of batches: of the triangles of a leaf that floats do not decide, those that
 * surely lie behind another one of the leaf that their ray surely hits.  Two sides of a wall are
 * mostly in one leaf.  After filter/tri_leaves.inl; docs/notes/filters.md, "Closest hits of a
 * leaf", derives the bound. */
#pragma once

#include "bvh/kernel/filter/tri_leaves.inl"

/* How much farther a triangle has to be, as a share of the sizes of t' and of the base's. */
#define BEHIND_SHARE 0x1p-20f

/* Bit 0 of the lanes of each leaf of which two or more are set. */
static SLI_FORCE_INLINE uint32_t leaves_with_two(uint32_t lanes)
{
    const uint32_t both = lanes & lanes >> 1, either = lanes | lanes >> 1;
    return (both | both >> 2 | (either & either >> 2)) & 0x1111;
}

/* The lanes of the leaves that lie behind others.  crossed: of those in spans, the lanes whose
 * triangles the query's options leave in. */
static SLI_FORCE_INLINE uint32_t tri_leaves_behind(const filter_ray *const ray[SIMD_LEAVES],
                                                   const leaves_spans *spans, uint32_t crossed)
{
    fl origin[4], last[4];
    leaves_words(ray, offsetof(filter_ray, w.origin), origin);
    /* The word before base_t belongs to its offsets. */
    leaves_words(ray, offsetof(filter_ray, base_t) - sizeof(float), last);
    const fl inverse = fl_div(fl_splat(1), spans->size), k = origin[RAY_EDGE_ERROR - RAY_ORIGIN];
    const fl first = fl_least(fl_mul(spans->to, inverse), crossed);
    const fl sizes = fl_add(fl_abs(first), fl_abs(last[1]));
    const fl behind = fl_muladd(sizes, fl_splat(BEHIND_SHARE), fl_add(first, k));
    return spans->steady & fl_bits_le(behind, fl_mul(spans->from, inverse));
}
