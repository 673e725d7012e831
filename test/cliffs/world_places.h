/* world_places.h: the places of a world's instances. */
#pragma once

#include "test/cliffs/case.h"

#include <sightline/transform.h>

#include <stddef.h>

/* Something to place: how large it is, and its middle in its own space. */
typedef struct placed_thing {
    double size, middle[3];
} placed_thing;

/* Places count copies of a thing as CASE_WORLD says.  Instances of meshes are scaled and turned by
 * CASE_SCALES and CASE_PLACES, those of groups are only turned.  group: what the copies are
 * together. */
void places_make(const cliff_case *c, bool meshes, const placed_thing *thing, size_t count,
                 test_random *random, sl_transform *out, placed_thing *group);

/* About any axis by any angle. */
void draw_rotation(test_random *random, double out[3][3]);

/* The scale of an instance of a mesh: the length of what was 1, along its longest side. */
double place_scale(const sl_transform *place);
