/* random.h: seeded numbers for tests: the same on every machine. */
#pragma once

#include <stdint.h>

typedef struct test_random {
    uint64_t state;
} test_random;

/* Steele, Lea and Flood, Fast Splittable Pseudorandom Number Generators (2014). */
static inline uint64_t test_random_u64(test_random *r)
{
    uint64_t z = (r->state += 0x9E3779B97F4A7C15u);
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
    return z ^ (z >> 31);
}

static inline uint32_t test_random_below(test_random *r, uint32_t n)
{
    return (uint32_t)((test_random_u64(r) >> 32) * n >> 32);
}

/* In [0, 1). */
static inline float test_random_unit(test_random *r)
{
    return (float)(test_random_u64(r) >> 40) * 0x1p-24f;
}

/* In [low, high). */
static inline float test_random_in(test_random *r, float low, float high)
{
    return low + (high - low) * test_random_unit(r);
}

/* The same in doubles. */
static inline double test_random_unit_d(test_random *r)
{
    return (double)(test_random_u64(r) >> 11) * 0x1p-53;
}

static inline double test_random_in_d(test_random *r, double low, double high)
{
    return low + (high - low) * test_random_unit_d(r);
}
