/* bytes.h: numbers from unaligned bytes of either order, on any machine. */
#pragma once

#include <stdint.h>
#include <string.h>

static inline uint16_t sli_little16(const uint8_t *at)
{
    return (uint16_t)(at[0] | at[1] << 8);
}

static inline uint32_t sli_little32(const uint8_t *at)
{
    return (uint32_t)at[0] | (uint32_t)at[1] << 8 | (uint32_t)at[2] << 16 | (uint32_t)at[3] << 24;
}

static inline uint64_t sli_little64(const uint8_t *at)
{
    return (uint64_t)sli_little32(at) | (uint64_t)sli_little32(at + 4) << 32;
}

static inline double sli_float_of_bits(uint32_t bits)
{
    float value;
    memcpy(&value, &bits, sizeof value);
    return (double)value;
}

static inline double sli_double_of_bits(uint64_t bits)
{
    double value;
    memcpy(&value, &bits, sizeof value);
    return value;
}
