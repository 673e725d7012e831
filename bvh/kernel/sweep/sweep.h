/* sweep/sweep.h: sweeps of worlds, as kernels take them, and what they answer. */
#pragma once

#include "bvh/kernel/instance/ray.h"

#include <sightline/contact.h>

struct sli_sweep; /* lib/geom/sweep/sweep.h */

/* A valid sweep, with its options. */
typedef struct sli_world_sweep {
    const struct sli_sweep *sweep;
    sli_world_ray ray;      /* of the middle of the shape's bounds, t in [0, 1], with its reach */
    double axis[3], radius; /* it lies within radius of the points middle - axis .. middle + axis */
    double inner; /* what is within this of the middle overlaps the shape: 0 but for spheres */
    const sl_options *options; /* of which cull and the hit filter are read */
    size_t index;              /* for the hit filter */
} sli_world_sweep;

/* Is given each contact once, in any order. */
typedef void sli_take_contact(void *context, const sl_contact *contact);
