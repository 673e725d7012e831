/* closest/obb_projection.h: the projection of a point on a solid box of any orientation.
 * Callers  hold the floating-point environment and pass a valid box and a finite point. */
#ifndef SLI_GEOM_CLOSEST_OBB_PROJECTION_H
#define SLI_GEOM_CLOSEST_OBB_PROJECTION_H

#include "lib/geom/closest/projection.h"

#include <sightline/shapes.h>

/* True where the point is surely in the interior, or in a corner of it that is no face's, edge's or
 * vertex's: *projection is not set.  It may also be found on the surface, at a distance of 0. */
bool sli_obb_projection(const sl_obb *box, const float point[3], bool exact,
                        sli_projection *projection, bool *unsure);

#endif
