/* wide/binary.h: the binary tree that becomes a wide one, for the files of this folder and those
 * that make it. */
#pragma once

#include "bvh/tree/node2.h"
#include "bvh/tree/tree.h"

/* A binary tree whose root is nodes[0].  On no path are there more than 3 * SLI_MAX_DEPTH inner
 * nodes with more than 4 triangles, nor more than SLI_BINARY_DEPTH inner nodes at all. */
enum { SLI_BINARY_DEPTH = 3 * SLI_MAX_DEPTH + SLI_PACK - 1 };

typedef struct sli_binary {
    const sli_node2 *nodes;
    size_t node_count;     /* nodes not in use included */
    const uint32_t *prims; /* the triangles of references */
    size_t ref_count;      /* places for references, those not in use included */
    bool splits;           /* a triangle may have several references */
} sli_binary;
