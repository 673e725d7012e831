/* builder/box_tree.h: a tree over many boxes in little time, without a binary tree over all.
 *
 * Top      cells along a curve (curve.h) are split by topdown.h, and wide nodes are opened from
 *          there by area, down to groups of at most 256 boxes.
 * Below    the boxes of a group are halved again and again at ranks along the longest side of their
 *          centres, into full blocks and nodes, whose lines follow from their number alone.
 * Way out  where cells hold few boxes each (most are wide), or one holds more than a group, or the
 *          top is too deep, nothing is built, and build.c is to do it.
 * Layout   as in tree.h: depth-first.
 * Workers  each group is one worker's; the tree does not depend on them.
 * Memory   80 bytes a box while it runs.
 * Users    build.c, for SL_BVH_QUALITY_FAST over boxes.
 * Source   Pantaleoni and Luebke, HLBVH (2010), for SAH over cells of a Morton curve; Wald, Benthin
 *          and Boulos (2008), for opening by area. */
#pragma once

#include "bvh/builder/over_boxes.h"

/* For fewer boxes the ordinary builders are as fast. */
enum { SLI_BOX_TREE_MIN = 10000 };

/* refs: of the boxes, at least SLI_BOX_TREE_MIN; they stay as they are.  *out is NULL after SL_OK
 * where this builder does not suit; else its figures are complete, and *drift says how good it is.
 * SL_OUT_OF_MEMORY, SL_TOO_LARGE, SL_CANCELLED. */
sl_result sli_box_tree(const sli_refs *refs, size_t box_count, const sl_allocator *allocator,
                       const sli_phase *phase, sli_boxes_drift *drift, sl_bvh **out);
