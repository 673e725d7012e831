/* Reference kernel, all hits after ray->after: counts them and keeps the capacity nearest (all of
 * the kernel table).  The bound never shrinks, since every hit counts.  Rays of batches come here
 * that slots do not take (stream/alone.inl). */
#pragma once

#include "bvh/kernel/mailbox.h"
#include "bvh/kernel/plain/box.inl"
#include "bvh/kernel/plain/tri.inl"
#include "lib/geom/intersect/hit_heap.h"

/* The nearest hits are left as a heap. */
static size_t collect_all(const sl_bvh *tree, const sli_kernel_ray *ray, sl_hit *hits,
                          size_t capacity, sl_stats *stats)
{
    walk w;
    sli_mailbox mailbox = { .count = 0 };
    size_t total = 0;
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
            sl_hit hit;
            const int lane = __builtin_ctz(lanes);
            if (hit_lane(&w, pack, lane, INFINITY, &hit) &&
                (ray->after == NULL || sli_hit_before(ray->after, &hit)) &&
                !(sli_pack_is_split(pack, lane) &&
                  sli_mailbox_is_repeat(&mailbox, tree, pack, lane, ray_reaches, &w))) {
                sli_hit_heap_add(hits, capacity, total++, &hit);
            }
        }
    }
    add_stats_to(&w.stats, stats);
    return total;
}

static size_t traverse_all(const sl_bvh *tree, const sli_kernel_ray *ray, sl_hit *hits,
                           size_t capacity, sl_stats *stats)
{
    const size_t total = collect_all(tree, ray, hits, capacity, stats);
    sli_hit_heap_sort(hits, capacity, total);
    return total;
}
