/* builder/serial.h: a subtree of a binary tree that one worker builds alone, depth first.
 *
 * Nodes    a subtree owns pairs of nodes that stand together (topdown.h), and takes them from the
 *          first on.
 * Leaves   keep only the numbers of their triangles.
 * Users    topdown.c and cell_tree.c, which decide what is a subtree; the former uses the parts for
 *          splits that many workers share, too. */
#pragma once

#include "bvh/builder/split/range.h"
#include "bvh/tree/node2.h"

/* How many levels of nodes may follow below the root of a binary tree (topdown.h). */
enum { SLI_BINARY_LEVELS = 48 };

/* References that become a subtree, and where its nodes go. */
typedef struct sli_subtree {
    sli_range range;
    uint32_t root; /* index of its root in nodes */
    uint32_t pair; /* first of the range.capacity - 1 pairs it owns; pair k: nodes 1 + 2k, 2 + 2k */
    int levels;    /* how many levels of nodes may still follow below its root */
} sli_subtree;

typedef struct sli_serial {
    sli_range_splitter splitter;
    sli_node2 *nodes;
    uint32_t *prims; /* of all leaves: that of place k of a side is at first + k */
    size_t first;
    size_t leaf_max; /* references of a leaf */
} sli_serial;

/* The most references that a child may have, of a node below which `levels` levels may follow: no
 * limit where that is more than any tree has. */
static inline size_t sli_side_max(size_t leaf_max, int levels)
{
    return levels > 28 ? SIZE_MAX : (leaf_max << levels) / 2;
}

static inline void sli_node2_set_box(sli_node2 *node, const sli_box *box)
{
    for (int axis = 0; axis < 3; axis++) {
        node->min[axis] = box->min[axis];
        node->max[axis] = box->max[axis];
    }
}

/* After the split of a range: writes its two child nodes, which become `pair`, and fills in the
 * children, except which pairs they own. */
void sli_subtree_divide(const sli_serial *build, const sli_subtree *parent, uint32_t pair,
                        const sli_range_plan *plan, sli_subtree children[2]);

/* Returns how many pairs are taken. */
uint32_t sli_subtree_build(const sli_serial *build, const sli_subtree *subtree);
