/* plain.h: what a plain walk looks at: one ray down a binary tree of its own, near child first,
 * boxes in doubles, triangles one by one.
 *
 * It is what a reader of a textbook would write (Ericson, Real-Time Collision Detection (2005),
 * 6.6; Wald 2007 for the splits), so no cliff of ours is a cliff of it.  There are two trees, one
 * by SAH and one that halves the longest axis of the centres; the better one counts. */
#pragma once

#include "tools/bench/harness/ask.h"

#include <sightline/mesh.h>

typedef struct plain_tree plain_tree;

typedef enum plain_split { PLAIN_SAH, PLAIN_MEDIAN, PLAIN_SPLITS } plain_split;

plain_tree *plain_build(const sl_mesh *mesh, plain_split split); /* NULL: out of memory */
void plain_free(plain_tree *tree);                               /* NULL is fine */

/* Triangles that the questions take, all together. */
uint64_t plain_triangles(const plain_tree *tree, const bench_rays *rays);
