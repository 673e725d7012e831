/* tree/child_masks.h: the masks of all triangles below each child of each node: queries with
 * a mask leave out whole subtrees by them.
 *
 * Words    one for each child of a node: the OR of the masks of the triangles below it; all bits
 *          for a child that is not in use.  The eight words of the node at line i begin at
 *          8 * (i / 4): as a node has four lines, no two of them meet.  An eighth of the lines'
 *          memory, of a tree with masks; others have none, and no cost.
 * Known    words are not filled for a tree that was opened without proof, nor for its versions
 *          until masks are set, since that takes a pass over all of its blocks.  Its queries leave
 *          out triangles alone.
 * Read     by node steps of batches, packets and points, of the reference and of worlds; not by
 *          those of rays one a call (bvh/kernel/single): a copy of their loop is not for free.
 * Pays     reading words costs some percent of a query.  So a query reads them only where each bit
 *          of its mask is lacked by a share of the words of a sample of nodes: a formula of the
 *          tree and the mask. */
#pragma once

#include "bvh/tree/node_wide.h"

#include <stdbool.h>
#include <stddef.h>

enum {
    SLI_MASK_SAMPLE = 64, /* nodes */
    SLI_MASK_SHARE = 4    /* one word in four has to lack a bit */
};

typedef struct sli_child_masks {
    uint32_t *words; /* the tree's own, whosever its lines are; then the lines of the sample; or
                      * NULL */
    size_t capacity; /* of words */
    bool known;      /* else there are masks, maybe, and no words */
    bool filled;     /* words are right; if not, and known, all masks have all bits */
    bool present;    /* filled, and some query may read them; else all bits are lacked by too few */
    uint32_t all;    /* OR of the masks of all triangles; all bits where it is not known */
    uint32_t lacked; /* bits that are lacked by enough words of the sample */
    uint32_t sample_count;
} sli_child_masks;

/* How many words belong to line_count lines, with the sample. */
static inline size_t sli_child_mask_count(size_t line_count)
{
    return (line_count + SLI_NODE_LINES - 1) / SLI_NODE_LINES * SLI_WIDTH + SLI_MASK_SAMPLE;
}

/* The words of the node at a line. */
static inline size_t sli_child_mask_at(uint32_t line)
{
    return (size_t)(line / SLI_NODE_LINES) * SLI_WIDTH;
}

/* The words that a query with this mask should read, or NULL: it leaves out triangles alone. */
static inline const uint32_t *sli_child_masks_for(const sli_child_masks *masks, uint32_t mask)
{
    return masks->present && (mask & ~masks->lacked) == 0 ? masks->words : NULL;
}

/* There is nothing to leave out: the masks of all triangles have all bits.  The words' memory
 * stays. */
static inline void sli_child_masks_clear(sli_child_masks *masks)
{
    masks->known = true;
    masks->filled = masks->present = false;
    masks->all = UINT32_MAX;
}
