/* The frusta of packet/frustum.inl on their way down the tree. */
#pragma once

#include "bvh/kernel/filter/child_masks.inl"
#include "bvh/kernel/packet/frustum_leaf.inl"
#include "bvh/kernel/packet/frustum_node.inl"

/* The lines that may still be hit from a depth on. */
static inline uint64_t frustum_before(const frustum *p, float near)
{
    uint64_t before = 0;
    const f16 from = f16_splat(near);
    for (int ray = 0; ray < PACKET; ray += PACKET_LANES) {
        before |= (uint64_t)f16_bits_le(from, f16_load(p->bound + ray)) << ray;
    }
    return before;
}

/* Takes the frusta down the tree.  False: abandoned, since it costs more than the account
 * allows. */
static bool frustum_traverse(frustum *p, int32_t limit)
{
    const sl_bvh *tree = p->batch->tree;
    const sl_options *options = p->batch->options;
    const uint32_t *words = child_masks_of_all(tree, options);
    int64_t best = 0;
    while (p->top > 0) {
        const uint32_t at = --p->top, ref = p->ref[at];
        if (p->near[at] > p->most_bound[FRUSTUM_GROUPS]) {
            continue;
        }
        uint64_t lines = p->lines[at];
        if (p->by_line) {
            lines &= frustum_before(p, p->near[at]);
        }
        if (lines == 0) {
            continue;
        }
        const int64_t gain = (int64_t)p->saved - (int64_t)p->spent;
        best = gain > best ? gain : best;
        if (best - gain > limit + best / 4) {
            return false;
        }
        if ((ref & SLI_REF_LEAF) != 0) {
            p->spent += FRUSTUM_COST_LEAF;
            if (p->hooks.leaf != NULL) {
                p->hooks.leaf(p, p->hooks.context, ref, lines);
            } else {
                frustum_leaf(p, ref, lines);
                if (p->listed > FRUSTUM_LIST_MAX - SLI_PACK * FRUSTUM_GROUPS) {
                    p->hooks.decide(p, p->hooks.context, false);
                }
            }
        } else {
            if (p->stale != 0) {
                frustum_update_bounds(p);
                if (p->near[at] > p->most_bound[FRUSTUM_GROUPS]) {
                    continue;
                }
            }
            p->spent += FRUSTUM_COST_NODE;
            p->saved += PACKET_COST_NODE * (uint32_t)__builtin_popcountll(lines);
            const sli_node_wide *node = sli_tree_node(tree, ref);
            frustum_node(p, node, lines, child_masks_bits(words, tree, node, options->mask));
            p->stats->nodes++;
        }
    }
    p->hooks.decide(p, p->hooks.context, true);
    return true;
}
