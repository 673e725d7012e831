/* exact/orient_projected.h: triangles and their corners, seen along an axis: signs of areas in the plane.
 * Callers  hold the floating-point environment; numbers are finite. */
#ifndef SLI_GEOM_EXACT_ORIENT_PROJECTED_H
#define SLI_GEOM_EXACT_ORIENT_PROJECTED_H

#include <sightline/shapes.h>

/* An axis along which the triangle is seen with area, and the sign of that; 0, with *axis left
 * alone, for a triangle without area. */
int sli_projected_orientation(const sl_triangle *triangle, int *axis);

/* Sign of the area of a, b, c, seen along the axis. */
int sli_orient_projected(int axis, const float a[3], const float b[3], const float c[3]);

#endif
