#include "bvh/build/wide_node.h"

#include <string.h>

/* Ranks the children in use for all octants at once: of two, the farther gets the lower rank. */
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

static bool is_among(const uint32_t *prims, int count, uint32_t prim)
{
    for (int i = 0; i < count; i++) {
        if (prims[i] == prim) {
            return true;
        }
    }
    return false;
}

/* The primitives below a node that is a leaf, in the order of the binary tree; of a split
 * one that has several parts there, one. */
static int gather(const sli_binary *binary, uint32_t node, uint32_t prims[SLI_PACK])
{
    uint32_t stack[SLI_PACK];
    int top = 0, count = 0;
    stack[top++] = node;
    while (top > 0) {
        const sli_node2 *at = &binary->nodes[stack[--top]];
        if (at->count == 0) {
            stack[top++] = at->first + 1;
            stack[top++] = at->first;
        }
        for (uint32_t i = 0; i < at->count; i++) {
            const uint32_t prim = binary->refs[at->first + i].prim;
            if (!(binary->splits && is_among(prims, count, prim))) {
                prims[count++] = prim;
            }
        }
    }
    return count;
}

static void write_leaf(const sli_writer *writer, uint32_t node, size_t line)
{
    uint32_t prims[SLI_PACK];
    const int count = gather(writer->below->binary, node, prims);
    sli_tri_pack pack = { 0 };
    for (int lane = 0; lane < SLI_PACK; lane++) {
        pack.axis[0].meta[lane] = SL_NONE;
    }
    for (int lane = 0; lane < count; lane++) {
        const uint32_t prim = prims[lane];
        pack.axis[0].meta[lane] = prim;
        pack.axis[1].meta[lane] = writer->masks != NULL ? writer->masks[prim] : UINT32_MAX;
        for (size_t corner = 0; corner < 3; corner++) {
            const float *vertex =
                writer->xyz + 3 * (size_t)writer->indices[3 * (size_t)prim + corner];
            for (int axis = 0; axis < 3; axis++) {
                pack.axis[axis].vertex[corner][lane] = vertex[axis];
            }
        }
        if (!writer->below->binary->splits) { /* else see sli_tree_link */
            writer->tree->places[prim] = (uint32_t)line * SLI_PACK + (uint32_t)lane;
        }
    }
    memcpy(writer->tree->lines + line * SLI_LINE, &pack, sizeof pack);
}

void sli_writer_node(const sli_writer *writer, const sli_children *children, size_t line)
{
    sli_node_wide wide = { 0 };
    size_t leaf_line = line + SLI_NODE_LINES;
    for (int child = 0; child < SLI_WIDTH; child++) {
        const bool used = child < children->count;
        const uint32_t node = used ? children->node[child] : 0;
        const sli_node2 *from = &writer->below->binary->nodes[node];
        for (int axis = 0; axis < 3; axis++) {
            wide.bounds[axis][0][child] = used ? from->min[axis] : SLI_EMPTY_MIN;
            wide.bounds[axis][1][child] = used ? from->max[axis] : SLI_EMPTY_MAX;
        }
        if (!used) {
            wide.child[child] = SLI_REF_EMPTY;
        } else if (sli_is_leaf(writer->below, node)) {
            wide.child[child] = SLI_REF_LEAF | (uint32_t)leaf_line;
            write_leaf(writer, node, leaf_line);
            leaf_line += SLI_PACK_LINES;
        }
    }
    write_order(&wide, children->count);
    memcpy(writer->tree->lines + line * SLI_LINE, &wide, sizeof wide);
}
