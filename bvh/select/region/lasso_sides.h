/* lasso_sides.h: the sides of a polygon. */
#pragma once

#include "bvh/select/region/lasso_types.h"

/* The sides of all.  False when out of memory. */
bool sli_lasso_sides_make(const sl_allocator *allocator, const double *corners, size_t count,
                          sli_lasso *lasso);
