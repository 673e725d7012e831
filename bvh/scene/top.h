/* top.h: the tree over the instances' boxes. */
#ifndef SLI_SCENE_TOP_H
#define SLI_SCENE_TOP_H

#include "bvh/scene/placed.h"

/* Builds the top tree of world->placed, whose boxes are given (those of holes are not read), and
 * completes the world.  bounds: of all boxes, if there are any.  On failure *top is NULL. */
sl_result sli_top_build(const sli_world_box *boxes, const sli_world_box *bounds,
                        const sl_build_def *def, sli_world *world, sl_bvh **top, sl_error *error);

#endif
