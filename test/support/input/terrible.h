/* terrible.h: meshes that are hard for builders: all triangles equal, flat, far away, tiny, one
 * inside another. */
#pragma once

#include <sightline/mesh.h>

int terrible_count(void);
const char *terrible_name(int which);

/* About count triangles; NULL when out of memory.  The caller destroys it. */
sl_mesh *terrible_make(int which, size_t count);
