/* topdown.h: a binary tree from the root down.
 *
 * Splits   split/range.h chooses them.  With a mesh, triangles may be cut (spatial splits); then a
 *          tree holds more references than there are triangles, up to refs->capacity.
 * Leaves   up to leaf_max references.  4 fill a block; with 1 wide/collapse.h may choose what a
 *          block holds, which saves 1 to 10 % of the blocks that a query meets and costs 1 to 4 %
 *          more memory.
 * Depth    a node with L levels left below it has at most leaf_max * 2^L references, so that with
 *          L = 0 it is a leaf.  The root has SLI_BINARY_LEVELS left, and 2^28 - 1 references need
 *          28 at most.  A split that would leave a side with more than leaf_max * 2^(L - 1) is not
 *          considered; the median always passes, since half of leaf_max * 2^L, rounded up, is no
 *          more.
 * Layout   nodes[0] is the root.  A subtree that may come to n references owns n - 1 pairs of nodes
 *          that stand together: first the pair of its root's children, then those of the left
 *          subtree, then those of the right one, so that workers need no common counter.  A subtree
 *          that one worker builds takes pairs from the first on, in depth-first order; pairs that
 *          are left over are closed up at the end (defragment.h).
 * Workers  while a range has more than subtree_max references (topdown.c), all workers split it
 *          together, level by level; then each range goes to one worker.  The tree does not depend
 *          on the number of workers.
 * Memory   of the references and nodes: 132 bytes a triangle, 204 with a mesh.
 * Users    build.c, for trees with splits, and where cell_tree.h builds nothing.
 * Source   Wald, On fast Construction of SAH-based Bounding Volume Hierarchies (2007); Stich,
 *          Friedrich and Dietrich, Spatial Splits in Bounding Volume Hierarchies (2009). */
#pragma once

#include "bvh/builder/serial.h"

/* References that a tree of count triangles has capacity for where these may be cut. */
size_t sli_spatial_capacity(size_t count);

/* Makes nodes, an array of the references' allocator of which all are in use, over the references,
 * of which there is at least one.  mesh: NULL, or that of the references, to be cut where that
 * pays.  leaf_max: 1 .. 4.  Of the references only refs->prims is kept, the triangles of leaves
 * from leaf->first on.  SL_OUT_OF_MEMORY, SL_CANCELLED: *nodes is NULL. */
sl_result sli_topdown(sli_refs *refs, const sli_triangles *mesh, size_t leaf_max,
                      const sli_phase *phase, sli_node2 **nodes, size_t *node_count);
