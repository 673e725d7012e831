/* triangle_pair_oracle.h: whether two triangles meet elsewhere than in the hull of their shared
 * corners, in fractions (GMP); knows nothing of planes, sides or angles.
 *
 * The points of both are where a0..2 with weights and b0..2 with weights come to the same, all
 * weights >= 0 and each three adding up to 1.  The corners of that set are the basic solutions, of
 * which there are a few; the set lies within the hull of the shared corners exactly when they do.
 * Threads  one at a time.
 * Source   Schrijver, Theory of Linear and Integer Programming (1986), 8.5. */
#ifndef TEST_SUPPORT_ELSEWHERE_ORACLE_H
#define TEST_SUPPORT_ELSEWHERE_ORACLE_H

#include <sightline/shapes.h>

bool oracle_meet_elsewhere(const sl_triangle *a, const sl_triangle *b);

#endif
