/* prove.h: whether a tree from a file can be traversed. */
#pragma once

#include "bvh/tree/tree.h"

/* One pass over the lines, in their order, with the vertices that they name, and one over the
 * slots; it allocates four bytes a triangle where any is split.  After SL_OK, no query reads
 * outside of the tree or loops, each counts a triangle once, and boxes contain what is below them.
 * Not tested: whether boxes of a split triangle cover it, and whether children are in the best
 * order (any order gives the same answers).  Else SL_BAD_DATA, and the error says which line; or
 * SL_OUT_OF_MEMORY.  base: the byte of the file where the lines begin.  *masked becomes whether the
 * mask of some triangle has not all bits. */
sl_result sli_store_prove(const sl_bvh *tree, const char *file, uint64_t base, bool *masked,
                          sl_error *error);
