/* Writes the bytes of one wide node (node_wide.h), for widen.c: bounds, leaves and the octant
 * orders. */
#include "bvh/builder/wide/node_writer.h"

#include "bvh/builder/wide/node_order.h"

static void write_bounds(const sli_node2 *from, sli_node_wide *wide, int child)
{
    for (int axis = 0; axis < 3; axis++) {
        wide->bounds[axis][0][child] = from->min[axis];
        wide->bounds[axis][1][child] = from->max[axis];
    }
}

void sli_node_write(sli_leaf_writer *leaves, const sli_child_selection *children, size_t line)
{
    static const sli_node2 nothing = { .min = { SLI_EMPTY_MIN, SLI_EMPTY_MIN, SLI_EMPTY_MIN },
                                       .max = { SLI_EMPTY_MAX, SLI_EMPTY_MAX, SLI_EMPTY_MAX } };
    const sli_collapse_plan *plan = leaves->context->plan;
    sli_node_wide *wide = (sli_node_wide *)(void *)(leaves->context->tree->lines + line * SLI_LINE);
    size_t leaf_line = line + SLI_NODE_LINES;
    for (int child = 0; child < children->count; child++) {
        const uint32_t node = children->node[child];
        write_bounds(&plan->binary->nodes[node], wide, child);
        wide->child[child] = 0;
        if (sli_is_leaf(plan, node)) {
            wide->child[child] = SLI_REF_LEAF | (uint32_t)leaf_line;
            sli_leaf_writer_add(leaves, node, leaf_line);
            leaf_line += leaves->context->leaf_lines;
        }
    }
    for (int child = children->count; child < SLI_WIDTH; child++) {
        write_bounds(&nothing, wide, child);
        wide->child[child] = SLI_REF_EMPTY;
    }
    sli_node_order(wide);
}
