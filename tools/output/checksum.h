/* output/checksum.h: a checksum of 64 bits over bytes that come in pieces, which tells files that
 * differ by accident apart.  It is no defence against files that are made to look alike. */
#pragma once

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

typedef struct checksum {
    uint64_t lanes[4];
    uint64_t size;           /* bytes so far */
    unsigned char block[32]; /* size % 32 of them, not yet in the lanes */
} checksum;

checksum checksum_begin(uint64_t seed);
void checksum_add(checksum *sum, const void *bytes, size_t size);
void checksum_add_count(checksum *sum, uint64_t count);  /* as eight bytes, on every machine */
void checksum_add_text(checksum *sum, const char *text); /* its end, too; NULL is no text */
uint64_t checksum_end(const checksum *sum);

/* Up to `most` bytes of a stream from where it stands; how many there were.  ferror tells of
 * errors. */
uint64_t checksum_add_stream(checksum *sum, FILE *stream, uint64_t most);
