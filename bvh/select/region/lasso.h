/* lasso.h: what a polygon that was made ready (lasso_types.h) says about positions, exactly. */
#pragma once

#include "bvh/select/region/lasso_types.h"

/* corners: x and y of each, at least one.  grid: x0, y0, x1, y1 of what the grid covers.  False
 * when out of memory. */
bool sli_lasso_prepare(const sl_allocator *allocator, const double *corners, size_t count,
                       const double grid[4], sli_lasso *out);
void sli_lasso_free(const sl_allocator *allocator, sli_lasso *lasso);

/* Of the memory that it holds. */
size_t sli_lasso_bytes(const sli_lasso *lasso);

/* Whether a point is in it, or on a side. */
bool sli_lasso_has(const sli_lasso *lasso, const double point[2]);

/* As sli_region_touches and sli_region_holds. */
bool sli_lasso_touches(const sli_lasso *lasso, const double (*outline)[2], int count);
bool sli_lasso_holds(const sli_lasso *lasso, const double (*outline)[2], int count);
