/* scaled.h: a mesh as it is, larger or smaller. */
#ifndef TEST_SUPPORT_SCALED_H
#define TEST_SUPPORT_SCALED_H

#include <sightline/mesh.h>

/* A copy of the mesh, which it destroys, with all coordinates times scale. */
sl_mesh *test_mesh_scaled(sl_mesh *mesh, float scale);

#endif
