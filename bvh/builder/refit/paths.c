/* Two passes over the nodes, in the order of their lines: where they begin, then whose children
 * they are. */
#include "bvh/builder/refit/paths.h"

#include "lib/base/memory.h"

#include <string.h>

static size_t mark_nodes(const sl_bvh *tree, uint64_t *nodes)
{
    size_t count = 0;
    for (size_t line = SLI_HEADER_LINES; line < tree->line_count; count++) {
        const sli_node_wide *node = sli_tree_node(tree, (uint32_t)line);
        nodes[line / 64] |= UINT64_C(1) << (line % 64);
        line += SLI_NODE_LINES;
        for (int child = 0; child < SLI_WIDTH; child++) {
            const bool is_block =
                (node->child[child] & (SLI_REF_LEAF | SLI_REF_KIND)) == SLI_REF_LEAF;
            line += is_block ? SLI_PACK_LINES : 0;
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
                const uint64_t before = scratch->nodes[at / 64] & ((UINT64_C(1) << (at % 64)) - 1);
                scratch->parents[scratch->ranks[at / 64] + (uint32_t)__builtin_popcountll(before)] =
                    line;
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
    uint64_t *nodes = sli_alloc_array(allocator, words, sizeof *nodes);
    uint32_t *ranks = sli_alloc_array(allocator, words, sizeof *ranks);
    uint32_t *parents = NULL;
    size_t count = 0;
    if (nodes != NULL) {
        memset(nodes, 0, words * sizeof *nodes);
        count = mark_nodes(tree, nodes);
        parents = sli_alloc_array(allocator, count, sizeof *parents);
    }
    if (ranks == NULL || parents == NULL) {
        sli_free_array(allocator, nodes, words, sizeof *nodes);
        sli_free_array(allocator, ranks, words, sizeof *ranks);
        sli_free_array(allocator, parents, count, sizeof *parents);
        return false;
    }
    sli_free_array(allocator, scratch->nodes, scratch->node_words, sizeof *scratch->nodes);
    sli_free_array(allocator, scratch->ranks, scratch->rank_words, sizeof *scratch->ranks);
    sli_free_array(allocator, scratch->parents, scratch->parent_count, sizeof *scratch->parents);
    scratch->nodes = nodes;
    scratch->ranks = ranks;
    scratch->parents = parents;
    scratch->node_words = scratch->rank_words = words;
    scratch->parent_count = count;
    rank_words(nodes, words, ranks);
    find_parents(tree, scratch);
    scratch->indexed = true;
    return true;
}
