/* frustum_oracle.h: half-spaces against bodies in fractions (GMP).  Shapes are valid; an
 * axis-aligned box may be unbounded.
 * Threads  one at a time. */
#pragma once

#include <sightline/shapes.h>

/* Every plane gives an inequality for the coordinates t of a point of the body; then the unknowns
 * are eliminated one by one.
 * Source   Fourier and Motzkin. */
bool oracle_frustum_triangle(const sl_frustum *frustum, const sl_triangle *triangle);
bool oracle_frustum_aabb(const sl_frustum *frustum, const sl_aabb *box);
bool oracle_frustum_obb(const sl_frustum *frustum, const sl_obb *box);

/* The frustum's nearest point by the conditions of Karush, Kuhn and Tucker: the sign of its
 * distance minus the radius; 1 for a frustum that holds no point. */
int oracle_frustum_sphere(const sl_frustum *frustum, const sl_sphere *sphere);
