/* hash.h: 64 bits that tell data apart: XXH3 (Collet, xxHash, 64-bit variant of version 0.8, seed
 * 0), which others can compute too.  Against accidents, not against forgers.  The same on every
 * machine. */
#pragma once

#include <stddef.h>
#include <stdint.h>

uint64_t sli_hash(const void *bytes, size_t size);

/* The same of bytes that come in pieces. */
typedef struct sli_hasher {
    _Alignas(64) unsigned char state[640];
} sli_hasher;

void sli_hash_begin(sli_hasher *hasher);
void sli_hash_add(sli_hasher *hasher, const void *bytes, size_t size);
uint64_t sli_hash_end(const sli_hasher *hasher);
