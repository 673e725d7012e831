/* hash.h: 64 bits that tell data apart: XXH3 (Collet, xxHash, 64-bit variant of version 0.8, seed
 * 0), which others can compute too.  Against accidents, not against forgers.  The same on every
 * machine. */
#pragma once

#include <stddef.h>
#include <stdint.h>

uint64_t sli_hash(const void *bytes, size_t size);

/* The finalizer of splitmix64: each bit of the result depends on all bits.
 * Source   Steele, Lea and Flood, Fast Splittable Pseudorandom Number Generators (2014). */
static inline uint64_t sli_mix(uint64_t z)
{
    z = (z ^ (z >> 30)) * UINT64_C(0xBF58476D1CE4E5B9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94D049BB133111EB);
    return z ^ (z >> 31);
}

/* The same as sli_hash, of bytes that come in pieces. */
typedef struct sli_hasher {
    _Alignas(64) unsigned char state[640];
} sli_hasher;

void sli_hash_begin(sli_hasher *hasher);
void sli_hash_add(sli_hasher *hasher, const void *bytes, size_t size);
uint64_t sli_hash_end(const sli_hasher *hasher);
