/* generated.h: meshes of a wanted size for measurements of building. */
#ifndef TEST_MEASURE_GENERATED_H
#define TEST_MEASURE_GENERATED_H

#include <sightline/mesh.h>

enum { GENERATED_KINDS = 3 };
extern const char *const generated_names[GENERATED_KINDS]; /* sphere, terrain, soup */

/* About that many triangles; NULL when out of memory. */
sl_mesh *generated_mesh(int kind, size_t triangles);

#endif
