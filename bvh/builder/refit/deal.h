/* refit/deal.h: the triangles of a subtree, dealt anew to its blocks.
 *
 * Shape    nodes, blocks and how many triangles each holds stay, so that the subtree takes the same
 *          lines; which triangles these are is chosen as a build would: from the root of the
 *          subtree down, the children of a node are divided into two groups, again and again, and
 *          the triangles with them along the axis where the surface area heuristic is least over
 *          all groups.  With up to 8 children there are many sizes to choose from.
 * Quality  of generated meshes of one piece that were twisted 1.06 to 1.10, of torn ones 1.16 to
 *          1.18 times the cost of trees built anew over the same triangles.
 * Source   Wald, On fast Construction of SAH-based Bounding Volume Hierarchies (2007), for bins. */
#pragma once

#include "bvh/builder/base/refs.h"
#include "bvh/builder/refit/pieces.h"

enum { SLI_DEAL_MAX = SLI_PIECE_LINES / SLI_PACK_LINES * SLI_PACK };

/* What a worker needs for a piece. */
typedef struct sli_deal_scratch {
    uint8_t lines[(size_t)SLI_PIECE_LINES * SLI_LINE]; /* as they were */
    sli_ref refs[SLI_DEAL_MAX], moved[SLI_DEAL_MAX];   /* spare: the slot in lines */
    uint32_t keys[2 * SLI_DEAL_MAX], order[SLI_DEAL_MAX], scratch[SLI_DEAL_MAX];
    uint32_t nodes[SLI_PIECE_NODES], counts[SLI_PIECE_NODES], begins[SLI_PIECE_NODES];
    size_t node_count;
} sli_deal_scratch;

/* Deals the triangles of a piece that is a subtree, of a tree that is not compact; its boxes and
 * orders are then old.  False, and nothing has changed, where a triangle in it was cut: this would
 * have to stay where the others of its blocks are.  Lists the nodes in any case. */
bool sli_deal(const sl_bvh *tree, const sli_refit_piece *piece, sli_deal_scratch *scratch);

/* Takes it back. */
void sli_deal_undo(const sl_bvh *tree, const sli_refit_piece *piece,
                   const sli_deal_scratch *scratch);
