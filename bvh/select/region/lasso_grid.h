/* lasso_grid.h: the grid over a polygon's sides. */
#pragma once

#include "bvh/select/region/lasso_types.h"

/* The grid over sides that are there.  corners: how many the polygon has, which says how much
 * memory it may ever need.  False when out of memory. */
bool sli_lasso_grid_make(const sl_allocator *allocator, size_t corners, const double grid[4],
                         sli_lasso *lasso);
