/* Writes the bytes of one wide node (node_wide.h), for widen.c: bounds, leaves and the octant
 * orders. */
#include "bvh/builder/wide/node_writer.h"

#include "bvh/builder/wide/node_order.h"

void sli_node_write(sli_leaf_writer *leaves, const sli_child_selection *children, size_t line)
{
    const sli_collapse_plan *plan = leaves->context->plan;
    sli_node_wide *wide = sli_tree_at(leaves->context->tree, line);
    size_t leaf_line = line + SLI_NODE_LINES;
    for (int child = 0; child < children->count; child++) {
        const uint32_t node = children->node[child];
        const sli_node2 *from = &plan->binary->nodes[node];
        sli_child_set_box(wide, (uint32_t)child, from->min, from->max);
        wide->child[child] = 0;
        if (sli_is_leaf(plan, node)) {
            wide->child[child] = SLI_REF_LEAF | (uint32_t)leaf_line;
            sli_leaf_writer_add(leaves, node, leaf_line);
            leaf_line += leaves->context->leaf_lines;
        }
    }
    for (int child = children->count; child < SLI_WIDTH; child++) {
        sli_child_clear(wide, (uint32_t)child);
    }
    sli_node_order(wide);
}
