/* refit/child_masks.h: the masks below nodes (bvh/tree/child_masks.h) follow those of triangles. */
#pragma once

#include "bvh/builder/refit/blocks.h"

/* Once blocks are written; regrouped: triangles of chosen pieces have changed blocks.  Of dirty
 * ranges only what leads to changed blocks is looked at, where the words were filled before. */
void sli_update_child_masks(const sli_update *update, bool regrouped, const sli_phase *phase);
