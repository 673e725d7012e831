/* region_oracle.h: what a region of the picture selects, by select.h's words alone: figures are
 * made anew, and everything about them is decided in fractions.
 * Threads  one at a time. */
#pragma once

#include <sightline/select.h>

/* One to three points of the world: TOUCHED, or INSIDE. */
bool region_oracle_selects(const sl_view *view, const sl_region *region, double (*points)[3],
                           int count, bool inside);

/* The same for positions of the picture, uncut. */
bool region_oracle_touches(const sl_region *region, const double (*at)[2], int count);
bool region_oracle_holds(const sl_region *region, const double (*at)[2], int count);

/* Whether an answer since the last call was left open: whether a lasso of which hundreds of sides
 * meet one triangle has all of it, which this takes the cube of their number for. */
bool region_oracle_gave_up(void);
