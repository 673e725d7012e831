/* over_boxes.h: a tree over boxes instead of triangles, for bvh/scene: the only header of builders
 * that it includes.
 *
 * The tree is an ordinary one whose triangle i stands for box i (wide/widen.h); no mesh is made,
 * and nothing is checked.
 * Phases   as those of sl_bvh_build, with the same reports. */
#ifndef SLI_BUILDER_OVER_BOXES_H
#define SLI_BUILDER_OVER_BOXES_H

#include "bvh/builder/refs.h"
#include "bvh/tree/tree.h"

/* quality: FAST or DEFAULT.  SL_OUT_OF_MEMORY, SL_TOO_LARGE and SL_CANCELLED: *out is NULL. */
sl_result sli_build_over_boxes(const sli_boxes *boxes, sl_bvh_quality quality,
                               const sl_allocator *allocator, const sli_phase *phase, sl_bvh **out);

#endif
