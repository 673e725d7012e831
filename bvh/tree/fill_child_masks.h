/* tree/fill_child_masks.h: fills the masks below nodes (child_masks.h) of a finished tree, and
 * compares them. */
#pragma once

#include "bvh/tree/tree.h"

/* Allocates the words of a tree, whose contents do not matter; false when out of memory. */
bool sli_child_masks_reserve(sl_bvh *tree);

/* Nothing is known of the masks.  The words' memory stays. */
void sli_child_masks_forget(sl_bvh *tree);

/* Fills all words from the finished blocks, and completes.  Their memory is reserved. */
void sli_child_masks_fill(sl_bvh *tree);

/* Fills the words of one node and of all below it, without completing. */
void sli_child_masks_fill_below(sl_bvh *tree, uint32_t line);

/* Fills the words of some children of one node (bits), from its blocks and from the words of the
 * nodes below it, without completing. */
void sli_child_masks_join(sl_bvh *tree, uint32_t line, uint32_t children);

/* All that follows from words, once some have changed since they were filled or copied. */
void sli_child_masks_complete(sl_bvh *tree);

/* Takes over what follows from the words of another tree, whose nodes and words are the same. */
void sli_child_masks_follow(const sl_bvh *from, sl_bvh *to);

/* Finds a node whose words are not those of the blocks and nodes below it, of a tree that is sound
 * otherwise; false: there is none. */
bool sli_child_masks_differ(const sl_bvh *tree, uint32_t *line);
