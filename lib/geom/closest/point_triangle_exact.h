/* closest/point_triangle_exact.h: the exact stage of point_triangle.h, for that file only.
 * Callers  hold the floating-point environment, and pass multiples of 2^-149 no larger than
 *          FLT_MAX. */
#pragma once

#include <stdbool.h>

/* Sets *distance to the exact one rounded to the nearest float.  False: it is more than limit,
 * which may be infinite. */
bool sli_point_triangle_exact(const double point[3], const double v[3][3], float limit,
                              float *distance);
