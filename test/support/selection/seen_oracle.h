/* seen_oracle.h: what is seen, by select.h's words alone: lines of sight of which all hits are
 * looked at, and samples of sides for each pixel of the picture. */
#pragma once

#include <sightline/select.h>

/* Whether nothing blocks the line of sight to a point but triangles that have both a and b among
 * their corners.  Of a query flags, what they name, and cull are read. */
bool seen_oracle_point(const sl_bvh *scene, const sl_view *view, const sl_options *options,
                       const double at[3], const double a[3], const double b[3]);

/* Whether a sample of a side that the region touches is in the region, and seen. */
bool seen_oracle_side(const sl_bvh *scene, const sl_view *view, const sl_options *options,
                      const sl_region *region, double ends[2][3]);
