/* bench/harness/meshes.h: generated meshes of a wanted size. */
#pragma once

#include <sightline/mesh.h>

/* SHAPES_MEASURED: what programs measure one after the other. */
typedef enum bench_shape {
    SHAPE_SPHERE,
    SHAPE_TERRAIN,
    SHAPE_SOUP, /* corners are not shared */
    SHAPE_TORUS,
    SHAPES,
    SHAPES_MEASURED = SHAPE_TORUS
} bench_shape;

extern const char *const bench_shape_names[SHAPES];

/* About that many triangles.  SL_OK, or error (may be NULL) says why not. */
sl_result bench_shape_mesh(bench_shape shape, size_t triangles, sl_mesh **out, sl_error *error);
