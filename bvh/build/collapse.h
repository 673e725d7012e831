/* collapse.h: which binary nodes become the children of each wide node.
 *
 * Plan     a dynamic programme finds the cheapest of all wide trees that keep the grouping of the
 *          binary one.  C(n, k), the cost of the subtree below n as up to k children of one wide
 *          node, is the less of
 *              C(n, 1) = chance(n) * cost of a block, if at most 4 triangles are below n, else
 *                        chance(n) * cost of a node + D(n, 8), and
 *              D(n, k) = the least C(left, s) + C(right, k - s) over s.
 *          chance(n) is the chance that a line through the root's box meets that of n, and a little
 *          more, so that less memory is better where boxes have no area.
 * Greedy   without a plan, or where the plan would be too deep, a wide node begins with one
 *          candidate, the binary node it stands for, and opens candidates (puts the two children of
 *          one in its place) until it has 8, or until all fit into a leaf block: the one of largest
 *          area first (Wald, Benthin and Boulos 2008).
 * Depth    height of a binary node: 0 where at most 4 triangles are below it, so that it is a leaf
 *          wherever it is a child; else 1 + that of its higher child.  A height of 3 R fits into R
 *          levels of wide nodes, if a node with R levels left (itself included) first opens every
 *          candidate higher than 3 (R - 1).  Its own height is at most 3 R, and falls by at least 1
 *          each time a candidate is opened, so whatever lies 3 binary levels further down is not
 *          higher than 3 (R - 1) and is not opened for this reason: what is opened first lies in
 *          the 3 binary levels 0, 1, 2, and at most 2^3 = 8 candidates come of it.  What is
 *          opened after that, by area, only gets lower.  With R = 1 every candidate ends with
 *          height 0, a leaf.  SLI_MAX_DEPTH = 16 wide levels hold the 48 of topdown.h.
 *          A planned node takes as many levels as the plan says, which are known; it is followed
 *          where these are left, and then for all that is below.  So each wide node with R levels
 *          left either has a plan of at most R levels, or a height of at most 3 R.
 * Memory   9 bytes for each binary node.
 * Source   Ylitie, Karras and Laine, Efficient Incoherent Ray Traversal on GPUs Through Compressed
 *          Wide BVHs (2017), 3.1. */
#ifndef SLI_BUILD_COLLAPSE_H
#define SLI_BUILD_COLLAPSE_H

#include "bvh/build/widen.h"
#include "lib/base/arena.h"

/* What is below each binary node that is in use. */
typedef struct sli_below {
    const sli_binary *binary;
    uint32_t *triangles;
    uint8_t *height;
    uint32_t *plan; /* see sli_plan_share; NULL where there is none */
} sli_below;

/* The children of a wide node, in child order. */
typedef struct sli_children {
    int count;
    int leaf_count;
    uint32_t node[SLI_WIDTH];
    double area[SLI_WIDTH];
} sli_children;

/* Measures what is below, and plans unless binary->greedy.  Arrays are the arena's.
 * SL_OUT_OF_MEMORY, SL_CANCELLED. */
sl_result sli_collapse(const sli_binary *binary, sli_arena *arena, const sli_stage *stage,
                       sli_below *out);

static inline bool sli_is_leaf(const sli_below *below, uint32_t node)
{
    return below->height[node] == 0;
}

/* What a wide node for `node`, with levels left (itself included), has for children. */
void sli_children_choose(const sli_below *below, uint32_t node, int levels, sli_children *out);

#endif
