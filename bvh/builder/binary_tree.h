/* builder/binary_tree.h: a binary tree in full: references, the tree from the root down, reinsertion; with a
 * second try where splitting triangles may have done harm.
 *
 * Splits   are chosen from the root down, where they nearly always pay.  But reinsertion cannot put
 *          together again what was cut, and without cuts it may find a better tree: whole walls in
 *          one place.  So where reinsertion took off more than a tenth of the cost, though few
 *          triangles were split (a twelfth more references at most), a tree without splits is grown
 *          as well, for two thirds of the time, and the cheaper one is kept.
 * Cost     of wide trees, as collapse.h plans them.
 * Memory   the first tree, with up to 76 bytes for each triangle, waits while the second one is
 *          grown; together they take at most 205.
 * Workers  as in what it is made of; the tree does not depend on who. */
#ifndef SLI_BUILD_GROW_H
#define SLI_BUILD_GROW_H

#include "bvh/builder/refs.h"
#include "bvh/builder/reinsert.h"
#include "bvh/builder/wide/widen.h"

typedef struct sli_recipe {
    size_t leaf_most; /* of the binary tree: 1 .. 4 */
    sli_effort reinsertion;
    bool splits; /* triangles; with leaf_most 1 */
} sli_recipe;

/* Zeroed: no tree. */
typedef struct sli_grown {
    sli_refs refs;
    sli_node2 *nodes; /* NULL where there are no references */
    size_t node_count;
    sli_cost cost;
    bool splits;
} sli_grown;

/* SL_OUT_OF_MEMORY, SL_CANCELLED; sli_grown_free must follow whatever the result. */
sl_result sli_grow(const sl_mesh *mesh, const sli_recipe *recipe, const sl_allocator *allocator,
                   const sli_stage *stage, sli_grown *out);
void sli_grown_free(sli_grown *tree);

/* What widen.h takes; it refers to the tree. */
sli_binary sli_grown_binary(const sli_grown *tree);

#endif
