/* triangle_pair_oracle.h: whether two triangles have a point in common outside the convex hull of
 * their shared vertices, in fractions (GMP); it uses no planes, sides or angles.
 *
 * The common points are where a weighted sum of a0..2 equals a weighted sum of b0..2, all weights
 * being >= 0 and each three adding up to 1.  The extreme points of that set are the basic solutions
 * (gap_oracle.h), of which there are few; the set lies within the hull of the shared vertices
 * exactly if they do.
 * Threads  one at a time.
 * Source   Schrijver, Theory of Linear and Integer Programming (1986), 8.5. */
#pragma once

#include <sightline/shapes.h>

bool oracle_meet_elsewhere(const sl_triangle *a, const sl_triangle *b);
