/* wide/node_writer.h: writes one wide node, for widen.c. */
#pragma once

#include "bvh/builder/wide/child_select.h"
#include "bvh/builder/wide/leaf_writer.h"

/* Writes the node at line, and adds its leaf blocks, which stand behind it, to leaves.  References
 * to inner children are left zero, for the caller to fill in. */
void sli_node_write(sli_leaf_writer *leaves, const sli_child_selection *children, size_t line);
