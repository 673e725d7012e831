/* overlap/sat.h: whether two convex bodies with vertices overlap, by separating axes: triangles,
 * segments and boxes of any orientation, in any pairing.
 * Callers  hold the floating-point environment. */
#pragma once

#include "lib/geom/overlap/support.h"

bool sli_bodies_meet(const sli_body *a, const sli_body *b);
