/* builder/box_group.h: the boxes of a few cells as one block, or as a subtree of full blocks, for
 * box_tree.c, which describes it. */
#pragma once

#include "bvh/builder/box_sums.h"
#include "bvh/builder/curve.h"
#include "bvh/builder/wide/node_order.h"
#include "bvh/tree/node2.h"

enum { SLI_GROUP_MAX = 256 /* boxes: 64 blocks, two levels of nodes */, SLI_GROUP_LEVELS = 2 };

/* What groups are made of. */
typedef struct sli_box_cells {
    const sli_refs *refs;
    sli_cells cells;
    const sli_node2 *nodes; /* over cells */
    const uint32_t *prims;  /* the cells of its leaves */
    sl_bvh *tree;
} sli_box_cells;

static inline uint32_t sli_box_blocks(uint32_t boxes)
{
    return (boxes + SLI_PACK - 1) / SLI_PACK;
}

/* Of a group of more than one block: nodes below its root, each with several blocks; 0: the blocks
 * are the root's. */
static inline uint32_t nodes_below(uint32_t blocks)
{
    return blocks > SLI_WIDTH ? (blocks + SLI_WIDTH - 1) / SLI_WIDTH : 0;
}

static inline uint32_t sli_box_lines(uint32_t boxes)
{
    const uint32_t blocks = sli_box_blocks(boxes);
    const uint32_t nodes = blocks > 1 ? 1 + nodes_below(blocks) : 0;
    return blocks * SLI_PACK_LINES + nodes * SLI_NODE_LINES;
}

/* Sets a child, and counts it. */
static inline void sli_box_node_set(sli_node_wide *node, uint32_t slot, uint32_t ref,
                                    const sli_box *box, sli_box_sums *sums)
{
    sli_child_set_box(node, slot, (const float *)&box->min, (const float *)&box->max);
    node->child[slot] = ref;
    sli_box_sums_add(sums, sli_box_area(box), (ref & SLI_REF_LEAF) != 0);
}

/* Once its children are set. */
static inline void sli_box_node_complete(sli_node_wide *node, uint32_t count)
{
    for (uint32_t slot = count; slot < SLI_WIDTH; slot++) {
        sli_child_clear(node, slot);
    }
    sli_node_order(node);
}

/* Writes the boxes below a binary node, at most SLI_GROUP_MAX, at a line; returns the sums over the
 * children of its nodes. */
sli_box_sums sli_box_group_write(const sli_box_cells *from, uint32_t node, uint32_t line);
