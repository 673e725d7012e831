/* Cuts trees into pieces, for the files of this folder. */
#include "bvh/builder/refit/pieces.h"

/* A subtree: the line of its node, and the one behind it. */
typedef struct span {
    uint32_t begin, end;
} span;

/* The line behind the subtree of an inner child. */
static uint32_t end_of_child(const sli_node_wide *node, uint32_t line, uint32_t end)
{
    for (int other = 0; other < SLI_WIDTH; other++) {
        const uint32_t begin = node->child[other]; /* of a leaf: beyond any line */
        end = begin > line && begin < end ? begin : end;
    }
    return end;
}

/* Pushes the subtrees below a node, so that the one at the lowest line is popped first. */
static void push_subtrees(const sli_node_wide *node, uint32_t end, span *stack, int *top)
{
    const int bottom = *top;
    for (int k = 0; k < SLI_WIDTH; k++) {
        const uint32_t line = node->child[k];
        if ((line & SLI_REF_LEAF) != 0) {
            continue;
        }
        int at = (*top)++;
        for (; at > bottom && stack[at - 1].begin < line; at--) {
            stack[at] = stack[at - 1];
        }
        stack[at] = (span){ line, end_of_child(node, line, end) };
    }
}

/* Writes the pieces, unless pieces is NULL, and returns how many there are. */
static size_t pieces_cut(const sl_bvh *tree, sli_refit_piece *pieces)
{
    span stack[SLI_STACK];
    int top = 0;
    size_t count = 0;
    if (tree->root != SLI_REF_EMPTY) {
        stack[top++] = (span){ tree->root, (uint32_t)tree->line_count };
    }
    while (top > 0) {
        const span at = stack[--top];
        const bool is_subtree = at.end - at.begin <= SLI_PIECE_LINES;
        if (pieces != NULL) {
            pieces[count] =
                (sli_refit_piece){ .begin = at.begin, .end = at.end, .is_subtree = is_subtree };
        }
        count++;
        if (!is_subtree) {
            push_subtrees(sli_tree_node(tree, at.begin), at.end, stack, &top);
        }
    }
    return count;
}

bool sli_refit_pieces(const sl_bvh *tree, const sl_allocator *allocator, sli_refit_scratch *scratch)
{
    if (scratch->piece_count > 0) {
        return true;
    }
    const size_t count = pieces_cut(tree, NULL);
    if (!sli_scratch_array(allocator, &scratch->pieces, &scratch->piece_capacity, count,
                           sizeof *scratch->pieces)) {
        return false;
    }
    if (count > 0) {
        pieces_cut(tree, scratch->pieces);
    }
    scratch->piece_count = count;
    return true;
}
