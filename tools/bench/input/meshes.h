/* bench/input/meshes.h: the meshes that bench makes itself. */
#pragma once

#include <sightline/mesh.h>

enum { BENCH_LATTICE = 24 }; /* unit squares along an axis of the lattice */

/* SL_OK, or error says why not. */
sl_result bench_lattice_mesh(sl_mesh **out, sl_error *error);
sl_result bench_needles_mesh(sl_mesh **out, sl_error *error); /* 30,424 triangles */
