/* lasso_tree.h: the tree over a polygon's sides. */
#pragma once

#include "bvh/select/region/lasso_types.h"

/* The tree over sides that are there.  corners: how many the polygon has, which says how much
 * memory it may ever need; grid: as of sli_lasso_prepare.  False when out of memory. */
bool sli_lasso_tree_make(const sl_allocator *allocator, size_t corners, const double grid[4],
                         sli_lasso *lasso);

/* A position, moved up by e and to the right by e^2: by steps that no other position needs. */
static inline void sli_lasso_nudge(const double at[2], sli_nudged *out)
{
    *out = (sli_nudged){ { at[0], at[1] }, { { { 0, 0 }, { 0, 1 } }, { { 0, 0 }, { 1, 0 } } } };
}

/* Whether a side may meet a closed rectangle: false, where it surely does not. */
bool sli_side_may_intersect(const sli_side *side, const double low[2], const double high[2]);

/* Whether a nudged position is in it. */
bool sli_lasso_is_odd(const sli_lasso *lasso, const sli_nudged *from);

/* The leaf in which a position lies, which is within the tree's bounds. */
void sli_lasso_leaf_at(const sli_lasso_tree *tree, const double at[2], sli_lasso_leaf *out);
void sli_lasso_leaf_middle(const sli_lasso_leaf *leaf, double out[2]);

/* The leaves that meet a rectangle: the next one, or NULL. */
void sli_lasso_walk_begin(const sli_lasso_tree *tree, const double low[2], const double high[2],
                          sli_lasso_walk *out);
const sli_lasso_node *sli_lasso_walk_next(sli_lasso_walk *walk);

/* The sides that these leaves list, one after the other and some more than once: the number of the
 * next one.  False: there are no more. */
bool sli_lasso_walk_side(sli_lasso_walk *walk, uint32_t *number);
