#include "test/support/input/moved.h"
#include "test/support/test.h"

/* snap: 0 for none. */
static sl_mesh *moved(sl_mesh *mesh, float snap, float scale, float shift)
{
    const size_t count = 3 * sl_mesh_soup(mesh).vertex_count;
    float *xyz = malloc(count * sizeof *xyz);
    for (size_t k = 0; k < count; k++) {
        const float x = sl_mesh_soup(mesh).xyz[k];
        xyz[k] = (snap > 0 ? floorf(x * snap + 0.5f) : x) * scale + shift;
    }
    sl_mesh *out = made_mesh(xyz, count / 3, sl_mesh_soup(mesh).indices,
                             sl_mesh_soup(mesh).triangle_count, NULL);
    free(xyz);
    sl_mesh_destroy(mesh);
    return out;
}

sl_mesh *test_mesh_moved(sl_mesh *mesh, float scale, float shift)
{
    return moved(mesh, 0, scale, shift);
}

sl_mesh *test_mesh_snapped(sl_mesh *mesh, float snap, float scale, float shift)
{
    return moved(mesh, snap, scale, shift);
}
