/* over_boxes.h: a tree over boxes instead of triangles, for bvh/scene: the only header of builders
 * that it includes.
 *
 * The tree is an ordinary one whose triangle i stands for box i (wide/widen.h); no mesh is made,
 * and nothing is checked.
 * Phases   as those of sl_bvh_build, with the same reports. */
#pragma once

#include "bvh/builder/box_sums.h"

sli_boxes_drift sli_measure_over_boxes(const sl_bvh *tree, const sli_phase *phase);

/* quality: FAST or DEFAULT.  *drift says how good the tree is, as sli_measure_over_boxes would.
 * SL_OUT_OF_MEMORY, SL_TOO_LARGE and SL_CANCELLED: *out is NULL. */
sl_result sli_build_over_boxes(const sli_boxes *boxes, sl_bvh_quality quality,
                               const sl_allocator *allocator, const sli_phase *phase,
                               sli_boxes_drift *drift, sl_bvh **out);

/* Makes a tree over boxes that has the nodes of another, over as many boxes at the same numbers, of
 * which there is at least one.  SL_OUT_OF_MEMORY and SL_CANCELLED: *out is NULL. */
sl_result sli_refit_over_boxes(const sl_bvh *from, const sli_boxes *boxes,
                               const sl_allocator *allocator, const sli_phase *phase,
                               sli_boxes_drift *drift, sl_bvh **out);

/* Gives the triangles of a tree over boxes their masks, by box (NULL: all bits), and fills those
 * below nodes (bvh/tree/child_masks.h).  SL_OUT_OF_MEMORY: the tree is still the caller's. */
sl_result sli_mask_boxes(sl_bvh *tree, const uint32_t *masks, const sli_phase *phase);
