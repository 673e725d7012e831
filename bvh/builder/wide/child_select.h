/* wide/child_select.h: the children of one wide node, in their order.
 *
 * Plan     those of collapse.h, where its plan fits into the levels that are left.
 * Greedy   elsewhere a wide node begins with one candidate, the binary node it stands for, and
 *          opens candidates (replaces one by its two children) until it has 8, or until all fit
 *          into a leaf block: the one of largest area first (Wald, Benthin and Boulos 2008).
 * Depth    a height of 3 R fits into R levels of wide nodes, if a node with R levels left (itself
 *          included) first opens every candidate higher than 3 (R - 1).  Its own height is at most
 *          3 R, and falls by at least 1 each time a candidate is opened, so whatever lies 3 binary
 *          levels further down is not higher than 3 (R - 1) and is not opened for this reason: what
 *          is opened first lies in the 3 binary levels 0, 1, 2, and at most 2^3 = 8 candidates come
 *          of it.  What is opened after that, by area, only gets lower.  With R = 1 every candidate
 *          ends with height 0, a leaf.
 *          So with R levels left every wide node either is no higher than 3 R, or has a plan of at
 *          most R levels: the root, with SLI_MAX_DEPTH = 16 levels and the height of 48 that
 *          topdown.h and reinsert.h keep to; children of a greedy node are no higher than
 *          3 (R - 1); those of a planned one have plans of at most R - 1 levels.
 * Order    that in which any-hit queries visit them: leaf blocks, then subtrees with fewer
 *          triangles, where these differ about sixteenfold or more; else as in the binary tree.
 *          (Of nodes and blocks for an any-hit ray that saves 1 to 40 %.)
 * Users    widen.c.
 * Source   Wald, Benthin and Boulos, Getting Rid of Packets (2008), for opening by area. */
#pragma once

#include "bvh/builder/wide/collapse.h"

typedef struct sli_child_selection {
    int count;
    int leaf_count;
    uint32_t node[SLI_WIDTH]; /* binary */
    double area[SLI_WIDTH];
} sli_child_selection;

/* The children of a wide node for the binary `node`, with levels left (itself included). */
void sli_child_select(const sli_collapse_plan *plan, uint32_t node, int levels,
                      sli_child_selection *out);

/* The same in no particular order and without areas. */
void sli_child_select_unordered(const sli_collapse_plan *plan, uint32_t node, int levels,
                                sli_child_selection *out);

/* Lines of a wide node and its leaf blocks. */
static inline size_t sli_child_lines(const sli_child_selection *children, size_t leaf_lines)
{
    return (size_t)SLI_NODE_LINES + leaf_lines * (size_t)children->leaf_count;
}
