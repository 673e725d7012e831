/* Links all slots of each split triangle, for builders: one pass over the lines, in which nodes
 * and blocks follow each other without gaps. */
#include "bvh/tree/tree.h"
#include "lib/base/thread/slices.h"

static void link_lane(sl_bvh *tree, size_t line, uint32_t lane)
{
    sli_tri_pack *pack = sli_tree_at(tree, line);
    const uint32_t slot = (uint32_t)line * SLI_PACK + lane;
    uint32_t *last = &tree->slots[pack->prim[lane]];
    if (*last == SL_NONE) {
        tree->triangle_count++;
    } else {
        sli_tri_pack *before = sli_tree_at(tree, *last / SLI_PACK);
        uint32_t *link = &before->before[*last % SLI_PACK];
        *link = *link == 0 ? SLI_SLOT_FIRST : *link;
        pack->before[lane] = *last;
    }
    *last = slot;
}

void sli_tree_link(sl_bvh *tree, struct sli_slices *slices)
{
    tree->triangle_count = 0;
    size_t visits = 0;
    for (size_t line = SLI_HEADER_LINES; line < tree->line_count;) {
        sli_slices_pause_at(slices, visits++, 64);
        const sli_node_wide *node = sli_tree_node(tree, (uint32_t)line);
        line += SLI_NODE_LINES;
        for (int child = 0; child < SLI_WIDTH; child++) {
            if (sli_ref_is_block(node->child[child])) {
                const uint32_t lanes = sli_lane_count(sli_tree_ids(tree, (uint32_t)line));
                for (uint32_t lane = 0; lane < lanes; lane++) {
                    link_lane(tree, line, lane);
                }
                line += SLI_PACK_LINES;
            }
        }
    }
}
