#include "test/support/input/odd_meshes.h"

#include <stdio.h>

sl_mesh *odd_triangles(test_random *r)
{
    const uint32_t vertices = 1 + test_random_below(r, 30);
    const uint32_t triangles = test_random_below(r, 41), places = 1 + test_random_below(r, 3);
    float xyz[30][3];
    uint32_t indices[40][3];
    for (uint32_t i = 0; i < 3 * vertices; i++) {
        const float x = (float)test_random_below(r, places + 1);
        xyz[i / 3][i % 3] = x == 0 && test_random_below(r, 2) == 0 ? -0.0f : x;
    }
    const uint32_t bad = test_random_below(r, 4) == 0 ? 1 : 0;
    for (uint32_t i = 0; i < 3 * triangles; i++) {
        indices[i / 3][i % 3] = test_random_below(r, vertices + bad);
    }
    sl_mesh_def def = { .bad = SL_BAD_LEAVE_OUT };
    sl_mesh *mesh = NULL;
    (void)sl_mesh_from_arrays(xyz[0], vertices, indices, triangles, &def, &mesh, NULL);
    return mesh;
}

sl_mesh *odd_polygons(test_random *r)
{
    char text[8192];
    size_t size = 0;
    const uint32_t vertices = 3 + test_random_below(r, 20), faces = test_random_below(r, 25);
    for (uint32_t i = 0; i < vertices; i++) {
        size += (size_t)snprintf(text + size, sizeof text - size, "v %u %u %u\n",
                                 test_random_below(r, 4), test_random_below(r, 4),
                                 test_random_below(r, 3));
    }
    for (uint32_t i = 0; i < 4; i++) {
        size += (size_t)snprintf(text + size, sizeof text - size, "vt %s %u\n", i == 1 ? "-0" : "0",
                                 i / 2);
    }
    for (uint32_t face = 0; face < faces; face++) {
        const bool plain = test_random_below(r, 4) == 0;
        if (test_random_below(r, 4) == 0) {
            size += (size_t)snprintf(text + size, sizeof text - size, "g group%u\n", face);
        }
        size += (size_t)snprintf(text + size, sizeof text - size, "f");
        for (uint32_t i = 3 + test_random_below(r, 3); i > 0; i--) {
            size += (size_t)snprintf(text + size, sizeof text - size, " %u",
                                     1 + test_random_below(r, vertices));
            if (!plain) {
                const uint32_t row = test_random_below(r, 20);
                size +=
                    (size_t)snprintf(text + size, sizeof text - size, "/%u", row < 4 ? 1 + row : 1);
            }
        }
        size += (size_t)snprintf(text + size, sizeof text - size, "\n");
    }
    sl_mesh *mesh = NULL;
    (void)sl_mesh_load_memory(text, size, "odd.obj", NULL, &mesh, NULL);
    return mesh;
}
