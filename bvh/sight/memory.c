/* Remembered occluders: making the table, and writing to it. */
#include "bvh/sight/memory.h"

#include "lib/base/error.h"
#include "lib/base/memory.h"

#include <string.h>

sl_result sl_sight_memory_create(size_t pairs, const sl_allocator *allocator, sl_sight_memory **out,
                                 sl_error *error)
{
    if (out == NULL) {
        return sli_refuse(error, "out is NULL");
    }
    *out = NULL;
    if (pairs == 0) {
        return sli_refuse(error, "pairs is 0; expected 1 to 2^30");
    }
    if (pairs > (size_t)1 << 30) {
        return sli_fail_plain(error, SL_TOO_LARGE, "%zu pairs; expected 1 to 2^30", pairs);
    }
    SLI_TRY(sli_check_allocator(allocator, error));
    const sl_allocator from = sli_allocator(allocator);
    sl_sight_memory *memory = sli_alloc(&from, sizeof *memory, _Alignof(sl_sight_memory));
    SLI_TRY(sli_had_memory(error, memory != NULL));
    *memory = (sl_sight_memory){ .allocator = from, .bucket_count = (uint32_t)((pairs + 1) / 2) };
    memory->buckets = sli_alloc_large(&from, memory->bucket_count, sizeof *memory->buckets);
    if (memory->buckets == NULL) {
        sli_free(&from, memory, sizeof *memory);
        return sli_fail_memory(error);
    }
    sli_sight_memory_clear(memory);
    *out = memory;
    return SL_OK;
}

void sl_sight_memory_destroy(sl_sight_memory *memory)
{
    if (memory != NULL) {
        const sl_allocator allocator = memory->allocator;
        sli_free_array(&allocator, memory->buckets, memory->bucket_count, sizeof *memory->buckets);
        sli_free(&allocator, memory, sizeof *memory);
    }
}

void sli_sight_memory_clear(sl_sight_memory *memory)
{
    memset(memory->buckets, 0xFF, memory->bucket_count * sizeof *memory->buckets);
}

sl_sight_memory_info sl_sight_memory_get_info(const sl_sight_memory *memory)
{
    return (sl_sight_memory_info){
        .capacity = (size_t)memory->bucket_count * SLI_SIGHT_WAYS,
        .bytes = sizeof *memory + memory->bucket_count * sizeof *memory->buckets,
        .tried = memory->tried,
        .occluded = memory->occluded,
    };
}

void sli_sight_next_call(sl_sight_memory *memory)
{
    memory->age = (memory->age + 1) & 0xFF;
}

/* The slot in a bucket that is best given up. */
static uint32_t oldest_way(const sl_sight_memory *memory, const sli_sight_bucket *bucket)
{
    uint32_t oldest = 0, oldest_age = 0;
    for (uint32_t way = 0; way < SLI_SIGHT_WAYS; way++) {
        const uint64_t value = sli_atomic_load_u64(&bucket->value[way]);
        const uint32_t age =
            value == UINT64_MAX ? 256 : (memory->age - (uint32_t)(value >> 56)) & 0xFF;
        if (age > oldest_age) {
            oldest = way;
            oldest_age = age;
        }
    }
    return oldest;
}

void sli_sight_insert(const sl_sight_memory *memory, sli_sight_bucket *bucket, uint64_t key,
                      uint64_t value)
{
    const uint32_t way = oldest_way(memory, bucket);
    sli_atomic_store_u64(&bucket->key[way], key);
    sli_atomic_store_u64(&bucket->value[way], value);
}

void sli_sight_forget(sl_sight_memory *memory, uint64_t key)
{
    sli_sight_bucket *bucket = sli_sight_bucket_of(memory, key);
    const uint32_t way = sli_sight_way(bucket, key);
    if (way < SLI_SIGHT_WAYS) {
        sli_atomic_store_u64(&bucket->value[way], UINT64_MAX);
    }
}
