/* Reference kernel, closest hit: the smallest (t, instance, prim) after ray->after, whatever the
 * order of the traversal.  For sl_bvh_next(), and rays outside the range of the float filters
 * (single/single.inl); closest of the kernel table. */
#pragma once

#include "bvh/kernel/plain/box.inl"
#include "bvh/kernel/plain/tri.inl"
#include "lib/geom/intersect/hit_heap.h"

static bool traverse_closest(const sl_bvh *tree, const sli_kernel_ray *ray, sl_hit *hit,
                             sl_stats *stats)
{
    walk w;
    bool found = false;
    sl_hit best = { .t = INFINITY, .prim = SL_NONE };
    prepare(&w, tree, ray);
    push_root(&w, tree);
    for (;;) {
        const uint32_t leaf = next_leaf(&w, tree, 0);
        if (leaf == SLI_REF_EMPTY) {
            break;
        }
        sli_tri_pack scratch;
        const sli_tri_pack *pack = sli_tree_pack(tree, leaf, &scratch);
        for (uint32_t lanes = filter_lanes(&w, pack); lanes != 0; lanes &= lanes - 1) {
            sl_hit candidate;
            if (!hit_lane(&w, pack, __builtin_ctz(lanes), best.t, &candidate) ||
                (found && !sli_hit_before(&candidate, &best)) ||
                (ray->after != NULL && !sli_hit_before(ray->after, &candidate))) {
                continue;
            }
            found = true;
            best = candidate;
            const float bound = bound_of(&w, best.t);
            w.bound = bound < w.bound ? bound : w.bound;
        }
    }
    add_stats_to(&w.stats, stats);
    if (found) {
        *hit = best;
    }
    return found;
}
