/* output/checksum.c: multiplies and rotates four lanes of eight bytes, for files that are too long
 * to be summed a byte at a time. */
#include "tools/output/checksum.h"

#include "tools/output/bytes.h"

#include <string.h>

static const uint64_t odd = UINT64_C(0x9E3779B97F4A7C15); /* 2^64 by the golden ratio */
static const uint64_t other = UINT64_C(0xD6E8FEB86659FD93);

static uint64_t checksum_rotate(uint64_t x, int by)
{
    return x << by | x >> (64 - by);
}

/* The finalizer of splitmix64: Steele, Lea and Flood, Fast Splittable Pseudorandom Number
 * Generators (2014). */
static uint64_t checksum_mix(uint64_t z)
{
    z = (z ^ (z >> 30)) * UINT64_C(0xBF58476D1CE4E5B9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94D049BB133111EB);
    return z ^ (z >> 31);
}

checksum checksum_begin(uint64_t seed)
{
    checksum sum = { .size = 0 };
    for (int lane = 0; lane < 4; lane++) {
        sum.lanes[lane] = checksum_mix(seed + (uint64_t)(lane + 1) * odd);
    }
    return sum;
}

static void add_block(checksum *sum, const unsigned char block[32])
{
    for (int lane = 0; lane < 4; lane++) {
        const uint64_t word = bytes_get(block + (size_t)8 * (size_t)lane, 8);
        sum->lanes[lane] = checksum_rotate(sum->lanes[lane] ^ word * other, 29) * odd;
    }
}

void checksum_add(checksum *sum, const void *bytes, size_t size)
{
    const unsigned char *from = bytes;
    size_t held = (size_t)(sum->size % 32);
    sum->size += size;
    if (held > 0) {
        const size_t wanted = 32 - held, taken = size < wanted ? size : wanted;
        memcpy(sum->block + held, from, taken);
        from += taken;
        size -= taken;
        held += taken;
        if (held < 32) {
            return;
        }
        add_block(sum, sum->block);
    }
    for (; size >= 32; size -= 32, from += 32) {
        add_block(sum, from);
    }
    if (size > 0) {
        memcpy(sum->block, from, size);
    }
}

void checksum_add_count(checksum *sum, uint64_t count)
{
    unsigned char bytes[8];
    bytes_put(bytes, count, sizeof bytes);
    checksum_add(sum, bytes, sizeof bytes);
}

void checksum_add_text(checksum *sum, const char *text)
{
    const size_t size = text != NULL ? strlen(text) + 1 : 0;
    checksum_add_count(sum, size);
    checksum_add(sum, text != NULL ? text : "", size);
}

uint64_t checksum_end(const checksum *sum)
{
    checksum last = *sum;
    const size_t held = (size_t)(sum->size % 32);
    uint64_t all = checksum_mix(sum->size + odd);
    if (held > 0) {
        memset(last.block + held, 0, 32 - held);
        add_block(&last, last.block);
    }
    for (int lane = 0; lane < 4; lane++) {
        all = checksum_mix(checksum_rotate(all, 17) ^ last.lanes[lane]);
    }
    return all;
}

uint64_t checksum_add_stream(checksum *sum, FILE *stream, uint64_t most)
{
    unsigned char bytes[1 << 14];
    uint64_t done = 0;
    while (done < most) {
        const uint64_t left = most - done;
        const size_t wanted = left < sizeof bytes ? (size_t)left : sizeof bytes;
        const size_t got = fread(bytes, 1, wanted, stream);
        checksum_add(sum, bytes, got);
        done += got;
        if (got < wanted) {
            break;
        }
    }
    return done;
}
