/* output/bytes.h: whole numbers as bytes of a file, the lowest first, whatever this machine is. */
#pragma once

#include <stddef.h>
#include <stdint.h>

static inline uint64_t bytes_get(const unsigned char *from, size_t size)
{
    uint64_t number = 0;
    for (size_t i = 0; i < size; i++) {
        number |= (uint64_t)from[i] << (8 * i);
    }
    return number;
}

static inline void bytes_put(unsigned char *to, uint64_t number, size_t size)
{
    for (size_t i = 0; i < size; i++) {
        to[i] = (unsigned char)(number >> (8 * i));
    }
}
