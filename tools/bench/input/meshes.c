/* bench/input/meshes.c: the lattice of bench. */
#include "tools/bench/input/meshes.h"

#include <stdlib.h>
#include <string.h>

enum {
    SIDE = BENCH_LATTICE + 1, /* points along an axis */
    POINTS = SIDE * SIDE * SIDE,
    SQUARES = 3 * SIDE * BENCH_LATTICE * BENCH_LATTICE
};

/* Distance in the array of points to the next one along each axis. */
static const uint32_t point_step[3] = { 1, SIDE, SIDE *SIDE };

static void fill_points(float *xyz)
{
    for (uint32_t i = 0; i < POINTS; i++) {
        for (uint32_t axis = 0; axis < 3; axis++) {
            xyz[3 * i + axis] = (float)(i / point_step[axis] % SIDE);
        }
    }
}

static void fill_squares(uint32_t *to)
{
    for (int axis = 0; axis < 3; axis++) {
        const uint32_t a = point_step[(axis + 1) % 3], b = point_step[(axis + 2) % 3];
        for (uint32_t i = 0; i < SQUARES / 3; i++) {
            const uint32_t corner = i / (BENCH_LATTICE * BENCH_LATTICE) * point_step[axis] +
                                    i / BENCH_LATTICE % BENCH_LATTICE * a + i % BENCH_LATTICE * b;
            const uint32_t square[6] = { corner, corner + a,     corner + a + b,
                                         corner, corner + a + b, corner + b };
            memcpy(to, square, sizeof square);
            to += 6;
        }
    }
}

sl_result bench_lattice_mesh(sl_mesh **out, sl_error *error)
{
    float *xyz = malloc(POINTS * 3 * sizeof *xyz);
    uint32_t *indices = malloc(SQUARES * 6 * sizeof *indices);
    *out = NULL;
    *error = (sl_error){ .code = SL_OUT_OF_MEMORY, .byte = -1, .message = "out of memory" };
    if (xyz != NULL && indices != NULL) {
        fill_points(xyz);
        fill_squares(indices);
        sl_mesh_from_arrays(xyz, POINTS, indices, SQUARES * 2, NULL, out, error);
    }
    free(xyz);
    free(indices);
    return *out != NULL ? SL_OK : error->code;
}
