/* bench/world/pairs.h: lines of sight in a world: segments of which about half are blocked. */
#pragma once

#include <sightline/instances.h>
#include <sightline/rays.h>

/* Between random points of a cube, up to a quarter of its side apart; 40 to 70 % of them are
 * blocked in the scene, by shorter ones where more would be, and by leaving clear ones out where
 * fewer would be and trying can find enough.  A function of scene, side, seed and count.  False:
 * out of memory. */
bool bench_pairs_make(const sl_bvh *scene, double side, uint64_t seed, size_t count,
                      sl_segment *out);
