#include "test/support/input/deep.h"

#include <stdlib.h>

/* More of each size than a block holds, and more sizes than a tree has levels. */
enum { EACH = 8, SIZES = 64, COUNT = EACH * SIZES };

sl_mesh *deep_mesh(void)
{
    static float xyz[COUNT][9];
    float size = 1;
    for (int i = 0; i < COUNT; i++) {
        const float x = size * (1 + (float)(i % EACH) / 128);
        const float corners[9] = { x, -size, -size, x, size, -size, x, 0, size };
        for (int k = 0; k < 9; k++) {
            xyz[i][k] = corners[k];
        }
        size = i % EACH == EACH - 1 ? size / 2 : size;
    }
    sl_mesh *mesh = NULL;
    if (sl_mesh_from_arrays(xyz[0], 3 * COUNT, NULL, COUNT, NULL, &mesh, NULL) != SL_OK) {
        abort();
    }
    return mesh;
}
