/* random_binary.h: binary trees split at random, for tests of reinsertion and collapsing, and a
 * check of such trees. */
#pragma once

#include "bvh/builder/base/refs.h"
#include "bvh/tree/node2.h"
#include "test/support/input/random.h"

typedef struct random_binary {
    sl_mesh *mesh;
    sli_refs refs;
    sli_node2 *nodes;
    size_t node_count;
} random_binary;

/* Splits the triangles of the mesh, which it takes over, at random places: leaves of 1 to leaf_max
 * (4 at most) triangles, at most levels inner nodes on a path.  lopsided: mostly a few on one side,
 * so that the levels are used up. */
random_binary random_binary_make(sl_mesh *mesh, uint32_t leaf_max, int levels, bool lopsided,
                                 test_random *random);
random_binary random_binary_copy(const random_binary *from); /* shares mesh and references */
void random_binary_free(random_binary *tree);
void random_binary_free_copy(random_binary *copy);

/* NULL, or what is wrong: each box is exactly that of what is below it, each reference is in one
 * leaf, leaves hold 1 to 4, children stand in pairs. */
const char *random_binary_fault(const random_binary *tree);

/* Inner nodes with more than 4 triangles: their half surfaces together, and the most on a path. */
double random_binary_cost(const random_binary *tree, int *height);
