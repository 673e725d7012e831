/* builder/cell_tree.h: a binary tree that is built over cells near the top, and over references
 * below: as topdown.h does, in less time.
 *
 * Top      cells of references that are close together (curve.h) are split by binned SAH, weighed
 *          by their references, down to ranges of at most open_max.
 * Below    the references of such a range are split from there on as topdown.h splits them, by one
 *          worker, in arrays that stay in its cache.
 * Quality  a cell ends up whole on one side, so cuts near the top follow its outline; the lower,
 *          and by far the most, are those of topdown.h.  Over 13 scenes SAH costs are 1 % higher
 *          on average and 4 % at most.
 * Way out  where cells hold few references each (most are wide), or one holds too many for a worker
 *          (centres that coincide), nothing is built, and topdown.h is to do it: then the build
 *          takes 1.1 to 1.15 times as long as without this.
 * Layout   nodes, depth and leaves as in topdown.h.
 * Workers  the top is one worker's: a fortieth of the work.  The tree does not depend on them.
 * Memory   115 bytes a triangle at most.
 * Users    build.c.
 * Source   Pantaleoni and Luebke, HLBVH: Hierarchical LBVH Construction for Real-Time Ray Tracing
 *          of Dynamic Geometry (2010), for SAH over cells of a Morton curve. */
#pragma once

#include "bvh/builder/topdown.h"

/* As sli_topdown, without splits; *nodes is also NULL after SL_OK where cells do not pay: then the
 * references are as they were. */
sl_result sli_cell_tree(sli_refs *refs, size_t leaf_max, size_t open_max, const sli_phase *phase,
                        sli_node2 **nodes, size_t *node_count);
