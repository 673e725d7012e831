/* Items of a scene batch with a hint each, as stream/hints.inl has them: the triangle that each
 * names is tried first.  And the instance of a hint that fails may be entered before the top tree
 * (world_hint_instance). */
#pragma once

#include "bvh/kernel/instance/intersect8.inl"
#include "bvh/kernel/stream/hints.inl"

static SLI_FORCE_INLINE const sl_bvh *world_hint_tree(const void *batch, sl_triangle_ref hint)
{
    const sli_world *world = ((const sli_world_batch *)batch)->world;
    return hint.instance < world->count ? world->transformed[hint.instance].tree : NULL;
}

static SLI_FORCE_INLINE void world_hint_prefetch(const void *batch, sl_triangle_ref hint)
{
    const sli_world *world = ((const sli_world_batch *)batch)->world;
    if (hint.prim != SL_NONE && hint.instance < world->count) {
        prefetch_lines((const char *)&world->transformed[hint.instance], 0, 3);
    }
}

static SLI_FORCE_INLINE void world_hints_decide(hints_query *hinted, const size_t *index,
                                                const uint32_t *slot, uint32_t count)
{
    const sli_world_batch *batch = hinted->batch;
    sl_stats *stats = &hinted->spent;
    const bool chosen = batch->uses != 0;
    sli_tri_pack unpacked[8];
    world_eight eight;
    for (uint32_t i = 0; i < 8; i++) {
        const uint32_t from = i < count ? i : 0;
        eight.index[i] = index[from];
        eight.lane[i] = slot[from] % SLI_PACK;
        eight.instance[i] = hinted->hints[index[from]].instance;
        eight.best[i] = INFINITY;
        eight.most[i] = INFINITY;
        const sl_bvh *tree = batch->world->transformed[eight.instance[i]].tree;
        eight.pack[i] =
            i < count ? sli_tree_pack(tree, slot[i] / SLI_PACK, &unpacked[i]) : eight.pack[0];
    }
    world_decide_eight(batch, &eight, count, true, stats);
    stats->triangles += count;
    uint32_t hit = chosen ? 0 : eight.e.hit; /* surely */
    stats->hits += (uint32_t)__builtin_popcount(hit);
    for (uint32_t left = (eight.e.hit | eight.e.unsure) & ~hit; left != 0; left &= left - 1) {
        const uint32_t i = (uint32_t)__builtin_ctz(left);
        const bool found = (!chosen || world_leaves_in(batch, index[i], eight.instance[i])) &&
                           world_pair_hit(batch, &eight, i, NULL, stats);
        hit |= (uint32_t)found << i;
    }
    for (uint32_t i = 0; i < count; i++) {
        hinted->any[index[i]] = hit >> i & 1;
    }
    stats->rays += (uint32_t)__builtin_popcount(hit);
}

static SLI_NOINLINE void world_try_hints(const sli_world_batch *batch, size_t begin, size_t end,
                                         uint8_t *any, const sl_triangle_ref *hints,
                                         sl_stats *stats)
{
    hints_query hinted = { .batch = batch, .hints = hints, .any = any };
    hints_run(&hinted, begin, end, world_hint_tree, world_hint_prefetch, world_hints_decide, stats);
}
