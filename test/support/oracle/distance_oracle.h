/* distance_oracle.h: the distance of a point from a triangle, in big integers (GMP): the oracle for
 * nearest triangles.
 *
 * Shares no code and no method with the library: the squared distance is the least of those from
 * the corners, from the feet on the sides and from the foot on the plane, as far as these lie in
 * the triangle; its root is taken by digits.
 * Threads  one at a time. */
#pragma once

#include <stdbool.h>

typedef struct distance_answer {
    float rounded; /* the distance rounded to the nearest float, ties to even */
    bool within;   /* it is not more than the limit */
} distance_answer;

/* Any finite doubles; limit may be infinite. */
distance_answer oracle_distance(const double point[3], const double corners[3][3], double limit);
