/* sights.h: eyes and targets in the random worlds of world.h, and who sees whom by looking at every
 * triangle. */
#pragma once

#include "test/support/input/random.h"

#include <sightline/visibility.h>

/* An end at a vertex, on an edge or inside of a triangle of the world, or near one; some have
 * bodies of their own, some an awkward coordinate. */
sl_sight_end sights_end(const sl_bvh *scene, uint32_t id, test_random *random);

/* The place of an end as a call with these flags takes it; false: it is no place. */
bool sights_place(const double at[3], uint32_t sight_flags, double place[3]);

/* Whether the eye sees a point that belongs to the target, by every triangle of the world.  Of the
 * query, flags for masks and open ends count. */
bool sights_sees(const sl_bvh *scene, const sl_sight_end *eye, const sl_sight_end *target,
                 const double to[3], uint32_t sight_flags, const sl_options *options);

static inline bool sights_bit(const uint64_t *bits, size_t i)
{
    return (bits[i / 64] >> i % 64 & 1) != 0;
}
