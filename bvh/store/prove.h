/* prove.h: whether a tree from a file can be walked. */
#ifndef SLI_STORE_PROVE_H
#define SLI_STORE_PROVE_H

#include "bvh/tree/tree.h"

/* One pass over the lines, in their order, with the vertices that they name, and one over the
 * places; no memory is taken.  Where this is true, no query reads outside of the tree or goes in
 * circles, and boxes contain what is below them.  What is not looked at: whether boxes of a split
 * triangle cover it, and whether children are in the right order (any order is right, though
 * slower).  Else false, and the error says which line.  base: where in the file the lines begin. */
bool sli_store_prove(const sl_bvh *tree, const char *file, uint64_t base, sl_error *error);

#endif
