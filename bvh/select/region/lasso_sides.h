/* lasso_sides.h: the sides of a polygon. */
#pragma once

#include "bvh/select/region/lasso_types.h"

/* Makes room for count elements of size bytes in an array: *array points to them, and they are kept
 * (lib/base/memory.h).  False when out of memory. */
bool sli_sides_reserve(const sl_allocator *allocator, void *array, size_t *capacity, size_t count,
                       size_t size);

/* The sides of all.  False when out of memory. */
bool sli_lasso_sides_make(const sl_allocator *allocator, const double *corners, size_t count,
                          sli_lasso *lasso);
