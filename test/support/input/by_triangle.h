/* by_triangle.h: meshes that are made one triangle after the other. */
#pragma once

#include "test/support/input/random.h"

#include <sightline/mesh.h>

#include <stdlib.h>

/* Writes the nine coordinates of triangle i of count. */
typedef void triangle_maker(size_t i, size_t count, test_random *random, float *out);
#define TRIANGLE_MAKER(name)                                                                       \
    static void name(__attribute__((unused)) size_t i, __attribute__((unused)) size_t count,       \
                     __attribute__((unused)) test_random *random, float *out)

/* NULL when out of memory.  The caller destroys it. */
static inline sl_mesh *by_triangle(triangle_maker *make, size_t count, uint64_t seed)
{
    test_random random = { seed };
    float *xyz = malloc((9 * count + 1) * sizeof *xyz);
    sl_mesh *mesh = NULL;
    if (xyz != NULL) {
        for (size_t i = 0; i < count; i++) {
            make(i, count, &random, xyz + 9 * i);
        }
        (void)sl_mesh_from_arrays(xyz, 3 * count, NULL, count, NULL, &mesh, NULL);
    }
    free(xyz);
    return mesh;
}
