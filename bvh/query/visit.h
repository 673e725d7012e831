/* visit.h: the generic walks over a tree, for queries that have no kernel of their own.
 *
 * Descend   sli_descend goes from the root down: a query says which children of a node it wants,
 *           and in which order, and takes leaves.  It is inlined with the query's functions, so
 *           that picks, marks and selections pay nothing for sharing it.
 * Visit     sli_visit is for volumes (room volume): a query says which boxes interest
 *           it and takes the triangles in them, each at most once, and never one that the options
 *           leave out.
 * Contract  a query is two or three functions over a context of its own.  The caller holds the
 *           floating-point environment.  Nothing is allocated, nothing recurses. */
#pragma once

#include "bvh/kernel/kernel.h"
#include "lib/base/inline.h"

/* Bits of the children that a node has, and that a mask (0: all bits) leaves in. */
static inline uint32_t sli_children_left_in(const sl_bvh *tree, const sli_node_wide *node,
                                            uint32_t mask)
{
    uint32_t left_in = 0;
    const uint32_t *words = mask != 0 ? sli_child_masks_for(&tree->child_masks, mask) : NULL;
    if (words != NULL) {
        const size_t line = (size_t)((const uint8_t *)node - tree->lines) / SLI_LINE;
        words += sli_child_mask_at((uint32_t)line);
    }
    for (uint32_t child = 0; child < SLI_WIDTH; child++) {
        const bool is_there =
            node->child[child] != SLI_REF_EMPTY && (words == NULL || (words[child] & mask) != 0);
        left_in |= (uint32_t)is_there << child;
    }
    return left_in;
}

/* ---- Down a tree ---- */

/* What is left to look at: the root, or a child of a node. */
typedef struct sli_spot {
    const sli_node_wide *node; /* that it is a child of; NULL: the root */
    double order[2]; /* what is less by the first, then by the second, is looked at sooner */
    uint32_t ref, child;
    uint32_t end;    /* the query's own */
    uint8_t was, is; /* the query's own, such as what is known of the box */
} sli_spot;

typedef struct sli_descent {
    /* Whether a spot is still wanted when its turn comes; NULL: it always is. */
    bool (*wants)(void *context, const sli_spot *spot);
    /* Writes the children that are wanted of a node, and returns how many these are.  Without order
     * the last one is looked at first. */
    int (*children)(void *context, const sli_spot *spot, const sli_node_wide *node,
                    sli_spot out[SLI_WIDTH]);
    bool (*leaf)(void *context, const sli_spot *spot); /* false ends the walk */
    bool ordered;
} sli_descent;

/* Moves each of the last spots below those before it that are to be looked at sooner. */
static inline void sli_spots_sort(sli_spot *spots, int count)
{
    for (int i = 1; i < count; i++) {
        const sli_spot moved = spots[i];
        int at = i;
        for (; at > 0 && (spots[at - 1].order[0] < moved.order[0] ||
                          (spots[at - 1].order[0] == moved.order[0] &&
                           spots[at - 1].order[1] < moved.order[1]));
             at--) {
            spots[at] = spots[at - 1];
        }
        spots[at] = moved;
    }
}

static SLI_FORCE_INLINE void sli_descend(const sl_bvh *tree, sli_spot root,
                                         const sli_descent *query, void *context)
{
    sli_spot stack[SLI_STACK];
    int size = tree->root != SLI_REF_EMPTY;
    root.ref = tree->root;
    root.node = NULL;
    stack[0] = root;
    while (size > 0) {
        const sli_spot next = stack[--size];
        if (query->wants != NULL && !query->wants(context, &next)) {
            continue;
        }
        if ((next.ref & SLI_REF_LEAF) != 0) {
            if (!query->leaf(context, &next)) {
                return;
            }
            continue;
        }
        const int count =
            query->children(context, &next, sli_tree_node(tree, next.ref), stack + size);
        if (query->ordered) {
            sli_spots_sort(stack + size, count);
        }
        size += count;
    }
}

/* ---- Volumes ---- */

typedef enum sli_interest {
    SLI_VISIT_NOT,  /* no triangle within this box matters */
    SLI_VISIT_SOME, /* look inside */
    SLI_VISIT_ALL   /* every triangle within it matters: neither boxes nor triangles need a test */
} sli_interest;

typedef struct sli_visitor {
    void *context;
    sl_aabb bounds; /* boxes and triangles beside it are never handed out; infinite: no limit */
    sl_item_options selection;
    uint32_t instance; /* the number of the tree, where triangles are skipped */
    sli_interest (*box)(const void *context, const sl_aabb *box);
    /* The children of a node are visited in rising order of this; NULL: in any order. */
    double (*distance)(const void *context, const sl_aabb *box);
    /* sure: the triangle lies in a box that was SLI_VISIT_ALL.  False ends the walk. */
    bool (*triangle)(void *context, uint32_t prim, const sl_triangle *triangle, bool sure);
} sli_visitor;

/* Counts rays (one), nodes, boxes, triangles, and as float_stage the triangles beside the bounds.
 */
void sli_visit(const sl_bvh *tree, const sli_visitor *visitor, sl_stats *stats);
