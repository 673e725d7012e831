/* nearest.h: nearest triangles are sorted as hits that have the distance for t. */
#ifndef SLI_QUERY_NEAREST_H
#define SLI_QUERY_NEAREST_H

#include <sightline/point_query.h>

/* A nearest triangle begins with the fields of a hit, so that the caller's array serves for both:
 * hits are packed at its start, then spread out from the end. */
_Static_assert(offsetof(sl_nearest, distance) == offsetof(sl_hit, t), "t is the distance");
_Static_assert(offsetof(sl_nearest, point) == sizeof(sl_hit), "the point comes after the hit");

/* Corners of a prim that is there. */
typedef sl_triangle sli_corners_fn(const void *triangles, uint32_t prim);

/* Spreads count hits out, each with its nearest point. */
void sli_nearest_spread(sl_nearest *row, size_t count, sli_corners_fn *corners,
                        const void *triangles);

#endif
