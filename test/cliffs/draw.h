/* draw.h: random numbers of the cliff finder, in doubles. */
#pragma once

#include "test/support/input/random.h"

#include <math.h>

/* In [low, high). */
static inline double draw_in(test_random *random, double low, double high)
{
    return low + (high - low) * ((double)(test_random_u64(random) >> 11) * 0x1p-53);
}

/* Of unit length, evenly over the sphere. */
static inline void draw_direction(test_random *random, double out[3])
{
    double square;
    do {
        square = 0;
        for (int axis = 0; axis < 3; axis++) {
            out[axis] = draw_in(random, -1, 1);
            square += out[axis] * out[axis];
        }
    } while (square > 1 || square < 1e-3);
    for (int axis = 0; axis < 3; axis++) {
        out[axis] /= sqrt(square);
    }
}
