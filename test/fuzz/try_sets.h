/* try_sets.h: sets of elements of a small mesh, against what every pair of elements has to do with
 * one another. */
#pragma once

#include <sightline/topology.h>

enum { SETS_TRIANGLES = 40, SETS_ELEMENTS = 3 * SETS_TRIANGLES };

/* Of at most SETS_TRIANGLES triangles; fails where an answer differs.  The seed makes the sets. */
void try_sets(const sl_topology *topology, uint64_t seed);
