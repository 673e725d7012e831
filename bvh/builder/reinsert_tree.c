/* Moves and their gains, for reinsert.c: the tree operation of Meister and Bittner (2018). */
#include "bvh/builder/reinsert_tree.h"

#include "bvh/builder/topdown.h"
#include "bvh/builder/wide/binary.h"
#include "lib/base/assert.h"

static double area_of(const sli_reinsert_tree *tree, uint32_t node)
{
    return sli_node2_half_area(&tree->nodes[node]);
}

static int higher_child(const sli_reinsert_tree *tree, uint32_t node)
{
    const uint32_t left = tree->nodes[node].first;
    return tree->height[left] > tree->height[left + 1] ? tree->height[left]
                                                       : tree->height[left + 1];
}

/* Whether at most 4 triangles are below. */
static bool is_block(const sli_node2 *nodes, uint32_t node)
{
    uint32_t stack[SLI_PACK + 1], triangles = 0;
    int top = 0;
    stack[top++] = node;
    while (top > 0 && triangles + (uint32_t)top <= SLI_PACK) {
        const sli_node2 *at = &nodes[stack[--top]];
        triangles += at->count;
        if (at->count == 0) {
            stack[top++] = at->first;
            stack[top++] = at->first + 1;
        }
    }
    return triangles + (uint32_t)top <= SLI_PACK;
}

void sli_reinsert_tree_connect(sli_reinsert_tree *tree)
{
    struct {
        uint32_t node;
        bool opened;
    } stack[2 * SLI_BINARY_DEPTH + 1] = { { 0, false } };
    int top = 1;
    tree->cost = 0;
    tree->inner_count = 0;
    sli_slices_fill(tree->slices, tree->parent, 0xFF, tree->node_count * sizeof *tree->parent);
    for (size_t visits = 0; top > 0; visits++) {
        sli_slices_pause_at(tree->slices, visits, 512);
        const uint32_t node = stack[top - 1].node, left = tree->nodes[node].first;
        if (!stack[top - 1].opened && is_block(tree->nodes, node)) {
            tree->height[node] = 0;
            top--;
        } else if (stack[top - 1].opened) {
            tree->height[node] = (uint8_t)(1 + higher_child(tree, node));
            tree->cost += area_of(tree, node);
            tree->inner_count++;
            top--;
        } else {
            SL_ASSERT(top < 2 * SLI_BINARY_DEPTH);
            stack[top - 1].opened = true;
            for (uint32_t k = 0; k < 2; k++) {
                tree->parent[left + k] = node;
                stack[top].node = left + k;
                stack[top++].opened = false;
            }
        }
    }
}

/* A node and its ancestors, the root last. */
typedef struct path {
    int count;
    uint32_t node[SLI_BINARY_DEPTH + 2];
} path;

static void path_up(const sli_reinsert_tree *tree, uint32_t node, path *out)
{
    out->count = 0;
    for (; node != SLI_NO_NODE; node = tree->parent[node]) {
        SL_ASSERT(out->count < SLI_BINARY_DEPTH + 2);
        out->node[out->count++] = node;
    }
}

/* Nodes that the two paths share, from the root down. */
static int reinsert_tree_common(const path *a, const path *b)
{
    int count = 0;
    while (count < a->count && count < b->count &&
           a->node[a->count - 1 - count] == b->node[b->count - 1 - count]) {
        count++;
    }
    return count;
}

/* The surface saved above the node when it is gone, up to and including path node `last`. */
static double saved_above(const sli_reinsert_tree *tree, const path *from, int last)
{
    double saved = area_of(tree, from->node[1]);
    sli_box rest = sli_node2_box(&tree->nodes[sli_sibling(tree, from->node[0])]);
    for (int i = 2; i <= last; i++) {
        const sli_box other = sli_node2_box(&tree->nodes[sli_sibling(tree, from->node[i - 1])]);
        sli_box_join(&rest, &other);
        saved += area_of(tree, from->node[i]) - sli_box_area(&rest);
    }
    return saved;
}

/* The surface added at the new place: that of the new node, and of the nodes above it that grow. */
static double paid_above(const sli_reinsert_tree *tree, const path *up, int last,
                         const sli_box *box)
{
    double paid = sli_joined_area(&tree->nodes[up->node[0]], box);
    for (int i = 1; i <= last; i++) {
        paid += sli_joined_area(&tree->nodes[up->node[i]], box) - area_of(tree, up->node[i]);
    }
    return paid;
}

double sli_reinsert_tree_gain(const sli_reinsert_tree *tree, uint32_t node, uint32_t to)
{
    path from, up;
    path_up(tree, node, &from);
    path_up(tree, to, &up);
    const int shared = reinsert_tree_common(&from, &up);
    const int higher =
        tree->height[node] > tree->height[to] ? tree->height[node] : tree->height[to];
    if (shared == from.count || to == from.node[1] || to == sli_sibling(tree, node) ||
        up.count + higher > SLI_BINARY_LEVELS) {
        return 0;
    }
    if (shared == up.count) {
        /* Beside an ancestor, which shrinks too; the new node has its old box. */
        return saved_above(tree, &from, from.count - shared) - area_of(tree, to);
    }
    const sli_box box = sli_node2_box(&tree->nodes[node]);
    return saved_above(tree, &from, from.count - shared - 1) -
           paid_above(tree, &up, up.count - shared - 1, &box);
}

/* Moves a node, and with it its subtree, to another index. */
static void reinsert_tree_relocate(sli_reinsert_tree *tree, uint32_t from, uint32_t to)
{
    tree->nodes[to] = tree->nodes[from];
    tree->height[to] = tree->height[from];
    if (tree->height[to] > 0) {
        tree->parent[tree->nodes[to].first] = to;
        tree->parent[tree->nodes[to].first + 1] = to;
    }
}

/* Box and height from the children. */
static bool refit_node(sli_reinsert_tree *tree, uint32_t at)
{
    sli_node2 *node = &tree->nodes[at];
    const sli_node2 before = *node, *children = &tree->nodes[node->first];
    const uint8_t height = (uint8_t)(1 + higher_child(tree, at));
    bool changed = height != tree->height[at];
    for (int axis = 0; axis < 3; axis++) {
        const float *a = children[0].min, *b = children[1].min;
        node->min[axis] = b[axis] < a[axis] ? b[axis] : a[axis];
        a = children[0].max;
        b = children[1].max;
        node->max[axis] = b[axis] > a[axis] ? b[axis] : a[axis];
        changed =
            changed || node->min[axis] != before.min[axis] || node->max[axis] != before.max[axis];
    }
    tree->height[at] = height;
    return changed;
}

static void refit_above(sli_reinsert_tree *tree, uint32_t node)
{
    for (node = tree->parent[node]; node != SLI_NO_NODE && refit_node(tree, node);) {
        node = tree->parent[node];
    }
}

void sli_reinsert_tree_move(sli_reinsert_tree *tree, uint32_t node, uint32_t to)
{
    const uint32_t parent = tree->parent[node], sibling = sli_sibling(tree, node);
    const uint32_t pair = tree->nodes[parent].first;
    reinsert_tree_relocate(tree, sibling, parent);
    refit_above(tree, parent);
    reinsert_tree_relocate(tree, to, sibling);
    tree->nodes[to].first = pair;
    tree->nodes[to].count = 0;
    tree->parent[pair] = tree->parent[pair + 1] = to;
    refit_node(tree, to);
    refit_above(tree, to);
}
