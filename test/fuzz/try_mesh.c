#include "test/fuzz/try_mesh.h"

#include "test/fuzz/fuzz.h"

#include <math.h>

enum { FEW = 500 };

/* Every corner has a row that there is, or none; and what is at a hit is what is kept. */
static void expect_rows(const sl_mesh *mesh)
{
    const size_t triangles = sl_mesh_soup(mesh).triangle_count;
    uint32_t all = 0;
    for (uint32_t kind = 1; kind <= 4; kind *= 2) {
        sl_mesh_attribute kept;
        if (!sl_mesh_get_attribute(mesh, kind, &kept)) {
            continue;
        }
        all |= kind;
        if (kept.indices == NULL && kept.count != sl_mesh_soup(mesh).vertex_count) {
            fuzz_fail("there is not a row for each vertex");
        }
        for (size_t i = 0; i < 3 * triangles && kept.indices != NULL; i++) {
            if (kept.indices[i] != SL_NONE && kept.indices[i] >= kept.count) {
                fuzz_fail("a row is out of range");
            }
        }
    }
    if ((all & ~sl_mesh_get_info(mesh).attributes) != 0) {
        fuzz_fail("something is kept that the file does not have");
    }
    for (uint32_t prim = 0; prim < triangles && prim < FEW; prim++) {
        sl_mesh_point at;
        const bool found = sl_mesh_at(mesh, prim, 0.25f, 0.5f, NULL, &at);
        if (found != (sl_mesh_soup(mesh).indices[3 * prim] != SL_NONE) ||
            (found && (at.kept & ~all) != 0)) {
            fuzz_fail("a point is not what its triangle has");
        }
    }
}

void try_sound(const sl_mesh *mesh)
{
    const size_t vertices = sl_mesh_soup(mesh).vertex_count,
                 triangles = sl_mesh_soup(mesh).triangle_count;
    const float *xyz = sl_mesh_soup(mesh).xyz;
    const uint32_t *indices = sl_mesh_soup(mesh).indices;
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
    expect_rows(mesh);
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
    sl_mesh_def def = { 0 };
    sl_mesh *mesh;
    sl_error error = { .message = "" };
    def.drop = size % 5 == 0 ? SL_MESH_UVS | SL_MESH_NORMALS | SL_MESH_COLOURS : 0;
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
    try_sound(mesh);
    if (sl_mesh_soup(mesh).triangle_count <= FEW) {
        ask(mesh);
    }
    sl_mesh_destroy(mesh);
}
