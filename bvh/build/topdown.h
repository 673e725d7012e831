/* topdown.h: a binary tree from the root down.
 *
 * Depth    a node with L levels left below it has at most 4 * 2^L references (a leaf block of 4 at
 *          the end of each path).  The root has SLI_BINARY_LEVELS left, and 2^28 - 1 references
 *          need 26 levels.  A split that would leave a side with more than 4 * 2^(L - 1) is not
 *          considered; the median always passes, since half of 4 * 2^L, rounded up, is no more.
 *          Below 4 references, at most 3 more levels follow, down to single references.
 * Layout   nodes[0] is the root.  The n - 1 pairs of children of a subtree of n leaves stand
 *          together: first the pair of its root, then those of the left subtree, then those of the
 *          right one.  So nobody needs a counter, and children come behind their parents.
 * Workers  while a range has more than some thousand references, all workers split it together,
 *          level by level; then each range goes to one worker.  The tree does not depend on who. */
#ifndef SLI_BUILD_TOPDOWN_H
#define SLI_BUILD_TOPDOWN_H

#include "bvh/build/refs.h"
#include "bvh/tree/node2.h"

enum { SLI_BINARY_LEVELS = 48 };

/* Fills nodes (2 * refs->count - 1 of them; count >= 1) down to one reference for each leaf, and
 * sorts the references: leaf->first is a position in refs->side[0].  SL_OUT_OF_MEMORY,
 * SL_CANCELLED. */
sl_result sli_topdown(sli_refs *refs, const sli_stage *stage, sli_node2 *nodes);

#endif
