/* Reference kernel, any hit: the first hit ends the traversal.  For rays outside the range of the
 * float filters (single/single.inl); any of the kernel table, which tests compare the other kernels
 * with. */
#pragma once

#include "bvh/kernel/plain/box.inl"
#include "bvh/kernel/plain/tri.inl"

/* The first lane that is hit: its prim, or SL_NONE.  t, u and v are computed for a hit filter
 * only. */
static uint32_t any_lane(walk *w, const sli_tri_pack *pack)
{
    for (uint32_t lanes = filter_lanes(w, pack); lanes != 0; lanes &= lanes - 1) {
        const int lane = __builtin_ctz(lanes);
        const uint32_t mask = pack->mask[lane];
        sl_hit seen;
        if (w->ray->accepts != NULL) {
            if (hit_lane(w, pack, lane, INFINITY, &seen)) {
                return seen.prim;
            }
            continue;
        }
        if (!sli_item_has(&w->ray->selection, (sl_triangle_ref){ .prim = pack->prim[lane] },
                          mask)) {
            continue;
        }
        float v[3][3];
        sli_decision_stage stage;
        sli_pack_corners(pack, lane, v);
        const bool hit =
            sli_exact_ray_hits(&w->ray->exact, v[0], v[1], v[2], (int)w->ray->cull, &stage);
        count_stage(w, stage, hit);
        if (hit) {
            return pack->prim[lane];
        }
    }
    return SL_NONE;
}

static bool traverse_any(const sl_bvh *tree, const sli_kernel_ray *ray, uint32_t *prim,
                         sl_stats *stats)
{
    walk w;
    uint32_t found = SL_NONE;
    prepare(&w, tree, ray);
    push_root(&w, tree);
    while (found == SL_NONE) {
        const uint32_t leaf = next_leaf(&w, tree, SLI_ANY_SHIFT);
        if (leaf == SLI_REF_EMPTY) {
            break;
        }
        sli_tri_pack scratch;
        found = any_lane(&w, sli_tree_pack(tree, leaf, &scratch));
    }
    add_stats_to(&w.stats, stats);
    if (found != SL_NONE && prim != NULL) {
        *prim = found;
    }
    return found != SL_NONE;
}
