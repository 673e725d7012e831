#include "test/support/scaled.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>

#include <cmocka.h>

sl_mesh *test_mesh_scaled(sl_mesh *mesh, float scale)
{
    const size_t count = 3 * sl_mesh_vertex_count(mesh);
    sl_mesh *out = NULL;
    float *xyz = malloc(count * sizeof *xyz);
    for (size_t k = 0; k < count; k++) {
        xyz[k] = sl_mesh_positions(mesh)[k] * scale;
    }
    assert_int_equal(sl_mesh_from_arrays(xyz, count / 3, sl_mesh_indices(mesh),
                                         sl_mesh_triangle_count(mesh), NULL, &out, NULL),
                     SL_OK);
    free(xyz);
    sl_mesh_destroy(mesh);
    return out;
}
