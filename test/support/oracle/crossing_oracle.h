/* crossing_oracle.h: the winding number and parity of a point by the crossings of a line in a
 * direction of its own, in big integers (GMP).
 *
 * The direction is random and slightly off a random axis.  One that meets an edge, or lies in a
 * plane, is discarded for another, so nothing has to be decided by convention.  A point on the
 * surface is moved by (e, e^2, e^3) with an e that is small enough for meshes whose features are at
 * least 2^-100 in size; for smaller ones the answer may be wrong.
 * Threads  one oracle for each thread. */
#pragma once

#include "test/support/input/random.h"

#include <sightline/mesh.h>

typedef struct crossing_oracle crossing_oracle;

/* The mesh stays the caller's. */
crossing_oracle *crossing_oracle_open(const sl_mesh *mesh, uint64_t seed);
void crossing_oracle_close(crossing_oracle *oracle);

typedef struct crossing_answer {
    int64_t winding; /* crossings of backs minus fronts; means something for closed meshes */
    bool odd;        /* number of crossings */
    bool on_surface; /* on a triangle that has area */
} crossing_answer;

crossing_answer crossing_oracle_ask(crossing_oracle *oracle, const float point[3]);
