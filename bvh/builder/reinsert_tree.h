/* builder/reinsert_tree.h: a binary tree whose subtrees can be moved, for reinsert.c.
 *
 * Blocks   a subtree of at most 4 triangles, which becomes a leaf block, is only moved as a unit;
 *          the nodes inside it are not considered.
 * Move     the node's sibling takes the place of their parent, whose node moves to above the node's
 *          new neighbour.  Pairs of children stay pairs: the nodes that change places swap with
 *          others. */
#pragma once

#include "bvh/builder/base/box.h"
#include "bvh/tree/node2.h"
#include "lib/base/thread/slices.h"

typedef struct sli_reinsert_tree {
    sli_node2 *nodes;
    size_t node_count;
    uint32_t *parent;   /* SLI_NO_NODE: of the root, of nodes inside blocks and of unused nodes */
    uint8_t *height;    /* inner nodes on the longest path down, itself included; 0: a block */
    sli_slices *slices; /* of a build in slices, or NULL */
    size_t inner_count;
    double cost; /* the surfaces of all inner nodes together */
} sli_reinsert_tree;

#define SLI_NO_NODE 0xFFFFFFFFu

/* Fills in all but nodes and node_count; the arrays, of node_count items, are the caller's. */
void sli_reinsert_tree_connect(sli_reinsert_tree *tree);

/* The cost saved when the node (not the root) is put beside `to`; 0 where that is no move, or would
 * make a path of more than SLI_BINARY_LEVELS inner nodes. */
double sli_reinsert_tree_gain(const sli_reinsert_tree *tree, uint32_t node, uint32_t to);

/* Makes that move.  Afterwards the node's sibling is where its parent was, `to` where the sibling
 * was, and at `to` is a new inner node over both. */
void sli_reinsert_tree_move(sli_reinsert_tree *tree, uint32_t node, uint32_t to);

static inline sli_box sli_node2_box(const sli_node2 *node)
{
    sli_box box;
    memcpy(&box, node, sizeof box);
    return box;
}

/* Half the surface of the node's box joined with the other. */
static inline double sli_joined_area(const sli_node2 *node, const sli_box *other)
{
    sli_box box = sli_node2_box(node);
    sli_box_join(&box, other);
    return sli_box_area(&box);
}

static inline uint32_t sli_sibling(const sli_reinsert_tree *tree, uint32_t node)
{
    return 2 * tree->nodes[tree->parent[node]].first + 1 - node;
}
