/* odd_meshes.h: small meshes of everything that is odd about neighbours, for tests against looking
 * at every pair: few places, so that vertices meet at zeros of either sign, triangles repeat and
 * collapse, and many have one edge. */
#pragma once

#include "test/support/input/random.h"

#include <sightline/mesh.h>

/* At most 40 triangles and 30 vertices, some triangles left out; NULL when out of memory. */
sl_mesh *odd_triangles(test_random *r);

/* At most 24 polygons, 72 triangles and 22 vertices, in groups, some with texture coordinates. */
sl_mesh *odd_polygons(test_random *r);
