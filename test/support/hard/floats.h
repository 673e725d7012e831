/* floats.h: coordinates that make geometry hard to decide; half of them are on small lattices. */
#pragma once

#include "test/support/input/random.h"

#include <stddef.h>

/* Which sort case number i is of: even ones are on lattices, plain or of any size down to
 * denormals; odd ones are lattices with zeros moved by hairs, numbers of one size, numbers of all
 * sizes. */
void hard_floats(test_random *random, size_t i, float *x, int count);

/* One number of any size; now and then the given one, or its neighbour. */
float hard_float_wild(test_random *random, float other);
