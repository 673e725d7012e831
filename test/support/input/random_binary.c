#include "test/support/input/random_binary.h"

#include "test/support/input/split_case.h"

static void bound_refs(const sli_refs *refs, sli_node2 *node)
{
    for (uint32_t i = 0; i < node->count; i++) {
        const sli_ref *ref = &refs->side[0][node->first + i];
        for (int axis = 0; axis < 3; axis++) {
            const bool lower = i == 0 || ref->min[axis] < node->min[axis];
            const bool higher = i == 0 || ref->max[axis] > node->max[axis];
            node->min[axis] = lower ? ref->min[axis] : node->min[axis];
            node->max[axis] = higher ? ref->max[axis] : node->max[axis];
        }
    }
}

static void bound_children(const sli_node2 *nodes, sli_node2 *node)
{
    const sli_node2 *a = &nodes[node->first], *b = a + 1;
    for (int axis = 0; axis < 3; axis++) {
        node->min[axis] = a->min[axis] < b->min[axis] ? a->min[axis] : b->min[axis];
        node->max[axis] = a->max[axis] > b->max[axis] ? a->max[axis] : b->max[axis];
    }
}

typedef struct maker {
    random_binary *tree;
    test_random *random;
    uint32_t leaf_max, used;
    bool lopsided;
} maker;

static uint32_t choose_left(maker *make, uint32_t count, int levels)
{
    const uint32_t fits = levels > 30 ? count : make->leaf_max << (levels - 1);
    const uint32_t least = count > fits ? count - fits : 1;
    const uint32_t greatest = count - 1 < fits ? count - 1 : fits;
    const uint32_t left = least + test_random_below(make->random, greatest - least + 1);
    if (!make->lopsided || test_random_below(make->random, 8) == 0) {
        return left;
    }
    return test_random_below(make->random, 2) != 0 ? least : greatest;
}

static void make_subtree(maker *make, uint32_t node, uint32_t begin, uint32_t count, int levels)
{
    sli_node2 *nodes = make->tree->nodes;
    if (count == 1 || levels == 0 ||
        (count <= make->leaf_max && test_random_below(make->random, 2) == 0)) {
        nodes[node].first = begin;
        nodes[node].count = count;
        bound_refs(&make->tree->refs, &nodes[node]);
        return;
    }
    const uint32_t left = choose_left(make, count, levels), first = make->used;
    make->used += 2;
    nodes[node].first = first;
    make_subtree(make, first, begin, left, levels - 1);
    make_subtree(make, first + 1, begin + left, count - left, levels - 1);
    bound_children(nodes, &nodes[node]);
}

random_binary random_binary_make(sl_mesh *mesh, uint32_t leaf_max, int levels, bool lopsided,
                                 test_random *random)
{
    random_binary tree = { .mesh = mesh, .refs = split_case_refs(mesh) };
    tree.node_count = 2 * tree.refs.count - 1;
    tree.nodes = calloc(tree.node_count, sizeof *tree.nodes);
    maker make = { &tree, random, leaf_max, 1, lopsided };
    make_subtree(&make, 0, 0, (uint32_t)tree.refs.count, levels);
    return tree;
}

random_binary random_binary_copy(const random_binary *from)
{
    random_binary copy = *from;
    copy.nodes = malloc(from->node_count * sizeof *copy.nodes);
    memcpy(copy.nodes, from->nodes, from->node_count * sizeof *copy.nodes);
    return copy;
}

void random_binary_free(random_binary *tree)
{
    free(tree->nodes);
    sli_refs_destroy(&tree->refs);
    sl_mesh_destroy(tree->mesh);
}

void random_binary_free_copy(random_binary *copy)
{
    free(copy->nodes);
}

static bool same_box(const sli_node2 *a, const sli_node2 *b)
{
    return memcmp(a->min, b->min, sizeof a->min) == 0 && memcmp(a->max, b->max, sizeof a->max) == 0;
}

static const char *leaf_fault(const random_binary *tree, const sli_node2 *leaf, uint8_t *seen)
{
    if (leaf->count > 4 || leaf->first + leaf->count > tree->refs.count) {
        return "a leaf holds what is not there, or too much";
    }
    for (uint32_t i = leaf->first; i < leaf->first + leaf->count; i++) {
        if (seen[i]++ != 0) {
            return "a reference is in two leaves";
        }
    }
    sli_node2 tight = *leaf;
    bound_refs(&tree->refs, &tight);
    return same_box(&tight, leaf) ? NULL : "the box of a leaf is not tight";
}

/* Triangles below a node, and what cost asks for. */
typedef struct sums {
    uint32_t triangles;
    int height;
    double cost;
} sums;

static sums sum_up(const random_binary *tree, uint32_t node)
{
    const sli_node2 *at = &tree->nodes[node];
    if (at->count > 0) {
        return (sums){ .triangles = at->count };
    }
    const sums a = sum_up(tree, at->first), b = sum_up(tree, at->first + 1);
    sums sum = { .triangles = a.triangles + b.triangles };
    if (sum.triangles > 4) {
        sum.height = 1 + (a.height > b.height ? a.height : b.height);
        sum.cost = a.cost + b.cost + sli_node2_half_area(at);
    }
    return sum;
}

const char *random_binary_fault(const random_binary *tree)
{
    uint32_t stack[256];
    int top = 0;
    size_t taken = 0, references = 0;
    uint8_t *seen = calloc(tree->refs.count, 1);
    const char *fault = NULL;
    stack[top++] = 0;
    while (top > 0 && fault == NULL) {
        const sli_node2 *at = &tree->nodes[stack[--top]];
        references += at->count;
        if (at->count > 0) {
            fault = leaf_fault(tree, at, seen);
            continue;
        }
        sli_node2 tight = *at;
        if (at->first % 2 != 1 || at->first + 1 >= tree->node_count || ++taken > tree->refs.count ||
            top + 2 > 256) {
            fault = "children are no pair, or in a circle, or too deep";
            continue;
        }
        bound_children(tree->nodes, &tight);
        fault = same_box(&tight, at) ? NULL : "the box of an inner node is not tight";
        stack[top++] = at->first;
        stack[top++] = at->first + 1;
    }
    free(seen);
    return fault != NULL || references == tree->refs.count ? fault : "a reference is missing";
}

double random_binary_cost(const random_binary *tree, int *height)
{
    const sums sum = sum_up(tree, 0);
    if (height != NULL) {
        *height = sum.height;
    }
    return sum.cost;
}
