#include "bvh/build/wide_node.h"

#include "lib/base/assert.h"

#include <string.h>

static void sum_children(sli_below *below, uint32_t node)
{
    const uint32_t left = below->binary->nodes[node].first, right = left + 1;
    const uint8_t higher =
        below->height[left] > below->height[right] ? below->height[left] : below->height[right];
    below->triangles[node] = below->triangles[left] + below->triangles[right];
    below->height[node] = below->triangles[node] <= SLI_PACK ? 0 : (uint8_t)(higher + 1);
}

/* Children before parents: a node that was seen once waits on the stack for its children. */
void sli_below_measure(sli_below *below)
{
    struct {
        uint32_t node;
        bool seen;
    } stack[2 * SLI_BINARY_DEPTH + 1] = { { 0, false } };
    int top = 1;
    while (top > 0) {
        const uint32_t node = stack[top - 1].node;
        const sli_node2 *at = &below->binary->nodes[node];
        if (at->count > 0) {
            SL_ASSERT(at->count <= SLI_PACK);
            below->triangles[node] = at->count;
            below->height[node] = 0;
            top--;
        } else if (stack[top - 1].seen) {
            sum_children(below, node);
            top--;
        } else {
            SL_ASSERT(top < 2 * SLI_BINARY_DEPTH);
            stack[top - 1].seen = true;
            stack[top].node = at->first + 1;
            stack[top++].seen = false;
            stack[top].node = at->first;
            stack[top++].seen = false;
        }
    }
}

static double half_area(const sli_node2 *node)
{
    const double x = (double)node->max[0] - (double)node->min[0];
    const double y = (double)node->max[1] - (double)node->min[1];
    const double z = (double)node->max[2] - (double)node->min[2];
    return x * y + y * z + z * x;
}

/* The left child takes the slot, the right one comes last. */
static void open_slot(const sli_below *below, sli_children *children, int slot)
{
    const sli_node2 *nodes = below->binary->nodes;
    const uint32_t left = nodes[children->node[slot]].first;
    SL_ASSERT(children->count < SLI_WIDTH);
    children->node[slot] = left;
    children->area[slot] = half_area(&nodes[left]);
    children->node[children->count] = left + 1;
    children->area[children->count] = half_area(&nodes[left + 1]);
    children->count++;
}

static void open_high(const sli_below *below, sli_children *children, int levels)
{
    for (int slot = 0; slot < children->count;) {
        if (below->height[children->node[slot]] > 3 * (levels - 1)) {
            open_slot(below, children, slot);
        } else {
            slot++;
        }
    }
}

/* The slot of largest area that cannot be a leaf, or -1. */
static int largest_inner(const sli_below *below, const sli_children *children)
{
    int largest = -1;
    for (int slot = 0; slot < children->count; slot++) {
        if (!sli_is_leaf(below, children->node[slot]) &&
            (largest < 0 || children->area[slot] > children->area[largest])) {
            largest = slot;
        }
    }
    return largest;
}

void sli_children_choose(const sli_below *below, uint32_t node, int levels, sli_children *out)
{
    *out = (sli_children){ .count = 1, .node[0] = node };
    out->area[0] = half_area(&below->binary->nodes[node]);
    open_high(below, out, levels);
    while (out->count < SLI_WIDTH) {
        const int slot = largest_inner(below, out);
        if (slot < 0) {
            break;
        }
        open_slot(below, out, slot);
    }
    for (int slot = 0; slot < out->count; slot++) {
        out->leaf_count += sli_is_leaf(below, out->node[slot]);
    }
}

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
