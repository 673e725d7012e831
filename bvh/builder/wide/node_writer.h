/* wide/node_writer.h: the bytes of one wide node. */
#ifndef SLI_WIDE_NODE_WRITER_H
#define SLI_WIDE_NODE_WRITER_H

#include "bvh/builder/wide/child_select.h"
#include "bvh/builder/wide/leaf_writer.h"

/* Writes the node at line; its leaf blocks will stand behind it.  References to inner children are
 * left zero, to be filled in by whoever knows them. */
void sli_node_write(sli_leaf_writer *leaves, const sli_child_selection *children, size_t line);

#endif
