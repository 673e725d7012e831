/* answers_hash.h: a hash of answers that is the same for either byte order; and surfaces as it sees
 * them. */
#pragma once

#include <sightline/rays.h>

#include <stddef.h>
#include <stdint.h>

/* To begin with. */
#define TEST_HASH_NOTHING 0xCBF29CE484222325u

/* FNV-1a over size bytes that are numbers of width bytes each (1, 4 or 8), the low byte first. */
static inline uint64_t test_hash(uint64_t h, const void *numbers, size_t size, size_t width)
{
    const uint16_t one = 1;
    const size_t turn = *(const uint8_t *)&one == 1 ? 0 : width - 1;
    const uint8_t *bytes = numbers;
    for (size_t i = 0; i < size; i++) {
        h = (h ^ bytes[i ^ turn]) * 0x100000001B3u;
    }
    return h;
}

/* A surface whose numbers are rounded to floats. */
typedef struct test_surface {
    float point[3], normal[3], error, front_origin[3], back_origin[3];
} test_surface;

/* Of a hit; of a miss, out stays as it is. */
void test_surface_of(const sl_bvh *bvh, const sl_hit *hit, test_surface *out);
