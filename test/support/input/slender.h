/* slender.h: meshes whose triangles are worth splitting: long, thin and oblique, large among small
 * ones, through one another. */
#pragma once

#include <sightline/mesh.h>

int slender_count(void);
const char *slender_name(int which);

/* About count triangles; NULL when out of memory.  The caller destroys it. */
sl_mesh *slender_make(int which, size_t count);
