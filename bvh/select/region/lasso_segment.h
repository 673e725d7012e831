/* lasso_segment.h: whether a polygon has all of a segment. */
#pragma once

#include "bvh/select/region/lasso_types.h"

/* holds, of a segment from a to b, which differ (lasso_segment.c). */
bool sli_lasso_holds_segment(const sli_lasso *lasso, const double a[2], const double b[2]);
