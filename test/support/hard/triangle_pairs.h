/* triangle_pairs.h: pairs of triangles that are hard to decide: a third of them in one plane,
 * others with corners, edges or parts of edges in common, through one another's edges and corners,
 * without area; moved by the last place of a coordinate; tiny, huge and far away. */
#pragma once

#include "test/support/input/random.h"

#include <sightline/shapes.h>

/* Pair i; all numbers are of the range of exact decisions. */
void hard_triangle_pair(test_random *random, size_t i, sl_triangle_d *a, sl_triangle_d *b);
