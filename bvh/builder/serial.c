/* Builds a subtree depth first, for topdown.c and cell_tree.c; split/range.h splits its ranges. */
#include "bvh/builder/serial.h"

#include "lib/base/assert.h"

void sli_subtree_divide(const sli_serial *build, const sli_subtree *parent, uint32_t pair,
                        const sli_range_plan *plan, sli_subtree children[2])
{
    const sli_range *range = &parent->range;
    sli_node2 *node = &build->nodes[parent->root];
    const uint32_t first = 1 + 2 * pair;
    node->first = first;
    node->count = 0; /* an inner node */
    children[0].range.begin = range->begin;
    children[0].range.capacity = plan->left_capacity;
    children[1].range.begin = range->begin + plan->left_capacity;
    children[1].range.capacity = range->capacity - plan->left_capacity;
    for (uint32_t k = 0; k < 2; k++) {
        sli_range *child = &children[k].range;
        children[k].root = first + k;
        children[k].levels = parent->levels - 1;
        child->side = 1 - range->side; /* splitting moves references to the other array */
        child->set.count = plan->split.count[k];
        child->set.bounds = plan->split.bounds[k];
        child->set.centres = plan->split.centres[k];
        child->set.side_max = sli_side_max(build->leaf_max, children[k].levels);
        sli_node2_set_box(&build->nodes[first + k], &plan->split.bounds[k]);
    }
}

static void set_leaf(const sli_serial *build, const sli_subtree *leaf)
{
    const size_t begin = leaf->range.begin, count = leaf->range.set.count;
    const sli_ref *from = build->splitter.side[leaf->range.side] + begin;
    sli_node2 *node = &build->nodes[leaf->root];
    node->first = (uint32_t)(build->first + begin);
    node->count = (uint32_t)count;
    for (size_t i = 0; i < count; i++) {
        build->prims[build->first + begin + i] = from[i].prim;
    }
}

/* Two references become two leaves, where a leaf has one: as splitting them would make them,
 * without the detour. */
static void set_two_leaves(const sli_serial *build, const sli_subtree *both, uint32_t pair)
{
    const sli_range *range = &both->range;
    const sli_ref *from = build->splitter.side[range->side] + range->begin;
    const uint32_t first = 1 + 2 * pair;
    build->nodes[both->root].first = first;
    build->nodes[both->root].count = 0; /* an inner node */
    for (uint32_t k = 0; k < 2; k++) {
        const size_t place = build->first + range->begin + k * (range->capacity / 2);
        const sli_box box = sli_ref_box(&from[k]);
        sli_node2 *node = &build->nodes[first + k];
        sli_node2_set_box(node, &box);
        node->first = (uint32_t)place;
        node->count = 1;
        build->prims[place] = from[k].prim;
    }
}

enum { SPLIT_AT_ONCE = 512 }; /* references between two checkpoints of a build in slices */

/* The left child is always next, so that at most one right child of each level waits on the
 * stack. */
uint32_t sli_subtree_build(const sli_serial *build, const sli_subtree *subtree)
{
    sli_subtree current = *subtree, stack[SLI_BINARY_LEVELS];
    int top = 0;
    uint32_t pair = subtree->pair;
    size_t split = 0;
    for (;;) {
        if (current.range.set.count == 2 && build->leaf_max == 1) {
            SL_ASSERT(current.levels > 0);
            set_two_leaves(build, &current, pair++);
        } else if (current.range.set.count > build->leaf_max) {
            SL_ASSERT(current.levels > 0);
            split += current.range.set.count;
            if (split >= SPLIT_AT_ONCE) {
                split = 0;
                sli_slices_pause(build->splitter.slices);
            }
            sli_range_plan plan;
            sli_subtree children[2];
            sli_range_split(&build->splitter, &current.range, &plan);
            sli_subtree_divide(build, &current, pair++, &plan, children);
            SL_ASSERT(top < SLI_BINARY_LEVELS);
            stack[top++] = children[1];
            current = children[0];
            continue;
        } else {
            set_leaf(build, &current);
        }
        if (top == 0) {
            return pair - subtree->pair;
        }
        current = stack[--top];
    }
}
