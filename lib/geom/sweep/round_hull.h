/* sweep/round_hull.h: spheres and capsules that move against a hull.
 * Callers  hold the floating-point environment. */
#pragma once

#include "lib/geom/convex/hull.h"
#include "lib/geom/sweep/round.h"

/* Of all that it overlaps at the start a hull's faces are a part: it overlaps a solid hull if an
 * end of its axis is inside, too.  Then it recedes where it rests, or where its axis is wholly
 * in front of some planes of the hull and comes nearer to none of these.  Of several faces that
 * are touched first, the first one counts.  Where the axis is inside, the normal is 0 and the
 * point that end. */
bool sli_round_hull(const sli_round *mover, const sli_hull *hull, sl_contact *out);
