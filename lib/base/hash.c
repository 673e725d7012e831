/* hash.c: hashes of files and meshes through xxHash; for tree files and sl_mesh_hash. Source:
 * Collet, xxHash (https://xxhash.com). */
#include "lib/base/hash.h"

#include <assert.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

/* The library's state stands in ours, so that no other file sees its header. */
static_assert(sizeof(XXH3_state_t) <= sizeof(sli_hasher), "the state fits");
static_assert(_Alignof(XXH3_state_t) <= _Alignof(sli_hasher), "the state is aligned");

static XXH3_state_t *state_of(const sli_hasher *hasher)
{
    return (XXH3_state_t *)(uintptr_t)hasher->state;
}

uint64_t sli_hash(const void *bytes, size_t size)
{
    return XXH3_64bits(bytes, size);
}

void sli_hash_begin(sli_hasher *hasher)
{
    XXH3_INITSTATE(state_of(hasher));
    (void)XXH3_64bits_reset(state_of(hasher));
}

void sli_hash_add(sli_hasher *hasher, const void *bytes, size_t size)
{
    (void)XXH3_64bits_update(state_of(hasher), bytes, size);
}

uint64_t sli_hash_end(const sli_hasher *hasher)
{
    return XXH3_64bits_digest(state_of(hasher));
}
