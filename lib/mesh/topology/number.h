/* topology/number.h: vertices of a topology by position, in a table by hash. */
#pragma once

#include "lib/mesh/topology.h"

#include <string.h>

/* The bits of a position, zeros of either sign being equal. */
static inline void sli_position_words(const float *xyz, uint32_t words[3])
{
    memcpy(words, xyz, 3 * sizeof *words);
    for (int axis = 0; axis < 3; axis++) {
        words[axis] = words[axis] == 0x80000000u ? 0 : words[axis];
    }
}

/* Steele, Lea and Flood, Fast Splittable Pseudorandom Number Generators (2014): their mixing. */
static inline uint64_t sli_position_hash(const uint32_t words[3])
{
    uint64_t z = (uint64_t)words[0] | (uint64_t)words[1] << 32;
    z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9u + words[2];
    z = (z ^ z >> 27) * 0x94D049BB133111EBu;
    return z ^ z >> 31;
}

/* Fills in vertices and mesh_vertices, and counts them; false when out of memory. */
bool sli_topology_number(sl_topology *topology, const sl_mesh *mesh);
