/* widen.h: a binary tree becomes a tree of 8-wide nodes and leaf blocks: the only bridge between
 * the builders' language and the queries'.
 *
 * Children  a wide node begins with one candidate, the binary node it stands for, and opens
 *           candidates (puts the two children of one in its place) until it has 8, or until all
 *           fit into a leaf block: the one of largest area first (Wald, Benthin and Boulos 2008).
 * Depth     height of a binary node: 0 where at most 4 triangles are below it, so that it may be a
 *           leaf; else 1 + that of its higher child.  A height of 3 R fits into R levels of wide
 *           nodes, if a node with R levels left (itself included) first opens every candidate
 *           higher than 3 (R - 1).  Its own height is at most 3 R, and falls by at least 1 each
 *           time a candidate is opened, so whatever lies 3 binary levels further down is not
 *           higher than 3 (R - 1) and is not opened for this reason: what is opened first lies in
 *           the 3 binary levels 0, 1, 2, and at most 2^3 = 8 candidates come of it.  What is
 *           opened after that, by area, only gets lower.  With R = 1 every candidate ends with
 *           height 0, a leaf.  SLI_MAX_DEPTH = 16 wide levels hold the 48 of topdown.h.
 * Order     depth-first: a node, its leaf blocks in child order, then the subtrees below it, by
 *           decreasing area.
 * Workers   subtrees of at most some thousand triangles are counted in parallel, placed by
 *           summing the counts, and written in parallel. */
#ifndef SLI_BUILD_WIDEN_H
#define SLI_BUILD_WIDEN_H

#include "bvh/build/refs.h"
#include "bvh/tree/node2.h"
#include "bvh/tree/tree.h"

/* A binary tree whose root is nodes[0].  On no path are there more than 3 * SLI_MAX_DEPTH inner
 * nodes with more than 4 triangles, nor more than SLI_BINARY_DEPTH inner nodes at all. */
enum { SLI_BINARY_DEPTH = 3 * SLI_MAX_DEPTH + SLI_PACK - 1 };

typedef struct sli_binary {
    const sli_node2 *nodes;
    size_t node_count;   /* those not in use included */
    const sli_ref *refs; /* what leaves point into, 1 to 4 each */
    bool splits;         /* whether a triangle may have several references */
} sli_binary;

/* Makes a tree over the triangles of mesh; masks may be NULL.  SL_TOO_LARGE where it would need
 * more than line_limit lines (SLI_MAX_LINES, but for tests); SL_OUT_OF_MEMORY, SL_CANCELLED. */
sl_result sli_widen(const sli_binary *binary, const sl_mesh *mesh, const uint32_t *masks,
                    const sl_allocator *allocator, const sli_stage *stage, size_t line_limit,
                    sl_bvh **out);

#endif
