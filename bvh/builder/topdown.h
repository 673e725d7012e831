/* topdown.h: a binary tree from the root down.
 *
 * Leaves   up to leaf_most references.  4 fill a block; with 1 collapse.h may choose what a block
 *          holds, which saves 1 to 10 % of the blocks that a query meets and costs 1 to 4 % more
 *          memory.
 * Depth    a node with L levels left below it has at most leaf_most * 2^L references, so that with
 *          L = 0 it is a leaf.  The root has SLI_BINARY_LEVELS left, and 2^28 - 1 references need
 *          28 at most.  A split that would leave a side with more than leaf_most * 2^(L - 1) is not
 *          considered; the median always passes, since half of leaf_most * 2^L, rounded up, is no
 *          more.
 * Layout   nodes[0] is the root.  A subtree of n references owns n - 1 pairs of nodes that stand
 *          together: first the pair of its root's children, then those of the left subtree, then
 *          those of the right one, so that workers need no common counter.  A subtree that one
 *          worker builds takes pairs from the first on, by depth; what is left unused goes in the
 *          end (builder/defragment.h).
 * Workers  while a range has more than some thousand references, all workers split it together,
 *          level by level; then each range goes to one worker.  The tree does not depend on who. */
#ifndef SLI_BUILD_TOPDOWN_H
#define SLI_BUILD_TOPDOWN_H

#include "bvh/builder/refs.h"
#include "bvh/tree/node2.h"

enum { SLI_BINARY_LEVELS = 48 };

/* The references that a side may have, of a node with levels left below it. */
static inline size_t sli_most_on_a_side(size_t leaf_most, int levels)
{
    return levels > 28 ? SIZE_MAX : (leaf_most << levels) / 2;
}

/* What one worker splits alone, of count references in all.  Some dozens of such ranges keep many
 * workers busy; larger ones would not stay in a cache of their own. */
static inline size_t sli_subtree_most(size_t count)
{
    const size_t least = 4096, most = 65536, share = count / 64;
    return share < least ? least : share < most ? share : most;
}

/* Makes nodes, an array of the references' allocator of which all are in use, and sorts the
 * references, of which there is at least one: leaf->first is a position in refs->side[0], the only
 * array that is kept.  leaf_most: 1 .. 4.  SL_OUT_OF_MEMORY, SL_CANCELLED: *nodes is NULL. */
sl_result sli_topdown(sli_refs *refs, size_t leaf_most, const sli_stage *stage, sli_node2 **nodes,
                      size_t *node_count);

#endif
