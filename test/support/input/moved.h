/* moved.h: a copy of a mesh that is moved and scaled. */
#pragma once

#include <sightline/mesh.h>

/* A copy of the mesh, which it destroys, with each coordinate times scale, plus shift. */
sl_mesh *test_mesh_moved(sl_mesh *mesh, float scale, float shift);

/* The same, with coordinates times snap rounded to whole numbers first. */
sl_mesh *test_mesh_snapped(sl_mesh *mesh, float snap, float scale, float shift);
