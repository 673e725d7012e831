/* builder/reinsert.h: improves a binary tree: subtrees are taken out and reinserted where they cost
 * least.
 *
 * Cost     the sum of the surfaces of all inner nodes with more than 4 triangles below them.  A
 *          subtree of at most 4, which becomes a leaf block, is only moved as a unit: taking blocks
 *          apart too saves node steps, but costs 20 % more memory.
 * Search   for each of a batch of nodes: in all that is beside the path to the root, and on the
 *          path, as long as the best place so far can be beaten, and for 128 places at most.  All
 *          workers search in a tree that does not change.
 * Moves    then one thread makes them, those that gain most first, each if it still gains
 *          something: earlier moves may have changed the places that it is about.  So no move needs
 *          to know of another, and the tree does not depend on the number of workers.
 * Depth    a move that makes a path of more than SLI_BINARY_LEVELS such inner nodes is not made.
 * Memory   5 bytes for each node, 8 for each inner one, and at most 160 KiB.
 * Users    build.c.
 * Source   Meister and Bittner, Parallel Reinsertion for Bounding Volume Hierarchy Optimization
 *          (2018). */
#pragma once

#include "bvh/builder/base/phase.h"
#include "bvh/tree/node2.h"

/* How much to do.  In 8 rounds every node gets its turn once; a round that gains next to nothing is
 * the last.  Nodes whose parents' surface is less than area_min times the mean of all inner nodes
 * are left alone: with 3, about 5 % are tried, for 80 % of the gain. */
typedef struct sli_reinsert_effort {
    int rounds;
    double area_min;
} sli_reinsert_effort;

/* Improves the tree whose root is nodes[0].  Nodes move, pairs stay pairs, references stay where
 * they are.  SL_OUT_OF_MEMORY, SL_CANCELLED. */
sl_result sli_reinsert(sli_node2 *nodes, size_t node_count, const sli_reinsert_effort *effort,
                       const sl_allocator *allocator, const sli_phase *phase);
