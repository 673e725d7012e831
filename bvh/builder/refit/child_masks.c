/* Along the paths of dirty.c, where masks were filled; a pass over the whole tree otherwise. */
#include "bvh/builder/refit/child_masks.h"

#include "bvh/builder/refit/paths.h"
#include "bvh/tree/fill_child_masks.h"

enum { PIECES = 16 };

static uint32_t changed_children(const sl_bvh *tree, size_t line)
{
    const sli_node_wide *node = sli_tree_node(tree, (uint32_t)line);
    uint32_t changed = 0;
    for (int child = 0; child < SLI_WIDTH; child++) { /* the bit of line 0 is not set */
        const uint32_t at = node->child[child] & SLI_REF_LINE;
        changed |= (uint32_t)sli_is_set(tree->scratch.changed, at) << child;
    }
    return changed;
}

/* From the last node to the first, each of which marks its parent. */
static void join_subtree(sl_bvh *tree, const sli_refit_piece *piece)
{
    const sli_refit_scratch *scratch = &tree->scratch;
    size_t line, end = piece->end;
    while ((line = sli_last_set(scratch->changed, piece->begin, end)) != SIZE_MAX) {
        const size_t node = sli_node_of_line(scratch, line);
        sli_child_masks_join(tree, (uint32_t)node, changed_children(tree, node));
        sli_set_changed(scratch->changed, node);
        if (node != piece->begin) {
            sli_set_changed(scratch->changed, sli_parent_of(scratch, node));
        }
        end = node;
    }
}

static void join_subtrees(void *context, size_t i)
{
    const sli_update *update = context;
    const sli_refit_piece *piece = &update->tree->scratch.pieces[i];
    if (piece->is_subtree) {
        join_subtree(update->tree, piece);
    }
}

static void refill_chosen(void *context, size_t i)
{
    const sli_update *update = context;
    const sli_refit_piece *piece = &update->tree->scratch.pieces[i];
    if (piece->is_subtree && piece->chosen) {
        sli_child_masks_fill_below(update->tree, piece->begin);
    }
}

/* The nodes above subtrees. */
static void join_top(sl_bvh *tree)
{
    for (size_t i = tree->scratch.piece_count; i-- > 0;) {
        if (!tree->scratch.pieces[i].is_subtree) {
            sli_child_masks_join(tree, tree->scratch.pieces[i].begin, 0xFF);
        }
    }
    sli_child_masks_complete(tree);
}

void sli_update_child_masks(const sli_update *update, bool regrouped, const sli_phase *phase)
{
    sl_bvh *tree = update->tree;
    sli_update job = *update;
    const bool dirty = update->moved->dirty != NULL, filled = tree->child_masks.filled;
    const bool paths = dirty && filled && !regrouped && tree->vertices == NULL;
    const size_t pieces = tree->scratch.piece_count;
    if (!update->new_masks && !(regrouped && filled)) {
        return;
    }
    if (!update->new_masks) {
        sli_phase_each(phase, pieces, 1, refill_chosen, &job);
        join_top(tree);
    } else if (paths) {
        sli_phase_each(phase, pieces, PIECES, join_subtrees, &job);
        join_top(tree);
    } else if (!dirty && update->masks == NULL) {
        sli_child_masks_clear(&tree->child_masks);
    } else {
        sli_child_masks_fill(tree);
    }
}
