/* memory.h: which triangle occluded the line between two ends the last time.
 *
 * A table of buckets, each one cache line: four keys and four values.  A pair's key picks the
 * bucket, and the pair is in any of its slots or not there.
 *
 *     value   bits 0 .. 27 prim, 28 .. 55 instance, 56 .. 63 the call in which it was last of use,
 *             modulo 256; all bits set: empty
 *
 * Where all four are taken, the one that was not of use for the longest time goes.  Workers of one
 * call read and write words at the same time, each word at once: what they find may belong to
 * another pair then, which costs time and changes no answer, since a triangle that is remembered
 * is only looked at first. */
#pragma once

#include "lib/base/atomic.h"

#include <sightline/visibility.h>

enum { SLI_SIGHT_WAYS = 4 };

typedef struct sli_sight_bucket {
    uint64_t key[SLI_SIGHT_WAYS], value[SLI_SIGHT_WAYS];
} sli_sight_bucket;

struct sl_sight_memory {
    sl_allocator allocator;
    sli_sight_bucket *buckets;
    uint32_t bucket_count;
    uint32_t age; /* of the present call, modulo 256 */
    uint64_t tried, occluded;
};

static inline uint64_t sli_sight_key(uint32_t eye, uint32_t target)
{
    return (uint64_t)eye << 32 | target;
}

/* Multiplied by 2^64 over the golden ratio (Knuth, TAOCP 3, 6.4), then scaled to the count. */
static inline sli_sight_bucket *sli_sight_bucket_of(const sl_sight_memory *memory, uint64_t key)
{
    const uint64_t mixed = (key ^ key >> 29) * UINT64_C(0x9E3779B97F4A7C15) >> 32;
    return &memory->buckets[mixed * memory->bucket_count >> 32];
}

/* The next call begins. */
void sli_sight_next_call(sl_sight_memory *memory);

/* The slot of a key in its bucket; SLI_SIGHT_WAYS where it has none.  Which slot it is cannot be
 * foretold, so nothing branches on it. */
static inline uint32_t sli_sight_way(const sli_sight_bucket *bucket, uint64_t key)
{
    const uint32_t found[SLI_SIGHT_WAYS] = {
        /* no loop: compilers keep it one */
        sli_atomic_load_u64(&bucket->key[0]) == key, sli_atomic_load_u64(&bucket->key[1]) == key,
        sli_atomic_load_u64(&bucket->key[2]) == key, sli_atomic_load_u64(&bucket->key[3]) == key
    };
    return (uint32_t)__builtin_ctz(found[0] | found[1] << 1 | found[2] << 2 | found[3] << 3 |
                                   1u << SLI_SIGHT_WAYS);
}

/* What occluded the pair; prim is SL_NONE where nothing is remembered.  The pair then counts as one
 * that was queried in this call, so that others make room before it. */
static inline sl_triangle_ref sli_sight_recall(const sl_sight_memory *memory, uint64_t key)
{
    const uint32_t index = 0x0FFFFFFF;
    sli_sight_bucket *bucket = sli_sight_bucket_of(memory, key);
    const uint32_t way = sli_sight_way(bucket, key);
    const uint64_t value =
        way == SLI_SIGHT_WAYS ? UINT64_MAX : sli_atomic_load_u64(&bucket->value[way]);
    if (value == UINT64_MAX) {
        return (sl_triangle_ref){ .prim = SL_NONE };
    }
    sli_atomic_store_u64(&bucket->value[way],
                         (value & UINT64_MAX >> 8) | (uint64_t)memory->age << 56);
    return (sl_triangle_ref){ .instance = (uint32_t)(value >> 28) & index,
                              .prim = (uint32_t)value & index };
}

/* What a bucket says of a pair that is occluded now. */
static inline uint64_t sli_sight_value(const sl_sight_memory *memory, sl_triangle_ref occluder)
{
    return (uint64_t)memory->age << 56 | (uint64_t)occluder.instance << 28 | occluder.prim;
}

/* Gives a pair that has no slot in its bucket one. */
void sli_sight_insert(const sl_sight_memory *memory, sli_sight_bucket *bucket, uint64_t key,
                      uint64_t value);

/* What occludes it now. */
static inline void sli_sight_remember(const sl_sight_memory *memory, uint64_t key,
                                      sl_triangle_ref occluder)
{
    sli_sight_bucket *bucket = sli_sight_bucket_of(memory, key);
    const uint64_t value = sli_sight_value(memory, occluder);
    const uint32_t way = sli_sight_way(bucket, key);
    if (way < SLI_SIGHT_WAYS) {
        sli_atomic_store_u64(&bucket->value[way], value);
    } else {
        sli_sight_insert(memory, bucket, key, value);
    }
}

/* Nothing does. */
void sli_sight_forget(sl_sight_memory *memory, uint64_t key);

/* Forgets everything. */
void sli_sight_memory_clear(sl_sight_memory *memory);
