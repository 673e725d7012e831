/* wide_node.h: one wide node of widen.c: which binary nodes become its children, and its bytes. */
#ifndef SLI_BUILD_WIDE_NODE_H
#define SLI_BUILD_WIDE_NODE_H

#include "bvh/build/widen.h"

/* What is below each binary node. */
typedef struct sli_below {
    const sli_binary *binary;
    uint32_t *triangles;
    uint8_t *height; /* as widen.h defines it */
} sli_below;

/* The children of a wide node, in child order. */
typedef struct sli_children {
    int count;
    int leaf_count;
    uint32_t node[SLI_WIDTH];
    double area[SLI_WIDTH];
} sli_children;

/* Fills both arrays, where there is a node. */
void sli_below_measure(sli_below *below);

static inline bool sli_is_leaf(const sli_below *below, uint32_t node)
{
    return below->height[node] == 0;
}

/* What a wide node for `node`, with levels left (itself included), has for children. */
void sli_children_choose(const sli_below *below, uint32_t node, int levels, sli_children *out);

/* Lines of a wide node with its leaf blocks. */
static inline size_t sli_children_lines(const sli_children *children)
{
    return (size_t)SLI_NODE_LINES + (size_t)SLI_PACK_LINES * (size_t)children->leaf_count;
}

/* Where the triangles of leaves come from and go to. */
typedef struct sli_writer {
    const sli_below *below;
    const float *xyz;
    const uint32_t *indices;
    const uint32_t *masks; /* may be NULL */
    sl_bvh *tree;
} sli_writer;

/* Writes the node at line and its leaf blocks behind it.  References to inner children are left
 * zero, to be filled in by whoever knows them. */
void sli_writer_node(const sli_writer *writer, const sli_children *children, size_t line);

#endif
