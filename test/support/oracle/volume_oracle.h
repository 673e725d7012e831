/* volume_oracle.h: volumes in doubles against triangles in doubles, in fractions (GMP); it shares
 * no method with the library.  Bodies with flat sides are systems of equations and inequalities for
 * the weights of a common point, which are solved by eliminating the unknowns one by one; round
 * ones are compared by the least squared distance, which is found by trying all pairs of faces.
 * Shapes are valid, numbers finite, except bounds of boxes.
 * Threads  one at a time.
 * Source   Fourier and Motzkin; Schrijver, Theory of Linear and Integer Programming (1986),
 *          12.2. */
#pragma once

#include <sightline/volumes.h>

bool oracle_volume_touches(const sl_volume_d *volume, const sl_triangle_d *triangle);
