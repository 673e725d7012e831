/* sweeps.h: polytopes that move against triangles, in ways that are hard to decide: on a small
 * lattice, where nearly everything touches or is parallel; the same moved by hairs, far away, tiny
 * and huge; along axes and edges; of plain numbers, and of numbers of all sizes; flat and
 * degenerate ones in each. */
#pragma once

#include "test/support/input/random.h"

#include <sightline/contact.h>

typedef struct hard_sweep {
    sl_sweep_d sweep;
    double corners[3][3];
    double points[SL_HULL_POINTS_MAX][3]; /* of a hull */
} hard_sweep;

/* points: of a hull.  All numbers are in the range of exact decisions. */
void hard_sweep_make(test_random *random, sl_volume_kind kind, int points, hard_sweep *out);
