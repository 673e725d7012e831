/* deep.h: a mesh whose tree is as deep as trees may be, and rays and points whose traversal has to
 * remember most of its nodes. */
#pragma once

#include <sightline/mesh.h>

/* Triangles around the origin, in x > 0, each half as large and as far away as those before it:
 * splits peel one size off after the other, and from the origin the nearest lie behind all the
 * others in the tree.  The caller destroys it; aborts when out of memory. */
sl_mesh *deep_mesh(void);
