#include "test/fuzz/try_mesh.h"

#include "test/fuzz/fuzz.h"

#include <sightline/sightline.h>

#include <math.h>

enum { FEW = 500 };

/* Every number of a mesh is what its header promises. */
static void expect_sound(const sl_mesh *mesh)
{
    const size_t vertices = sl_mesh_vertex_count(mesh), triangles = sl_mesh_triangle_count(mesh);
    const float *xyz = sl_mesh_positions(mesh);
    const uint32_t *indices = sl_mesh_indices(mesh);
    for (size_t i = 0; i < 3 * triangles; i++) {
        if (indices[i] == SL_NONE) {
            continue;
        }
        if (indices[i] >= vertices) {
            fuzz_fail("an index is out of range");
        }
        for (int axis = 0; axis < 3; axis++) {
            if (!isfinite(xyz[3 * (size_t)indices[i] + (size_t)axis])) {
                fuzz_fail("a corner is not finite");
            }
        }
    }
}

static void ask(const sl_mesh *mesh)
{
    sl_bvh *bvh;
    sl_error error;
    if (sl_bvh_build(mesh, NULL, &bvh, &error) != SL_OK) {
        fuzz_fail(error.message);
    }
    if (!sl_bvh_check(bvh, mesh, &error)) {
        fuzz_fail(error.message);
    }
    sl_bvh_destroy(bvh);
}

void try_mesh(const uint8_t *bytes, size_t size, const char *name,
              const struct sl_mesh_format *const *formats, size_t max_memory)
{
    sl_mesh_def def = sl_default_mesh_def();
    sl_mesh *mesh;
    sl_error error = { .message = "" };
    def.bad = size % 2 == 0 ? SL_BAD_REFUSE : SL_BAD_LEAVE_OUT;
    def.recentre = size % 3 == 0;
    def.formats = formats;
    def.max_memory = max_memory;
    if (sl_mesh_load_memory(bytes, size, name, &def, &mesh, &error) != SL_OK) {
        if (mesh != NULL || error.message[0] == '\0') {
            fuzz_fail("refused without words");
        }
        return;
    }
    expect_sound(mesh);
    if (sl_mesh_triangle_count(mesh) <= FEW) {
        ask(mesh);
    }
    sl_mesh_destroy(mesh);
}
