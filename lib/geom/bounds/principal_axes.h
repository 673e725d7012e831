/* bounds/principal_axes.h: the axes along which points spread most, less and least; for bounding
 * boxes.
 * Callers  hold the floating-point environment.
 * Source   Jacobi (1846); Golub and Van Loan, Matrix Computations (1996), 8.4.  Only + - * / and
 *          sqrt are used, so the bits are the same everywhere. */
#pragma once

#include "lib/geom/bounds/point_set.h"

/* Perpendicular unit vectors, right-handed, rounded to float; the largest component of each of the
 * first two is positive. */
void sli_principal_axes(const sli_point_set *points, float axis[3][3]);
