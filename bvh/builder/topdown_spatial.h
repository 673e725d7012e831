/* builder/topdown_spatial.h: a binary tree from the root down, like topdown.h, with spatial splits where they pay.
 *
 * Tried    where the children of the best cut by centres overlap by more than 1e-3 of the surface
 *          of the root (Stich et al. 2009); taken where the cut of space is cheaper.
 * Room     a range has room for more references than it holds, half as many again at the root
 *          (sli_spatial_room); what is left of it after a split goes to the halves by their
 *          counts.  Without room a range is sorted as in topdown.h.  So there are never more
 *          references than the arrays hold.
 * Depth    as in topdown.h, which counts references: no side gets as many as there were, nor more
 *          than the levels below it allow.
 * Layout   as in topdown.h, with room for count: a subtree of room r owns r - 1 pairs of nodes, and
 *          r places for references.  In the end nodes stand close together (builder/defragment.h), and of the
 *          references only the numbers of their triangles are kept, at their places.
 * Memory   204 bytes for each triangle while the tree is made.
 * Workers  as in topdown.h; the tree does not depend on who. */
#ifndef SLI_BUILD_SPATIAL_H
#define SLI_BUILD_SPATIAL_H

#include "bvh/builder/split/clip_reference.h"
#include "bvh/tree/node2.h"

/* References that a tree of count triangles has room for. */
size_t sli_spatial_room(size_t count);

/* Makes nodes, as sli_topdown does, and cuts some of the references: leaf->first is a position in
 * refs->prims, which is all that is kept of them.  leaf_most: 1 .. 4.  SL_OUT_OF_MEMORY,
 * SL_CANCELLED: *nodes is NULL. */
sl_result sli_spatial(sli_refs *refs, const sli_triangles *mesh, size_t leaf_most,
                      const sli_stage *stage, sli_node2 **nodes, size_t *node_count);

#endif
