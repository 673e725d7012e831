/* gizmo/turn.h: turns as quaternions, with the same bits on every machine.
 * Callers  hold the floating-point environment. */
#pragma once

#include "lib/geom/exact/arithmetic/vector.h"

#include <stdbool.h>

/* The length of any vector, also where squares under- or overflow. */
double sli_length(const double v[3]);

/* False for a vector that is 0 or not finite. */
bool sli_unit(const double v[3], double out[3]);

/* A unit vector that is perpendicular to one, in a plane of two axes: along the axis nearest to
 * being perpendicular to it, crossed with it. */
void sli_perpendicular(const double unit[3], double out[3]);

/* For |angle| <= 2^20, within 2^-51.  Angles within |n| 2^-50 of n quarter turns, n not 0, count as
 * those. */
void sli_sine_cosine(double angle, double *sine, double *cosine);

/* About a unit vector; quarter turns have equal components. */
void sli_turn(const double unit[3], double angle, double q[4]);
