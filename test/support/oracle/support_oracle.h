/* support_oracle.h: the distance of the convex hulls of two sets of points, in big integers (GMP);
 * it uses no axes, planes, faces or regions.
 * Threads  one at a time.
 * Source   Wolfe, Finding the Nearest Point in a Polytope (1976). */
#pragma once

#include <sightline/shapes.h>

#include <gmp.h>

enum { ORACLE_POINTS_MAX = 8 };
typedef struct oracle_point_set {
    int count;
    mpq_t point[ORACLE_POINTS_MAX][3];
} oracle_point_set;

/* Filled over and over; the memory is kept.  Boxes are finite. */
void oracle_point_set_points(oracle_point_set *points, int count, const float *xyz);
void oracle_point_set_aabb(oracle_point_set *points, const sl_aabb *box);
void oracle_point_set_obb(oracle_point_set *points, const sl_obb *box);

/* The sign of the distance of the hulls minus (r1 + r2). */
int oracle_compare_distance(const oracle_point_set *a, const oracle_point_set *b, float r1,
                            float r2);
