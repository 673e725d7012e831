/* wide_node.h: the bytes of one wide node. */
#ifndef SLI_BUILD_WIDE_NODE_H
#define SLI_BUILD_WIDE_NODE_H

#include "bvh/builder/wide/child_select.h"
#include "bvh/builder/wide/leaf_writer.h"

/* Writes the node at line; its leaf blocks will stand behind it.  References to inner children are
 * left zero, to be filled in by whoever knows them. */
void sli_wide_node_write(sli_leaf_queue *leaves, const sli_children *children, size_t line);

#endif
