/* prove.h: whether a tree from a file can be walked. */
#ifndef SLI_STORE_PROVE_H
#define SLI_STORE_PROVE_H

#include "bvh/tree/tree.h"

/* One pass over the lines, in their order, with the vertices that they name, and one over the
 * places; four bytes a triangle are taken meanwhile where some are split.  Where this is SL_OK, no
 * query reads outside of the tree or goes in circles, each counts a triangle once, and boxes contain
 * what is below them.  What is not looked at: whether boxes of a split triangle cover it, and whether
 * children are in the right order (any order is right, though slower).  Else SL_BAD_DATA, and the
 * error says which line; or SL_OUT_OF_MEMORY.  base: where in the file the lines begin. */
sl_result sli_store_prove(const sl_bvh *tree, const char *file, uint64_t base, sl_error *error);

#endif
