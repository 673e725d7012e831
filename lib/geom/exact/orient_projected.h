/* exact/orient_projected.h: signs of areas of triangles projected along an axis; for triangles that
 * share a plane.
 * Callers  hold the floating-point environment; coordinates are finite. */
#pragma once

#include <sightline/intersect.h>

/* The sign of the triangle's area projected along the lowest axis where it is not 0, which *axis is
 * set to; 0, with *axis left alone, for a triangle of zero area. */
int sli_projected_orientation(const sl_triangle *triangle, int *axis);

/* The sign of the area of a, b, c projected along the axis: 1 for counter-clockwise. */
int sli_orient_projected(int axis, const float a[3], const float b[3], const float c[3]);

/* The same in doubles of the range of floats, of a triangle a, b, c. */
int sli_projected_orientation_d(const double a[3], const double b[3], const double c[3], int *axis);
int sli_orient_projected_d(int axis, const double a[3], const double b[3], const double c[3]);
