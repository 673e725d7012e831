/* wide_node.h: the bytes of one wide node and of its leaf blocks. */
#ifndef SLI_BUILD_WIDE_NODE_H
#define SLI_BUILD_WIDE_NODE_H

#include "bvh/build/children.h"

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
