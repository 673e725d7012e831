/* contact/separation.h: whether two triangles are certainly no nearer than two others, whose exact
 * distance is had along one direction: for surfaces whose triangles are everywhere as near.
 * Callers  hold the floating-point environment. */
#pragma once

#include "lib/geom/contact/distance.h"

/* A direction, and how far apart along it, times its length, a pair of triangles is: as far as it
 * is at all. */
typedef struct sli_separation {
    double n[3], gap; /* INFINITY: none is known */
} sli_separation;

/* Of a pair that is apart. */
void sli_separation_make(const sl_triangle_d *a, const sl_triangle_d *b, const sli_exact_gap *exact,
                         sli_separation *out);

/* Whether another pair is as far apart along it, or farther; false may be wrong. */
bool sli_separation_holds(const sli_separation *separation, const sl_triangle_d *a,
                          const sl_triangle_d *b);
