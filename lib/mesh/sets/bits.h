/* sets/bits.h: bits of sets of elements. */
#pragma once

#include "lib/mesh/topology.h"

/* The bits of a word that stand for any of count elements. */
static inline uint64_t sli_set_word(uint64_t word, size_t index, size_t count)
{
    return 64 * index + 64 <= count ? word : word & (((uint64_t)1 << count % 64) - 1);
}

/* The lowest bit of a word, which is not 0. */
static inline uint32_t sli_lowest_bit(uint64_t word)
{
    return (uint32_t)__builtin_ctzll(word);
}

static inline bool sli_is_left_out(const sl_topology *topology, size_t prim)
{
    return topology->vertices[3 * prim] == SL_NONE;
}

/* The set without bits that stand for nothing. */
void sli_set_copy(const sl_topology *topology, sl_element kind, const uint64_t *set, uint64_t *out);

/* Whether fewer than one in `share` of the elements are in the set. */
bool sli_set_is_sparse(const sl_topology *topology, sl_element kind, const uint64_t *set,
                       size_t share);

/* How many elements of a kind are numbered, triangles that were left out too. */
size_t sli_set_capacity(const sl_topology *topology, sl_element kind);
