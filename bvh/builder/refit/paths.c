/* Two passes over the nodes, in the order of their lines: where they begin, then whose children
 * they are. */
#include "bvh/builder/refit/paths.h"

#include <string.h>

static size_t mark_nodes(const sl_bvh *tree, uint64_t *nodes)
{
    size_t count = 0;
    for (size_t line = SLI_HEADER_LINES; line < tree->line_count; count++) {
        const sli_node_wide *node = sli_tree_node(tree, (uint32_t)line);
        nodes[line / 64] |= UINT64_C(1) << (line % 64);
        line += SLI_NODE_LINES;
        for (int child = 0; child < SLI_WIDTH; child++) {
            line += sli_ref_is_block(node->child[child]) ? SLI_PACK_LINES : 0;
        }
    }
    return count;
}

static void rank_words(const uint64_t *nodes, size_t words, uint32_t *ranks)
{
    uint32_t before = 0;
    for (size_t i = 0; i < words; i++) {
        ranks[i] = before;
        before += (uint32_t)__builtin_popcountll(nodes[i]);
    }
}

static void find_parents(const sl_bvh *tree, const sli_refit_scratch *scratch)
{
    uint32_t stack[SLI_STACK];
    int top = 0;
    stack[top++] = tree->root;
    scratch->parents[0] = 0;
    while (top > 0) {
        const uint32_t line = stack[--top];
        const sli_node_wide *node = sli_tree_node(tree, line);
        for (int child = 0; child < SLI_WIDTH; child++) {
            const uint32_t at = node->child[child];
            if ((at & SLI_REF_LEAF) == 0) {
                scratch->parents[sli_number_of_node(scratch, at)] = line;
                stack[top++] = at;
            }
        }
    }
}

bool sli_refit_paths(const sl_bvh *tree, const sl_allocator *allocator, sli_refit_scratch *scratch)
{
    if (scratch->indexed || tree->root == SLI_REF_EMPTY) {
        return true;
    }
    const size_t words = tree->line_count / 64 + 1;
    if (!sli_scratch_array(allocator, &scratch->nodes, &scratch->node_words, words,
                           sizeof *scratch->nodes) ||
        !sli_scratch_array(allocator, &scratch->ranks, &scratch->rank_words, words,
                           sizeof *scratch->ranks)) {
        return false;
    }
    memset(scratch->nodes, 0, words * sizeof *scratch->nodes);
    const size_t count = mark_nodes(tree, scratch->nodes);
    if (!sli_scratch_array(allocator, &scratch->parents, &scratch->parent_count, count,
                           sizeof *scratch->parents)) {
        return false;
    }
    rank_words(scratch->nodes, words, scratch->ranks);
    find_parents(tree, scratch);
    scratch->indexed = true;
    return true;
}
