/* bench/harness/meshes.c: generates meshes of a wanted size. */
#include "tools/bench/harness/meshes.h"

#include <math.h>

const char *const bench_shape_names[SHAPES] = { "sphere", "terrain", "soup", "torus" };

sl_result bench_shape_mesh(bench_shape shape, size_t triangles, sl_mesh **out, sl_error *error)
{
    static const double per_side[SHAPES] = { 8, 2, 1, 4 };
    const uint32_t side = (uint32_t)sqrt((double)triangles / per_side[shape]);
    switch (shape) {
    case SHAPE_SPHERE:
        return sl_mesh_generate(&(sl_mesh_shape){ SL_MESH_SPHERE, { .sphere = { side } } }, NULL,
                                out, error);
    case SHAPE_TERRAIN:
        return sl_mesh_generate(&(sl_mesh_shape){ SL_MESH_GRID, { .grid = { side, side, 20, 1 } } },
                                NULL, out, error);
    case SHAPE_SOUP:
        return sl_mesh_generate(
            &(sl_mesh_shape){ SL_MESH_SOUP, { .soup = { triangles, 0.01f, 1 } } }, NULL, out,
            error);
    default: /* twice as many rings as sides, so that triangles are about as long as wide */
        return sl_mesh_generate(
            &(sl_mesh_shape){ SL_MESH_TORUS, { .torus = { 2 * side, side, 1.0f, 0.5f } } }, NULL,
            out, error);
    }
}
