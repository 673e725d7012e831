/* refit/update.h: a tree's own blocks, boxes, orders and figures follow the caller's arrays. */
#pragma once

#include "bvh/builder/refit/blocks.h"

/* Of a compact tree: its vertices are already those wanted (compact.h). */
void sli_update_tree(const sli_update *update, const sli_phase *phase);
