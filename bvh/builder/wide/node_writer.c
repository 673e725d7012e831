/* Writes the bytes of one wide node (node_wide.h), for widen.c: bounds, leaves and the octant
 * orders. */
#include "bvh/builder/wide/node_writer.h"

/* Ranks the children in use for all octants at once: of two children, the farther one gets the
 * lower rank. */
static void write_order(sli_node_wide *node, int used)
{
    double key[SLI_WIDTH][8];
    uint32_t rank[SLI_WIDTH][8];
    for (int child = 0; child < used; child++) {
        for (int octant = 0; octant < 8; octant++) {
            key[child][octant] = sli_order_key(node, child, octant);
            rank[child][octant] = (uint32_t)(SLI_WIDTH - used);
        }
    }
    for (int a = 0; a < used; a++) {
        for (int b = a + 1; b < used; b++) {
            for (int octant = 0; octant < 8; octant++) {
                const uint32_t b_is_farther = key[b][octant] > key[a][octant];
                rank[a][octant] += b_is_farther;
                rank[b][octant] += 1 - b_is_farther;
            }
        }
    }
    for (uint32_t r = 0; r < SLI_WIDTH; r++) {
        node->order[r] = (SLI_WIDTH - 1 - r) << SLI_ANY_SHIFT;
    }
    for (int child = 0; child < SLI_WIDTH; child++) {
        for (int octant = 0; octant < 8; octant++) {
            const uint32_t at = child < used ? rank[child][octant] : (uint32_t)(child - used);
            node->order[at] |= (uint32_t)child << (3 * octant);
        }
    }
}

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
    write_order(wide, children->count);
}
