/* reinsert.h: a binary tree is improved: subtrees are taken out and put in again where they cost
 * least.
 *
 * Cost     the sum of the surfaces of all inner nodes with more than 4 triangles below them.  What
 *          has at most 4, a block to be, is only moved as a whole: taking these apart too gains
 *          fewer node steps and costs 20 % more memory.
 * Search   for each of a batch of nodes: in all that is beside the path to the root, and on the
 *          path, as long as the best place so far can be beaten.  All workers search in a tree that
 *          nobody changes.
 * Moves    then one thread makes them, those that gain most first, each if it still gains
 *          something: those before may have changed what it was about.  So no move needs to know
 *          of another, and the tree does not depend on the number of workers.
 * Depth    a move that makes a path of more than SLI_BINARY_LEVELS such inner nodes is not made.
 * Memory   5 bytes for each node, 8 for each inner one, and at most 160 KiB.
 * Source   Meister and Bittner, Parallel Reinsertion for Bounding Volume Hierarchy Optimization
 *          (2018). */
#ifndef SLI_BUILDER_REINSERT_H
#define SLI_BUILDER_REINSERT_H

#include "bvh/builder/phase.h"
#include "bvh/tree/node2.h"

/* How much to do.  In 8 rounds every node gets its turn once; the last is the first that gains next
 * to nothing.  Nodes whose parents' surface is less than `least` times the mean of all are left
 * alone: with 3, some 5 % are looked at, for 80 % of the gain. */
typedef struct sli_reinsert_effort {
    int rounds;
    double least;
} sli_reinsert_effort;

/* Improves the tree whose root is nodes[0]; nodes are moved, their pairs stay pairs, references
 * stay where they are.  SL_OUT_OF_MEMORY, SL_CANCELLED. */
sl_result sli_reinsert(sli_node2 *nodes, size_t node_count, const sli_reinsert_effort *effort,
                       const sl_allocator *allocator, const sli_phase *phase);

#endif
