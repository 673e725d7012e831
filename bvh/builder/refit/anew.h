/* refit/anew.h: a tree built anew within a refit, where the old one's blocks cannot hold what there
 * is now: with its quality, layout and masks. */
#pragma once

#include "bvh/builder/refit/moved.h"

/* masks may be NULL: those of the tree, and all bits for triangles that were not in it. */
sl_result sli_build_anew(const sl_bvh *tree, const sli_moved *moved, const uint32_t *masks,
                         const sl_hooks *hooks, sl_bvh **out, sl_error *error);
