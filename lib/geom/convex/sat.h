/* convex/sat.h: whether two convex bodies with vertices overlap, by separating axes: triangles,
 * segments and boxes of any orientation, in any pairing.
 * Callers  hold the floating-point environment. */
#pragma once

#include "lib/geom/convex/axes.h"

bool sli_bodies_meet(const sli_body *a, const sli_body *b);

/* The same of a box or hull. */
bool sli_mover_meets(const sli_mover *mover, const sli_body *body);
