/* solids.h: generated meshes that enclose a volume, most of them hard: coplanar faces, shells in
 * and through one another, edges with four triangles. */
#pragma once

#include <sightline/mesh.h>

typedef enum solid_kind {
    SOLID_SPHERE,
    SOLID_TORUS,
    SOLID_CUBE,     /* on the lattice, faces cut into squares */
    SOLID_SPONGE,   /* Menger's, twice: many coplanar faces */
    SOLID_CHECKERS, /* cells that meet in edges and corners only */
    SOLID_SHELLS,   /* cubes through one another, sharing face planes; one inside out in another */
    SOLID_MIRRORED, /* a torus through a mirror, so that it is wound inwards */
    SOLID_NEEDLES,  /* long thin tetrahedra through one another: triangles that builders split */
    SOLID_TINY,     /* a sphere of 2^-60, beyond the float filters */
    SOLID_KINDS
} solid_kind;

extern const char *const solid_names[SOLID_KINDS];

/* Every edge of it is used as often one way as the other. */
sl_mesh *solid_make(solid_kind kind);

/* The cube [0, n]^3 on the integer lattice, each face cut into n * n squares of two triangles. */
sl_mesh *solid_cube(int n);

/* The triangles of both. */
sl_mesh *solid_join(const sl_mesh *a, const sl_mesh *b);

/* The same triangles with coordinates x * scale[axis] + offset[axis]; turned: wound the other way.
 */
sl_mesh *solid_placed(const sl_mesh *mesh, const float scale[3], const float offset[3],
                      bool turned);
