/* closest/obb_projection.h: the projection of a point on a solid box of any orientation; for
 * closest points and containment.
 * Callers  hold the floating-point environment and pass a valid box and a finite point. */
#pragma once

#include "lib/geom/closest/projection.h"

#include <sightline/shapes.h>

/* True if the point is inside; *projection is then not set.  A point on the surface may also give
 * false, with a distance of 0.  Sets *unsure if doubles do not decide. */
bool sli_obb_projection(const sl_obb *box, const float point[3], bool exact,
                        sli_projection *projection, bool *unsure);
