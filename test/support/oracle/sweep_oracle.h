/* sweep_oracle.h: when a box or a hull that moves touches a triangle or a box, in integers of
 * any size (GMP), without axes: by linear programs over the differences of their corners, d_k.
 *
 * They touch at t where t * dir is a convex combination of the d_k: the least and the largest
 * such t.  A point lies inside the hull of the d_k if there is more of it in four directions
 * that span space with weights above 0.
 * Source   Edmonds, Systems of distinct representatives and linear algebra (1967), for pivots in
 *          integers; Bland, New finite pivoting rules for the simplex method (1977).
 * Threads  one at a time. */
#pragma once

#include <sightline/contact.h>

typedef struct sweep_answer {
    bool met;
    sl_start start;
    double t, t_safe;
} sweep_answer;

/* Of a valid sweep of a bounded polytope, hull of 256 points or less, against one of 8 corners or
 * less, both in the range of exact decisions. */
sweep_answer sweep_oracle(const sl_sweep_d *sweep, const sl_volume_d *obstacle);

/* Its corners, or points whose hull it is, in doubles: rounded for an oblique box.  At most 256. */
int sweep_oracle_points(const sl_volume_d *volume, double points[][3]);
