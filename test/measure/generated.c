#include "test/measure/generated.h"

#include <math.h>

const char *const generated_names[GENERATED_KINDS] = { "sphere", "terrain", "soup" };

sl_mesh *generated_mesh(int kind, size_t triangles)
{
    sl_mesh *mesh = NULL;
    const uint32_t side = (uint32_t)sqrt((double)triangles / (kind == 0 ? 8 : 2));
    sl_result result = SL_OK;
    switch (kind) {
    case 0:
        result = sl_mesh_generate_sphere(side, NULL, &mesh, NULL);
        break;
    case 1:
        result = sl_mesh_generate_grid(side, side, 20, 1, NULL, &mesh, NULL);
        break;
    default:
        result = sl_mesh_generate_soup(triangles, 0.01f, 1, NULL, &mesh, NULL);
        break;
    }
    return result == SL_OK ? mesh : NULL;
}
